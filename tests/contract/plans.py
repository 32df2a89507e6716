"""Plans of computer players carried out, up to whole games.

Programs that tests start import this: it makes no lists of cases, for which every scenario of every
ruleset would be read.
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
    """Plan of a computer player now."""

    def offers(about: int | None = None) -> Iterator[Command]:
        return rules.offers(view, about)

    return tuple(rules.bots[level].plan(view, offers, Seeded(b"bots", entry, f"bot:{seat}")))


def first_plan(game: AnyGame, level: str) -> tuple[int, tuple[Command, ...]]:
    """The first seat that owes, and what a computer player would do there."""
    seat = min(game.rules.owes(game.state))
    return seat, plan(game.rules, level, game.view(seat), seat, len(game.log))


def carry_out(game: AnyGame, seat: int, commands: Iterable[Command]) -> None:
    """Play a plan until it is done, or until something came otherwise and the rest is refused."""
    for number, command in enumerate(commands):
        if seat not in game.rules.owes(game.state):
            return
        try:
            game.submit(seat, command)
        except Refused:
            assert number, "the first command of a plan is never refused"
            return


class WholeGame(NamedTuple):
    """A game to its end, and the seats that were to act, each with the position it planned in."""

    game: AnyGame
    turns: tuple[tuple[Seat, Any], ...]


@cache
def whole_game(name: str, ground: int) -> WholeGame:
    """A game of the weakest computer player against itself, played once for all that look at it."""
    rules = find(name)
    game, turns = begun(rules, [ground]), []
    while rules.owes(game.state):
        state = game.state
        seat, commands = first_plan(game, next(iter(rules.bots)))
        turns.append((seat, state))
        carry_out(game, seat, commands)
        assert len(game.log) < 5000
    return WholeGame(game, tuple(turns))
