"""Plans of computer players and their execution, up to whole games.

Programs that tests start import this module, so it must not list test cases: that would read every
scenario of every ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from engine.core.dice import Seeded
from engine.core.ids import Seat
from engine.core.record import Command
from engine.core.refused import Refused
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from tests.contract.walks import AnyGame, begun


def plan(rules: AnyRuleset, level: str, view: Any, seat: int, entry: int) -> tuple[Command, ...]:
    """Return the plan of a computer player for a view."""

    def offers(about: int | None = None) -> Iterator[Command]:
        return rules.offers(view, about)

    return tuple(rules.bots[level].plan(view, offers, Seeded(b"bots", entry, f"bot:{seat}")))


def first_plan(game: AnyGame, level: str) -> tuple[int, tuple[Command, ...]]:
    """Return the first seat that must act, and a computer player's plan for it."""
    seat = min(game.rules.owes(game.state))
    return seat, plan(game.rules, level, game.view(seat), seat, len(game.log))


def carry_out(game: AnyGame, seat: int, commands: Iterable[Command]) -> None:
    """Submit a plan's commands until the seat's turn ends or one is refused."""
    for number, command in enumerate(commands):
        if seat not in game.rules.owes(game.state):
            return
        try:
            game.submit(seat, command)
        except Refused:
            assert number, "the first command of a plan is never refused"
            return


class WholeGame(NamedTuple):
    """A game played to its end, and for each turn the seat and the state it planned in."""

    game: AnyGame
    turns: tuple[tuple[Seat, Any], ...]


@cache
def whole_game(name: str, ground: int) -> WholeGame:
    """Play the weakest level against itself on one scenario; cached for all tests."""
    rules = find(name)
    game, turns = begun(rules, [ground]), []
    while rules.owes(game.state):
        state = game.state
        seat, commands = first_plan(game, next(iter(rules.bots)))
        turns.append((seat, state))
        carry_out(game, seat, commands)
        assert len(game.log) < 5000
    return WholeGame(game, tuple(turns))
