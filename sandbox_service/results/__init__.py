"""Results as they are kept and sent."""

from sandbox_service.results.encode import MAX_RESPONSE_BYTES, encode, output_bytes, output_fields

__all__ = ["MAX_RESPONSE_BYTES", "encode", "output_bytes", "output_fields"]
