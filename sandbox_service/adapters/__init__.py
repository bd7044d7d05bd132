"""Adapters: a reward function, environment or scorer for each trainer, on the SDK alone.

Import the module of your trainer; none of them is imported here. What all share: answers are searched for a fenced
block, tests are written in a notation of `sandbox_service.contract.ground_truth`, and a failure of ours never becomes
a reward: see each module for what becomes of it instead.
"""
