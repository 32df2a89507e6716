"""Training data: each sample holds the view, the offers, the command and the result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import banneret
from app import main
from engine.core.codec import convert
from engine.core.registry import find
from study.lab.positions import ViewLayout
from tests.programs import QUITS

SAMPLES = Path(__file__).parents[2] / "saves" / "samples"


def sampled(*words: str, path: Path) -> list[dict[str, Any]]:
    """Run the verb and return the lines it writes."""
    assert main(["lab", "sample", *words, "-o", str(path)]) == 0
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A save of a game of two levels."""
    game = banneret.new_game("kaladan", "duel", seed=2, bots={0: "easy", 1: "normal"})
    banneret.play_out(game)
    return game.save(tmp_path_factory.mktemp("saves") / "duel.bnr")


def test_each_command_has_a_line_with_its_offer_number(duel: Path, tmp_path: Path) -> None:
    lines, game = sampled(str(duel), path=tmp_path / "x.jsonl"), banneret.open(duel)
    outcome = game.outcome
    assert outcome is not None
    assert [line["entry"] for line in lines] == [entry.seq for entry in game][1:]
    for line in lines:
        entry = game.entries[line["entry"]]
        assert entry.command is not None
        assert (line["seat"], line["move"]) == (entry.seat, banneret.notation(entry.command))
        before = game.at(entry.parent)
        assert line["offers"] == before.legal(entry.seat)
        assert line["index"] == -1 or line["offers"][line["index"]] == line["move"]
        assert convert(line["view"], find("kaladan").view_type) == before.view(entry.seat)
        assert line["result"] == (1 if entry.seat in outcome.winners else -1)
        assert (line["winners"], line["reason"]) == (list(outcome.winners), outcome.reason)


def test_replayed_game_gives_the_samples_of_its_save(duel: Path, tmp_path: Path) -> None:
    words = [
        "kaladan",
        "--scenario",
        "duel",
        "--bots",
        "easy,normal",
        "--games",
        "1",
        "--seed",
        "2",
    ]
    played = sampled(*words, "--seed", "2", path=tmp_path / "a.jsonl")
    saved = sampled(str(duel), path=tmp_path / "b.jsonl")
    assert [line | {"game": ""} for line in played] == [line | {"game": ""} for line in saved]
    assert played[0]["game"] == "easy-normal seed 2"


def test_games_of_a_run_are_replayed(tmp_path: Path) -> None:
    run = str(tmp_path / "night")
    plan = ["weltendaemmerung", "--scenario", "ford", "--bots", "easy,normal", "--pairs", "1"]
    assert main(["lab", "run", *plan, "--keep", "none", "--jobs", "1", "-o", run]) == 0
    made = sampled(run, path=tmp_path / "a.jsonl")
    played = sampled(*plan[:-2], "--games", "2", path=tmp_path / "b.jsonl")
    assert [line | {"game": ""} for line in made] == [line | {"game": ""} for line in played]
    assert made[0]["game"] == "game 1"


def test_bots_change_seats_before_the_seed_changes(tmp_path: Path) -> None:
    words = ["weltendaemmerung", "--scenario", "ford", "--bots", "easy,normal", "--games", "3"]
    lines = sampled(*words, "--every", "40", path=tmp_path / "x.jsonl")
    games = list(dict.fromkeys(line["game"] for line in lines))
    assert games == ["easy-normal seed 1", "normal-easy seed 1", "easy-normal seed 2"]


@pytest.mark.parametrize(
    ("words", "is_wanted"),
    [
        (["--seat", "player 2"], lambda line: line["seat"] == 1),
        (["--seat", "0"], lambda line: line["seat"] == 0),
        (["--winners"], lambda line: line["result"] == 1),
    ],
)
def test_moves_can_be_chosen(duel: Path, tmp_path: Path, words: list[str], is_wanted: Any) -> None:
    every = sampled(str(duel), path=tmp_path / "a.jsonl")
    some = sampled(str(duel), *words, path=tmp_path / "b.jsonl")
    assert some == [line for line in every if is_wanted(line)]
    third = sampled(str(duel), *words, "--every", "3", path=tmp_path / "c.jsonl")
    assert third == some[::3]


def test_arrays_hold_the_same_as_lines(duel: Path, tmp_path: Path) -> None:
    lines = sampled(str(duel), path=tmp_path / "x.jsonl")
    assert main(["lab", "sample", str(duel), "-o", str(tmp_path / "x.npz")]) == 0
    with np.load(tmp_path / "x.npz") as found:
        arrays = dict(found)
    assert arrays["action"].tolist() == [line["index"] for line in lines]
    assert arrays["seat"].tolist() == [line["seat"] for line in lines]
    assert arrays["result"].tolist() == [line["result"] for line in lines]
    assert arrays["mask"].sum(axis=1).tolist() == [len(line["offers"]) for line in lines]
    assert arrays["games"].tolist() == ["duel"]
    game, last = banneret.open(duel), lines[-1]
    layout = ViewLayout(find("kaladan"), game.at(0).view(lines[0]["seat"]), 2)
    view = game.at(last["entry"] - 1).view(last["seat"])
    for name, cells in layout.arrays(view).items():
        assert (arrays[f"view.{name}"][-1] == cells).all()
        assert arrays[f"view.{name}"].shape[0] == len(lines)
    for name, columns in layout.columns.items():
        assert arrays[f"columns.{name}"].tolist() == list(columns)


def test_arrays_leave_out_offers_beyond_the_actions(duel: Path, tmp_path: Path) -> None:
    lines = sampled(str(duel), path=tmp_path / "x.jsonl")
    words = ["--actions", "6", "-o", str(tmp_path / "x.npz")]
    assert main(["lab", "sample", str(duel), *words]) == 0
    with np.load(tmp_path / "x.npz") as found:
        assert found["mask"].shape[1] == 6
        known = [line["index"] if line["index"] < 4 else -1 for line in lines]
        assert found["action"].tolist() == known


def test_broken_save_in_a_folder_is_skipped(
    duel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "games" / "inside"
    folder.mkdir(parents=True)
    (folder / "a.bnr").write_bytes(b"nothing")
    (folder / "b.bnr").write_bytes(duel.read_bytes())
    assert len(sampled(str(tmp_path / "games"), path=tmp_path / "x.jsonl")) > 10
    told = capsys.readouterr()
    assert told.err.startswith("banneret lab sample: a.bnr: ")
    assert told.err.endswith("; left out\n")
    assert told.out.endswith("positions of 1 game\n")


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["nowhere"], 2, "nowhere: no such run, save, folder or ruleset"),
        (["kaladan", "--bots", "genius"], 2, "there is no level 'genius'"),
        (["kaladan", "--scenario", "x"], 2, "x: no scenario of kaladan"),
        (["DUEL", "--seat", "Nobody"], 2, "there is no seat 'Nobody'; known: Player 1 (seat 0)"),
        ([str(SAMPLES / "README.md")], 3, "README.md"),
    ],
)
def test_mistake_is_reported_in_one_line_and_writes_nothing(
    duel: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    code: int,
    text: str,
) -> None:
    given = [str(duel) if word == "DUEL" else word for word in words]
    assert main(["lab", "sample", *given, "-o", str(tmp_path / "x.npz")]) == code
    said = capsys.readouterr().err
    assert text in said
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_arrays_of_two_rulesets_are_refused(
    duel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(duel), str(SAMPLES / "format-1.bnr"), "-o", str(tmp_path / "x.npz")]
    assert main(["lab", "sample", *words]) == 2
    assert "of one ruleset, not of kaladan and weltendaemmerung" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_lines_can_go_to_standard_output(duel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "sample", str(duel), "--every", "20", "-o", "-"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(json.loads(line)["ruleset"] == "kaladan" for line in lines)
    assert len(lines) > 1


def test_folder_with_only_broken_saves_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "saves").mkdir()
    (tmp_path / "saves" / "a.bnr").write_bytes(b"nothing")
    output = tmp_path / "x.jsonl"
    assert main(["lab", "sample", str(tmp_path / "saves"), "-o", str(output)]) == 2
    assert "there is no game to take samples from" in capsys.readouterr().err
    assert not output.exists()


def test_game_broken_off_by_a_bot_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "weltendaemmerung --scenario ford --games 1 --bots"
    assert sampled(*words.split(), f"quitter=cmd:{QUITS}", path=tmp_path / "x.jsonl") == []
    assert "quitter-quitter seed 1 broke off: it left with code 0" in capsys.readouterr().err
