"""Short helpers for the tests of heroes."""

from __future__ import annotations

from typing import Any, TypeVar

from engine.core.dice import Scripted
from engine.core.record import Event
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.strategic.decision import Decision
from engine.strategic.pieces import Item, ItemKind

BOOK = settings_of(Options())
QUESTS = settings_of(Options(quests="on"))

E = TypeVar("E", bound=Event)


def carried(number: int, kind: ItemKind, holder: int, value: int = 1, **more: Any) -> Item:
    """Return an item carried by an army."""
    return Item(number, kind, value, f"thing {number}", "carried", holder=holder, **more)


def lies(number: int, x: int, y: int, kind: ItemKind = "weapon", value: int = 1) -> Item:
    """Return an item on the ground."""
    return Item(number, kind, value, f"thing {number}", "ground", x=x, y=y)


def of_kind(decision: Decision, kind: type[E]) -> list[E]:
    """Return the events of a kind, in order."""
    return [event for event in decision.events if isinstance(event, kind)]


def unused_dice(decision: Decision) -> int:
    """Return the number of scripted throws that were not used."""
    assert isinstance(decision.dice, Scripted)
    return decision.dice.left()
