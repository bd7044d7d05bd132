"""Containers that both sides hold, and that either may change: attributes of each other's objects, mostly.

`node.children.append(x)` is to reach the node. So a container that was got or set as an attribute is kept by both sides
under a number, and each message begins with what has changed since the last one.
"""

from __future__ import annotations

from .values import changed, snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .values import Decoder, Encoder

CONTAINERS, ITEMS_SHARED = 500, 20_000  # more are not kept: they are looked through for each message


class Shared:
    """Containers by number, each with what it held when the other side heard of it last."""

    def __init__(self) -> None:
        self.containers: list[Any] = []
        self.heard: list[Any] = []
        self.room = ITEMS_SHARED

    def add(self, containers: list[Any]) -> None:
        """Keep these from now on. Both sides do so for the same message, and decide alike."""
        for container in containers:
            if len(container) <= self.room and len(self.containers) < CONTAINERS:
                self.room -= len(container)
                self.containers.append(container)
                self.heard.append(snapshot(container))

    def changes(self, encoder: Encoder, numbers: list[int]) -> list[Any]:
        """What they hold now, where the other side does not know; `numbers` are theirs in the message."""
        return [
            [number, encoder.content(container)]
            for number, container, heard in zip(numbers, self.containers, self.heard)
            if changed(container, heard)
        ]

    def told(self, changes: list[Any], numbers: list[int]) -> None:
        """The other side has been told of changes, or has told of them."""
        if changes:
            places = {number: place for place, number in enumerate(numbers)}
            for place in {places[number] for number, _ in changes if number in places}:
                self.heard[place] = snapshot(self.containers[place])

    def update(self, decoder: Decoder, changes: list[Any], numbers: list[int]) -> None:
        """Take over what the other side says that containers hold now."""
        for change in changes:
            decoder.update(*change)
        self.told(changes, numbers)
