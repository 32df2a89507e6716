"""Rows of ``cases/*.toml``: a small position, lines of notation, and the expected results.

A unit is written ``TYPE X,Y``, followed by fields that differ from a fresh unit (``b=3``, ``v=5``,
``b_max=9``, ``dead``); its id is its place in the list. A site is ``X,Y`` or ``X,Y ruined``. An
event is its tag and its fields. With ``refused`` the last line must be refused with that code.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from engine.core.codec import convert
from engine.core.containers import Roster
from engine.core.dice import Scripted
from engine.core.notation import read
from engine.core.record import Event, Record, tag
from engine.core.refused import Refused
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.state import Options, Site, State, Unit
from tests.rulesets.weltendaemmerung import small

FOLDER = Path(__file__).parent / "cases"


class Case(Record, frozen=True):
    """A row of a case table."""

    name: str
    rule: str
    do: tuple[str, ...]
    rows: tuple[str, ...]
    units: tuple[str, ...]
    sites: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    refused: str = ""
    phase: int = 0
    player: int = 0
    completed: int = 0
    rounds: int = 15
    winner: int = -1
    attacks: int = 0
    frontier: int | None = None
    options: Options = Options()
    cycle: tuple[int, ...] = ()
    throws: tuple[int, ...] = ()


class _File(Record, frozen=True):
    case: tuple[Case, ...]


def cases() -> list[tuple[str, Case]]:
    """Return the rows of all files, each with the name of its file."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        made = convert(tomllib.loads(path.read_text(encoding="utf-8")), _File)
        found += [(path.stem, case) for case in made.case]
    return found


def position(case: Case) -> State:
    """Return the first position of a row."""
    width = len(case.rows[0])
    return State(
        terrain=small.plane(case.rows),
        units=Roster(_unit(number, text) for number, text in enumerate(case.units)),
        sites=Roster(_site(number, text) for number, text in enumerate(case.sites)),
        frontier=max(1, width - 1) if case.frontier is None else case.frontier,
        rounds=case.rounds,
        cursor=(0, 0),
        options=case.options,
        completed=case.completed,
        phase=case.phase,
        player=case.player,
        attacks=case.attacks,
        winner=case.winner,
        cycle=case.cycle,
    )


def _unit(number: int, text: str) -> Unit:
    key, place, *rest = text.split()
    x, y = place.split(",")
    alive = "dead" not in rest
    numbers = dict(word.split("=") for word in rest if word != "dead")
    fields = {name: int(value) for name, value in numbers.items()}
    return small.unit(number, key, int(x), int(y), **fields, alive=alive)


def _site(number: int, text: str) -> Site:
    place, *rest = text.split()
    x, y = place.split(",")
    return Site(number, int(x), int(y), ruined=rest == ["ruined"])


def outcome(case: Case) -> tuple[list[str], str]:
    """Return the events of all lines as text, and the code of the last refusal or ""."""
    state, dice = position(case), Scripted(case.throws)
    told: list[str] = []
    for line in case.do:
        command = read(line, RULES.command_type)
        try:
            events = RULES.decide(state, state.player, command, dice)  # type: ignore[arg-type]  # read() types all commands alike
        except Refused as refused:
            return told, _code(refused, line, case)
        for event in events:
            state = RULES.evolve(state, event)
        told += [describe(event) for event in events]
    assert dice.left() == 0, "not all throws were asked for"
    return told, ""


def _code(refused: Refused, line: str, case: Case) -> str:
    """Check that a refusal has a sentence and a rule; return its code."""
    assert line == case.do[-1], f"{line} is refused: {refused.text}"
    assert refused.text
    assert refused.rule.startswith("WD-")
    return str(refused.code)


def describe(event: Event) -> str:
    """Return an event as one line."""
    fields = [f"{name}={getattr(event, name)}" for name in event.__struct_fields__]
    return " ".join([tag(event), *fields])
