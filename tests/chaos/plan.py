"""Which part is killed when: all of it follows from the seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal, get_args

Victim = Literal["worker", "sandbox", "gateway", "redis", "stalled worker"]
Stage = Literal["queued", "compiling", "running", "judging", "publishing"]
VICTIMS: dict[Victim, int] = {"worker": 40, "sandbox": 25, "gateway": 15, "redis": 20}
STAGES: tuple[Stage, ...] = get_args(Stage)
KILLS_A_STALL = 20
MOST_DELAY_SECONDS, MOST_DOWN_SECONDS = 0.02, 1.5
STALL_SECONDS = (10.0, 14.0)  # longer than a worker may be silent


@dataclass(frozen=True, slots=True)
class Kill:
    """One SIGKILL; a stalled worker is stopped instead, and goes on when others have taken its work over.

    Attributes:
        after: when so many submissions have ended.
        victim: what is killed; `sandbox`: one of the processes that hold a run.
        stage: what a submission is to be going through at that moment.
        delay: seconds from the moment when it is seen to go through that stage.
        choice: which of several victims, from 0 to 1.
        down: seconds until a Redis starts again, or a worker goes on; the others are started again by `up`.
    """

    after: int
    victim: Victim
    stage: Stage
    delay: float
    choice: float
    down: float


def plan(seed: int, kills: int, submissions: int) -> list[Kill]:
    """So many kills, and some stalls, spread over all the submissions; every victim and stage has its share."""
    chance = random.Random(seed)
    shares = [victim for victim, share in VICTIMS.items() for _ in range(share)]
    victims = [shares[int(len(shares) * (number + 0.5) / kills)] for number in range(kills)]
    victims += ["stalled worker"] * max(1, kills // KILLS_A_STALL)
    stages = [STAGES[number % len(STAGES)] for number in range(len(victims))]
    chance.shuffle(victims)
    chance.shuffle(stages)
    return [
        Kill(
            after=round(submissions * (number + 0.5) / len(victims)),
            victim=victim,
            stage="running" if victim == "sandbox" and stage != "compiling" else stage,
            delay=chance.uniform(0, MOST_DELAY_SECONDS),
            choice=chance.random(),
            down=chance.uniform(*STALL_SECONDS) if victim == "stalled worker" else chance.uniform(0, MOST_DOWN_SECONDS),
        )
        for number, (victim, stage) in enumerate(zip(victims, stages, strict=True))
    ]
