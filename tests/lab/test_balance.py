"""Experiments: analysis of made-up games, and one experiment from start to end."""

from __future__ import annotations

import csv
import io
from argparse import Namespace
from collections.abc import Sequence
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest

from saves.archive import Folder
from study.lab.balance import balance_runs, balance_verb, cell_table
from study.lab.experiments import (
    POOLED,
    ExperimentCell,
    ExperimentRow,
    analysed,
    share_p,
    share_power,
)
from study.lab.games import GameResult
from study.lab.verbs import LabPorts
from tui.console.commands import CommandParser, find_command, lab_verbs
from tui.console.exits import Exit, Wrong


def game(seed: int, winners: Sequence[int], seats: int = 2, **measures: int) -> GameResult:
    return GameResult(
        key=f"{seed}",
        start="made up",
        bots=("normal",) * seats,
        seed=seed,
        winners=tuple(winners),
        reason="time" if winners else "tie",
        entries=1,
        closed=1,
        refused=(0,) * seats,
        digest="",
        measures=measures,
    )


def made_up(
    random: np.random.Generator, games: int, share: float, seats: int = 2, rounds: int = 10
) -> tuple[GameResult, ...]:
    """Return games in which seat 0 wins ``share``, and the other seats win the rest equally."""
    others = random.integers(1, seats, games)
    winners = np.where(random.random(games) < share, 0, others).tolist()
    lengths = random.integers(rounds - 3, rounds + 4, games).tolist()
    parts = random.random((3, games)).tolist()
    return tuple(
        game(
            seed,
            (winners[seed],),
            seats,
            rounds=length,
            turns=2 * length,
            dead_turns=int(parts[0][seed] * 2 * length),
            led_from=int(parts[1][seed] * (length + 1)),
            lead_changes=int(parts[2][seed] * length),
            first_seat=0,
        )
        for seed, length in enumerate(lengths)
    )


def row_of(rows: Sequence[ExperimentRow], cell: str, figure: str) -> ExperimentRow:
    (found,) = (row for row in rows if (row.cell, row.figure) == (cell, figure))
    return found


# -- power and errors --------------------------------------------------------------------------


@pytest.mark.parametrize("runs", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_five_percent_bias_is_found_at_the_stated_power(runs: int) -> None:
    random = np.random.default_rng(1)
    cells = [ExperimentCell({}, 2, made_up(random, 785, 0.55)) for _ in range(runs)]
    seats = [row_of(analysed([cell]), "the game", "seat 1") for cell in cells]
    assert {round(seat.power or 0, 3) for seat in seats} == {0.790}
    found = sum(seat.is_found for seat in seats) / runs
    assert found == pytest.approx(0.790, abs=2.5 * sqrt(0.79 * 0.21 / runs))


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_no_effect_is_found_in_95_of_100_null_experiments(seats: int) -> None:
    random, quiet = np.random.default_rng(seats), 0
    for _ in range(100):
        cells = [
            ExperimentCell({"rounds": name}, seats, made_up(random, 60, 1 / seats, seats))
            for name in ("4", "6", "8")
        ]
        quiet += not any(row.is_found for row in analysed(cells))
    assert quiet >= 95


def test_only_the_planted_effect_is_found() -> None:
    random = np.random.default_rng(3)
    cells = [
        ExperimentCell({"rounds": "4"}, 2, made_up(random, 400, 0.5)),
        ExperimentCell({"rounds": "8"}, 2, made_up(random, 400, 0.5, rounds=11)),
    ]
    found = {(row.kind, row.figure) for row in analysed(cells) if row.is_found}
    assert ("effect", "rounds") in found
    assert found <= {("effect", "rounds"), ("effect", "lead changes")}


def exact_power(count: int, fair: float, effect: float, alpha: float) -> float:
    """Return the power of the share test, summed over all outcomes."""
    true = fair + effect
    chance = (comb(count, k) * true**k * (1 - true) ** (count - k) for k in range(count + 1))
    return sum(p for k, p in enumerate(chance) if share_p(k, count, fair) < alpha)


@pytest.mark.parametrize(
    ("count", "fair", "effect"), [(10, 0.5, 0.3), (60, 1 / 3, 0.1), (1, 0.5, 0.5), (0, 0.5, 0.1)]
)
def test_share_power_equals_the_summed_chances(count: int, fair: float, effect: float) -> None:
    assert share_power(count, fair, effect) == pytest.approx(exact_power(count, fair, effect, 0.05))


# -- the numbers of cells ----------------------------------------------------------------------


def test_cell_figures_match_a_count_by_hand() -> None:
    common = {"turns": 8, "lead_changes": 1, "first_seat": 1}
    games = (
        game(1, (0,), rounds=4, led_from=3, dead_turns=2, **common),  # open 2/4
        game(2, (0,), rounds=5, led_from=0, dead_turns=4, **common),  # open all
        game(3, (1,), rounds=6, led_from=1, dead_turns=0, **common),  # open 0
        game(4, (), rounds=9, led_from=0, dead_turns=8, **common),
    )
    rows = analysed([ExperimentCell({"map": "a"}, 2, games)])
    values = {row.figure: round(row.value, 6) for row in rows}
    assert values == {
        "seat 1": 0.666667,
        "seat 2": 0.333333,
        "first mover": 0.333333,
        "drawn": 0.25,
        "rounds": 6.0,
        "lead changes": 1.0,
        "open": 0.5,
        "dead turns": 0.4375,
        "ended by time": 0.75,
        "ended by tie": 0.25,
    }
    assert row_of(rows, "map=a", "seat 1").games == 3
    assert row_of(rows, "map=a", "seat 1").needed == 2135  # 1.96^2 * 2/9 / 0.02^2
    assert row_of(rows, "map=a", "seat 1").p == pytest.approx(1.0)


def test_pooled_games_with_one_seed_form_one_cluster() -> None:
    """A seed gives the same game in both cells, so the pooled interval is no narrower."""
    random = np.random.default_rng(5)
    same = made_up(random, 40, 0.6)
    rows = analysed([ExperimentCell({"map": name}, 2, same) for name in ("a", "b")])
    one, pooled = row_of(rows, "map=a", "seat 1"), row_of(rows, POOLED, "seat 1")
    assert (one.games, pooled.games) == (40, 80)
    assert one.low is not None
    assert one.high is not None
    assert pooled.low is not None
    assert pooled.high is not None
    assert pooled.high - pooled.low == pytest.approx(one.high - one.low, rel=0.1)


def test_effects_are_paired_by_seed() -> None:
    """Every seed gives exactly ten more rounds, so the effect has no uncertainty."""
    games = [game(seed, (seed % 2,), rounds=seed) for seed in range(1, 21)]
    longer = [game(seed, (seed % 2,), rounds=seed + 10) for seed in range(1, 21)]
    cells = [
        ExperimentCell({"map": "a"}, 2, tuple(games)),
        ExperimentCell({"map": "b"}, 2, tuple(longer)),
    ]
    rows = analysed(cells)
    (effect,) = (row for row in rows if row.kind == "effect" and row.figure == "rounds")
    assert (effect.cell, effect.against, effect.games) == ("map=b", "map=a", 20)
    assert (effect.value, effect.low, effect.high) == (10, 10, 10)
    assert effect.p == pytest.approx(2 * 0.5**20)
    (seats,) = (row for row in rows if row.kind == "effect" and row.figure == "seat 1")
    assert (seats.value, seats.p) == (0, None)


def test_each_value_is_compared_with_the_first_all_else_equal() -> None:
    random = np.random.default_rng(7)
    cells = [
        ExperimentCell({"map": map_, "rounds": rounds}, 2, made_up(random, 10, 0.5))
        for map_ in ("a", "b")
        for rounds in ("4", "6", "8")
    ]
    effects = [row for row in analysed(cells) if row.kind == "effect" and row.figure == "rounds"]
    assert [(row.cell, row.against) for row in effects] == [
        ("map=b", "map=a"),
        ("rounds=6", "rounds=4"),
        ("rounds=8", "rounds=4"),
    ]
    assert all(row.games == 10 for row in effects)


def test_missing_games_or_measures_leave_figures_out() -> None:
    cells = [
        ExperimentCell({"map": "a"}, 2, (), broken=3),
        ExperimentCell({"map": "b"}, 2, (game(1, (0,)),)),
    ]
    rows = analysed(cells)
    assert {row.figure for row in rows if row.cell == "map=b"} == {
        "seat 1",
        "seat 2",
        "drawn",
        "ended by time",
    }
    assert len(cell_table(rows, cells)) == 3


# -- the verb ----------------------------------------------------------------------------------


def arguments(*words: str) -> Namespace:
    spec = find_command(lab_verbs(), "balance")
    assert spec is not None
    return spec.parser("banneret lab balance", CommandParser).parse_args(list(words))


FAULTY = [
    ("--vary", "foo=1", "--vary foo=1: it is written"),
    ("--vary", "option.=1", "it is written"),
    ("--vary", "seats=many", "--vary seats=many: that is no number of seats"),
    ("--vary", "option.rounds=4,4", "a value stands twice"),
    ("--bot", "x=easy", "two bots have one name"),
]


@pytest.mark.parametrize(("option", "value", "text"), FAULTY)
def test_wrong_variations_are_refused_in_one_line(option: str, value: str, text: str) -> None:
    args = arguments("weltendaemmerung", option, value, "--bot", "x=normal")
    with pytest.raises(Wrong) as problem:
        balance_runs(args)
    assert text in str(problem.value)
    assert "\n" not in str(problem.value)


def test_each_bot_and_seat_count_makes_a_separate_run() -> None:
    words = ["kaladan", "--vary", "seats=2,3", "--bot", "easy", "--bot", "normal"]
    runs = balance_runs(arguments(*words))
    assert [(run.plan.seats, run.bot.name) for run in runs] == [
        (2, "easy"),
        (3, "easy"),
        (2, "normal"),
        (3, "normal"),
    ]
    assert runs[1].factors == ({"bot": "easy", "seats": "3"},)


@pytest.fixture
def ports() -> LabPorts:
    return LabPorts(Folder, "test")


def run(tmp_path: Path, ports: LabPorts, form: str) -> Exit:
    words = [
        "weltendaemmerung",
        "--scenario",
        "ford",
        "--vary",
        "option.rounds=2,4",
        "--bot",
        "easy",
    ]
    words += ["--pairs", "6", "--jobs", "1", "--format", form, "-o", str(tmp_path / "run")]
    return balance_verb(arguments(*words), ports)


def test_experiment_is_played_once_for_all_formats(
    tmp_path: Path, ports: LabPorts, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, ports, "csv") == Exit.OK
    first = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(first.out)))
    drawn = {row["cell"] for row in rows if (row["figure"], row["kind"]) == ("drawn", "cell")}
    assert drawn == {"rounds=2", "rounds=4", "all cells"}
    lengths = [row["value"] for row in rows if row["figure"] == "rounds" and row["kind"] == "cell"]
    assert float(lengths[0]) == 2 < float(lengths[1]) <= 4
    results = (tmp_path / "run" / "results.jsonl").read_bytes()
    assert results.count(b"\n") == 12
    assert run(tmp_path, ports, "csv") == Exit.OK
    again = capsys.readouterr()
    assert (again.out, "games" in again.err) == (first.out, False)
    assert (tmp_path / "run" / "results.jsonl").read_bytes() == results
    assert run(tmp_path, ports, "markdown") == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| cell | games | seat 1 | seat 2 |")
    assert {line.count("|") for line in lines[:5]} == {lines[0].count("|")}
