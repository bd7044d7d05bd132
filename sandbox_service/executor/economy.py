"""What makes runs cheap; each part can be switched off, to see what it brings or to do without."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox_service.contract.run import Preload


@dataclass(frozen=True, slots=True)
class Economy:
    """What a sandbox keeps from run to run.

    Attributes:
        group: its control group; else a new one for each run.
        network: its network namespace, until a run uses it; else a new one for each run.
        reaper: the first process of a run does nothing where the control group counts CPU time; else it waits for all
            orphans, which takes a copy of whoever bears the programs.
        warm: Python programs run in a copy of a Python that has started already, where the request allows it.
        preload: modules of the library that it has read already, without their being there before they are imported.
    """

    group: bool = True
    network: bool = True
    reaper: bool = True
    warm: bool = True
    preload: Preload = "stdlib"
