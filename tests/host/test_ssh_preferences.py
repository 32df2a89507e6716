"""Settings of one person on a host do not affect others."""

from __future__ import annotations

from pathlib import Path

from engine.core.record import replace
from host.ssh.driver import SshDriver
from tui.app.base import BaseApp
from tui.settings import keymap, macros
from tui.settings.preferences import Preferences
from tui.terminal.capabilities import Terminal

DUMB = Terminal("dumb", "16", "told", "ascii", "told", "", usable=True)


def test_each_person_has_separate_settings_keys_and_macros(tmp_path: Path) -> None:
    one, other = Preferences(tmp_path / "1"), Preferences(tmp_path / "2")
    one.change(replace(one.settings, minimap="on"))
    keymap.give(one.keys_file, "game.undo", "U")
    macros.keep(one.macros_file, "a", ["move.up"])
    for preferences in (one, other):
        preferences.read()
    assert one.settings.minimap == "on"
    assert other.settings.minimap == "off"
    assert one.keymap.keys == {"game.undo": "U"}
    assert other.keymap.keys == {}
    assert macros.load(one.macros_file)[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1"]


def test_forced_settings_override_the_file(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('output = "textual"\nminimap = "on"\n')
    preferences = Preferences(tmp_path, {"output": "cells"})
    preferences.read()
    assert preferences.faults == ()
    assert (preferences.settings.output, preferences.settings.minimap) == ("cells", "on")
    preferences.change(replace(preferences.settings, output="textual"))
    assert preferences.settings.output == "cells"
    assert "output" not in preferences.about


def test_program_on_a_host_ignores_the_hosts_terminal(tmp_path: Path) -> None:
    app = BaseApp(preferences=Preferences(tmp_path), terminal=DUMB, driver_class=SshDriver)
    assert (app.depth, app.glyphs) == ("16", "ascii")
    assert app.driver_class is SshDriver
