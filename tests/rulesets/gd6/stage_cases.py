"""Rows of ``cases/stages_*.toml``: a position, lists, stages to run, and the expected outcome.

Territories are written ``NUMBER OWNER ARMIES`` and their other content: ``2 B 3 spy=1 hq=B
loyalty=2 watchtower wasteland mines=4 laid=A:2,B:1``; ``3 -`` is neutral. Seats are ``A ip=30
crop=1``. An order is a letter and a line of notation. ``refused`` is ``A0`` (seat and index in its
list) and all codes in order. ``after`` lists whole territories; others must be unchanged.
``seats_after`` checks only the fields that it names. ``owned`` sets what a seat owned when the turn
opened.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from engine.core.codec import convert
from engine.core.containers import Roster
from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.core.record import Record, replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import read_order
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.setup import world_of
from engine.rulesets.gd6.state import LETTERS, Options, Player, Setting, Snapshot, State, Territory
from engine.rulesets.gd6.territories import Decision
from engine.rulesets.gd6.turns import BEFORE_MOVEMENT, MOVEMENT, grow, readable, snapshot_of

FOLDER: Final = Path(__file__).parent / "cases"
CONSTRUCTS: Final = ("watchtower", "bivouac", "library")


class Case(Record, frozen=True):
    """One row of a case file."""

    name: str
    rules: str
    stages: str
    borders: str
    land: tuple[str, ...]
    seats: tuple[str, ...] = ("A", "B")
    orders: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    seats_after: tuple[str, ...] = ()
    owned: tuple[str, ...] = ()
    advanced: bool = False


class _File(Record, frozen=True):
    case: tuple[Case, ...]


def cases() -> list[tuple[str, Case]]:
    """Return all rows of all files on stages, each with the name of its file."""
    found = []
    for path in sorted(FOLDER.glob("stages_*.toml")):
        made = convert(tomllib.loads(path.read_text(encoding="utf-8")), _File)
        found += [(path.stem.removeprefix("stages_"), case) for case in made.case]
    return found


def seat(letter: str) -> int:
    """Return the seat of a letter, or -1 for ``-``."""
    return -1 if letter == "-" else LETTERS.index(letter)


def territory(text: str) -> Territory:
    """Read a territory in the notation of rows."""
    number, owner, *rest = text.split()
    fields: dict[str, Any] = {"id": int(number), "owner": seat(owner)}
    for word in rest:
        name, sign, value = word.partition("=")
        if word.isdigit():
            fields["army"] = int(word)
        elif name in CONSTRUCTS:
            fields["construct"] = name
        elif name == "hq":
            fields["hq"] = seat(value)
        elif name == "laid":
            pairs = (pair.split(":") for pair in value.split(","))
            fields["laid"] = tuple((seat(who), int(count)) for who, count in pairs)
        elif name == "wasteland":
            fields["wasteland"] = True
        else:
            assert sign, f"{word} is not understood"
            fields[name] = int(value)
    return Territory(**fields)


def named(text: str) -> tuple[int, dict[str, Any]]:
    """Read a seat and the fields that a row gives."""
    letter, *rest = text.split()
    pairs = (word.partition("=") for word in rest)
    return seat(letter), {
        name: int(value) if value.isdigit() else value for name, _, value in pairs
    }


def position(case: Case) -> State:
    """Return the position of a row, including the lists."""
    pairs = tuple(tuple(map(int, pair.split("-"))) for pair in case.borders.split())
    world = world_of(Setting("case", "A case", "", borders=pairs))  # type: ignore[arg-type]
    rows = {row.id: row for row in map(territory, case.land)}
    lands = Roster(rows.get(land.id, Territory(land.id)) for land in world.lands)
    options = Options(variant="advanced" if case.advanced else "base")
    state = State(world, lands, Roster(), options)
    for text in case.seats:
        number, fields = named(text)
        settled = any(here.hq == number or here.owner == number for here in lands.values())
        player = Player(number, hq_built=settled, status="active" if settled else "unsettled")
        orders = [line[2:] for line in case.orders if seat(line[0]) == number]
        player = replace(player, orders=tuple(map(read_order, orders)), **fields)
        player = replace(player, opened=Snapshot(*snapshot_of(state, number)))
        state = replace(state, players=state.players.put(player))
    for text in case.owned:
        number, fields = named(text)
        player = replace(state.players[number], opened=Snapshot(**fields))
        state = replace(state, players=state.players.put(player))
    return state


def carried_out(case: Case) -> tuple[State, tuple[ev.AnyEvent, ...]]:
    """Run the stages of a row. Return the position afterwards, and the events."""
    state = position(case)
    decision: Decision = BaseDecision(state, evolve, Scripted())
    lists = readable(decision, state.players)
    for name in case.stages.split():
        if name == "final":
            grow(decision)
        for stage in (*BEFORE_MOVEMENT, MOVEMENT):
            if stage.name == name:
                stage.run(decision, lists)
    return decision.state, decision.events


def refusals(events: tuple[ev.AnyEvent, ...]) -> list[str]:
    """Return all refusals in the notation of rows."""
    return sorted(
        " ".join([f"{LETTERS[event.seat]}{event.place}", *event.codes])
        for event in events
        if isinstance(event, ev.OrderRefused)
    )
