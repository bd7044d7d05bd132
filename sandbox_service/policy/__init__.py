"""Policies: what a submission may do. A request narrows them and never widens them."""

from sandbox_service.policy.policy import Policies, Policy, load

__all__ = ["Policies", "Policy", "load"]
