"""The images of `runner_images/`, tried as root file systems; see `__main__.py`."""
