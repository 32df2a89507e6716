"""Computer players that get nowhere: their turns end all the same, and no game goes on for ever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from engine.core.archive import SeatPlayer
from engine.core.dice import Dice
from engine.core.ruleset import Bot, Offers
from tests.app.cli import arguments, banneret, is_one_line_fault
from tests.toy import commands as do
from tests.toy.rules import Toy
from tests.toy.state import View
from tui.console.exits import Exit, Stuck
from tui.headless.simulate import Task, main, play
from tui.play.players import MOST_PLANS, MOST_REFUSALS, Opponents, PlanLimits
from tui.play.seats import header_of
from tui.play.table import Table

NOWHERE = do.GiveOrder(99, ())
"""An order that is always refused: there is no such band."""


class Stubborn:
    """Plans what is refused, again and again; ``mute``: its turn cannot be ended either."""

    def __init__(self, *, mute: bool = False) -> None:
        self._mute = mute

    def plan(
        self, view: View, offers: Offers[do.AnyCommand], dice: Dice
    ) -> Sequence[do.AnyCommand]:
        """An order for nobody."""
        return (NOWHERE,)

    def rest(self, view: View, offers: Offers[do.AnyCommand]) -> Sequence[do.AnyCommand]:
        """The seal, or a retreat where one is due."""
        retreats = (command for command in offers() if isinstance(command, do.Retreat))
        return (NOWHERE,) if self._mute else (next(retreats, do.SealOrders()),)


class Stalling(Toy):
    """The toy game with players who never get on."""

    bots: Mapping[str, Bot[View, do.AnyCommand]] = {
        "stubborn": Stubborn(),
        "mute": Stubborn(mute=True),
    }


def test_players_whose_plans_are_refused_end_their_turns_and_the_game_ends() -> None:
    rules = Stalling()
    scenario = next(iter(rules.scenarios().values()))
    played = play(rules, scenario, {}, Task(("stubborn",) * rules.default_seats(scenario), 1))
    assert played.stuck == ""
    assert played.refused >= played.closed > 0


def test_players_who_cannot_even_end_a_turn_are_given_up() -> None:
    rules = Stalling()
    scenario = next(iter(rules.scenarios().values()))
    played = play(rules, scenario, {}, Task(("mute",) * rules.default_seats(scenario), 1))
    assert played.reason == "stuck"
    assert "seat 0 finds nothing it may do" in played.stuck
    assert played.refused == MOST_REFUSALS + 1


def test_at_a_table_they_are_given_up_in_one_line() -> None:
    rules = Stalling()
    scenario = next(iter(rules.scenarios().values()))
    seats = range(rules.default_seats(scenario))
    players = tuple(SeatPlayer(seat, f"Player {seat}", "mute") for seat in seats)
    table = Table.begin(rules, scenario, {}, header_of(rules, scenario, players, 1))
    told = Opponents(table).play()
    assert told.startswith("The computer player of seat 0 finds nothing it may do")
    assert told.count("\n") == 0


def test_who_plans_on_and_on_rests_and_then_is_given_up() -> None:
    limits = PlanLimits()
    for _ in range(MOST_PLANS):
        assert not limits.rests(1)
        limits.count(accepted=True)
    assert limits.rests(1)
    for _ in range(MOST_PLANS):
        limits.count(accepted=True)
    with pytest.raises(Stuck, match="does not end its turn"):
        limits.count(accepted=True)


def test_another_seat_begins_anew() -> None:
    limits = PlanLimits()
    limits.rests(0)
    for _ in range(MOST_REFUSALS):
        limits.count(accepted=False)
    assert limits.rests(0)
    assert not limits.rests(1)


def test_a_game_that_does_not_end_is_given_up_after_so_many_turns() -> None:
    limits = PlanLimits(longest=3)
    for seat in (0, 1, 0):
        limits.rests(seat)
    with pytest.raises(Stuck, match="3 turns"):
        limits.rests(1)


def test_simulate_says_in_one_line_which_game_did_not_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("weltendaemmerung", "--scenario", "ford", "--levels", "easy", "--games", "1")
    assert main(arguments("simulate", *words, "--longest", "2", "--json")) == Exit.STUCK
    told = capsys.readouterr()
    assert told.err == (
        "banneret simulate: seed 1: the game does not end: 2 turns of computer players\n"
    )
    assert '"stuck":1' in told.out


def test_run_gives_up_with_one_line_and_a_code_of_its_own(tmp_path: Path) -> None:
    words = ("run", "--ruleset", "warlords2", "--scenario", "skirmish", "--quiet")
    bots = ("--seat", "Sallow=bot:easy", "--seat", "Orrin=bot:easy", "--longest", "4")
    ended = banneret(*words, *bots, "-", given="", folder=tmp_path)
    assert ended.returncode == Exit.STUCK
    assert is_one_line_fault(ended.stderr)
    assert "4 turns of computer players" in ended.stderr
