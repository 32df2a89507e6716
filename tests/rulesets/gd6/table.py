"""Games on a few territories, played with lines of notation."""

from __future__ import annotations

import tomllib
from typing import Any, TypeAlias

from engine.core import notation
from engine.core.codec import convert
from engine.core.game import Game
from engine.core.log import AnyEntry
from engine.core.options import Value
from engine.core.refused import Refused
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import AnyCommand
from engine.rulesets.gd6.state import Player, Setting, State, Territory, View

Play: TypeAlias = Game[State, AnyCommand, ev.AnyEvent, View]

HOUSE = -1


def setting(text: str) -> Setting:
    """Build a scenario from a few lines of TOML."""
    raw: dict[str, Any] = {"name": "table", "title": "A table", "about": "", **tomllib.loads(text)}
    made = convert(raw, Setting)
    assert isinstance(made, Setting)
    return made


def begin(text: str, options: dict[str, Value] | None = None) -> Play:
    """Begin a game of a scenario given as TOML."""
    return Game.begin(RULES, setting(text), options or {}, b"table")


def say(game: Play, seat: int, *lines: str) -> AnyEntry:
    """Submit lines for a seat. Return the entry of the last."""
    entry: AnyEntry | None = None
    for line in lines:
        command: Any = notation.read(line, RULES.command_type)
        entry = game.submit(seat, command)
    assert entry is not None
    return entry


def seal(game: Play, *seats: int) -> tuple[ev.AnyEvent, ...]:
    """Seal the lists of seats. Return the events of the last seal."""
    events: tuple[ev.AnyEvent, ...] = ()
    for seat in seats:
        events = say(game, seat, "seal").events
    return events


def refused(game: Play, seat: int, line: str) -> Refused:
    """Return the refusal of a line; fail if it is accepted."""
    try:
        say(game, seat, line)
    except Refused as problem:
        return problem
    raise AssertionError(f"{line} was accepted")


def land(game: Play, at: int) -> Territory:
    """Return the current state of a territory."""
    return game.state.territories[at]


def player(game: Play, seat: int) -> Player:
    """Return the current state of a seat."""
    return game.state.players[seat]


def of_kind(events: tuple[ev.AnyEvent, ...], kind: type[Any]) -> list[Any]:
    """Return the events of a type."""
    return [event for event in events if isinstance(event, kind)]
