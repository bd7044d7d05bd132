"""sandbox-service: programs written by language models in, verdicts and rewards out.

The SDK's public names live here; everything else is internal.
"""
