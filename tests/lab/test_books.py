"""Books: positions from saved games, balanced by play-outs, identical for any number of jobs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine.core.codec import encode, encode_json
from engine.core.decision import states_around
from engine.core.dice import Seeded
from engine.core.registry import find
from engine.core.replay import fold
from engine.core.ruleset import AnyRuleset
from engine.core.scenarios import parse
from saves.archive import Folder
from study.lab import verbs
from study.lab.books import (
    BookCheck,
    CheckedPosition,
    PositionSearch,
    checked_positions,
    pair_spread,
    played_games,
    playout_seed,
    read_balance,
    read_saves,
    setup_at,
)
from study.lab.games import play_game
from study.lab.plans import (
    GameTask,
    LabPlan,
    LabSetup,
    book_remark,
    meetings,
    schedule,
    setup_of,
)
from study.lab.store import write_save
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Wrong

PORTS = LabPorts(Folder, "", lambda *_: Exit.USAGE)
WHERE = "round = 3"
ONCE = BookCheck(runs=4, seed=5, jobs=1)


def save_games(folder: Path, setup: LabSetup, seeds: Iterator[int] | range) -> Path:
    """Play games of a setup, one per seed, and save them in ``folder``."""
    seats = tuple(seat % len(setup.bots) for seat in range(setup.seats))
    for seed in seeds:
        task = GameTask(0, 0, seats, seed)
        write_save(Folder(folder), setup, play_game(find(setup.ruleset), setup, task, keeps=True))
    return folder


@pytest.fixture(scope="module")
def ford(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with five short games, two of them equal."""
    setup = setup_of(LabPlan("weltendaemmerung", ("easy", "normal"), scenarios=("ford",)))
    folder = save_games(tmp_path_factory.mktemp("saves"), setup, range(1, 5))
    archive = Folder(folder)
    archive.copy(sorted(info.name for info in archive.listing())[0])
    return folder


@pytest.fixture(scope="module")
def west(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two three-seat games that contain secrets."""
    setup = setup_of(LabPlan("gd6", ("easy",), scenarios=("ring",)))
    return save_games(tmp_path_factory.mktemp("saves"), setup, range(1, 3))


def searched(folder: Path, where: str = WHERE) -> PositionSearch:
    search = PositionSearch(where)
    assert read_saves([folder], PORTS, search) == []
    return search


def book(*words: object) -> int:
    """Run the verb and return its exit code."""
    return verbs.main(["book", *map(str, words)], PORTS)


def begun(rules: AnyRuleset, line: bytes) -> Any:
    """Return the state at the start of a game from one line of a book."""
    events = rules.begin(parse(rules, line), {}, Seeded(b"any", 0, "decide"))
    return states_around(rules, rules.empty(), events)[-1]


# -- positions ---------------------------------------------------------------------------------


def test_positions_follow_the_first_matching_moment_of_each_game(ford: Path) -> None:
    rules, search = find("weltendaemmerung"), searched(ford)
    assert (search.games, search.moments, search.over, search.unfit) == (5, 5, 0, 0)
    for position in search.found.values():
        log = Folder(ford).read(position.save).log.line()
        entry = int(position.place.partition(".")[0])
        state = fold(rules, log[: entry + 1])
        assert encode(begun(rules, position.scenario)) == encode(state)
        rounds = [
            event.completed
            for one in log[: entry + 1]
            for event in one.events
            if type(event).__name__ == "RoundEnded"
        ]
        assert rounds == [1, 2]
        assert any(type(event).__name__ == "RoundEnded" for event in log[entry].events)


def test_equal_positions_are_kept_once(ford: Path) -> None:
    search = searched(ford)
    assert len(search.found) == len({one.scenario for one in search.found.values()}) == 4
    assert len(searched(ford, "entry = 0 or round = 1").found) == 1


def test_finished_game_gives_no_position(ford: Path) -> None:
    search = searched(ford, "end")
    assert (search.moments, search.over, len(search.found)) == (5, 5, 0)


def test_position_of_a_secret_game_is_the_referees(west: Path) -> None:
    rules, search = find("gd6"), searched(west, "round = 5")
    assert (search.seats, len(search.found)) == (3, 1), "the two games are one"
    for position in search.found.values():
        log = Folder(west).read(position.save).log.line()
        entry = int(position.place.partition(".")[0])
        assert begun(rules, position.scenario) == fold(rules, log[: entry + 1])


def test_saves_of_other_games_are_skipped_only_when_filtered(ford: Path, west: Path) -> None:
    with pytest.raises(Wrong, match="is a game of gd6, others are of weltendaemmerung"):
        read_saves([ford, west], PORTS, PositionSearch(WHERE))
    for wanted in ({"ruleset": "weltendaemmerung"}, {"seats": 2}):
        search = PositionSearch(WHERE, **wanted)
        read_saves([west, ford], PORTS, search)
        assert (search.games, search.rules.name) == (5, "weltendaemmerung")


def test_damaged_saves_are_skipped_with_a_remark(ford: Path, tmp_path: Path) -> None:
    for path in ford.glob("*.bnr"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "torn.bnr").write_bytes(b"nothing of the kind")
    search = PositionSearch(WHERE)
    (remark,) = read_saves([tmp_path], PORTS, search)
    assert "torn: passed over: " in remark
    assert search.games == 5


# -- balance -----------------------------------------------------------------------------------


def test_shares_come_from_games_played_from_the_position(ford: Path) -> None:
    rules, search = find("weltendaemmerung"), searched(ford)
    positions = list(search.found.values())
    checked = list(checked_positions(rules, positions, ONCE))
    assert [one.position for one in checked] == positions
    at = 2
    setup = setup_at([positions[at].start], rules, "normal")
    won = 0
    for run in range(ONCE.runs):
        seed = playout_seed(ONCE.seed, positions[at], run)
        won += 0 in play_game(rules, setup, GameTask(0, 0, (0, 0), seed)).result.winners
    assert checked[at].shares == (Fraction(won, 4), Fraction(4 - won, 4))
    assert checked[at].interval.low <= won / 4 <= checked[at].interval.high
    alone = next(checked_positions(rules, positions[at:], ONCE))
    assert alone.shares == checked[at].shares, "the other positions of a book do not matter"


def test_all_shares_must_be_in_range_with_three_seats(west: Path) -> None:
    (position,) = searched(west, "round = 5").found.values()
    shares = (Fraction(3, 10), Fraction(5, 10), Fraction(2, 10))
    assert CheckedPosition(position, shares, 10).is_balanced(0.2, 0.5)
    assert not CheckedPosition(position, shares, 10).is_balanced(0.25, 0.5)
    assert CheckedPosition(position, shares[:2], 10).is_balanced(0.25, 0.35)
    assert not CheckedPosition(position, (), 10).is_balanced(0, 1), "a game had no end"


@pytest.mark.parametrize(
    ("text", "seats", "wanted"),
    [
        (None, 2, (0.4, 0.6)),
        (None, 4, (0.2, 0.3)),
        ("0.3..0.5", 2, (0.3, 0.5)),
        ("40%..1", 2, (0.4, 1)),
    ],
)
def test_balance_range_is_read(text: str | None, seats: int, wanted: tuple[float, float]) -> None:
    assert read_balance(text, seats) == pytest.approx(wanted)


@pytest.mark.parametrize("text", ["0.4", "0.6..0.4", "a..b", "0..2", "0.1..0.2..0.3", ""])
def test_invalid_balance_range_is_refused(text: str) -> None:
    with pytest.raises(Wrong, match="--balance"):
        read_balance(text, 2)


# -- the verb ----------------------------------------------------------------------------------


def test_book_and_its_report_do_not_depend_on_the_number_of_jobs(
    ford: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / f"{jobs}.jsonl" for jobs in (1, 2)]
    for jobs, path in enumerate(paths, 1):
        common = ("--from", ford, "--where", WHERE, "--balance", "0.8..1", "--runs", 4)
        assert book(*common, "--jobs", jobs, "-o", path, "--json") == Exit.OK
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first == second
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert (first["games"], first["moments"], first["different"], first["checked"]) == (5, 5, 4, 4)
    assert len(paths[0].read_bytes().splitlines()) == len(first["positions"]) > 0
    for row in first["positions"]:
        assert row["low"] <= row["share"] <= row["high"]
        assert row["share"] >= 0.8


def test_count_ends_the_search_and_measure_compares_variances(
    ford: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "book.jsonl"
    common = ("--from", ford, "--where", WHERE, "--balance", "0..1", "--runs", 2, "--jobs", 1)
    assert book(*common, "-o", path, "--count", 2, "--measure", 5) == Exit.OK
    told = capsys.readouterr().out
    assert "5 games, 5 moments like round = 3, 1 were there already" in told
    assert "2 of 4 positions checked by 2 games of normal: 2 balanced (0.00..1.00)" in told
    assert told.count("5 pairs  mean ") == 2
    assert len(path.read_bytes().splitlines()) == 2


def test_no_book_is_written_without_a_balanced_position(
    ford: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "book.jsonl"
    words = ("--from", ford, "--where", WHERE, "--balance", "0.01..0.02", "--runs", 1, "--jobs", 1)
    assert book(*words, "-o", path) == Exit.REFUSED
    assert not path.exists()
    assert "no position is balanced" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--where", "rond = 3"), r"--where 'rond = 3': column 1: there is nothing called rond"),
        (("--where", WHERE, "--balance", "0.4"), r"--balance '0.4': it is written like 0.4..0.6"),
        (("--where", WHERE, "--between", "hard"), r"--between 'hard': it is written like"),
        (("--where", WHERE, "--between", "hard,x"), r"there is no level 'x'"),
        (("--where", WHERE, "--ruleset", "gd6"), r"there is no saved game of one ruleset in it"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(
    ford: Path, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    with pytest.raises(Wrong, match=told):
        book("--from", ford, *words, "-o", tmp_path / "book.jsonl")


# -- playing from a book -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def three(ford: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book with three positions."""
    path = tmp_path_factory.mktemp("books") / "three.jsonl"
    lines = [position.scenario for position in searched(ford).found.values()][:3]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def test_each_pair_takes_the_next_position_and_swaps_seats(
    three: Path,
) -> None:
    plan = LabPlan("weltendaemmerung", ("easy", "normal"), book=str(three), pairs=7)
    setup = setup_of(plan)
    assert [start.name for start in setup.starts] == ["three 1", "three 2", "three 3"]
    tasks = list(schedule(plan, setup, meetings("round-robin", 2, 2)))
    assert len(tasks) == 14
    for pair in range(7):
        games = [task for task in tasks if task.pair == pair]
        assert [task.seats for task in games] == [(0, 1), (1, 0)]
        assert {task.start for task in games} == {pair % 3}
        assert {task.seed for task in games} == {1 + pair}


def test_more_pairs_than_positions_give_a_remark(three: Path) -> None:
    plan = LabPlan("weltendaemmerung", ("easy",), book=str(three), pairs=7)
    remark = book_remark(plan, setup_of(plan))
    assert remark.endswith("7 pairs come from 3 positions, those of one position with other seeds")
    plan = LabPlan("weltendaemmerung", ("easy",), book=str(three), pairs=3)
    assert not book_remark(plan, setup_of(plan))


def test_game_from_a_book_begins_at_its_position(three: Path) -> None:
    plan = LabPlan("weltendaemmerung", ("easy",), book=str(three), pairs=1)
    setup, rules = setup_of(plan), find("weltendaemmerung")
    assert setup.starts[1].scenario == three.read_bytes().splitlines()[1]
    (result,) = played_games(setup, [GameTask(0, 1, (0, 0), 1)], 1)
    assert result is not None
    assert result.start == "three 2"
    assert begun(rules, setup.starts[1].scenario) == begun(
        rules, three.read_bytes().splitlines()[1]
    )


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", r"b\.jsonl: no position is in it"),
        (b"{}\n", r"b\.jsonl, line 1: "),
        (b"[]\n", r"b\.jsonl, line 1: "),
        (b"\xff\n", r"b\.jsonl, line 1: "),
    ],
)
def test_bad_line_of_a_book_is_reported_by_number(
    tmp_path: Path, content: bytes, told: str
) -> None:
    path = tmp_path / "b.jsonl"
    path.write_bytes(content)
    with pytest.raises(Wrong, match=told):
        setup_of(LabPlan("weltendaemmerung", ("easy",), book=str(path)))


def test_book_excludes_scenarios_and_varied_options(three: Path) -> None:
    for fields in ({"scenarios": ("ford",)}, {"vary": {"x": (1, 2)}}):
        with pytest.raises(Wrong, match="a book takes the place of scenarios"):
            setup_of(LabPlan("weltendaemmerung", ("easy",), book=str(three), **fields))


def test_pair_spread_is_the_mean_and_variance_of_pair_points(three: Path) -> None:
    rules = find("weltendaemmerung")
    starts = setup_of(LabPlan("weltendaemmerung", ("easy",), book=str(three))).starts
    spread = pair_spread(rules, starts, ("normal", "easy"), 4, ONCE)
    setup = setup_at(starts, rules, "normal", "easy")
    points = []
    for pair in range(4):
        tasks = [GameTask(0, pair % 3, seats, 5 + pair) for seats in ((0, 1), (1, 0))]
        games = [play_game(rules, setup, task).result for task in tasks]
        points.append(((0 in games[0].winners) + (1 in games[1].winners)) / 2)
    mean = sum(points) / 4
    assert spread.mean == pytest.approx(mean)
    assert spread.variance == pytest.approx(sum((one - mean) ** 2 for one in points) / 3)
    assert encode_json(spread)
