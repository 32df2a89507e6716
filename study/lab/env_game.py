"""Games of environments: actions as numbers, seats of computers, rewards, and the save.

An action is a number below ``actions``. Number k is offer k of the seat, in the order of the
ruleset. The last two are not offers: ``actions - 2`` is the least answer that ends a turn or a
question (``rest`` of the weakest level), and ``actions - 1`` turns to the next page of offers if
there are more than ``actions - 2``. So every offer can be reached, however many there are, and a
turn can always be ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.archive import Archive, Header, SeatPlayer
from engine.core.feed import AnyChange
from engine.core.game import Game
from engine.core.ids import Seat
from engine.core.log import EventLog
from engine.core.notation import write
from engine.core.options import OptionFault, Value, parse_options
from engine.core.record import Command
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset, Outcome, Scenario, ScenarioFault
from engine.core.scenarios import fitted
from study.lab.positions import ViewLayout
from tui.console.exits import Stuck, Wrong
from tui.play.players import PlanLimits, think
from tui.play.scenarios import find_rules, resolve_scenario, seed_bytes
from tui.play.seats import header_of
from tui.play.table import save_at

ACTIONS: Final = 512
"""Default number of actions."""

LONGEST_GAME: Final = 10_000
"""Default number of actions after which a game is cut off."""

_FEWEST_ACTIONS: Final = 3
"""Minimum number of actions: an offer, the least answer, and the next page."""

Rewards: TypeAlias = Callable[[AnyChange, int], Sequence[float]]
"""Returns the rewards of the seats for a change of the game; called with the number of seats."""


def share_of_victory(change: AnyChange, seats: int) -> list[float]:
    """Return ``victory_shares`` at the end of a game, and 0 for every seat before."""
    return victory_shares(change.rules.outcome(change.after), seats)


def victory_shares(outcome: Outcome | None, seats: int) -> list[float]:
    """Return the shares of the seats in a victory; their sum is 0.

    A sole winner gets 1, and the others divide -1 equally. Joint winners get less, the more of them
    there are. If no seat wins, or all do, every seat gets 0.

    >>> victory_shares(Outcome("conquest", (1,)), 2)
    [-1.0, 1.0]
    >>> victory_shares(Outcome("surrender", (0, 2)), 3)
    [0.25, -0.5, 0.25]
    """
    if outcome is None or not outcome.winners or seats < 2:
        return [0.0] * seats
    share = seats / len(outcome.winners)
    return [((seat in outcome.winners) * share - 1) / (seats - 1) for seat in range(seats)]


class EnvSetup(NamedTuple):
    """Games that an environment plays: one after another, with increasing seeds."""

    rules: AnyRuleset
    scenario: Scenario
    """The scenario, fitted to the number of seats."""
    options: Mapping[str, Value]
    seats: tuple[str, ...]
    """Names of the seats."""
    bots: Mapping[Seat, str]
    """Levels of the seats that computers play."""
    actions: int = ACTIONS
    longest: int = LONGEST_GAME
    rewards: Rewards = share_of_victory
    rows: Mapping[str, int] = {}
    """Number of rows of tables that do not have their default size."""


def env_setup(  # noqa: PLR0913 - as an environment is named
    ruleset: str,
    *,
    scenario: str | None = None,
    options: Mapping[str, Value] | None = None,
    seats: int | None = None,
    bots: Mapping[Seat, str] | None = None,
    actions: int = ACTIONS,
    longest: int = LONGEST_GAME,
    rewards: Rewards | None = None,
    rows: Mapping[str, int] | None = None,
) -> EnvSetup:
    """Return the setup of an environment.

    Raises:
        Wrong: a ruleset, scenario, option, seat or level is unknown, or a number does not fit.
    """
    rules = find_rules(ruleset)
    found = resolve_scenario(rules, scenario)
    count = seats or rules.default_seats(found)
    levels = dict(bots or {})
    _check_bots(rules, levels, count)
    if actions < _FEWEST_ACTIONS:
        raise Wrong(f"an environment needs at least {_FEWEST_ACTIONS} actions, not {actions}")
    try:
        found = fitted(rules, found, count, frozenset(levels))
        game: Game[Any, Any, Any, Any] = Game.begin(rules, found, options or {}, seed_bytes(1))
        ViewLayout(rules, game.view(0), count, rows)
    except (ScenarioFault, OptionFault, ValueError) as fault:
        raise Wrong(str(fault)) from None
    return EnvSetup(
        rules=rules,
        scenario=found,
        options=dict(options or {}),
        seats=tuple(rules.seat_names(found)[:count]),
        bots=levels,
        actions=actions,
        longest=longest,
        rewards=rewards or share_of_victory,
        rows=dict(rows or {}),
    )


def read_options(words: Sequence[str]) -> Mapping[str, Value]:
    """Parse the options of a command line, each ``NAME=VALUE``.

    Raises:
        Wrong: an option cannot be read.
    """
    try:
        return parse_options(words)
    except OptionFault as fault:
        raise Wrong(str(fault)) from None


def _check_bots(rules: AnyRuleset, bots: Mapping[Seat, str], seats: int) -> None:
    for seat, level in bots.items():
        if not 0 <= seat < seats:
            raise Wrong(f"there is no seat {seat}; there are {seats}, from 0 on")
        if level not in rules.bots:
            raise Wrong(f"there is no level {level!r}; known: {', '.join(rules.bots)}")
    if len(bots) == seats:
        raise Wrong("no seat is left to be played")


class Menu:
    """Commands of a seat as numbered actions."""

    def __init__(
        self, offers: Sequence[Command], rest: Sequence[Command], actions: int, page: int = 0
    ) -> None:
        """Assign action numbers to a page of offers."""
        self.rest = tuple(rest)
        """Commands of the least answer."""
        size = actions - 2
        self.pages = max(1, -(-len(offers) // size))
        """Number of pages."""
        self.page = page % self.pages
        self.offers = tuple(offers[self.page * size : (self.page + 1) * size])
        """Offers of this page."""
        self._actions = actions

    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """Array with 1 for each possible action, shape (actions,)."""
        found = np.zeros(self._actions, np.int8)
        found[: len(self.offers)] = 1
        found[-2] = bool(self.rest)
        found[-1] = self.pages > 1
        return found

    def is_next_page(self, action: int) -> bool:
        """Return whether the action turns the page."""
        return action == self._actions - 1 and self.pages > 1

    def commands(self, action: int) -> tuple[Command, ...]:
        """Return the commands of an action; the least answer if it is not an offer."""
        return (self.offers[action],) if 0 <= action < len(self.offers) else self.rest

    def notation(self) -> tuple[str, ...]:
        """Return the notation of each offer."""
        return tuple(map(write, self.offers))


class EnvGame:
    """A game of an environment: actions go in, arrays and rewards come out."""

    def __init__(self, setup: EnvSetup, seed: int) -> None:
        """Begin a game; ``restart`` begins the next one."""
        self.setup, self._rules = setup, setup.rules
        self.restart(seed)
        first = min(self.learners)
        self.layout = ViewLayout(self._rules, self.game.view(first), len(setup.seats), setup.rows)
        """Names and shapes of the arrays of a view."""

    def restart(self, seed: int) -> None:
        """Begin a game with a seed; computers play until another seat must act."""
        setup = self.setup
        self.seed = seed
        self.game: Game[Any, Any, Any, Any] = Game.begin(
            self._rules, setup.scenario, setup.options, seed_bytes(seed)
        )
        self.actions = 0
        """Number of actions so far."""
        self.is_cut = False
        """True if the game was cut off after its maximum number of actions."""
        self._gained = [0.0] * len(setup.seats)
        self._pages: dict[Seat, int] = {}
        self._menus: dict[tuple[Seat, int, int], Menu] = {}
        self.game.listen(self._reward)
        self._play_computers()

    @property
    def learners(self) -> tuple[Seat, ...]:
        """Seats that the environment's caller plays."""
        seats = range(len(self.setup.seats))
        return tuple(seat for seat in seats if seat not in self.setup.bots)

    @property
    def owing(self) -> tuple[Seat, ...]:
        """Learners that must act now, in order."""
        return tuple(sorted(self._rules.owes(self.game.state) - self.setup.bots.keys()))

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return not self._rules.owes(self.game.state)

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the game, or None while it lasts."""
        return self._rules.outcome(self.game.state)

    def menu(self, seat: Seat) -> Menu:
        """Return the actions of a seat that must act."""
        page = self._pages.get(seat, 0)
        key = seat, len(self.game.log), page
        found = self._menus.get(key)
        if found is None:
            if not any(known[1] == key[1] for known in self._menus):
                self._menus.clear()
            found = self._menus[key] = self._menu(seat, page)
        return found

    def observation(self, seat: Seat) -> dict[str, npt.NDArray[np.int32]]:
        """Return the arrays of a seat's view, and ``page``: page of its offers, number of pages."""
        page, pages = 0, 1
        if seat in self.owing:
            menu = self.menu(seat)
            page, pages = menu.page, menu.pages
        found = self.layout.arrays(self.game.view(seat))
        return {**found, "page": np.array((page, pages), np.int32)}

    def commands(self, seat: Seat, action: int) -> tuple[Command, ...]:
        """Return the commands of an action; () turns the page, an impossible action is ``rest``."""
        menu = self.menu(seat)
        if menu.is_next_page(action):
            self._pages[seat] = menu.page + 1
            return ()
        return menu.commands(action)

    def carry_out(
        self, orders: Mapping[Seat, Sequence[Command]]
    ) -> tuple[list[float], Mapping[Seat, str]]:
        """Execute commands of seats; return (rewards of all seats, refusal texts by seat)."""
        tried = {seat: self._carry_out(seat, commands) for seat, commands in orders.items()}
        refusals = {seat: text for seat, text in tried.items() if text}
        self.actions += 1
        self._play_computers()
        self.is_cut = not self.is_over and (self.is_cut or self.actions >= self.setup.longest)
        gained, self._gained = self._gained, [0.0] * len(self.setup.seats)
        return gained, refusals

    def header(self) -> Header:
        """Return the header for a save of this game."""
        players = tuple(
            SeatPlayer(seat, name, self.setup.bots.get(seat, ""))
            for seat, name in enumerate(self.setup.seats)
        )
        return header_of(self._rules, self.setup.scenario, players, self.seed)

    def _carry_out(self, seat: Seat, commands: Sequence[Command]) -> str:
        for command in commands:
            if seat not in self._rules.owes(self.game.state):
                break
            try:
                self.game.submit(seat, command)
            except Refused as refused:
                return f"{write(command)}: {refused.text}"
            self._pages.pop(seat, None)
        return ""

    def _menu(self, seat: Seat, page: int) -> Menu:
        view = self.game.view(seat)

        def offers(about: int | None = None) -> Iterator[Command]:
            return self._rules.offers(view, about)

        weakest = next(iter(self._rules.bots.values()), None)
        rest = () if weakest is None else tuple(weakest.rest(view, offers))
        return Menu(tuple(offers()), rest, self.setup.actions, page)

    def _play_computers(self) -> None:
        limits, bots = PlanLimits(), self.setup.bots
        try:
            while acting := sorted(self._rules.owes(self.game.state) & bots.keys()):
                self._plan(acting[0], limits)
        except Stuck:
            self.is_cut = True

    def _plan(self, seat: Seat, limits: PlanLimits) -> None:
        """Execute a plan of a computer.

        Raises:
            Stuck: its plans do not advance the game.
        """
        rests, before = limits.rests(seat), len(self.game.log)
        plan = think(
            self._rules,
            self.setup.bots[seat],
            self.game.view(seat),
            seat,
            seed_bytes(self.seed),
            before,
            rests=rests,
        )
        why = self._carry_out(seat, plan)
        limits.count(accepted=len(self.game.log) > before, why=f": {why}" if why else "")

    def _reward(self, change: AnyChange) -> None:
        rewards = self.setup.rewards(change, len(self.setup.seats))
        self._gained = [a + b for a, b in zip(self._gained, rewards, strict=True)]


def write_game(archive: Archive, path: Path | str, header: Header, log: EventLog[Any, Any]) -> None:
    """Write a game with all its branches as a new save.

    Raises:
        SaveFault: the file exists already, or cannot be written.
    """
    with save_at(archive, str(path), header) as file:
        assert file is not None  # noqa: S101 - a path was given
        file.patient = True
        for entry in log.entries:
            file.entry(entry)
        if log.entries and log.head != log.entries[-1].seq:
            file.head(log.head)
