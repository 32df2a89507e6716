"""``fate``: shares of continuations, turning points, and their parts of luck and choice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import comb
from pathlib import Path

import pytest

from engine.core import registry
from engine.core.archive import Opened
from engine.core.ids import REFEREE
from engine.core.log import EventLog
from saves.archive import Folder
from study.debug.continuing import SearchStopped
from study.debug.debugger import Debugger
from study.debug.fate import sparkline
from study.debug.turning_points import (
    FateCurve,
    FateQuestion,
    TurningPoint,
    end_sought,
    fate_curve,
    wilson,
)
from tests.app.cli import banneret
from tests.core.samples import toy_game
from tests.debug import wagers
from tests.debug.games import ask, bench_of, opened, texts
from tests.saves.games import saved
from tests.toy.commands import GiveOrder, SealOrders
from tui.console.exits import Wrong

ENTRY = 11
"""Entry of a planted wager or surrender, by seat 0 in the second round."""


@pytest.fixture(autouse=True)
def registered_for_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the registry after each test, since other tests use all registered games."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


def curve_of(game: Opened, *, runs: int = 60, of: str | None = None) -> FateCurve:
    bench = Debugger(game)
    return fate_curve(bench, FateQuestion(end_sought(bench, of), "normal", runs))


def at_entry(curve: FateCurve) -> TurningPoint:
    found = curve.turning_points[0]
    assert found.after.index - found.before.index == 1
    assert found.after.place == str(ENTRY)
    return found


def test_planted_win_by_choice_is_found_at_its_entry() -> None:
    curve = curve_of(wagers.recorded({ENTRY: wagers.Surrender()}))
    found = at_entry(curve)
    assert found.command == "surrender"
    assert found.after.share == 1.0
    assert found.dice == 0.0
    assert found.choice == found.swing > 0.3
    assert found.is_certain


def test_planted_win_by_luck_is_found_and_split() -> None:
    curve = curve_of(wagers.six_at(ENTRY), runs=400)
    found = at_entry(curve)
    assert (found.after.share, found.command) == (1.0, "wager")
    assert found.choice is not None
    assert found.dice is not None
    assert abs(found.choice - 1 / 12) < 0.1
    assert abs(found.dice - 5 / 12) < 0.1
    assert found.choice + found.dice == pytest.approx(found.swing)


def test_share_is_one_at_the_end_and_swings_add_up() -> None:
    for game in (wagers.recorded({}), wagers.six_at(ENTRY)):
        curve = curve_of(game, runs=20)
        points = curve.points
        assert points[-1].place == str(game.log.head)
        assert points[-1].share == 1.0
        swings = [b.same - a.same for a, b in pairwise(points)]
        assert sum(swings) == points[-1].same - points[0].same
        assert all(a.step < b.step for a, b in pairwise(points))


def test_thirteen_places_are_even_and_more_are_near_the_steepest() -> None:
    curve = curve_of(wagers.recorded({ENTRY: wagers.Surrender()}))
    places = [point.index for point in curve.points]
    assert {round(number * 30 / 12) for number in range(13)} <= set(places)
    assert {ENTRY - 1, ENTRY} <= set(places)
    flat = wagers.recorded({1: wagers.Surrender(), 2: wagers.Surrender()})
    assert len(places) <= 31
    assert curve_of(flat, runs=4).points[-1].share == 1.0


def test_seed_decides_the_continuations() -> None:
    bench = Debugger(wagers.recorded({}))
    end = end_sought(bench)
    one, again, other = (
        fate_curve(bench, FateQuestion(end, "normal", 40, seed, (1,))) for seed in (1, 1, 2)
    )
    assert one == again
    assert one.points != other.points


def test_share_of_a_past_moment_stays_one() -> None:
    curve = curve_of(wagers.six_at(ENTRY), of="capture where seat = One", runs=40)
    for point in curve.points:
        assert (point.share == 1.0) is (point.index >= ENTRY) or point.share > 0.2
    assert at_entry(curve).after.share == 1.0
    never = curve_of(wagers.six_at(ENTRY), of="loss", runs=4)
    assert {point.share for point in never.points} == {0.0}
    assert never.turning_points == ()


def test_fault_of_the_rules_has_a_fate() -> None:
    game = wagers.recorded({ENTRY: wagers.Boom()}, turns=20)
    curve = curve_of(game, of="fault", runs=10)
    found = at_entry(curve)
    assert (found.before.share, found.after.share) == (0.0, 1.0)
    assert curve.faults > 0


def test_unfinished_game_is_about_the_leader() -> None:
    bench = Debugger(wagers.recorded({}, turns=9))
    assert end_sought(bench).text == "One wins"


# -- the interval ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("same", "games", "low", "high"),
    [
        (0, 40, 0.0, 0.0876),
        (20, 40, 0.3520, 0.6480),
        (40, 40, 0.9124, 1.0),
        (1, 10, 0.0179, 0.4042),
    ],
)
def test_intervals_match_wilson(same: int, games: int, low: float, high: float) -> None:
    assert wilson(same, games) == pytest.approx((low, high), abs=1e-4)


def test_interval_covers_the_share_at_the_stated_rate() -> None:
    share, games = 0.3, 40
    held = sum(
        comb(games, k) * share**k * (1 - share) ** (games - k)
        for k in range(games + 1)
        if wilson(k, games)[0] <= share <= wilson(k, games)[1]
    )
    assert 0.93 < held < 0.97


# -- progress, stopping, jobs ----------------------------------------------------------------------


def test_progress_is_reported_and_a_search_can_be_stopped() -> None:
    bench = Debugger(wagers.recorded({}))
    question = FateQuestion(end_sought(bench), "normal", 8, 1, (5, 9))
    told: list[tuple[int, int]] = []
    fate_curve(bench, question, progress=lambda played, expected: told.append((played, expected)))
    assert told[-1][0] == told[-1][1]
    assert [played for played, _ in told] == sorted({played for played, _ in told})
    at = bench.at
    stop: Callable[[], bool] = lambda: True  # noqa: E731 - as a screen gives it
    with pytest.raises(SearchStopped):
        fate_curve(bench, question, stop=stop)
    assert bench.at == at


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("saves"))


def test_number_of_jobs_does_not_change_the_output(save: Path) -> None:
    words = ("--json", str(save), "fate", "--runs", "3", "--at", "10,40,60,end")
    one, two, three = (
        banneret("debug", *words, "--jobs", jobs).stdout.encode() for jobs in ("1", "2", "3")
    )
    assert one == two == three
    assert b'"share":1.0' in one


# -- words -----------------------------------------------------------------------------------------


def test_each_line_has_a_place_for_other_verbs(save: Path) -> None:
    bench = Debugger(Folder().read(str(save)))
    answers = ask(bench, "fate --runs 2 --at 10,r2,50%,end")
    places = [answer.place for answer in answers if answer.place]
    assert "10" in places
    assert all(bench.place(bench.step_at(place)) == place for place in places)
    assert answers[0].text == "Dailor wins: 2 games of bot:normal from each place"


def test_turning_point_is_explained_in_plain_words() -> None:
    lines = texts(Debugger(wagers.six_at(ENTRY)), "fate --runs 60")
    at = next(number for number, line in enumerate(lines) if line.startswith("1. "))
    assert lines[at] == f"1. {ENTRY}, round 2: It is settled: seat 0 wins."
    assert "the chance rose from" in lines[at + 1]
    assert lines[at + 2].startswith("   mostly the dice: the choice ")
    assert lines[-1].startswith("This is so as bot:normal plays")


def test_sparkline_has_a_sign_for_each_round() -> None:
    curve = curve_of(wagers.six_at(ENTRY), runs=20)
    text, rounds = sparkline(curve)
    assert [number for number, _ in rounds] == [1, 2, 3, 4]
    assert len(text) == 4
    assert text[1:] == "███"
    assert sparkline(curve, ascii_only=True)[0].isascii()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--who bot:nobody", "known: bot:normal"),
        ("--at 10,99", "no entry 99"),
        ("--of nonsense", "column 1"),
        ("--seat Three", "no seat"),
    ],
)
def test_impossible_question_is_refused(words: str, told: str) -> None:
    with pytest.raises(Wrong, match=told):
        ask(Debugger(wagers.recorded({})), f"fate {words}")


@pytest.mark.parametrize("verb", ["fate", "whatif"])
def test_game_without_entries_is_refused(verb: str) -> None:
    empty = Opened("empty", wagers.recorded({}).header, EventLog())
    with pytest.raises(Wrong, match="no entry yet"):
        ask(Debugger(empty), verb)


# -- secrets ---------------------------------------------------------------------------------------


def test_running_secret_game_needs_a_seat() -> None:
    whole = bench_of("gd6")
    bench = Debugger(whole.opened, head=whole.line.entries[20].seq)
    assert bench.rules.outcome(bench.state) is None
    with pytest.raises(Wrong, match="--seat"):
        ask(bench, "fate --runs 1")
    answers = ask(bench, "fate --runs 1 --who bot:easy --seat 1 --at 10")
    assert answers[0].text.startswith(f"{bench.seats[1]} wins: ")


def test_finished_secret_game_can_be_asked_as_referee() -> None:
    bench = bench_of("kaladan")
    assert bench.viewer == REFEREE
    answers = ask(bench, "fate --runs 2 --who bot:easy --at 5,end")
    shares = [answer.data["share"] for answer in answers if "share" in answer.data]
    assert shares[-1] == 1.0


def secret_orders() -> Iterator[Debugger]:
    """Yield debuggers of seat 0 for two games that differ only in a sealed order of seat 1."""
    game = toy_game()
    orders = [one for one in game.rules.offers(game.view(1)) if isinstance(one, GiveOrder)]
    for order in (orders[0], orders[-1]):
        game = toy_game()
        game.submit(1, order)
        game.submit(0, SealOrders())
        yield Debugger(opened(game), 0)


def test_fate_for_a_seat_does_not_depend_on_hidden_orders() -> None:
    one, other = secret_orders()
    assert one.opened.log.entries != other.opened.log.entries
    assert one.line.entries == other.line.entries
    curves = [
        fate_curve(bench, FateQuestion(end_sought(bench), "easy", 6)) for bench in (one, other)
    ]
    assert curves[0] == curves[1]
    assert curves[0].question.end.text == f"{one.seats[0]} wins"


def test_fate_for_a_seat_uses_the_places_of_the_debugger() -> None:
    bench = bench_of("kaladan")
    answers = ask(bench, "fate --runs 1 --who bot:easy --seat 0 --at 9,end")
    places = [answer.place for answer in answers if "share" in answer.data]
    assert places[-1] == bench.place(len(bench.line))
    assert all(bench.line.step_at(place) for place in places)
    own = bench_of("kaladan", 0)
    with pytest.raises(Wrong, match="only"):
        ask(own, "fate --seat 1")


def test_fate_prints_json(save: Path) -> None:
    ended = banneret("debug", str(save), "--json", "fate", "--runs", "1", "--at", "30,end")
    rows = [json.loads(line) for line in ended.stdout.splitlines()]
    assert rows[0]["question"]["runs"] == 1
    assert rows[-1]["text"].startswith("This is so")
