"""Sides of a battle out of words, for questions that need no position."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from engine.core.record import Record
from engine.rulesets.warlords2.book import book_of
from engine.rulesets.warlords2.state import State
from engine.strategic.battle import Soldier, Soldiers, meet
from engine.strategic.battle_records import Battleground, Lineup
from engine.strategic.pieces import NOBODY, STACK, Army, Hero, UnitType

CITYFUL: Final = 4 * STACK
"""Most armies that defend together. Rules: W2-8.1."""

_UNIT: Final = re.compile(
    r"(?:(?P<count>\d{1,3})\*)?(?P<key>[a-z][a-z0-9_]*)"
    r"(?::(?P<strength>\d{1,3}))?(?:\+(?P<weapons>\d{1,3}))?(?:\^(?P<command>\d{1,3}))?"
)

_GROUNDS: Final[Mapping[str, Battleground]] = {
    "city": Battleground("city"),
    "open": Battleground("open"),
    "woods": Battleground("woods"),
    "hills": Battleground("hills"),
    "mountains": Battleground("hills", mounts_last=True),
    "sea": Battleground("open", at_sea=True, mounts_last=True),
}
"""Where battles are fought. Rules: W2-8.2, W2-8.4."""


class Clash(Record, frozen=True):
    """Two sides that meet."""

    attackers: Soldiers
    defenders: Soldiers
    lineup: Lineup


def clash(state: State, arguments: Mapping[str, str]) -> Clash:
    """The sides and the field that words name, with the types and options of a position.

    At sea everybody is embarked who neither flies nor is a boat. The attackers are those of a human
    player.

    Raises:
        ValueError: a word does not fit.

    Rules: W2-8.1, W2-8.3.
    """
    ground = arguments.get("ground", "open")
    if ground not in _GROUNDS:
        raise ValueError(f"ground {ground!r} is none of {', '.join(_GROUNDS)}")
    bare = _GROUNDS[ground]
    value = whole(arguments.get("defence", "0"), "defence", 9)
    if value and bare.ground != "city":
        raise ValueError("walls, ruins and towers make the ground city; there is no other defence")
    field = Battleground(bare.ground, value, bare.at_sea, bare.mounts_last)
    attackers = _troops(state, arguments["attackers"], "attackers", field)
    defenders = _troops(state, arguments["defenders"], "defenders", field)
    neutral = _is_neutral(arguments.get("owner", "side"))
    lineup = meet(
        book_of(state.options).fighting,
        attackers,
        defenders,
        field,
        orders=(_usual, _usual),
        neutral=neutral,
        novice=neutral,
    )
    return Clash(attackers, defenders, lineup)


def whole(text: str, what: str, most: int) -> int:
    """A whole number from 0 on.

    Raises:
        ValueError: it is none, or above ``most``.
    """
    text = text.strip()
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) > most:
        raise ValueError(f"{what}: {text!r} is no whole number from 0 to {most}")
    return int(text)


def _is_neutral(owner: str) -> bool:
    if owner not in {"side", "neutral"}:
        raise ValueError(f"owner {owner!r} is neither side nor neutral")
    return owner == "neutral"


def _usual(kind: UnitType) -> int:
    return kind.order


def _troops(state: State, text: str, role: str, field: Battleground) -> Soldiers:
    limit, first = (STACK, 1) if role == "attackers" else (CITYFUL, 1001)
    found: list[Soldier] = []
    for word in text.split(","):
        for soldier in _unit(state, word.strip(), first + len(found), field):
            found.append(soldier)
            if len(found) > limit:
                raise ValueError(f"there can be no more than {limit} {role}")
    if not found:
        raise ValueError(f"there must be at least one of the {role}")
    return tuple(found)


def _unit(state: State, word: str, number: int, field: Battleground) -> Iterator[Soldier]:
    read = _UNIT.fullmatch(word)
    if read is None:
        raise ValueError(f"{word!r} is no unit such as 2*griffins or hero:7+2^1")
    kind = next((row for row in state.types.values() if row.key == read["key"]), None)
    if kind is None:
        raise ValueError(f"there is no unit {read['key']!r} here")
    is_hero = "hero" in kind.traits
    if not is_hero and (read["weapons"] or read["command"]):
        raise ValueError(f"only heroes carry things, not {kind.key}")
    strength = int(read["strength"]) if read["strength"] else kind.strength
    if not 1 <= strength <= 9:
        raise ValueError(f"{word}: strength goes from 1 to 9")
    for offset in range(int(read["count"] or 1)):
        army = Army(
            id=number + offset,
            owner=NOBODY,
            type=kind.id,
            x=0,
            y=0,
            strength=strength,
            max_move=kind.move,
            points=0,
            upkeep=0,
            aboard=field.at_sea and not {"fly", "boat"} & set(kind.traits),
            hero=Hero(kind.name) if is_hero else None,
        )
        yield Soldier(army, kind, int(read["weapons"] or 0), int(read["command"] or 0))
