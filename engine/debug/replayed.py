"""Positions that tests continue from: text in, events out, scripted throws.

Tests that the debugger writes use it, in this project and outside of it::

    game = Replayed("mygame", SCENARIO)
    assert game.play(0, "attack unit=1 at=9,1", throws=[1]) == game.events(EVENTS)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import GenericAlias
from typing import Any

from engine.core.codec import json_decoder
from engine.core.decision import is_heard, states_around
from engine.core.dice import Scripted
from engine.core.notation import read
from engine.core.options import Value
from engine.core.refused import Denied, Refused
from engine.core.registry import find
from engine.core.scenarios import parse


class Replayed:
    """A game without a log, set up from the text of a scenario."""

    def __init__(
        self,
        ruleset: str,
        scenario: str,
        options: Mapping[str, Value] | None = None,
        throws: Iterable[int] = (),
    ) -> None:
        """Set the game up.

        Args:
            ruleset: its name.
            scenario: JSON or TOML, as in a scenario file.
            options: settings of the game.
            throws: of the dice for the set-up.

        Raises:
            ScenarioFault: the scenario is invalid.
            OptionFault: an option is unknown or has an invalid value.
        """
        self.rules = find(ruleset)
        dice = Scripted(throws)
        events = self.rules.begin(parse(self.rules, scenario.encode()), options or {}, dice)
        self.state: Any = states_around(self.rules, self.rules.empty(), events)[-1]

    def play(self, seat: int, command: str, throws: Iterable[int] = ()) -> tuple[Any, ...]:
        """Play a command in notation with scripted throws; return its events.

        Raises:
            BadNotation: the line is not a command.
            Refused: the rules do not allow it.
            WrongThrow: a throw is missing or does not fit.
            ValueError: throws are left over.
        """
        if not is_heard(self.rules, self.state, seat):
            raise Refused(Denied.NOT_YOUR_TURN, "It is not your turn.")
        dice = Scripted(throws)
        told = read(command, self.rules.command_type)
        events = self.rules.decide(self.state, seat, told, dice)
        if left := dice.left():
            raise ValueError(f"{command}: {left} throws are not asked for")
        self.state = states_around(self.rules, self.state, events)[-1]
        return tuple(events)

    def refusal(self, seat: int, command: str, throws: Iterable[int] = ()) -> str:
        """Play a command and return the code of its refusal; empty if it is accepted."""
        try:
            self.play(seat, command, throws)
        except Refused as refused:
            return str(refused.code)
        return ""

    def events(self, text: str) -> tuple[Any, ...]:
        """Parse events from a list in JSON; fields with default values may be omitted.

        Raises:
            msgspec.ValidationError: the text is not a list of events of this ruleset.
        """
        kind: Any = GenericAlias(tuple, (self.rules.event_type, ...))
        found: tuple[Any, ...] = json_decoder(kind).decode(text)
        return found
