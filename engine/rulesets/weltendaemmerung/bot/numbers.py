"""What the bots hold units to be worth, from ``data/bot.toml``."""

from __future__ import annotations

from typing import Final

from engine.core.record import Record
from engine.kit.tables import load
from engine.rulesets.weltendaemmerung.bot.kinds import KINDS
from engine.rulesets.weltendaemmerung.tables import PACKAGE


class WorthRow(Record, frozen=True):
    """What a type is worth to its side."""

    key: str
    worth: int


class _Bot(Record, frozen=True):
    source: str
    worth: tuple[WorthRow, ...]


def _worths() -> tuple[int, ...]:
    rows = {row.key: row.worth for row in load(PACKAGE, "bot", _Bot).worth}
    return tuple(rows[kind.key] for kind in KINDS)


WORTH: Final = _worths()
"""The worth of each type, by number."""
