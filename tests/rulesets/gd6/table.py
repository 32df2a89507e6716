"""Games of a few territories, played by lines of notation."""

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
    """A scenario out of a few lines of TOML."""
    raw: dict[str, Any] = {"name": "table", "title": "A table", "about": "", **tomllib.loads(text)}
    made = convert(raw, Setting)
    assert isinstance(made, Setting)
    return made


def begin(text: str, options: dict[str, Value] | None = None) -> Play:
    """A game of a scenario."""
    return Game.begin(RULES, setting(text), options or {}, b"table")


def say(game: Play, seat: int, *lines: str) -> AnyEntry:
    """Submit lines; the entry of the last."""
    entry: AnyEntry | None = None
    for line in lines:
        command: Any = notation.read(line, RULES.command_type)
        entry = game.submit(seat, command)
    assert entry is not None
    return entry


def seal(game: Play, *seats: int) -> tuple[ev.AnyEvent, ...]:
    """Let seats seal; what came of the last seal."""
    events: tuple[ev.AnyEvent, ...] = ()
    for seat in seats:
        events = say(game, seat, "seal").events
    return events


def refused(game: Play, seat: int, line: str) -> Refused:
    """Refusal of a line."""
    try:
        say(game, seat, line)
    except Refused as problem:
        return problem
    raise AssertionError(f"{line} was accepted")


def land(game: Play, at: int) -> Territory:
    """A territory now."""
    return game.state.territories[at]


def player(game: Play, seat: int) -> Player:
    """A seat now."""
    return game.state.players[seat]


def of_kind(events: tuple[ev.AnyEvent, ...], kind: type[Any]) -> list[Any]:
    """The events of a kind."""
    return [event for event in events if isinstance(event, kind)]
