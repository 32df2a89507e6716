"""Seats use the side names of their scenario everywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest

from engine.core.record import replace
from engine.core.registry import find
from engine.rulesets.warlords2.scene import Map
from saves.archive import Folder
from saves.reader import as_text
from study.lab.simulate import simulate
from tui.console.exits import Wrong
from tui.headless.run import ScriptRun
from tui.play.seats import header_of, players_of, seat_named
from tui.play.table import Table
from tui.replay.watch import Watch

RULES = find("warlords2")
NAMES = ("The Reed People", "Ash")
SCENE = cast("Map", RULES.scenarios()["skirmish"])
RENAMED = replace(
    SCENE,
    sides=tuple(replace(side, name=name) for side, name in zip(SCENE.sides, NAMES, strict=True)),
)
SEATS = ["The Reed People=person", "ash=bot:easy"]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    players = players_of(RULES, RENAMED, SEATS)
    header = header_of(RULES, RENAMED, players, 1)
    file = Folder(tmp_path).create("reeds", header)
    return Table.begin(RULES, RENAMED, {}, header, file=file)


def test_seats_are_given_and_listed_by_scenario_names(table: Table) -> None:
    assert [player.name for player in table.players] == list(NAMES)
    assert [player.bot for player in table.players] == ["", "easy"]
    assert table.seat_names == NAMES


def test_script_accepts_a_seat_name_with_spaces(table: Table) -> None:
    said: list[dict[str, object]] = []
    ScriptRun(table, said.append).play(["The Reed People: end-turn"])
    assert [line["seat"] for line in said[:1]] == ["The Reed People"]
    assert "refused" not in said[0]
    json.dumps(said)


def test_unknown_seat_lists_the_known_ones() -> None:
    with pytest.raises(Wrong, match=r"known: The Reed People \(seat 0\), Ash \(seat 1\)"):
        seat_named(RULES.seat_names(RENAMED), "Sallow")


def test_saves_replays_and_tournaments_use_scenario_names(table: Table, tmp_path: Path) -> None:
    table.submit(0, "end-turn")
    assert table.file is not None
    table.file.close()
    opened = Folder(tmp_path).read("reeds")
    assert Watch(opened).seats == NAMES
    assert any("The Reed People" in line for line in as_text(opened))
    report = simulate(RULES, RENAMED, {}, (["easy"], ["easy"]), 1, 1, processes=1)
    assert report.seats == NAMES
