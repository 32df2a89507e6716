"""Bots that make no progress: their turns still end, and so does every game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from engine.core.archive import SeatPlayer
from engine.core.dice import Dice
from engine.core.ruleset import Bot, Offers
from study.lab.simulate import Task, main, play
from tests.app.cli import arguments, banneret, is_one_line_fault
from tests.toy import commands as do
from tests.toy.rules import Toy
from tests.toy.state import View
from tui.console.exits import Exit, Stuck
from tui.play.players import MOST_PLANS, MOST_REFUSALS, Opponents, PlanLimits
from tui.play.seats import header_of
from tui.play.table import Table

NOWHERE = do.GiveOrder(99, ())
"""An order that is always refused: the band does not exist."""


class Stubborn:
    """Bot that plans only refused orders. With ``mute`` it cannot end its turn either."""

    def __init__(self, *, mute: bool = False) -> None:
        self._mute = mute

    def plan(
        self, view: View, offers: Offers[do.AnyCommand], dice: Dice
    ) -> Sequence[do.AnyCommand]:
        """Give an order to a band that does not exist."""
        return (NOWHERE,)

    def rest(self, view: View, offers: Offers[do.AnyCommand]) -> Sequence[do.AnyCommand]:
        """Seal, or retreat if a retreat is due."""
        retreats = (command for command in offers() if isinstance(command, do.Retreat))
        return (NOWHERE,) if self._mute else (next(retreats, do.SealOrders()),)


class Stalling(Toy):
    """The toy game with bots that make no progress."""

    bots: Mapping[str, Bot[View, do.AnyCommand]] = {
        "stubborn": Stubborn(),
        "mute": Stubborn(mute=True),
    }


def test_game_ends_when_all_plans_are_refused() -> None:
    rules = Stalling()
    scenario = next(iter(rules.scenarios().values()))
    played = play(rules, scenario, {}, Task(("stubborn",) * rules.default_seats(scenario), 1))
    assert played.stuck == ""
    assert played.refused >= played.closed > 0


def test_bot_that_cannot_end_its_turn_is_stuck() -> None:
    rules = Stalling()
    scenario = next(iter(rules.scenarios().values()))
    played = play(rules, scenario, {}, Task(("mute",) * rules.default_seats(scenario), 1))
    assert played.reason == "stuck"
    assert "seat 0 finds nothing it may do" in played.stuck
    assert played.refused == MOST_REFUSALS + 1


def test_table_reports_a_stuck_bot_in_one_line() -> None:
    rules = Stalling()
    scenario = next(iter(rules.scenarios().values()))
    seats = range(rules.default_seats(scenario))
    players = tuple(SeatPlayer(seat, f"Player {seat}", "mute") for seat in seats)
    table = Table.begin(rules, scenario, {}, header_of(rules, scenario, players, 1))
    told = Opponents(table).play()
    assert told.startswith("The computer player of seat 0 finds nothing it may do")
    assert told.count("\n") == 0


def test_bot_that_keeps_planning_rests_and_is_then_stuck() -> None:
    limits = PlanLimits()
    for _ in range(MOST_PLANS):
        assert not limits.rests(1)
        limits.count(accepted=True)
    assert limits.rests(1)
    for _ in range(MOST_PLANS):
        limits.count(accepted=True)
    with pytest.raises(Stuck, match="does not end its turn"):
        limits.count(accepted=True)


def test_plan_limits_start_afresh_for_another_seat() -> None:
    limits = PlanLimits()
    limits.rests(0)
    for _ in range(MOST_REFUSALS):
        limits.count(accepted=False)
    assert limits.rests(0)
    assert not limits.rests(1)


def test_endless_game_stops_after_its_maximum_turns() -> None:
    limits = PlanLimits(longest=3)
    for seat in (0, 1, 0):
        limits.rests(seat)
    with pytest.raises(Stuck, match="3 turns"):
        limits.rests(1)


def test_simulate_reports_an_endless_game_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("weltendaemmerung", "--scenario", "ford", "--levels", "easy", "--games", "1")
    assert main(arguments("simulate", *words, "--longest", "2", "--json")) == Exit.STUCK
    told = capsys.readouterr()
    assert told.err == (
        "banneret simulate: seed 1: the game does not end: 2 turns of computer players\n"
    )
    assert '"stuck":1' in told.out


def test_run_stops_an_endless_game_with_its_own_exit_code(tmp_path: Path) -> None:
    words = ("run", "--ruleset", "warlords2", "--scenario", "skirmish", "--quiet")
    bots = ("--seat", "Sallow=bot:easy", "--seat", "Orrin=bot:easy", "--longest", "4")
    ended = banneret(*words, *bots, "-", given="", folder=tmp_path)
    assert ended.returncode == Exit.STUCK
    assert is_one_line_fault(ended.stderr)
    assert "4 turns of computer players" in ended.stderr
