"""Where the files that travel beside the code lie: in a checkout at its top, in a wheel inside the package."""

from pathlib import Path

_package = Path(__file__).resolve().parent.parent


def data_dir(name: str) -> Path:
    """The folder `policies` or `runner_images`."""
    packed = _package / "_data" / name
    return packed if packed.is_dir() else _package.parent / name
