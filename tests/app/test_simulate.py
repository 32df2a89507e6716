"""Tournaments of computer players, with reproducible results."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from engine.core.codec import encode_json
from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.registry import find
from engine.core.scenarios import dump
from study.lab.simulate import Task, Tournament, main, play, simulate, table
from tests.app import mishaps
from tests.app.cli import arguments, banneret
from tests.farm.test_endings import is_alive, workers
from tests.patience import PATIENCE, wait_for
from tests.toy import RULES as TOY
from tui.play.players import think
from tui.play.scenarios import seed_bytes

ROOT = Path(__file__).parents[2]


@cache
def ford(games: int, processes: int = 0) -> Tournament:
    rules = find("weltendaemmerung")
    levels = (["easy"], ["easy", "normal"])
    scenario = rules.scenarios()["ford"]
    return simulate(rules, scenario, {}, levels, games, 5, processes=processes)


def simulated(*words: str) -> int:
    """Run the subcommand with its games in this process; return the exit code."""
    args = arguments("simulate", *words)
    args.processes, args.deadline = 0, None
    return main(args)


def test_every_pairing_is_played_with_the_same_seeds() -> None:
    report = ford(3)
    assert [pairing.levels for pairing in report.pairings] == [("easy", "easy"), ("easy", "normal")]
    assert all(pairing.games == 3 for pairing in report.pairings)
    assert all(sum(pairing.wins) == 3 for pairing in report.pairings)
    assert all(sum(pairing.reasons.values()) == 3 for pairing in report.pairings)
    assert all(pairing.refused == 0 for pairing in report.pairings)


def test_report_is_the_same_for_any_number_of_processes() -> None:
    here, there = ford(3), ford(3, processes=3)
    assert encode_json(there) == encode_json(here)
    assert table(there) == table(here)


def test_pairing_named_twice_is_played_twice() -> None:
    rules = find("weltendaemmerung")
    levels = (["easy", "easy"], ["easy"])
    report = simulate(rules, rules.scenarios()["ford"], {}, levels, 2, 1)
    first, second = report.pairings
    assert first == second
    assert first.games == 2


def test_simulated_game_equals_the_game_at_a_table() -> None:
    rules = find("weltendaemmerung")
    scenario = rules.scenarios()["ford"]
    seed = seed_bytes(11)
    game = Game.begin(rules, scenario, {}, seed)
    while owing := rules.owes(game.state):
        seat = min(owing)
        for command in think(rules, "normal", game.view(seat), seat, seed, len(game.log)):
            if seat in rules.owes(game.state):
                game.submit(seat, command)
    played = play(rules, scenario, {}, Task(("normal", "normal"), 11))
    outcome = rules.outcome(game.state)
    assert outcome is not None
    assert (played.reason, played.winners) == (outcome.reason, outcome.winners)
    assert played.entries == len(game.log)


def test_any_ruleset_can_be_simulated() -> None:
    scenario = next(iter(TOY.scenarios().values()))
    levels = [list(TOY.bots)] * TOY.traits.seats[0]
    TOY.begin(scenario, {}, Seeded(b"", 0, "decide"))
    report = simulate(TOY, scenario, {}, levels, 2, 1)
    assert report.ruleset == "toy"
    assert report.pairings[0].games == 2


def test_table_has_a_line_for_each_pairing() -> None:
    lines = table(ford(3)).splitlines()
    assert len(lines) == 4
    assert lines[1].split()[:2] == ["Eldoin", "Dailor"]


def test_subcommand_prints_json_and_table(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("weltendaemmerung", "--scenario", "ford", "--levels", "easy", "--games", "1")
    assert simulated(*words, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["pairings"][0]["levels"] == ["easy", "easy"]
    assert simulated(*words) == 0
    assert capsys.readouterr().out.startswith("weltendaemmerung, ford: 1 game a pairing")


def test_scenario_is_named_as_for_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tui.play.scenarios.own_folder", lambda rules: tmp_path)
    ford = find("weltendaemmerung").scenarios()["ford"]
    (tmp_path / "mine.json").write_text(dump(ford), encoding="utf-8")
    for name in ("mine", str(tmp_path / "mine.json")):
        words = ("weltendaemmerung", "--scenario", name, "--levels", "easy", "--games", "1")
        assert simulated(*words) == 0
        assert capsys.readouterr().out.startswith("weltendaemmerung, ford: 1 game a pairing")


def test_broken_scenario_is_named_with_its_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"rounds": 3}', encoding="utf-8")
    assert main(arguments("simulate", "weltendaemmerung", "--scenario", str(path))) == 2
    assert str(path) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("nothing",), "there is no ruleset 'nothing'"),
        (("weltendaemmerung", "--levels", "divine"), "there is no level 'divine'"),
        (("weltendaemmerung", "--scenario", "no/such/file"), "no/such/file: no scenario of"),
        (("weltendaemmerung", "--option", "rounds=0"), "rounds"),
        (("weltendaemmerung", *("--levels", "easy") * 3), "is for 2 players, not for 3"),
    ],
)
def test_wrong_arguments_are_named_in_one_line(
    words: tuple[str, ...], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments("simulate", *words)) == 2
    error = capsys.readouterr().err
    assert text in error
    assert error.count("\n") == 1


# -- deaths, faults and Ctrl-C -----------------------------------------------------------------


def test_failed_game_is_named_by_its_seed_and_the_others_continue(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("study.lab.simulate.played", mishaps.mishaps)
    words = ("weltendaemmerung", "--scenario", "ford", "--levels", "easy", "--seed", "5")
    args = arguments("simulate", *words, "--games", "5", "--processes", "2")
    args.deadline = 0.3
    assert main(args) == 4
    told = capsys.readouterr()
    assert [line.partition(" (")[0] for line in told.err.splitlines()[-3:]] == [
        "banneret simulate: seed 6: the process died: exit code 1",
        "banneret simulate: seed 7: ZeroDivisionError: no armies",
        "banneret simulate: seed 8: longer than 0.3 s of processor time",
    ]
    assert told.out.splitlines()[-1].split()[:2] == ["easy", "easy"]
    assert "/2" in told.out
    monkeypatch.undo()
    assert simulated(*words, "--games", "1") == 0
    assert simulated(*words[:-1], "9", "--games", "1") == 0


def test_tournament_without_results_has_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("study.lab.simulate.played", mishaps.mishaps)
    words = ("weltendaemmerung", "--scenario", "ford", "--levels", "easy", "--seed", "7")
    assert simulated(*words, "--games", "1") == 4
    assert capsys.readouterr().out.splitlines()[-1].split()[:4] == ["easy", "easy", "0/0", "0/0"]


SIXTY = ("weltendaemmerung", "--scenario", "ford", "--levels", "easy", "--games", "60")


def started(*words: str) -> subprocess.Popen[str]:
    """Start the subcommand as a program."""
    return subprocess.Popen(
        [sys.executable, "-m", "app", "simulate", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def counted(program: subprocess.Popen[str]) -> Iterator[int]:
    """Yield the numbers of played games that a program prints."""
    assert program.stderr is not None
    text = ""
    while letter := program.stderr.read(1):
        text += letter
        if found := re.fullmatch(r"\s*(\d+)/\d+ games", text):
            yield int(found[1])
            text = ""


def killed_after(numbers: Iterable[int], chance: random.Random) -> tuple[int, str]:
    """Play sixty games and kill a worker after each of ``numbers`` games; return exit code and
    output.

    With 0 a worker is killed before the first game.
    """
    with started(*SIXTY, "--processes", "2") as program:
        wait_for(lambda: bool(workers(program.pid)))
        played = counted(program)
        for number in numbers:
            assert number == 0 or number in played
            victims = workers(program.pid)
            if victims:
                os.kill(chance.choice(victims), signal.SIGKILL)
        out, _ = program.communicate(timeout=PATIENCE)
    return program.returncode, out


@pytest.fixture(scope="module")
def sixty() -> str:
    """Output of sixty undisturbed games."""
    return banneret("simulate", *SIXTY).stdout


def test_killed_worker_costs_no_game(sixty: str) -> None:
    """Workers are killed before the first game, early and late."""
    chance = random.Random(5)  # noqa: S311 - which dies
    assert killed_after((0, 5, 31), chance) == (0, sixty)


@pytest.mark.slow
def test_worker_killed_at_any_moment_costs_no_game(sixty: str) -> None:
    chance = random.Random("kill -9")  # noqa: S311 - which dies, and when
    for _ in range(50):
        assert killed_after([chance.randrange(60)], chance) == (0, sixty)


def test_ctrl_c_reports_the_played_games_and_leaves_no_process() -> None:
    with started(*SIXTY[:-1], "100000", "--processes", "2") as program:
        assert 5 in counted(program)
        left = workers(program.pid)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=PATIENCE)
    assert program.returncode == 130
    last = err.splitlines()[-1]
    assert last.startswith("banneret simulate: interrupted after ")
    assert last.endswith(" of 100000 games")
    played = int(last.split()[4])
    assert played >= 5
    assert f"/{played} " in out.splitlines()[-1]
    assert "Traceback" not in err
    assert left
    wait_for(lambda: not any(map(is_alive, left)))
