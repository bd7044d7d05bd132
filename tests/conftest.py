"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# No deadline: how long an example takes depends on what else the machine is doing.
settings.register_profile("repository", deadline=None)
settings.load_profile("repository")
