"""Which part is killed when: all of it follows from the seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal, get_args

Victim = Literal["worker", "sandbox", "gateway", "redis"]
Stage = Literal["queued", "compiling", "running", "judging", "publishing"]
VICTIMS: dict[Victim, int] = {"worker": 40, "sandbox": 25, "gateway": 15, "redis": 20}
STAGES: tuple[Stage, ...] = get_args(Stage)
MOST_DELAY_SECONDS, MOST_DOWN_SECONDS = 0.02, 1.5


@dataclass(frozen=True, slots=True)
class Kill:
    """One SIGKILL.

    Attributes:
        after: when so many submissions have ended.
        victim: what is killed; `sandbox`: one of the processes that hold a run.
        stage: what a submission is to be going through at that moment.
        delay: seconds from the moment when it is seen to go through that stage.
        choice: which of several victims, from 0 to 1.
        down: seconds until a Redis starts again; the others are started by `up`.
    """

    after: int
    victim: Victim
    stage: Stage
    delay: float
    choice: float
    down: float


def plan(seed: int, kills: int, submissions: int) -> list[Kill]:
    """So many kills, spread over all the submissions; each stage of the way has its share of each kind."""
    chance = random.Random(seed)
    stages = [STAGES[number % len(STAGES)] for number in range(kills)]
    chance.shuffle(stages)
    shares = [victim for victim, share in VICTIMS.items() for _ in range(share)]
    victims = [shares[int(len(shares) * (number + 0.5) / kills)] for number in range(kills)]
    chance.shuffle(victims)
    return [
        Kill(
            after=round(submissions * (number + 0.5) / kills),
            victim=victim,
            stage="running" if victim == "sandbox" and stage != "compiling" else stage,
            delay=chance.uniform(0, MOST_DELAY_SECONDS),
            choice=chance.random(),
            down=chance.uniform(0, MOST_DOWN_SECONDS),
        )
        for number, (victim, stage) in enumerate(zip(victims, stages, strict=True))
    ]
