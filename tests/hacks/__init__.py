"""Reward hacks: wrong programs that a naive harness takes for right ones, each with its honest twin."""
