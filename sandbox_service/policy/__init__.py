"""Policies: what a submission may do. A request narrows them and never widens them."""

from sandbox_service.policy.policy import Policies, Policy, PolicyFile, Reveal, default_policy, load, load_file

__all__ = ["Policies", "Policy", "PolicyFile", "Reveal", "default_policy", "load", "load_file"]
