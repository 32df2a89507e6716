"""New-game form: the values that a player sets, and the preview of the resulting scenario.

Two pages: the game, its scenario and the players; and the house rules with everything else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from engine.core import registry
from engine.core.archive import SeatPlayer
from engine.core.game import Game
from engine.core.ids import PUBLIC
from engine.core.options import Option, OptionFault, Value
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault
from engine.core.save_names import checked_name
from engine.core.scenarios import fitted
from engine.tabletop.board import Board, Line
from engine.tabletop.english import capital
from engine.tabletop.new_game import level_name
from engine.tabletop.presenter import AnyPresenter, presenter_of
from tui.play.scenarios import own_scenarios, seed_bytes
from tui.play.setup import PERSON, SEED_BYTES, NewGame, usual_level, usual_players


@dataclass(frozen=True)
class ScenarioPreview:
    """Scenario as set up with its own options, for a player to look at."""

    board: Board | None = None
    options: Mapping[str, Value] | None = None
    """Default value of each option."""
    numbers: Mapping[str, tuple[int, ...]] | None = None
    summary: tuple[Line, ...] = ()
    fault: str = ""
    """Reason why the scenario cannot be set up; empty if it can."""

    def default(self, name: str) -> str:
        """Return the default of an option as text; empty if it is unknown."""
        value = (self.options or {}).get(name)
        return "" if value is None else str(value)


def preview_of(
    rules: AnyRuleset, scenario: Scenario, seats: int, options: Mapping[str, Value] | None = None
) -> ScenarioPreview:
    """Set up a scenario for ``seats`` players and return its preview, or its fault."""
    try:
        game = Game.begin(rules, fitted(rules, scenario, seats), options or {}, bytes(16))
    except (ScenarioFault, OptionFault) as fault:
        return ScenarioPreview(fault=str(fault))
    presenter = presenter_of(rules)
    view = game.view(PUBLIC)
    return ScenarioPreview(
        board=_picture(presenter, view),
        options=rules.setup(game.log[0].events[0])[1],
        numbers=rules.statistics(game.state),
        summary=presenter.summary(view),
    )


def _picture(presenter: AnyPresenter, view: Any) -> Board:
    """Return the board at the default zoom, or at the smallest one if it cannot be shrunk."""
    usual = presenter.board(view, presenter.zooms[0])
    if not usual.narrow:
        return usual
    return min((presenter.board(view, zoom) for zoom in presenter.zooms), key=_columns)


def _columns(board: Board) -> int:
    return board.width


_UNSET: Final = ""
"""Value of an option that the player left to the scenario."""

_DEFAULT: Final = "scenario default"

HOUSE: Final = "house"
"""Name of the row that opens the house rules."""

DONE: Final = "done"
"""Name of the row that closes the house rules."""

_START_ABOUT: Final = "Begin. The game is saved after every move."
_SEATS_ABOUT: Final = "The number of sides. The first is yours; the computer plays the others."
_HOUSE_ABOUT: Final = (
    "Change the rules of this game, its name and its dice. Nothing here needs to be changed."
)
_NAME_ABOUT: Final = (
    "The name under which the game is saved; a number is added if it is taken. Enter to type it."
)
_SEED_ABOUT: Final = (
    "All dice come from this number: the same number and the same moves give the same game. "
    "At random: a new one for every game. Enter to type one."
)


@dataclass(frozen=True)
class FormRow:
    """Row of the form: label, value, and the meaning of the value."""

    name: str
    label: str
    value: str = ""
    about: str = ""
    remark: str = ""
    """Sign that the value differs from the default; empty if it does not."""
    typed: Literal["", "text", "number"] = ""
    span: tuple[int, int] = (0, 0)
    number: int = 0
    """Value as a number, which a number box shows first."""

    def shown(self, wide: int) -> str:
        """Return the row as text, with ``wide`` columns for the label."""
        return f"{self.label:<{wide}} < {self.value} >" if self.value else self.label


class Form:
    """Form for a new game."""

    def __init__(self, ruleset: str = "", *, hosted: bool = False) -> None:
        """Start with the defaults.

        ``hosted``: the other players are elsewhere, and the seed cannot be chosen, because the
        person who chose it would know the dice.
        """
        self._hosted = hosted
        self.seed = ""
        self.name = ""
        """Name of the save; if empty, the save is named after its scenario."""
        self._rulesets = registry.names()
        self._choose_ruleset(ruleset or self._rulesets[0])

    def _choose_ruleset(self, name: str) -> None:
        self.rules = registry.find(name)
        self.scenarios = dict(self.rules.scenarios())
        self._faults: tuple[str, ...] = ()
        if not self._hosted:
            self._add_own()
        presenter = presenter_of(self.rules)
        self.texts, self._has_lessons = presenter.new_game, bool(presenter.lessons)
        first = self.texts.first
        self.scenario = first if first in self.scenarios else next(iter(self.scenarios))
        self._counted = False
        """True if the player has changed the number of players."""
        self._previews: dict[tuple[object, ...], ScenarioPreview] = {}
        self.options: dict[str, str] = {}
        self.players: list[SeatPlayer] = list(usual_players(self.rules, self._chosen))
        self.levels = [PERSON, *self.rules.bots]

    def _add_own(self) -> None:
        """Add the scenarios of the player's folder, and note the faults of unplayable ones."""
        found, self._faults = own_scenarios(self.rules)
        for name, scenario in found.items():
            self.scenarios.setdefault(name, scenario)

    @property
    def preview(self) -> ScenarioPreview:
        """Preview of the scenario for these players, with its own options.

        Options that make a new map or set other options are taken into account.
        """
        plain = self._preview({})
        more = {name: value for name, value in self.options.items() if not plain.default(name)}
        return self._preview(more) if more else plain

    def _preview(self, options: dict[str, str]) -> ScenarioPreview:
        key = self.scenario, len(self.players), *options.items()
        if key not in self._previews:
            checked = {name: self._option(name).check(value) for name, value in options.items()}
            found = preview_of(self.rules, self._chosen, len(self.players), checked)
            self._previews[key] = found
        return self._previews[key]

    def _default(self, option: Option) -> str:
        """Return the value of an option that is not set; empty if it is unknown."""
        known = "" if option.default is None else str(option.default)
        return self.preview.default(option.name) or known

    @property
    def _chosen(self) -> Scenario:
        return self.scenarios[self.scenario]

    def rows(self) -> tuple[FormRow, ...]:
        """Return the rows of the first page, from top to bottom."""
        scenario = self._chosen
        least, most = self.rules.seat_range(scenario)
        sides = FormRow("seats", "Sides", str(len(self.players)), _SEATS_ABOUT)
        changed = len(self.options) + bool(self.name) + bool(self.seed)
        house = f"{changed} changed" if changed else _DEFAULT
        return (
            FormRow("start", "Start the game", about=_START_ABOUT),
            FormRow("ruleset", "Game", self.rules.title, self._game_about),
            FormRow("scenario", "Scenario", scenario.title, self._about(scenario)),
            *([sides] if least < most else []),
            *map(self._seat_row, self.players),
            FormRow(HOUSE, "House rules", house, _HOUSE_ABOUT, "*" if changed else ""),
        )

    def house_rows(self) -> tuple[FormRow, ...]:
        """Return the rows of the house rules: each option, the name of the save, and the seed."""
        saved = self.name or self._chosen.title
        return (
            FormRow(DONE, "Back to the game", about="Keep these rules and go back."),
            *(self._option_row(option) for option in self._options),
            FormRow("name", "Saved as", saved, _NAME_ABOUT, typed="text"),
            *([] if self._hosted else [self._seed_row]),
        )

    @property
    def facts(self) -> tuple[str, ...]:
        """Length, difficulty and number of players of the scenario, as lines."""
        known = self.texts.scenario(self.scenario)
        least, most = self.rules.seat_range(self._chosen)
        sides = f"{least}" if least == most else f"{least} to {most}"
        told = ("Length", known.length), ("Difficulty", known.difficulty), ("Players", sides)
        return tuple(f"{label}: {value}" for label, value in told if value)

    @property
    def _game_about(self) -> str:
        if self._hosted or not self._has_lessons:
            return f"One of {len(self._rulesets)} games."
        lessons = " It has lessons: Learn to play, on the title."
        return f"One of {len(self._rulesets)} games.{lessons}"

    def _about(self, scenario: Scenario) -> str:
        faults = "".join(f"\nCannot be played: {fault}" for fault in self._faults)
        return f"{scenario.about}{faults}"

    @property
    def _seed_row(self) -> FormRow:
        return FormRow("seed", "Dice seed", self.seed or "at random", _SEED_ABOUT, typed="text")

    def _seat_row(self, player: SeatPlayer) -> FormRow:
        """Return the row of a side: a person, or a computer player by name and temper."""
        name = f"seat:{player.seat}"
        if not player.bot:
            where = "on this host" if self._hosted else "at this keyboard"
            about = f"Somebody {where} plays this side. Left, right: let the computer play."
            return FormRow(name, player.name, "person", about)
        told = self.texts.opponent(player.bot)
        known = level_name(player.bot)
        value = f"{known}, {told.temper}" if told.temper else known
        in_commands = f" ({player.bot} in commands)" if known != player.bot else ""
        about = f"{known}{in_commands}, played by the computer. {told.text}".strip()
        return FormRow(name, player.name, value, f"{about}\nIt sees no more than you would.")

    def _option_row(self, option: Option) -> FormRow:
        own = self.options.get(option.name, _UNSET)
        usual = self._default(option)
        value = own or usual
        about = option.text
        if value and (option.choices or option.phrase(value) != value):
            meaning = option.meaning(value)
            about += f"\n{capital(meaning)}."
        if own and usual:
            about += f" {_DEFAULT.capitalize()}: {option.meaning(usual)}."
        elif usual or not own:
            about += f" {_DEFAULT.capitalize()}."
        name, remark = f"option:{option.name}", "*" if own else ""
        phrase = option.phrase(value) if value else _DEFAULT
        if option.choices:
            return FormRow(name, option.title, phrase, about, remark)
        about += f" From {option.low} to {option.high}; Enter to type it."
        span, number = (option.low, option.high), int(value) if value else option.low
        return FormRow(name, option.title, phrase, about, remark, "number", span, number)

    def change(self, name: str, by: int) -> None:
        """Set a row to its next choice (``by`` 1) or its previous one (-1)."""
        kind, _, rest = name.partition(":")
        if kind == "ruleset":
            self._choose_ruleset(_next(list(self._rulesets), self.rules.name, by))
        elif kind == "scenario":
            self.scenario = _next(list(self.scenarios), self.scenario, by)
            offered = {option.name for option in self._options}
            self.options = {name: at for name, at in self.options.items() if name in offered}
            least, most = self.rules.seat_range(self._chosen)
            usual = self.rules.default_seats(self._chosen)
            self._seat(min(max(least, len(self.players)), most) if self._counted else usual)
        elif kind == "seats":
            self._change_seats(by)
        elif kind == "seat":
            seat = int(rest)
            old = self.players[seat]
            self.players[seat] = SeatPlayer(seat, old.name, _next(self.levels, old.bot, by))
        elif kind == "option":
            self._change_option(rest, by)

    def put(self, name: str, value: str) -> None:
        """Set a row to a typed value.

        Raises:
            OptionFault: the option cannot have this value.
        """
        kind, _, rest = name.partition(":")
        if kind == "seed":
            self.seed = value.strip()
        elif kind == "name":
            try:
                self.name = checked_name(value) if value.strip() else ""
            except ValueError as problem:
                raise OptionFault(str(problem)) from None
        elif kind == "option":
            self._option(rest).check(value)
            self._set_option(rest, value)

    def result(self) -> NewGame:
        """Return the new game as the rows define it."""
        options: dict[str, Value] = {
            name: self._option(name).check(value) for name, value in self.options.items()
        }
        return NewGame(
            ruleset=self.rules.name,
            scenario=self._chosen if self.scenario not in self.rules.scenarios() else self.scenario,
            options=options,
            players=tuple(self.players),
            seed=_seed(self.seed) if self.seed else b"",
            name=self.name,
        )

    @property
    def _options(self) -> tuple[Option, ...]:
        return self.rules.options_of(self._chosen)

    def _option(self, name: str) -> Option:
        return next(option for option in self._options if option.name == name)

    def _change_option(self, name: str, by: int) -> None:
        option = self._option(name)
        now = self.options.get(name, _UNSET) or self._default(option)
        if option.choices:
            left_alone = [] if self._default(option) else [_UNSET]
            self._set_option(name, _next([*left_alone, *option.choices], now, by))
        else:
            number = int(now) + by if now else option.low
            self._set_option(name, str(min(max(option.low, number), option.high)))

    def _set_option(self, name: str, value: str) -> None:
        """Set an option, or remove it if the value is that of the scenario."""
        if value == self._default(self._option(name)):
            self.options.pop(name, None)
        else:
            self.options[name] = value

    def _change_seats(self, by: int) -> None:
        self._counted = True
        least, most = self.rules.seat_range(self._chosen)
        self._seat(least + (len(self.players) - least + by) % (most - least + 1))

    def _seat(self, count: int) -> None:
        """Set the number of players; keep the present ones, and add computers of default level."""
        level = usual_level(self.rules)
        names = self.rules.seat_names(self._chosen)
        levels = [player.bot for player in self.players[:count]]
        levels += [level] * (count - len(levels))
        self.players = [SeatPlayer(seat, names[seat], bot) for seat, bot in enumerate(levels)]


def _next(values: list[str], now: str, by: int) -> str:
    at = values.index(now) if now in values else 0
    return values[(at + by) % len(values)]


def _seed(text: str) -> bytes:
    """Return a seed as ``run --seed`` takes it; any other text is hashed."""
    if text.isdecimal():
        return seed_bytes(int(text))
    return hashlib.blake2b(text.encode(), digest_size=SEED_BYTES).digest()
