"""The arena: many games of computer players, the same every time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.registry import find
from engine.core.scenarios import dump
from tests.app.cli import arguments
from tests.toy import RULES as TOY
from tui.headless.simulate import Task, Tournament, main, play, simulate, table
from tui.play.players import think
from tui.play.scenarios import seed_bytes

ROOT = Path(__file__).parents[2]


def ford(games: int, processes: int) -> Tournament:
    rules = find("weltendaemmerung")
    levels = (["easy"], ["easy", "normal"])
    scenario = rules.scenarios()["ford"]
    return simulate(rules, scenario, {}, levels, games, 5, processes=processes)


def test_every_pairing_is_played_with_the_same_seeds() -> None:
    report = ford(3, 1)
    assert [pairing.levels for pairing in report.pairings] == [("easy", "easy"), ("easy", "normal")]
    assert all(pairing.games == 3 for pairing in report.pairings)
    assert all(sum(pairing.wins) == 3 for pairing in report.pairings)
    assert all(sum(pairing.reasons.values()) == 3 for pairing in report.pairings)
    assert all(pairing.refused == 0 for pairing in report.pairings)


def test_two_processes_report_what_one_reports() -> None:
    assert ford(3, 2) == ford(3, 1)


def test_a_simulated_game_is_the_game_that_a_table_would_keep() -> None:
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


def test_the_table_has_a_line_for_each_pairing() -> None:
    lines = table(ford(1, 1)).splitlines()
    assert len(lines) == 4
    assert lines[1].split()[:2] == ["Eldoin", "Dailor"]


def test_json_and_table_come_from_the_subcommand(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("weltendaemmerung", "--scenario", "ford", "--levels", "easy", "--games", "1")
    assert main(arguments("simulate", *words, "--json")) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["pairings"][0]["levels"] == ["easy", "easy"]
    assert main(arguments("simulate", *words)) == 0
    assert capsys.readouterr().out.startswith("weltendaemmerung, ford: 1 game a pairing")


def test_a_scenario_is_named_as_for_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tui.play.scenarios.own_folder", lambda rules: tmp_path)
    ford = find("weltendaemmerung").scenarios()["ford"]
    (tmp_path / "mine.json").write_text(dump(ford), encoding="utf-8")
    for name in ("mine", str(tmp_path / "mine.json")):
        words = ("weltendaemmerung", "--scenario", name, "--levels", "easy", "--games", "1")
        assert main(arguments("simulate", *words)) == 0
        assert capsys.readouterr().out.startswith("weltendaemmerung, ford: 1 game a pairing")


def test_a_scenario_with_a_fault_is_named_with_its_file(
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


def test_an_interrupt_ends_it_without_a_traceback() -> None:
    code = (
        "import sys\n"
        "from tests.app.cli import arguments\n"
        "from tui.headless.simulate import main\n"
        "if __name__ == '__main__':\n"
        "    sys.exit(main(arguments('simulate', *sys.argv[1:])))\n"
    )
    words = ("weltendaemmerung", "--scenario", "ford", "--games", "100000", "--processes", "2")
    with subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        seen = process.stderr.read(12)
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert process.returncode == 130
    assert "games"[:3] in seen + rest
    assert "Traceback" not in rest
