"""Games of a run: replayed, searched, and given to bots."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from app import main
from engine.core.archive import SaveFault
from engine.core.registry import find
from saves.archive import Folder
from study.lab import viewing
from study.lab.bots import PlanningPlayer
from study.lab.feeding import Feeding, differences
from study.lab.stages import games_of
from study.lab.store import RESULTS, RunFolder
from study.lab.viewing import found_places, game_named, games_verb, open_verb, save_of
from tests.lab.runs import PORTS, plan, run
from tui.console.exits import Exit, Wrong

RULES = find("weltendaemmerung")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "run"
    run(path, plan(pairs=5, keep="all"))
    return path


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bare") / "run"
    run(path, plan(pairs=5, keep="none"))
    return path


def test_replayed_games_equal_the_kept_ones_byte_for_byte(kept: Path, bare: Path) -> None:
    folder = RunFolder.read(bare)
    archive = Folder(bare / "games")
    for game in games_of(folder.plan, folder.setup, folder.rows):
        name = save_of(folder, game, archive)
        again = (bare / "games" / f"{name}.bnr").read_bytes()
        assert again == (kept / "games" / f"{game.key}.bnr").read_bytes()


def test_query_finds_the_same_in_kept_and_replayed_games(kept: Path, tmp_path: Path) -> None:
    run(tmp_path / "run", plan(pairs=5, keep="none"))
    answers = []
    for path in (kept, tmp_path / "run"):
        folder = RunFolder.read(path)
        games = games_of(folder.plan, folder.setup, folder.rows)
        answers.append(
            found_places(folder, games, "loss and entry = 65", Folder(path / "games"), 0)
        )
    assert answers[0] == answers[1]
    assert 0 < sum(map(bool, answers[0].values())) < 10


def test_games_are_named_by_number_or_key(bare: Path) -> None:
    folder = RunFolder.read(bare)
    games = games_of(folder.plan, folder.setup, folder.rows)
    assert game_named(games, "3") == (3, games[2])
    assert game_named(games, games[4].key[:8]) == (5, games[4])
    for name in ("0", "11", "zz", games[0].key[:3], ""):
        with pytest.raises(Wrong, match="names no game"):
            game_named(games, name)


def args(path: Path, **words: object) -> Namespace:
    usual = {
        "run_bots": False,
        "runs": None,
        "where": None,
        "won": None,
        "lost": None,
        "faults": False,
        "jobs": 0,
        "json": False,
    }
    return Namespace(run=str(path), **{**usual, **words})


def test_lists_are_narrowed(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = []
    for words in ({}, {"won": "normal"}, {"lost": "normal"}, {"faults": True}):
        assert games_verb(args(bare, **words), PORTS) == Exit.OK
        counts.append(int(capsys.readouterr().out.splitlines()[-1].split()[0]))
    assert counts[0] == counts[1] + counts[2] == 10
    assert counts[3] == 0
    with pytest.raises(Wrong, match="--where: column 1"):
        games_verb(args(bare, where="nonsense = 3"), PORTS)


@pytest.mark.parametrize(("score", "won"), [("forfeit", ["normal"]), ("void", [])])
def test_a_broken_off_game_is_listed_as_the_run_counts_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], score: str, won: list[str]
) -> None:
    run(tmp_path / "run", plan(pairs=1, fault=score))
    rows = (tmp_path / "run" / RESULTS).read_bytes().splitlines()
    raw = json.loads(rows[0])
    raw["fault"] = {"seat": raw["bots"].index("easy"), "kind": "error", "text": "it left"}
    raw["winners"] = []
    (tmp_path / "run" / RESULTS).write_bytes(b"\n".join([json.dumps(raw).encode(), *rows[1:], b""]))
    games_verb(args(tmp_path / "run", faults=True, json=True), PORTS)
    (listed,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert listed["winners"] == won


def test_game_that_replays_differently_is_not_shown(bare: Path) -> None:
    folder = RunFolder.read(bare)
    (game, other, *_) = games_of(folder.plan, folder.setup, folder.rows)
    with pytest.raises(Wrong, match="came out otherwise"):
        save_of(folder, game._replace(row=other.row, key="0" * 32), Folder(bare / "none"))


def test_games_of_a_missing_bot_are_not_searched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("pass\n")
    run(tmp_path / "run", plan("easy", f"cmd:{sys.executable} {bot}", pairs=1, keep="none"))
    bot.unlink()
    assert main(["lab", "games", str(tmp_path / "run"), "--where", "round = 1"]) == Exit.USAGE
    error = capsys.readouterr().err
    assert "is not the one that the plan was made with" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("no_fate", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_open_writes_the_save_and_names_the_turning_point(
    bare: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, *, no_fate: bool
) -> None:
    file = tmp_path / "one.bnr"
    words = {"game": "1", "output": str(file), "no_fate": no_fate, "no_screen": True}
    assert open_verb(args(bare, **words), PORTS) == Exit.OK
    out, error = capsys.readouterr()
    assert ("--no-fate skips it" in error) == (not no_fate)
    assert error.count("\n") == (not no_fate)
    assert f"game 1, easy, normal, seed 1: {file}" in out
    assert no_fate or "it turned at " in out
    assert file.is_file()


def test_open_says_that_it_takes_minutes_before_it_does(
    bare: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def no_curve(*_: object, **__: object) -> None:
        raise Wrong(capsys.readouterr().err)

    monkeypatch.setattr(viewing, "fate_curve", no_curve)
    words = {"game": "1", "output": str(tmp_path / "one"), "no_fate": False, "no_screen": True}
    with pytest.raises(Wrong, match="can take some minutes, and --no-fate skips it"):
        open_verb(args(bare, **words), PORTS)


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_bot_fed_its_own_game_decides_alike(kept: Path, level: str) -> None:
    folder = RunFolder.read(kept)
    game = games_of(folder.plan, folder.setup, folder.rows)[0]
    opened = Folder(kept / "games").read(game.key)
    player = PlanningPlayer(RULES, RULES.bots[level], level, is_foreign=False)
    feeding = Feeding(RULES, 0, opened.header.seed, player)
    found = list(differences(opened, feeding))
    assert feeding.asked > 10
    assert feeding.alike + len(found) == feeding.asked
    assert (found == []) == (level == "easy")


@pytest.mark.parametrize("name", ["one.bnr", "one"])
def test_save_gets_the_given_name_only_once(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    words = {"game": "1", "output": name, "no_fate": True, "no_screen": True}
    assert open_verb(args(bare, **words), PORTS) == Exit.OK
    assert [path.name for path in tmp_path.glob("*.bnr*")] == ["one.bnr"]
    with pytest.raises(SaveFault, match="is there already"):
        open_verb(args(bare, **words), PORTS)
