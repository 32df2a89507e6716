"""The core of the suite: every ruleset is played, drawn, exported and verified, also line by line.

These tests and the others marked ``portable`` also run on each Python that ``tests.pythons`` finds,
with the lowest and with the newest dependencies. The folder ``portable`` has the digests of one
game per ruleset, so the game is the same on all of them. If rules change, rewrite them with
``--regenerate`` and check that only the rulesets you meant have changed.
"""

from __future__ import annotations

import hashlib
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core import registry
from engine.core.codec import encode
from engine.core.replay import fold
from saves.archive import Folder
from tests import toy
from tests.app.cli import banneret_here
from tests.saves.games import SMALL, header, play_on, start
from tests.tui.piloted_app import desk
from tui.console.exits import Exit

DIGESTS = Path(__file__).with_name("portable")
GAMES = [name for name in registry.names() if name != toy.RULES.name]
ENTRIES = 60

pytestmark = pytest.mark.portable


@pytest.fixture(scope="module", params=GAMES)
def save(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the save of the first ``ENTRIES`` entries of a game between computer players."""
    ruleset = str(request.param)
    archive = Folder(tmp_path_factory.mktemp("saves"))
    file = archive.create(ruleset, header(ruleset=ruleset))
    file.patient = True
    table = start(file, ruleset=ruleset)
    play_on(table, ENTRIES)
    table.close()
    return archive.find(ruleset)


def _done(*words: str, given: str = "") -> str:
    ended = banneret_here(*words, given=given)
    assert (ended.returncode, ended.stderr) == (Exit.OK, "")
    return ended.stdout


def test_game_has_the_same_digest_everywhere(
    save: Path, golden: Callable[[Path, str], None]
) -> None:
    opened = Folder(save.parent).read(save.stem)
    state = fold(registry.find(save.stem), opened.log.line())
    rows = (
        f"{what} {hashlib.blake2b(encode(data), digest_size=16).hexdigest()}\n"
        for what, data in (("log", opened.log.entries), ("state", state))
    )
    golden(DIGESTS / f"{save.stem}.txt", "".join(rows))


def test_game_verifies(save: Path) -> None:
    assert "agree" in _done("verify", str(save))


async def test_game_is_shown_on_the_screen(
    save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("CONFIG", "STATE", "DATA"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path))
    async with desk(save.parent, replay_name=save.stem, replay_entry=12) as at:
        shown = at.text
        await at.press("right")
        assert at.text != shown


@pytest.mark.parametrize("at", ["0", "12"])
def test_position_is_drawn_as_svg(save: Path, at: str) -> None:
    drawn = _done("export", str(save), "--format", "svg", "--from", at, "--to", at)
    assert ET.fromstring(drawn).tag.endswith("svg")  # noqa: S314 - our own


def test_game_is_exported_as_a_recording(save: Path) -> None:
    lines = _done("export", str(save), "--format", "cast", "--to", "12").splitlines()
    header, *events = map(json.loads, lines)
    assert header["version"] in (2, 3)
    assert len(events) > 12


def test_position_is_exported_as_a_scenario(save: Path) -> None:
    assert json.loads(_done("export", str(save), "--at", "3"))


def test_new_game_is_played_in_line_mode(save: Path, tmp_path: Path) -> None:
    ground = SMALL.get(save.stem, "ford")
    words = ("--new", save.stem, "--scenario", ground, "--seed", "7", "--saves", str(tmp_path))
    said = _done("play", "--plain", *words, given="look\nstatus\nquit\n")
    assert {"> look", "> status", "> quit"} <= set(said.splitlines())
    assert len(list(tmp_path.glob("*.bnr"))) == 1
