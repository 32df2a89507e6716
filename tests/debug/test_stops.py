"""Stops of running games: ``--stop-when``, ``--always`` and ``--sometimes``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.core.feed import changes
from engine.core.registry import find
from engine.core.replay import fold
from saves.archive import Folder
from study.debug import bundle
from study.debug.debugger import Debugger
from tests.app.cli import banneret, banneret_here
from tui.console.exits import Exit
from tui.replay.query import BadQuery
from tui.replay.stops import Stops, StopWatch, never

GAME = (
    *("run", "--ruleset", "weltendaemmerung", "--scenario", "ford", "--seed", "7", "--quiet"),
    *("--seat", "Eldoin=bot:normal", "--seat", "Dailor=bot:normal", "-"),
)


def played(folder: Path, *options: str) -> tuple[int, dict[str, Any], str]:
    """Play a game of computer players. Return exit code, merged lines of JSON, and errors."""
    done = banneret_here(*GAME, *options, folder=folder)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return done.returncode, {key: row[key] for row in lines for key in row}, done.stderr


def test_stop_when_ends_the_game_at_the_first_match(tmp_path: Path) -> None:
    code, told, _ = played(tmp_path, "--stop-when", "loss", "--save", str(tmp_path / "g.bnr"))
    assert code == 0
    bench = Debugger(Folder().read(str(tmp_path / "g.bnr")))
    (only,) = {bench.place(step) for step in bench.matches("loss")}
    assert bench.step_at(told["stopped"]["place"]) == bench.step_at(only) == len(bench.line)


def test_broken_always_writes_a_bundle_and_fails(tmp_path: Path) -> None:
    code, told, _ = played(tmp_path, "--always", "units >= 3")
    assert code == 1
    assert told["stopped"]["is_broken"]
    archive = Folder()
    opened = bundle.opened(archive, str(tmp_path / told["bundle"]))
    rules = find("weltendaemmerung")
    line = opened.log.line()
    assert min(rules.statistics(fold(rules, line))["units"]) == 2
    assert min(rules.statistics(fold(rules, line[:-1]))["units"]) == 3


def test_kept_always_passes_and_missing_sometimes_is_reported(tmp_path: Path) -> None:
    code, told, _ = played(
        tmp_path, *("--always", "units >= 0"), *("--sometimes", "capture", "--sometimes", "end")
    )
    assert code == 0
    assert told == {"never": ["capture"]} | {key: told[key] for key in told if key == "over"}


def test_unreadable_stop_is_refused_in_one_line(tmp_path: Path) -> None:
    code, told, errors = played(tmp_path, "--always", "frob > 3")
    assert (code, told) == (2, {})
    assert errors == "banneret: column 1: there is nothing called frob\n"


# -- false and undefined conditions ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("always", "is_broken"),
    [
        ("units >= 0", False),
        ("units < 0", True),
        ("units = 0 or units > 0", False),
        ("units >= 0 and units < 1", True),
        ("not units < 0", False),
        ("chance <= 100%", False),
        ("damage < 0", True),
        ("attack", True),
        ("other = Eldoin or other = Dailor", False),
        ("piece ~ zebra", True),
    ],
)
def test_always_applies_only_to_moments_with_its_values(always: str, is_broken: bool) -> None:
    sample = Path(__file__).parents[2] / "saves" / "samples" / "format-1.bnr"
    bench = Debugger(Folder().read(str(sample)))
    watch = StopWatch(bench.rules, bench.seats, Stops(always=(always,)))
    for change in changes(bench.rules, bench.line.entries):
        watch.take(change)
    assert (watch.found is not None and watch.found.is_broken) is is_broken


def test_never_lists_sometimes_queries_without_a_match() -> None:
    assert never(Stops(sometimes=("capture", "loss")), {"loss"}) == ["capture"]


def test_watch_refuses_a_query_with_its_column() -> None:
    with pytest.raises(BadQuery, match="column 8"):
        StopWatch(find("weltendaemmerung"), ("Eldoin", "Dailor"), Stops(stop_when="units >"))


# -- many games ------------------------------------------------------------------------------------

MANY = ("simulate", "weltendaemmerung", "--scenario", "ford", "--levels", "easy", "--games", "6")


@pytest.mark.parametrize("processes", ["1", "2"])
def test_always_in_many_games_keeps_each_broken_game(tmp_path: Path, processes: str) -> None:
    words = (*MANY, "--processes", processes, "--json")
    done = banneret_here(*words, "--always", "units.Eldoin > 4", folder=tmp_path)
    (pairing,) = json.loads(done.stdout)["pairings"]
    broken = [seed for seed, _ in pairing["broken"]]
    assert done.returncode == 1
    assert 0 < len(broken) < pairing["games"] == 6, "some games break it and the others go on"
    kept = sorted(path.name for path in tmp_path.glob("*.zip"))
    assert len(kept) == len(broken)
    assert all(f"seed {seed}: " in done.stderr for seed in broken)
    opened = bundle.opened(Folder(), str(tmp_path / "post-mortem.zip"))
    state = fold(find("weltendaemmerung"), opened.log.line())
    assert find("weltendaemmerung").statistics(state)["units"][0] == 4


def test_unmatched_sometimes_is_reported_after_many_games(tmp_path: Path) -> None:
    done = banneret_here(*MANY, "--sometimes", "capture", "--sometimes", "end", folder=tmp_path)
    assert done.returncode == 0
    assert done.stderr.endswith("banneret simulate: in no game: capture\n")


# -- a game in lines of text -----------------------------------------------------------------------


def test_game_in_line_mode_stops_at_a_broken_always(tmp_path: Path) -> None:
    words = ("play", "--plain", "--new", "weltendaemmerung", "--scenario", "ford", "--seed", "7")
    turns = "end-phase\nyes\n" * 6
    watched = ("--seat", "Dailor=bot:normal", "--always", "units >= 8", "--sometimes", "capture")
    done = banneret(*words, *watched, given=turns, folder=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "Stopped at 13.2: not always units >= 8." in done.stdout
    assert "This never happened: capture" in done.stdout
    opened = bundle.opened(Folder(), str(tmp_path / "post-mortem.zip"))
    assert opened.log.head == 13


def test_query_that_is_false_from_the_start_ends_line_mode_too(tmp_path: Path) -> None:
    words = ("play", "weltendaemmerung", "--plain", "--scenario", "ford")
    done = banneret_here(*words, "--always", "round > 3", folder=tmp_path)
    assert done.returncode == Exit.REFUSED
    assert "Stopped at 0.1: not always round > 3." in done.stdout
