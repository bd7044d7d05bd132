"""Tests of sandboxes where pytest does not run: what runs there, and what is expected of it."""
