"""`policy`: check policies, or show what one comes to."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox_service.cli import options
from sandbox_service.cli.errors import CliError
from sandbox_service.contract.data import data_dir

if TYPE_CHECKING:
    from rich.table import Table

    from sandbox_service.policy import Policy

ANSWERS = {
    "allow": "let through",
    "kill": "ends the run: security_violation",
    "nothing": "said to be done, and is not",
}


def main(argv: list[str]) -> int:
    """Check, show, or print a schema or a list of system calls; 1 if a policy is not in order."""
    given = _parser().parse_args(argv)
    act = {"check": _check, "show": _show, "schema": _schema, "seccomp": _seccomp}[given.action]
    return act(given)


def _parser() -> argparse.ArgumentParser:
    parser = options.parser("policy", "Check policies, or show what one comes to.")
    actions = parser.add_subparsers(dest="action", required=True)
    check = actions.add_parser("check", help="check a file or a folder of policies")
    check.add_argument("path", type=Path, metavar="FILE|DIR")
    show = actions.add_parser("show", help="show a policy with nothing left open")
    show.add_argument("name")
    show.add_argument("--policies", type=Path, metavar="DIR", help="default: those that come with the service")
    show.add_argument("--oci", action="store_true", help="its system calls alone, as container runtimes take them")
    schema = actions.add_parser("schema", help="print the JSON Schema of policies")
    schema.add_argument("--seccomp", action="store_true", help="that of their lists of system calls")
    seccomp = actions.add_parser("seccomp", help="print a list of system calls as container runtimes take it")
    seccomp.add_argument("name", help="of a file of policies/seccomp, such as worker: that of a worker in a container")
    return parser


def _check(given: argparse.Namespace) -> int:
    from sandbox_service.policy import load, load_file
    from sandbox_service.policy.check import mistakes

    try:
        found = load(given.path).values() if given.path.is_dir() else [load_file(given.path)]
    except ValueError as error:
        raise CliError(str(error)) from None
    wrong = [f"{policy.name}: {mistake}" for policy in found for mistake in mistakes(policy)]
    for policy in found:
        print(f"{policy.name}: digest {policy.digest}, seccomp {policy.seccomp} {policy.profile.digest}")
    for line in wrong:
        print(line)
    return int(bool(wrong))


def _show(given: argparse.Namespace) -> int:
    from rich.console import Console

    from sandbox_service.policy import load
    from sandbox_service.policy.check import mistakes
    from sandbox_service.policy.seccomp import oci_profile

    try:
        policies = load(given.policies or data_dir("policies"))
    except ValueError as error:
        raise CliError(str(error)) from None
    if given.name not in policies:
        raise CliError(f"there is no policy {given.name!r}, only {', '.join(policies)}", usage=True)
    policy = policies[given.name]
    if wrong := list(mistakes(policy)):
        raise CliError(f"{policy.name}: {'; '.join(wrong)}")
    if given.oci:
        print(json.dumps(oci_profile(policy.profile), indent=2))
        return 0
    console = Console()
    for table in (_facts(policy), _limits(policy), _calls(policy)):
        console.print(table)
    return 0


def _seccomp(given: argparse.Namespace) -> int:
    from sandbox_service.policy.seccomp import load_profile, oci_profile

    try:
        profile = load_profile(data_dir("policies") / "seccomp", given.name)
    except (ValueError, OSError) as error:
        raise CliError(str(error)) from None
    print(json.dumps(oci_profile(profile), indent=1))
    return 0


def _schema(given: argparse.Namespace) -> int:
    from sandbox_service.policy.check import SCHEMAS, schema

    usual, seccomp = SCHEMAS
    print(json.dumps(schema(seccomp if given.seccomp else usual), indent=2))
    return 0


def _table(title: str, *columns: str) -> Table:
    from rich.table import Table

    return Table(*columns, title=title, title_justify="left")


def _facts(policy: Policy) -> Table:
    table = _table(f"policy {policy.name}", "what", "is")
    for name in ("digest", "executor", "runtime", "isolation", "warm", "preload", "cache", "reveal"):
        table.add_row(name, str(getattr(policy, name) or "-"))
    return table


def _limits(policy: Policy) -> Table:
    from sandbox_service.contract.limits import Limits, RunLimits

    run, compiler = policy.resolve(Limits())
    caps = _given(policy.caps)
    compile_caps = caps | _given(policy.caps.compile)
    table = _table("limits: seconds, bytes, counts", "limit", "default", "cap", "compiler", "its cap")
    for name in RunLimits.model_fields:
        cells = (getattr(run, name), caps[name], getattr(compiler, name), compile_caps[name])
        table.add_row(name, *(f"{cell:,}" for cell in cells))
    return table


def _given(limits: Any) -> dict[str, Any]:
    return {} if limits is None else limits.model_dump(exclude_none=True, exclude={"compile"})


def _calls(policy: Policy) -> Table:
    profile = policy.profile
    table = _table(f"system calls: seccomp {profile.name}, digest {profile.digest}", "answer", "calls")
    for answer, calls in sorted(_answers(policy).items()):
        table.add_row(ANSWERS.get(answer, answer), str(len(calls)) if answer == "allow" else " ".join(sorted(calls)))
    table.add_row(profile.otherwise, "all others")
    return table


def _answers(policy: Policy) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for call, answer in _each(policy):
        found.setdefault(answer, []).append(call)
    return found


def _each(policy: Policy) -> Iterator[tuple[str, str]]:
    for call, group in policy.profile.groups.items():
        yield call, f"{group.answer} but for some arguments" if group.allow_if else group.answer
