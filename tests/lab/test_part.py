"""Partings of two bots: a planted blunder comes first, and equal bots are reported as equal."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

import pytest

from engine.core import registry
from saves.archive import Folder
from study.lab.part import followed, kinds_of, part_verb, source_of, swings_of
from study.lab.verbs import LabPorts
from tests.debug import wagers
from tui.console.commands import CommandParser, find_command, lab_verbs
from tui.console.exits import Exit, Wrong

BLUNDERER = "py:tests.lab.blunderers:Blunderer"
PATIENT = "py:tests.lab.blunderers:Patient"


@pytest.fixture(autouse=True)
def wagers_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._registered, wagers.RULES.name, wagers.RULES)


def arguments(*words: str) -> Namespace:
    spec = find_command(lab_verbs(), "part")
    assert spec is not None
    words = (*words, "--jobs", "1")
    return spec.parser("banneret lab part", CommandParser).parse_args(list(words))


def part(*words: str) -> Exit:
    return part_verb(arguments(*words), LabPorts(Folder, "test"))


def test_planted_blunder_comes_first_with_its_cost() -> None:
    source = source_of(arguments("wagers", BLUNDERER, "normal", "--pairs", "20", "--each", "3"))
    games = followed(source, 1)
    partings = [parting for game in games for parting in game.partings]
    swings = swings_of(source.setup.games, partings, "normal", 40, 1)
    kinds = kinds_of(swings)
    assert [kind.kinds for kind in kinds] == [("surrender", "wait"), ("wager", "wait")]
    worst, other = kinds
    assert len(worst.swings) > 5
    for kind, true in ((worst, -1 / 2), (other, 1 / 12)):
        low, high = kind.interval
        assert low < true < high


def test_first_partings_do_not_depend_on_the_playing_bot() -> None:
    """Exchanging the bots negates the swings and swaps the commands."""
    found = []
    for a, b in ((BLUNDERER, "normal"), ("normal", BLUNDERER)):
        source = source_of(arguments("wagers", a, b, "--pairs", "5"))
        games = followed(source, 1)
        partings = [parting for game in games for parting in game.partings]
        swings = swings_of(source.setup.games, partings, "normal", 10, 1)
        found.append(
            [
                (o.parting.seed, o.parting.entry, o.parting.command, o.parting.instead, o.swing)
                for o in swings
            ]
        )
    turned = [(seed, entry, other, own, -swing) for seed, entry, own, other, swing in found[1]]
    assert found[0] == turned
    assert len(turned) == 5


@pytest.mark.parametrize(
    ("ruleset", "a", "b", "scenario"),
    [
        ("wagers", "normal", "normal", "table"),
        ("wagers", PATIENT, "normal", "table"),
        ("wagers", "normal", PATIENT, "table"),
        ("toy", "easy", "easy", "triangle"),
        ("weltendaemmerung", "normal", "normal", "ford"),
        ("kaladan", "easy", "easy", ""),
    ],
)
def test_bots_that_decide_alike_have_no_partings(
    ruleset: str, a: str, b: str, scenario: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--scenario", scenario] if scenario else []
    assert part(ruleset, a, b, *words, "--pairs", "2") == Exit.OK
    (line,) = capsys.readouterr().out.splitlines()
    assert " decides as " in line
    assert line.endswith(" decisions of 2 games.")


def test_each_parting_opens_as_a_position_of_a_kept_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["wagers", BLUNDERER, "normal", "--pairs", "3", "--swing", "5", "-o", str(tmp_path)]
    assert part(*words, "--json") == Exit.OK
    sums, *rows = map(json.loads, capsys.readouterr().out.splitlines())
    assert (sums["games"], sums["partings"]) == (3, len(rows))
    for row in rows:
        opened = Folder(tmp_path).read(Path(row["save"]).stem)
        assert (
            opened.log[row["entry"]].command
            == {
                "surrender": wagers.Surrender(),
                "wager": wagers.Wager(),
            }[row["command"]]
        )
        assert [comment.seq for comment in opened.comments] == [row["entry"]]
    assert part(*words) == Exit.OK
    text = capsys.readouterr().out
    assert f"banneret debug {rows[0]['save']} go {rows[0]['entry']}^" in text


def test_broken_off_games_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    failing = "py:tests.lab.blunderers:Failing"
    assert part("wagers", failing, "normal", "--pairs", "1") == Exit.OK
    assert "The game of seed 1 broke off: RuntimeError: no idea" in capsys.readouterr().out
    assert part("wagers", "normal", failing, "--pairs", "1") == Exit.OK
    assert "could not follow the game of seed 1: RuntimeError" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("nowhere", "normal", "easy"), "nowhere: there is no run"),
        (("wagers", "normal", "clever"), "there is no level 'clever'"),
        (("wagers", "clever", "normal"), "there is no level 'clever'"),
        (("wagers", "normal", "normal", "--by", "clever"), "there is no level 'clever'"),
    ],
)
def test_missing_run_or_level_is_named(words: tuple[str, ...], text: str) -> None:
    with pytest.raises(Wrong) as problem:
        part(*words)
    assert text in str(problem.value)
