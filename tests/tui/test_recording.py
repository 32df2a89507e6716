"""Saved games as recordings, drawings, texts and data."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from functools import cache
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyte
import pytest

from engine.core.archive import Opened
from saves.archive import Folder
from tests.saves.games import saved
from tui.replay.watch import Watch
from tui.screens.recording import Camera, Lens, as_cast, as_svg, as_text, exported
from tui.terminal.capabilities import Depth


@cache
def game() -> Opened:
    with TemporaryDirectory() as folder:
        return Folder(Path(folder)).read(str(saved(Path(folder), entries=60)))


def events(lens: Lens, first: int, last: int) -> tuple[dict[str, Any], list[list[Any]]]:
    lines = list(as_cast(Camera(Watch(game()), lens), first, last))
    head, *rest = map(json.loads, lines)
    return head, rest


def played_back(lens: Lens, first: int, last: int) -> list[list[str]]:
    """Return the screen of a terminal after each picture of a recording."""
    screen = pyte.Screen(lens.width, lens.height)
    stream = pyte.Stream(screen)
    pictures = []
    for _, code, data in events(lens, first, last)[1]:
        if code == "o":
            stream.feed(data)
            pictures.append([row.rstrip() for row in screen.display])
    return pictures[:-1]


def test_recording_of_version_three_has_its_header_and_pauses() -> None:
    head, *rest = map(json.loads, exported(Camera(Watch(game())), "cast3", 0, 59))
    assert head["version"] == 3
    assert head["term"]["cols"] == 80
    assert head["term"]["rows"] == 24
    assert head["title"] == "a test"
    assert all(isinstance(pause, int | float) and pause >= 0 for pause, _, _ in rest)
    assert {code for _, code, _ in rest} == {"o", "m", "x"}
    assert rest[-1][1:] == ["x", "0"]


def test_both_versions_of_a_recording_have_the_same_events_and_times() -> None:
    head, rest = events(Lens(), 0, 59)
    assert (head["version"], head["width"], head["height"]) == (2, 80, 24)
    _, *newer = map(json.loads, exported(Camera(Watch(game())), "cast3", 0, 59))
    assert newer.pop()[1:] == ["x", "0"]
    assert [row[1:] for row in rest] == [row[1:] for row in newer]
    assert [row[0] for row in rest] == [
        pytest.approx(now) for now in accumulate(row[0] for row in newer)
    ]


def test_each_round_is_a_chapter() -> None:
    chapters = [data for _, code, data in events(Lens(), 0, 59)[1] if code == "m"]
    watch = Watch(game())
    rounds = []
    for place in range(60):
        watch.seek(place)
        if f"Round {watch.status.round}" not in rounds:
            rounds.append(f"Round {watch.status.round}")
    assert chapters == rounds
    assert len(rounds) > 1


@pytest.mark.parametrize("depth", ["truecolor", "256", "16", "8", "none"])
def test_played_recording_shows_each_picture(depth: Depth) -> None:
    lens = Lens(90, 26, depth, "ascii")
    pictures = played_back(lens, 20, 40)
    camera = Camera(Watch(game()), lens)
    assert len(pictures) == 21
    for place, picture in zip(range(20, 41), pictures, strict=True):
        camera.watch.seek(place)
        assert picture == as_text(camera).split("\n")


def test_same_game_gives_the_same_bytes() -> None:
    assert events(Lens(), 0, 20) == events(Lens(), 0, 20)


@pytest.mark.parametrize(("width", "height"), [(40, 12), (80, 24), (160, 50)])
def test_picture_has_the_requested_size(width: int, height: int) -> None:
    camera = Camera(Watch(game()), Lens(width, height))
    camera.watch.seek(30)
    strips = camera.shot()
    assert len(strips) == height
    assert {strip.cell_length for strip in strips} == {width}


def test_picture_shows_the_entry_its_command_and_the_state() -> None:
    camera = Camera(Watch(game()), Lens(glyphs="ascii"))
    camera.watch.seek(30)
    text = as_text(camera)
    assert "entry 30 of 59" in text
    assert camera.watch.command()[:60] in text
    assert "units" in text
    assert text.isascii()


def test_drawing_is_valid_xml_with_its_words() -> None:
    camera = Camera(Watch(game()), Lens())
    camera.watch.seek(30)
    drawing = as_svg(camera)
    root = ET.fromstring(drawing)  # noqa: S314 - made here
    assert root.tag.endswith("svg")
    assert "entry&#160;30&#160;of&#160;59" in drawing


def test_data_has_a_line_for_each_entry_with_its_events_and_facts() -> None:
    camera = Camera(Watch(game()))
    rows = [json.loads(line) for line in exported(camera, "jsonl", 0, 59)]
    assert [row["place"] for row in rows] == [str(entry.seq) for entry in game().log.line()]
    assert [len(row["events"]) for row in rows] == [len(e.events) for e in game().log.line()]
    kinds = {fact["kind"] for row in rows for fact in row["facts"]}
    assert "move" in kinds
    assert rows[1]["command"]
