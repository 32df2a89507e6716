"""The list of saves: what is searched for, in which order. Knows no widgets."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from typing import Any, Final

from engine.core.archive import SaveInfo

ORDERS: Final[dict[str, Callable[[SaveInfo], Any]]] = {
    "last played": lambda info: (-info.modified, info.name),
    "name": lambda info: info.name.casefold(),
    "game": lambda info: (info.title.casefold(), -info.modified),
    "longest": lambda info: (-info.entries, info.name),
}
"""How saves can be sorted; the first is the usual one."""

NAME_WIDTH: Final = 27


def chosen(saves: Iterable[SaveInfo], order: str, words: str) -> tuple[SaveInfo, ...]:
    """The saves in which every word occurs, in an order."""
    wanted = words.casefold().split()
    found = [info for info in saves if all(word in _text(info) for word in wanted)]
    return tuple(sorted(found, key=ORDERS[order]))


def _text(info: SaveInfo) -> str:
    people = (f"{player.name} {player.bot}" for player in info.players)
    state = "damaged" if info.fault else ""
    return " ".join([info.name, info.title, info.ruleset, *people, state]).casefold()


def row(info: SaveInfo, now: datetime.datetime) -> str:
    """A save in a line: its name and when it was played last."""
    name = info.name if len(info.name) <= NAME_WIDTH else info.name[: NAME_WIDTH - 2] + ".."
    return f"{name:<{NAME_WIDTH}} {'damaged' if info.fault else played(info, now):>13}"


def played(info: SaveInfo, now: datetime.datetime) -> str:
    """When a save was played last, in words as short as they can be."""
    when = datetime.datetime.fromtimestamp(info.modified, now.tzinfo)
    days = (now.date() - when.date()).days
    if days == 0:
        return f"today {when:%H:%M}"
    if days == 1:
        return f"yest. {when:%H:%M}"
    return f"{when:%Y-%m-%d}"


def people(info: SaveInfo) -> str:
    """Who plays."""
    return ", ".join(f"{player.name}: {player.bot or 'person'}" for player in info.players)
