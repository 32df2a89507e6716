"""The program's report on the terminal it runs in."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from host.ssh.hostkey import fingerprint, host_key, known_hosts_line, note_port, told
from tests.app.cli import banneret
from tui.console.commands import PORT

PLAIN = {
    "COLORTERM": "",
    "NO_COLOR": "",
    "FORCE_COLOR": "",
    "TMUX": "",
    "STY": "",
    "TERM_PROGRAM": "",
}


def test_doctor_reports_the_detected_features(tmp_path: Path) -> None:
    env = {**PLAIN, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    done = banneret("doctor", "--json", folder=tmp_path, env=env)
    told = json.loads(done.stdout)
    assert told["colours"] == "256 (TERM is xterm-256color)"
    assert told["signs"].startswith("rich ")
    assert told["palette"] == "usual"


def test_doctor_reports_a_wrong_setting(tmp_path: Path) -> None:
    (tmp_path / "banneret").mkdir()
    (tmp_path / "banneret" / "settings.toml").write_text('colours = "many"\n', encoding="utf-8")
    done = banneret("doctor", folder=tmp_path, env={**PLAIN, "TERM": "linux"})
    assert done.returncode == 0
    assert re.search(r"settings wrong +settings.toml: colours = 'many'", done.stdout)


def test_doctor_card_uses_only_available_colours(tmp_path: Path) -> None:
    env = {**PLAIN, "TERM": "xterm-256color", "NO_COLOR": "1", "LC_ALL": "C"}
    done = banneret("doctor", "--card", folder=tmp_path, env=env)
    assert "colours none, palette usual, signs ascii" in done.stdout
    assert done.stdout.isascii()
    assert not re.search(r"\x1b\[[0-9;]*[349][0-8]", done.stdout)


def test_doctor_shows_the_host_key_of_any_folder(tmp_path: Path) -> None:
    key = host_key(tmp_path / "elsewhere")
    usual = banneret("doctor", "--json", folder=tmp_path)
    usual_key = json.loads(usual.stdout)["host key"]
    assert usual_key.startswith(f"none in {tmp_path}")
    assert usual_key.endswith(" yet; 'banneret host' makes one")
    done = banneret("doctor", "--json", "--folder", str(tmp_path / "elsewhere"), folder=tmp_path)
    told = json.loads(done.stdout)
    assert told["host key"] == fingerprint(key)
    assert told["known_hosts"] == known_hosts_line(key, "HOST", PORT)


@pytest.mark.parametrize("port", [22, 7431])
def test_line_for_known_hosts_has_the_port_on_which_the_host_listened(
    tmp_path: Path, port: int
) -> None:
    key = host_key(tmp_path)
    note_port(tmp_path, port)
    assert told(tmp_path)["known_hosts"] == known_hosts_line(key, "HOST", port)
    (tmp_path / "port").write_text("70000 or so")
    assert told(tmp_path)["known_hosts"] == known_hosts_line(key, "HOST", PORT)
