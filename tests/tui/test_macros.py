"""Macros: recorded as actions, played until a refusal, without typed text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.piloted_app import FORD, desk
from tests.tui.test_game import middle
from tui.settings.macros import Recorder, keep, load
from tui.settings.settings import config_folder


def test_recorder_keeps_ids_of_bindings_and_other_keys() -> None:
    recorder = Recorder()
    recorder.hear("game.fire", "space")
    recorder.begin()
    for binding_id, key in (("game.fire", "space"), (None, "enter"), ("macro.record", "Q")):
        recorder.hear(binding_id, key)
    assert recorder.end() == ("game.fire", "key:enter")
    assert not recorder.is_on


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("][", "macros.toml"),
        ("macros = 3", "[macros] is not a table"),
        ('[macros]\na = ["no.such"]', "not understood: a"),
        ("[macros]\na = []", "not understood: a"),
    ],
)
def test_fault_in_the_macro_file_is_reported_in_a_line(
    tmp_path: Path, text: str, told: str
) -> None:
    path = tmp_path / "macros.toml"
    path.write_text(text)
    found, fault = load(path)
    assert found == {}
    assert told in fault


def test_macros_are_kept_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "macros.toml"
    assert load(path) == ({}, "")
    keep(path, "a", ["game.fire"])
    keep(path, "b", ["move.right", "key:enter"])
    keep(path, "a", ["move.left"])
    assert load(path)[0] == {"a": ("move.left",), "b": ("move.right", "key:enter")}


async def test_macro_is_recorded_and_repeated(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("Q", "right", "right", "down", "Q", "a")
        assert load(config_folder() / "macros.toml")[0] == {
            "a": ("move.right", "move.right", "move.down")
        }
        before = at.cursor
        await at.press("at", "a")
        await at.app.workers.wait_for_complete()
        await at.rest()
        assert at.cursor == (before[0] + 2, before[1] + 1)


async def test_refusal_ends_a_macro(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        keep(
            config_folder() / "macros.toml",
            "a",
            ["game.fire", "move.up", "move.up", "move.up", "move.up"],
        )
        await at.press("at", "a")
        await at.app.workers.wait_for_complete()
        await at.rest()
        assert "Macro stopped at step 4 of 5." in at.note
        assert at.game.session.refused is not None


async def test_typed_text_ends_a_recording(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("Q", "slash", "s", "e", "escape")
        assert not at.app.recorder.is_on
        assert load(config_folder() / "macros.toml")[0] == {}
