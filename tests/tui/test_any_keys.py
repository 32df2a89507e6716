"""Any keys on any screen in any window: the program goes on, and the save keeps the game."""

from __future__ import annotations

import random
import string
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree
from typing import Final

import pytest
from textual import events
from textual.geometry import Size
from textual.keys import key_to_character
from textual.widgets import Input
from textual.worker import WorkerState

from engine.core.registry import find
from engine.tabletop.ask import AskOne, Choice
from saves.archive import Folder
from tests.tui.piloted_app import Desk, desk
from tests.tui.scenes import RUNS, Run, Wanted
from tui.play.table import Table
from tui.screens.ask import dialogue
from tui.screens.dialog import ChoiceList
from tui.screens.game import GameScreen
from tui.screens.help import HelpScreen
from tui.screens.map import MapScreen
from tui.screens.title import TitleScreen
from tui.settings.keymap import LETTERS, known
from tui.settings.keys import CONTEXTS
from tui.terminal.capabilities import USUAL

LEAVE: Final = {"ctrl+c", "ctrl+q"}
BOUND: Final = sorted({k for c in CONTEXTS for b in c.bindings for k in b.key.split(",")} - LEAVE)
"""All keys that do something on some screen, except those that leave at once."""
UNBOUND: Final = (
    *(f"f{number}" for number in range(1, 13)),
    *("insert", "ctrl+a", "ctrl+e", "ctrl+k", "ctrl+u", "ctrl+w", "ctrl+z", "alt+x", "ctrl+pageup"),
    *("shift+up", "shift+left", "ctrl+right", "shift+end", "ctrl+home", "tilde", "percent_sign"),
    *("left_curly_bracket", "dollar_sign", "backslash", "quotation_mark", "é", "王", "🜁"),
)
SIGNS: Final = (*string.ascii_letters, *string.digits, *LETTERS)
MOVES: Final = ("up", "down", "left", "right", "tab", "space", "enter", "escape")
"""Keys pressed more often: without them little happens."""

SIZES: Final = (USUAL, USUAL, (100, 30), (160, 50), (79, 23), (60, 20), (40, 16), (20, 5), (1, 1))


def left(at: Desk) -> bool:
    """Return whether the program has ended."""
    return at.app.return_value is not None or not at.app.is_running


def on_top(at: Desk) -> object:
    """Return the top screen."""
    return at.app.screen


class Hands:
    """A person who presses any keys, and the saves that must survive them."""

    def __init__(self, run: Run, wanted: Wanted, folder: Path, chance: random.Random) -> None:
        self.run, self.wanted, self.chance = run, wanted, chance
        self.prepared = self.folder = folder
        self.pressed: list[str] = []
        """All keys since the program was started."""

    def some_keys(self) -> list[str]:
        """Return one key, or a few to press at once."""
        chance = self.chance
        many = chance.choice((1, 1, 4))
        pools = chance.choices((BOUND, MOVES, SIGNS, UNBOUND), (6, 4, 2, 1), k=many)
        return [chance.choice(pool) for pool in pools]

    async def play(self, scenes: Sequence[int], steps: int) -> None:
        """Go to each scene and press keys there."""
        for scene in scenes:
            self.folder = self.prepared.with_name(f"scene-{scene}")
            if self.prepared.is_dir():
                copytree(self.prepared, self.folder)
            way = [key for before in self.run.scenes[: scene + 1] for key in before.keys]
            todo = steps
            while todo > 0:
                async with desk(self.folder, USUAL, draws_all=True, **self.wanted) as at:
                    self.pressed = ["start", *way]
                    await at.press(*way)
                    todo = await self._press_anything(at, todo)
                    if not left(at):
                        await self._ask_for_answer(at)
                self._look_at_saves()
                way = []

    async def _press_anything(self, at: Desk, steps: int) -> int:
        """Press any keys; return the steps that remain when the program ends."""
        for todo in range(steps, 0, -1):
            if todo % 5 == 1:
                size = self.chance.choice(SIZES)
                self.pressed.append(f"{size[0]}x{size[1]}")
                await at.pilot.resize_terminal(*size)
            keys = self.some_keys()
            if isinstance(at.app.focused, Input):
                keys = [key for key in keys if key != "slash"]
            self.pressed += keys
            for key in keys:
                at.app.post_message(events.Key(key, key_to_character(key)))
            await at.pilot.pause()
            if left(at):
                return todo - 1
            await self._check(at)
        return 0

    async def _check(self, at: Desk) -> None:
        """Check that nothing has failed and that the saves match the games."""
        assert at.app._exception is None, self.pressed
        assert all(worker.state is not WorkerState.ERROR for worker in at.app.workers), self.pressed
        assert "Traceback" not in at.text, self.pressed
        for table in at.app._tables:
            self._compare(table)

    def _compare(self, table: Table) -> None:
        if table.file is not None:
            opened = Folder(self.folder).read(table.file.name)
            kept = Table.resume(table.rules, opened).game
            assert kept.state == table.game.state, self.pressed

    async def _ask_for_answer(self, at: Desk) -> None:
        """Check that Escape leads to a board or the title, and the help key from there to the
        help.
        """
        await at.pilot.resize_terminal(*USUAL)
        await at.rest()
        for _ in range(12):
            if isinstance(on_top(at), (MapScreen, TitleScreen)):
                break
            await at.press("enter" if at.app.screen.has_class("opaque") else "escape")
        assert isinstance(on_top(at), (MapScreen, TitleScreen)), self.pressed
        name = "title.help" if isinstance(on_top(at), TitleScreen) else "replay.help"
        if isinstance(on_top(at), GameScreen):
            await at.press("escape", "escape")
            name = "app.help"
        await at.press(at.app.keymap.of(known()[name])[0])
        assert isinstance(on_top(at), HelpScreen), self.pressed
        assert "Keys" in at.text, self.pressed
        await self._check(at)

    def _look_at_saves(self) -> None:
        """Check that every save can be resumed after the program has ended."""
        archive = Folder(self.folder)
        for info in archive.listing():
            assert not info.fault, (info, self.pressed)
            opened = archive.read(info.name)
            Table.resume(find(opened.header.ruleset), opened)


async def press_anything(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, seed: int, steps: int, *, whole: bool
) -> None:
    """Press any keys on all screens of a run, or on one of the first half."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    chance = random.Random(f"{run.name} {seed}")  # noqa: S311 - only picks keys
    saves = folder / "saves"
    hands = Hands(run, await run.begin(saves), saves, chance)
    number = len(run.scenes)
    await hands.play(range(number) if whole else [chance.randrange(number // 2 + 1)], steps)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
async def test_no_key_breaks_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    await press_anything(tmp_path, run, monkeypatch, 0, 8, whole=False)


async def test_list_survives_a_window_that_shrank_while_it_was_covered(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as at:
        for size in ((1, 1), (5, 5)):
            await at.pilot.resize_terminal(*USUAL)
            await at.press("s")
            await at.pilot.resize_terminal(*size)
            await at.press("escape")
            assert isinstance(on_top(at), TitleScreen)


async def test_list_can_be_measured_without_space(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        found = at.app.screen.query_one(ChoiceList)
        assert found.get_content_height(Size(0, 0), Size(1, 1), 0) >= found.option_count


async def test_lists_without_space_survive_every_key(tmp_path: Path) -> None:
    async with desk(tmp_path, (1, 1)) as at:
        for opened in ("n", "s"):
            await at.press(opened, "pagedown", "pageup", "end", "k", "escape")
            assert isinstance(on_top(at), TitleScreen)
        at.app.push_screen(dialogue(AskOne("Which", (Choice("a", "a"), Choice("b", "b")))))
        await at.rest()
        await at.press("pagedown", "pageup", "end", "escape")
        assert isinstance(on_top(at), TitleScreen)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
async def test_no_keys_break_a_screen_in_a_long_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, seed: int
) -> None:
    await press_anything(tmp_path, run, monkeypatch, seed, 40, whole=True)
