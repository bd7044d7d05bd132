"""Policies: what a submission may do. A request narrows them and never widens them."""

from sandbox_service.policy.policy import Policies, Policy, default_policy, load

__all__ = ["Policies", "Policy", "default_policy", "load"]
