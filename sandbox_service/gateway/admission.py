"""What may be queued: a body that keeps to the contract, its policy and its language."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sandbox_service.contract import parse
from sandbox_service.contract.compare import Compare
from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.reward import Reward, named_languages, needed_tools
from sandbox_service.contract.submission import ANSWER, Submission
from sandbox_service.contract.task import AnswerTask
from sandbox_service.languages import Languages
from sandbox_service.policy import Policies, Policy

REWARDS = ("binary", "fraction", "weighted")
Offered = Collection[str] | None
"""Ids of the languages that live workers offer; `None` while no worker is registered."""


class Admission:
    """Checks submissions against the policies and languages of an installation."""

    def __init__(self, policies: Policies, languages: Languages) -> None:
        self.policies, self.languages = policies, languages

    def check(self, body: Any, offered: Offered, prefix: str = "") -> Submission:
        """The submission that a body stands for.

        Args:
            body: parsed JSON.
            offered: languages that can run now.
            prefix: where the body stands in the request, such as `submissions.3.`.

        Raises:
            ProblemError: naming the field.
        """
        submission = parse.submission(body, prefix)
        try:
            limits = self._terms(submission)
            if not isinstance(submission.task, AnswerTask):
                self._language(submission, offered)
            self._reward(submission, offered)
            _fits(submission, limits)
        except ProblemError as problem:
            problem.field = f"{prefix}{problem.field}"
            raise
        return submission

    def check_defaults(self, defaults: dict[str, Any]) -> None:
        """Check a batch's defaults by themselves, so that a mistake is told once and where it was made.

        Raises:
            ProblemError: naming the field as `defaults.…`.
        """
        program: dict[str, Any] = {} if {"code", "files"} & defaults.keys() else {"code": ""}
        program["language"] = next(iter(self.languages))
        task = defaults.get("task")
        if isinstance(task, dict) and task.get("type") == ANSWER:
            program = {}
        submission = parse.submission(program | defaults, "defaults.")
        try:
            self._terms(submission)
            if not isinstance(submission.task, AnswerTask):
                self._known(submission, self.languages)
        except ProblemError as problem:
            problem.field = f"defaults.{problem.field}"
            raise

    def rewards(self, policy: Policy) -> list[str]:
        """The names that `reward` may have under a policy."""
        return sorted({*REWARDS, *policy.rewards})

    def _terms(self, submission: Submission) -> RunLimits:
        policy = self.policies.get(submission.policy)
        if policy is None:
            raise _unknown("policy", submission.policy, self.policies)
        run, _ = policy.resolve(submission.limits)
        if isinstance(submission.reward, str) and submission.reward not in self.rewards(policy):
            raise _unknown("reward", submission.reward, self.rewards(policy))
        return run

    def _reward(self, submission: Submission, offered: Offered) -> None:
        """See that a reward's own programs and tools are there."""
        reward = self.policies[submission.policy].reward(submission.reward, submission.domain)
        tools = ["math"] if isinstance(submission.task, AnswerTask) and submission.task.mode == "math" else []
        if isinstance(reward, Reward):
            tools += needed_tools(reward)
            for name in named_languages(reward):
                if name not in self.languages or (offered is not None and name not in offered):
                    raise _unknown("language", name, self.languages if offered is None else offered, field="reward")
        if missing := [tool for tool in tools if offered is not None and f"tool:{tool}" not in offered]:
            detail = f"no worker has {missing[0]}: install sandbox-service[tools] where one runs"
            raise ProblemError(422, "not_offered", detail, field="task.mode" if missing[0] == "math" else "reward")

    def _language(self, submission: Submission, offered: Offered) -> None:
        if offered is not None:
            self._known(submission, offered)
        self._known(submission, self.languages)
        self.languages[submission.language].check(submission)

    def _known(self, submission: Submission, offered: Collection[str]) -> None:
        """Check the program's language and, where there is one, its checker's."""
        if submission.language not in offered:
            raise _unknown("language", submission.language, offered)
        checker = getattr(submission.task, "compare", Compare()).language
        if checker is not None and checker not in offered:
            raise _unknown("language", checker, offered, field="task.compare.language")


def _fits(submission: Submission, limits: RunLimits) -> None:
    name = "files" if submission.code is None else "code"
    size = len(submission.code) if submission.code is not None else sum(map(len, (submission.files or {}).values()))
    if size > limits.disk_bytes:
        detail = f"{name} hold {size} bytes, more than the limit disk_bytes of {limits.disk_bytes}"
        raise ProblemError(422, "over_disk_bytes", detail, field=name)


def _unknown(kind: str, name: str, offered: Collection[str], field: str | None = None) -> ProblemError:
    choice = ", ".join(sorted(each for each in offered if ":" not in each)) or "none"
    detail = f"there is no {kind} {name!r}; offered: {choice}"
    return ProblemError(422, f"unknown_{kind}", detail, field=field or kind)
