"""The choices before a game, as rows. Knows no widgets."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final, Literal

from engine.core import registry
from engine.core.archive import Player
from engine.core.options import Option, Value
from tui.plain.scenarios import seed_bytes
from tui.setup import PERSON, SEED_BYTES, NewGame, usual_players

_UNSET: Final = ""
"""What the scenario says."""


@dataclass(frozen=True)
class Row:
    """One thing to choose: what it is called, what it is now, what that means."""

    name: str
    label: str
    value: str = ""
    about: str = ""
    typed: Literal["", "text", "number"] = ""
    span: tuple[int, int] = (0, 0)

    @property
    def shown(self) -> str:
        """The row as text."""
        return f"{self.label:<22} < {self.value} >" if self.value else self.label

    @property
    def number(self) -> int:
        """The value as a number, 0 if it is none."""
        return int(self.value) if self.value.lstrip("-").isdecimal() else 0


class Form:
    """A new game in the making."""

    def __init__(self, ruleset: str = "") -> None:
        """Begin with what is usual."""
        self.seed = ""
        self._rulesets = registry.names()
        self._choose_ruleset(ruleset or self._rulesets[0])

    def _choose_ruleset(self, name: str) -> None:
        self.rules = registry.find(name)
        self.scenarios = self.rules.scenarios()
        self.scenario = next(iter(self.scenarios))
        self.options: dict[str, str] = {}
        self.players: list[Player] = list(usual_players(self.rules))
        self.levels = [PERSON, *self.rules.bots]

    def rows(self) -> tuple[Row, ...]:
        """All rows, from top to bottom."""
        scenario = self.scenarios[self.scenario]
        least, most = self.rules.traits.seats
        seats = (
            Row(
                f"seat:{player.seat}",
                player.name,
                f"computer, {player.bot}" if player.bot else "person",
                "Who plays this side: somebody at this keyboard, or the computer.",
            )
            for player in self.players
        )
        seed_about = "Dice come from the seed: the same seed and moves give the same game."
        return (
            Row("start", "Start the game", about="Begin. The game is saved after every move."),
            Row("ruleset", "Game", self.rules.title, "Which rules to play by."),
            Row("scenario", "Scenario", scenario.title, scenario.about),
            *([Row("seats", "Sides", str(len(self.players)))] if least < most else []),
            *seats,
            *(self._option_row(option) for option in self.rules.options),
            Row("seed", "Seed", self.seed or "by chance", seed_about, "text"),
        )

    def _option_row(self, option: Option) -> Row:
        value = self.options.get(option.name, _UNSET)
        about = f"{option.text} [{option.rule}]" if option.rule else option.text
        default = "as the scenario says" if option.default is None else str(option.default)
        if value in option.choices and len(option.explained) == len(option.choices):
            about += f"\n{value}: {option.explained[option.choices.index(value)]}"
        elif not value and option.choices:
            about += f"\nOne of: {', '.join(option.choices)}."
        label = option.name.replace("_", " ").capitalize()
        name = f"option:{option.name}"
        if option.choices:
            return Row(name, label, value or default, about)
        about += f"\nA number from {option.low} to {option.high}."
        return Row(name, label, value or default, about, "number", (option.low, option.high))

    def change(self, name: str, by: int) -> None:
        """Take the next or previous choice of a row."""
        kind, _, rest = name.partition(":")
        if kind == "ruleset":
            self._choose_ruleset(_next(list(self._rulesets), self.rules.name, by))
        elif kind == "scenario":
            self.scenario = _next(list(self.scenarios), self.scenario, by)
        elif kind == "seats":
            self._change_seats(by)
        elif kind == "seat":
            seat = int(rest)
            old = self.players[seat]
            self.players[seat] = Player(seat, old.name, _next(self.levels, old.bot, by))
        elif kind == "option":
            self._change_option(rest, by)

    def put(self, name: str, value: str) -> None:
        """Set what was typed.

        Raises:
            OptionFault: it cannot be that.
        """
        kind, _, rest = name.partition(":")
        if kind == "seed":
            self.seed = value.strip()
        elif kind == "option":
            self._option(rest).check(value)
            self.options[rest] = value

    def result(self) -> NewGame:
        """The game to begin."""
        options: dict[str, Value] = {
            name: self._option(name).check(value) for name, value in self.options.items()
        }
        return NewGame(
            ruleset=self.rules.name,
            scenario=self.scenario,
            options=options,
            players=tuple(self.players),
            seed=_seed(self.seed) if self.seed else b"",
        )

    def _option(self, name: str) -> Option:
        return next(option for option in self.rules.options if option.name == name)

    def _change_option(self, name: str, by: int) -> None:
        option = self._option(name)
        now = self.options.get(name, _UNSET)
        if option.choices:
            unset = [_UNSET] if option.default is None else []
            start = now or str(option.default or _UNSET)
            new = _next([*unset, *option.choices], start, by)
        else:
            start_number = int(now) if now else int(option.default or option.low) - (by > 0)
            new = str(min(max(option.low, start_number + by), option.high))
        if new == _UNSET:
            self.options.pop(name, None)
        else:
            self.options[name] = new

    def _change_seats(self, by: int) -> None:
        least, most = self.rules.traits.seats
        count = least + (len(self.players) - least + by) % (most - least + 1)
        usual = self.rules.bots
        level = next(iter(usual), PERSON)
        names = self.rules.traits.seat_names
        known = self.players[:count]
        added = [Player(seat, names[seat], level) for seat in range(len(known), count)]
        self.players = [*known, *added]


def _next(values: list[str], now: str, by: int) -> str:
    at = values.index(now) if now in values else 0
    return values[(at + by) % len(values)]


def _seed(text: str) -> bytes:
    """A number as ``run --seed`` takes it; any other text by its hash."""
    if text.isdecimal():
        return seed_bytes(int(text))
    return hashlib.blake2b(text.encode(), digest_size=SEED_BYTES).digest()
