"""Settings: read, refused one by one, written beside the other contents of the file, changed on
screen.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.tui.piloted_app import desk
from tests.tui.test_game import middle
from tui.settings import keymap
from tui.settings.settings import Settings, about, config_folder, read, write
from tui.style.palette import THEMES

KNOWN = about(THEMES, keymap.packs())


def test_every_setting_is_explained_and_its_default_is_a_choice() -> None:
    assert set(KNOWN) == set(Settings.__struct_fields__)
    for name, told in KNOWN.items():
        assert getattr(Settings(), name) in told.choices
        assert told.text.endswith(".")
        assert len(told.explained) in {0, len(told.choices)}


def test_missing_file_is_no_fault(tmp_path: Path) -> None:
    assert read(tmp_path / "settings.toml", KNOWN) == (Settings(), ())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('colours = "many"', "colours = 'many': it is one of auto, truecolor"),
        ("speed = 9", "speed = 9: it is one of 1, 2"),
        ("speed = true", "speed = True"),
        ('speeed = "3"', "there is no setting speeed"),
        ("][", "settings.toml: "),
    ],
)
def test_fault_is_named_and_the_other_settings_count(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(f'{text}\nscrolling = "smooth"\n' if text != "][" else text)
    found, faults = read(path, KNOWN)
    assert len(faults) == 1
    assert told in faults[0]
    assert found.scrolling == ("half" if text == "][" else "smooth")


def test_written_settings_keep_the_other_contents_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "settings.toml"
    write(path, Settings(speed=5))
    path.write_text("# my own words\n" + path.read_text() + 'later = "not known yet"\n')
    write(path, Settings(speed=5, mouse="off"))
    assert path.read_text().startswith("# my own words\n")
    assert tomllib.loads(path.read_text()) == {"speed": 5, "mouse": "off", "later": "not known yet"}
    write(path, Settings())
    assert tomllib.loads(path.read_text())["speed"] == 3
    assert [found.name for found in path.parent.iterdir()] == ["settings.toml"]


async def test_setting_changed_on_the_screen_applies_at_once_and_is_kept(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("S")
        assert "Settings" in at.rows()[0]
        await at.press("down", "right")
        depths = [at.app.palette.depth]
        for _ in range(4):
            await at.press("right")
            depths.append(at.app.palette.depth)
        assert depths == ["truecolor", "256", "16", "8", "none"]
        assert 'colours = "none"' in (config_folder() / "settings.toml").read_text()
        await at.press("u")
        assert at.app.settings.colours == "auto"
        await at.press("escape")
        assert at.app.screen is at.game


async def test_key_is_assigned_on_the_screen(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        at.app.show_settings("game.undo")
        await at.rest()
        await at.press("enter", "U")
        assert at.app.keymap.keys["game.undo"] == "U,z,backspace"
        await at.press("enter", "f")
        assert "f is both" in at.text
        await at.press("enter", "ctrl+up", "escape")
        assert at.app.keymap.keys["game.undo"] == "U,z,backspace"
        await at.press("u")
        assert "game.undo" not in at.app.keymap.keys


async def test_settings_that_cannot_be_written_count_until_the_end(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        config_folder().parent.mkdir(parents=True, exist_ok=True)
        config_folder().write_text("a file where the folder should be")
        fault = at.app.change(Settings(fast=8))
        assert fault.startswith("The settings are not kept")
        assert at.app.settings.fast == 8


async def test_all_settings_are_reset_after_confirmation(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        file = config_folder() / "keys.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text('# mine\n[keys]\n"game.undo" = "f9"\n[letters]\na = "j"\n')
        at.app.change(Settings(mouse="off", speed=5))
        await at.press("s", "U", "n")
        assert at.app.settings.mouse == "off"
        await at.press("U", "y")
        assert at.app.settings == Settings()
        assert read(config_folder() / "settings.toml", KNOWN) == (Settings(), ())
        assert keymap.load("usual", file).keys == {}
        assert file.read_text() == "# mine\n"
