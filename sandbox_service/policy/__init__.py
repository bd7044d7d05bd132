"""Policies: what a submission may do. A request narrows them and never widens them."""

from sandbox_service.policy.policy import Policies, Policy, Reveal, default_policy, load

__all__ = ["Policies", "Policy", "Reveal", "default_policy", "load"]
