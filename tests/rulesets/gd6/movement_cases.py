"""Rows of ``cases/*.toml`` on movement: a position, moves by seat, and the expected outcome.

A territory is written ``NUMBER OWNER`` and its content: ``2 B 3`` has three armies, ``2 B spy=1
watchtower`` a spy and a tower, ``3 - mines=2`` is neutral. Others are neutral and empty. An order
is ``A 1>2>3 4`` or ``A 1>2 4 cavalry``; those of a seat are in order of priority. ``after`` lists
whole territories after the phase; unnamed ones must be unchanged. ``lost`` is written like a
territory without a number. ``refused`` is ``A0`` (seat and index in its list) and the primary code;
``reduced`` is ``A0`` and the number that can go.
"""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypedDict

from engine.core.codec import convert
from engine.core.record import Record
from tests.rulesets.gd6.naive_world import Borders, Land, Order, Result

FOLDER: Final = Path(__file__).parent / "cases"
LETTERS: Final = "ABCDEFGHIJKLM"
UNITS: Final = ("army", "cavalry", "heavy", "spy")


class Case(Record, frozen=True):
    """One row of a case file."""

    name: str
    rule: str
    borders: str
    land: tuple[str, ...]
    orders: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    reduced: tuple[str, ...] = ()
    advanced: bool = False


class _File(Record, frozen=True):
    case: tuple[Case, ...]


class Problem(TypedDict):
    """A position with moves, as plain dicts."""

    borders: Borders
    lands: dict[int, Land]
    orders: dict[int, list[Order]]
    advanced: bool


class Outcome(TypedDict):
    """Outcome that must be equal in both implementations.

    Of a refusal only the primary code counts. Zeros are omitted.
    """

    lands: dict[int, Land]
    lost: dict[int, dict[str, int]]
    refused: dict[tuple[int, int], str]
    reduced: dict[tuple[int, int], int]


def cases() -> list[tuple[str, Case]]:
    """Return all rows of all files on movement, each with the name of its file."""
    found = []
    for path in sorted(FOLDER.glob("movement_*.toml")):
        made = convert(tomllib.loads(path.read_text(encoding="utf-8")), _File)
        found += [(path.stem.removeprefix("movement_"), case) for case in made.case]
    return found


def problem(case: Case) -> Problem:
    """Return the initial position of a row."""
    borders = graph(case.borders)
    lands = {place: empty() for place in borders} | dict(map(_land, case.land))
    seats = sorted({line[0] for line in case.orders})
    return {
        "borders": borders,
        "lands": lands,
        "orders": {
            LETTERS.index(seat): [_order(line) for line in case.orders if line[0] == seat]
            for seat in seats
        },
        "advanced": case.advanced,
    }


def expected(case: Case) -> Outcome:
    """Return the outcome that a row expects."""
    return {
        "lands": problem(case)["lands"] | dict(map(_land, case.after)),
        "lost": {LETTERS.index(line[0]): _things(line.split()[1:])["units"] for line in case.lost},
        "refused": {_line(text): text.split()[1] for text in case.refused},
        "reduced": {_line(text): int(text.split()[1]) for text in case.reduced},
    }


def outcome(result: Result) -> Outcome:
    """Return the outcome of the naive implementation."""
    return {
        "lands": result["lands"],
        "lost": result["lost"],
        "refused": {line: codes[0] for line, codes in result["refused"].items()},
        "reduced": result["reduced"],
    }


def graph(text: str) -> Borders:
    """Return the neighbours of each territory; ``1-2-3 2-4`` has three borders."""
    edges = set()
    for way in text.split():
        places = [int(place) for place in way.split("-")]
        edges |= {(a, b) for a, b in pairwise(places)}
    edges |= {(b, a) for a, b in edges}
    last = max(place for edge in edges for place in edge)
    return {place: sorted(b for a, b in edges if a == place) for place in range(1, last + 1)}


def empty() -> Land:
    """Return an empty neutral territory."""
    return {
        "owner": None,
        "loyalty": 0,
        "units": {},
        "construct": None,
        "hq": False,
        "wasteland": False,
        "mines": 0,
    }


def _land(text: str) -> tuple[int, Land]:
    number, owner, *things = text.split()
    land = _things(things)
    land["owner"] = None if owner == "-" else LETTERS.index(owner)
    return int(number), land


def _things(words: list[str]) -> Land:
    land: Any = empty()
    for word in words:
        name, _, value = word.rpartition("=")
        if name in UNITS or word.isdigit():
            land["units"][name or "army"] = int(value)
        elif name:
            land[name] = int(value)
        elif word in {"hq", "wasteland"}:
            land[word] = True
        else:
            land["construct"] = word
    made: Land = land
    return made


def _order(text: str) -> Order:
    _, path, count, *unit = text.split()
    return {
        "path": [int(place) for place in path.split(">")],
        "unit": unit[0] if unit else "army",
        "count": int(count),
    }


def _line(text: str) -> tuple[int, int]:
    word = text.split(maxsplit=1)[0]
    return LETTERS.index(word[0]), int(word[1:])
