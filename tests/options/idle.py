"""A bot with a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Idle:
    """Bot that takes the last of its offers, which ends a phase."""

    def __init__(self, courage: float = 0.5) -> None:
        self.courage = courage

    def plan(self, view: Any, offers: Any, dice: Any) -> Sequence[Any]:
        return list(offers())[-1:]

    def rest(self, view: Any, offers: Any) -> Sequence[Any]:
        return list(offers())[-1:]
