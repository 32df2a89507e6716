"""Offers: commands that will not be refused."""

from __future__ import annotations

from collections.abc import Iterator

from engine.rulesets.kaladan.commands import AnyCommand
from engine.rulesets.kaladan.state import View


def offers(view: View, about: int | None = None) -> Iterator[AnyCommand]:
    """Commands that will not be refused; with ``about`` only those of one unit."""
    raise NotImplementedError
