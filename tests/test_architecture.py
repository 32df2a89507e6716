"""Tests that the page on the architecture names existing files, and the files a command runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from bench.walk import Trace, scenario, traced
from engine.core.archive import Header, SeatPlayer
from engine.rulesets.warlords2.rules import RULES
from saves.archive import Folder
from tui.play.session import Session
from tui.play.table import Table

HOME: Final = Path(__file__).parents[1]
PAGE: Final = (HOME / "docs" / "architecture.md").read_text(encoding="utf-8")
PRODUCT: Final = ("engine", "host", "saves", "study", "tui")

STACK: Final = (4, 3)
CITY: Final = (7, 3)

_FILE: Final = re.compile(r"`((?:[a-z_0-9]+/)*[a-z_0-9]+\.(?:py|md))`|\(([a-z-]+\.md)\)")
_STEP: Final = re.compile(r"^\d+\. `([^`]+)`: .+\.$", re.MULTILINE)


def session(folder: Path) -> Session:
    """Return a session with a saved game: the stack is picked up, the cursor is on the city."""
    players = SeatPlayer(0, "White"), SeatPlayer(1, "Black")
    header = Header(RULES.name, RULES.schema, b"walk", players)
    file = Folder(folder).create("walk", header)
    table = Table.begin(RULES, scenario(), {}, header, file=file)
    made = Session(table, 0)
    made.point(*STACK)
    press(made)
    made.point(*CITY)
    assert made.focus.held, "the armies are not picked up"
    assert made.overlay.panel, "nothing is drawn before the key is pressed"
    return made


def press(playing: Session) -> None:
    """Press the button. The table is in this process, so nothing is awaited."""
    pressing: Any = playing.fire(asks=False)
    try:
        pressing.send(None)
    except StopIteration:
        return
    raise AssertionError("the link waits for something")


def attack(folder: Path) -> Trace:
    """Return the trace of the attack. An earlier attack in another game has loaded the tables."""
    press(session(folder / "before"))
    playing = session(folder / "walk")
    found = traced(lambda: press(playing), HOME)
    assert any("takes Target" in line.text for line in playing.lines), playing.lines
    return Trace(tuple(at for at in found.entered if at[0].partition("/")[0] in PRODUCT))


def test_walk_on_the_page_matches_the_code_that_runs(tmp_path: Path) -> None:
    ran = list(dict.fromkeys(file for file, _ in attack(tmp_path).entered))
    screen, *steps = _STEP.findall(PAGE.partition("## One command")[2])
    assert screen == "tui/screens/game.py", "the only step that this test leaves out"
    assert len(steps) == 7
    assert steps == [file for file in ran if file in steps]


def test_every_file_and_package_on_the_page_exists() -> None:
    for path, page in _FILE.findall(PAGE):
        assert (HOME / path if path else HOME / "docs" / page).is_file(), path or page
    folders = re.findall(rf"\b(?:(?:{'|'.join(PRODUCT)})/[a-z_0-9/]+)(?![a-z_0-9/.])", PAGE)
    assert len(folders) > 20
    for folder in folders:
        assert (HOME / folder).is_dir() or folder.startswith("engine/rulesets/"), folder


def test_page_lists_every_package() -> None:
    listed = PAGE.partition("## One command")[0]
    for top in ("engine", "host", "study", "tui"):
        for init in (HOME / top).glob("*/__init__.py"):
            assert f"{top}/{init.parent.name}" in listed, init.parent
