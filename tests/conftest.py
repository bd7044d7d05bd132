"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

# Not tests themselves, but their assertions are to tell as much.
pytest.register_assert_rewrite("tests.elsewhere.checks")

# No deadline: how long an example takes depends on what else the machine is doing.
settings.register_profile("repository", deadline=None)
settings.load_profile("repository")
