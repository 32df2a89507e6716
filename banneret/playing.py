"""Bots at the seats of a game, and matches between them.

A bot is one of these:

* a level of the ruleset, such as ``"normal"``, or any other bot of ``banneret lab``:
  ``"py:FILE.py:CLASS"``, ``"cmd:PROGRAM"``;
* a function of the view of its seat, its offers and dice, or an object or a class with such a
  function as its method ``plan``. The function returns one command, or several that are carried
  out until one is refused, as records or as lines of notation. All chance should come from the
  dice, so that games can be repeated.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from types import ModuleType
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from banneret.games import Game
from engine.core.dice import Dice
from engine.core.feed import AnyChange, changes
from engine.core.ids import Seat
from engine.core.notation import read, write
from engine.core.options import Value
from engine.core.record import Command, replace
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset, Outcome
from study.lab.bot_code import allow, check_bots
from study.lab.bots import LabPlayer, PlanMoment, PlanningPlayer, read_bot
from study.lab.games import GameResult, play_game, player_of
from study.lab.plans import GameLimits, LabPlan, meetings, schedule, setup_of
from study.lab.scoring import bot_points
from tui.console.exits import Wrong
from tui.play.players import LONGEST, PlanLimits
from tui.play.scenarios import find_rules

Plan: TypeAlias = Command | str | Sequence[Command | str]
"""One or several commands or lines of notation."""

PlanFunction: TypeAlias = Callable[[Any, Any, Dice], Plan]
"""A function of view, offers and dice."""


@runtime_checkable
class Planner(Protocol):
    """An object that plans."""

    def plan(self, view: Any, offers: Any, dice: Dice) -> Plan:
        """Return the next commands of a seat."""
        ...


BotLike: TypeAlias = str | PlanFunction | Planner | type[Planner]
"""A bot, see the beginning of this module."""


class _Adapted:
    """A bot of a script in the form that the lab needs: ``plan`` returns records."""

    def __init__(self, rules: AnyRuleset, bot: BotLike) -> None:
        self._union = rules.command_type
        made = bot() if isinstance(bot, type) else bot
        plan = getattr(made, "plan", made)
        if not callable(plan):
            raise Wrong(f"{bot!r} is no bot: it has no plan(view, offers, dice)")
        self._plan: PlanFunction = plan
        if hasattr(made, "rest"):
            self.rest = made.rest

    def plan(self, view: Any, offers: Any, dice: Dice) -> tuple[Command, ...]:
        """Return the commands that the bot wants."""
        found = self._plan(view, offers, dice)
        listed = (found,) if isinstance(found, str | Command) else found
        return tuple(read(one, self._union) if isinstance(one, str) else one for one in listed)


def play_out(
    game: Game, bots: Mapping[int | str, BotLike] | None = None, longest: int = LONGEST
) -> Outcome | None:
    """Let bots play until the game is over, or only seats without a bot must act.

    Return the outcome, or None if the game is not over. Exceptions of a bot are not caught; after
    refused or endless plans its turn is ended.

    >>> game = banneret.new_game("weltendaemmerung", "ford")
    >>> def walker(view, offers, dice):
    ...     steps = [one for one in offers() if type(one).__name__ == "StepUnit"]
    ...     return steps[dice.roll(len(steps)) - 1] if steps and dice.roll(9) > 1 else "end-phase"
    >>> outcome = banneret.play_out(game, {"Eldoin": "normal", "Dailor": walker})
    >>> outcome == game.outcome
    True

    Args:
        game: the game, which is changed.
        bots: bots by number or name of the seat; by default the levels given to ``new_game``.
        longest: number of turns after which the game counts as endless.

    Raises:
        Stuck: the game does not end.
        BotFault: a program cannot continue.
        Wrong: there is no such seat or bot.
    """
    wanted = {player.seat: player.bot for player in game.header.players if player.bot}
    chosen: Mapping[Any, BotLike] = wanted if bots is None else bots
    with ExitStack() as stack:
        players: dict[Seat, LabPlayer] = {}
        for name, bot in chosen.items():
            seat = game.seat(name)
            players[seat] = _player(game, seat, bot)
            stack.callback(players[seat].close)
        return _Playing(game, players).play(longest)


def _player(game: Game, seat: Seat, bot: BotLike) -> LabPlayer:
    rules = game.engine.rules
    if isinstance(bot, str):
        spec = read_bot(bot)
        allow([spec])
        check_bots(rules, [spec])
        return player_of(rules, spec, seat, game.seats, GameLimits())
    return PlanningPlayer(rules, _Adapted(rules, bot), _name_of(bot), is_foreign=False)


def _name_of(bot: BotLike) -> str:
    """Return the name of a bot in tables."""
    if isinstance(bot, str):
        return bot
    return getattr(bot, "__name__", type(bot).__name__)


class _Playing:
    """Bots at some seats of a game."""

    def __init__(self, game: Game, players: Mapping[Seat, LabPlayer]) -> None:
        self._game, self._engine, self._players = game, game.engine, players
        self._hearing = [seat for seat, player in players.items() if player.wants_feed]

    def play(self, longest: int) -> Outcome | None:
        """Play until no bot must act; return the outcome, if the game is over."""
        for change in changes(self._engine.rules, self._game.entries if self._hearing else ()):
            self._tell(change)
        stop = self._engine.listen(self._tell)
        limits = PlanLimits(longest, frozenset(self._hearing))
        try:
            while acting := sorted(self._game.owes & self._players.keys()):
                self._plan(acting[0], limits)
        finally:
            stop()
        outcome = self._game.outcome
        for player in self._players.values():
            player.over(outcome)
        return outcome

    def _tell(self, change: AnyChange) -> None:
        for seat in self._hearing:
            item = change.item(seat)
            if item is not None:
                self._players[seat].told(item)

    def _plan(self, seat: Seat, limits: PlanLimits) -> None:
        """Carry out one plan.

        Raises:
            Stuck: it does not advance the game.
        """
        engine, player = self._engine, self._players[seat]
        rests, number = limits.rests(seat), len(engine.log)
        seed = self._game.header.seed
        plan = player.plan(PlanMoment(engine.view(seat), seat, seed, number, rests))
        accepted, why = False, ""
        for command in plan:
            if seat not in self._game.owes:
                break
            try:
                engine.submit(seat, command)
            except Refused as refused:
                why = f": {write(command)}: {refused.text}"
                player.refused(refused)
                break
            accepted = True
            player.accepted()
        limits.count(accepted=accepted, why=why)


# -- matches -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Match:
    """Games of two bots; each bot has every seat in turn, with the same seeds.

    ``print(match)`` prints the result in one line.
    """

    bots: tuple[str, str]
    """Names of the bots."""
    games: tuple[GameResult, ...]
    """Games in order: seats, seed, winners, reason, length, statistics, faults."""

    @property
    def points(self) -> tuple[Fraction, Fraction]:
        """Points of each bot: each game has one point, which its winners share."""
        found = [bot_points(game, "forfeit") or {} for game in self.games]
        first, second = (
            sum((points.get(name, Fraction()) for points in found), Fraction())
            for name in self.bots
        )
        return first, second

    @property
    def score(self) -> float:
        """Share of the points that the first bot has, from 0 to 1."""
        first, second = self.points
        return float(first / (first + second)) if first + second else 0.5

    @property
    def wins(self) -> tuple[int, int]:
        """Number of games that each bot won alone."""
        found = [bot_points(game, "forfeit") or {} for game in self.games]
        first, second = (sum(points.get(name) == 1 for points in found) for name in self.bots)
        return first, second

    def __str__(self) -> str:
        """Return names, points and number of games in one line."""
        (first, second), (a, b) = self.bots, self.points
        return f"{first} {float(a):g} : {float(b):g} {second} ({len(self.games)} games)"


def match(  # noqa: PLR0913 - as a match is named
    ruleset: str,
    a: BotLike,
    b: BotLike,
    *,
    pairs: int = 10,
    scenario: str | None = None,
    options: Mapping[str, Value] | None = None,
    seats: int = 0,
    seed: int = 1,
) -> Match:
    """Play games between two bots in this process, as ``banneret lab run`` does.

    In a pair each bot has every seat in turn, with one seed. A bot that raises an exception loses
    the game, and the result has its ``fault``.

    >>> match = banneret.match("weltendaemmerung", "normal", "easy", pairs=2, scenario="ford")
    >>> match.bots, len(match.games), sum(match.points) == 4
    (('normal', 'easy'), 4, True)

    Args:
        ruleset: name of the ruleset.
        a: the first bot.
        b: the second bot.
        pairs: number of pairs.
        scenario: name or file; by default the first one.
        options: the options that are not at their defaults.
        seats: number of seats; by default the minimum of the scenario.
        seed: seed of the first pair; the next pairs have the next seeds.

    Raises:
        Wrong: there is no such ruleset, scenario, option, seat or bot.
    """
    rules = find_rules(ruleset)
    names = _names(a, b)
    plan = LabPlan(
        ruleset=ruleset,
        bots=tuple(_written(rules, name, bot) for name, bot in zip(names, (a, b), strict=True)),
        scenarios=() if scenario is None else (scenario,),
        options=dict(options or {}),
        seats=seats,
        pairs=pairs,
        seed=seed,
    )
    allow(map(read_bot, plan.bots))
    setup = setup_of(plan)
    tasks = schedule(plan, setup, meetings(plan.format, 2, setup.seats))
    games = tuple(play_game(rules, setup, task).result for task in tasks)
    return Match((setup.bots[0].name, setup.bots[1].name), games)


def _names(a: BotLike, b: BotLike) -> tuple[str, str]:
    first, second = (
        read_bot(one).name if isinstance(one, str) else _name_of(one) for one in (a, b)
    )
    return (first, second) if first != second else (first, f"{second}-2")


_HERE: Final = "banneret_bots_of_scripts"
"""Module in which the lab finds bots that have no importable name."""

_NUMBERS: Final = count(1)


def _written(rules: AnyRuleset, name: str, bot: BotLike) -> str:
    """Return a bot in the notation of a plan; a bot of a script gets a name the lab can import."""
    if isinstance(bot, str):
        return str(replace(read_bot(bot), name=name))
    home = sys.modules.setdefault(_HERE, ModuleType(_HERE))
    code = f"{name}_{next(_NUMBERS)}"

    def init(self: _Adapted) -> None:
        _Adapted.__init__(self, rules, bot)

    kind = type(code, (_Adapted,), {"__init__": init, "__module__": __name__})
    setattr(home, code, kind)
    return f"{name}=py:{_HERE}:{code}"
