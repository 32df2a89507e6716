"""Bulk orders: recorded macros, and lists of orders as text."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from textual import events
from textual.keys import key_to_character

from engine.tabletop.ask import Choice
from engine.tabletop.board import Line
from engine.tabletop.english import many
from engine.tabletop.listing import ListLine
from engine.tabletop.roles import Tone
from tui.console.files import created, read_file
from tui.play.seat_client import refusal
from tui.play.session import Session
from tui.screens.ask import ChooseOne, Confirm
from tui.screens.dialog import TypeLine, why_no_new_file
from tui.screens.frame import ask
from tui.screens.map import MapScreen
from tui.screens.pages import Page, PagesScreen
from tui.screens.turns import TurnFlow
from tui.settings import macros
from tui.settings.keymap import known, shown
from tui.widgets.jobs import begin

_PATIENCE = 0.5
"""Maximum seconds to wait for the screen before a macro continues."""

_LONGEST: Final = 65536
"""Maximum bytes of a file, or characters of a paste, that are read as a list."""

_PREVIEW: Final = 8
"""Maximum lines of a list in the preview."""

_WIDE: Final = 64
"""Maximum characters of a line in the preview."""

_OFFERED: Final = 8
"""Maximum number of files that are offered."""

_ENDINGS: Final = frozenset({".gdl", ".txt", ".orders"})
"""Suffixes of files that are offered."""


# -- macros --------------------------------------------------------------------------------------


class Repeater:
    """Macros: keys and actions that are recorded, stored under a key, and repeated."""

    def __init__(self, screen: MapScreen[Any], session: Session) -> None:
        """Record and play macros on a screen."""
        self._screen = screen
        self._session = session

    def record(self) -> None:
        """Start recording a macro, or stop and ask for a key to store it under."""
        recorder = self._screen.shell.recorder
        if not recorder.is_on:
            recorder.begin()
            self._session.note = "Recording a macro; the same key ends it."
            self._screen.sync()
            return
        steps = recorder.end()
        if steps:
            self._ask_key("Which key plays it?", lambda key: self._keep(key, steps))
        else:
            self._session.note = "Nothing was recorded."
            self._screen.sync()

    def _ask_key(self, title: str, chosen: Callable[[str], None]) -> None:
        from tui.screens.settings import PressKey  # noqa: PLC0415 - not before it is needed

        ask(self._screen.app, PressKey(title, ""), chosen)

    def _keep(self, key: str, steps: Sequence[str]) -> None:
        try:
            macros.keep(self._screen.shell.preferences.macros_file, key, steps)
        except OSError as problem:
            self._session.note = f"Macro not saved: {problem}"
        else:
            self._session.note = f"{shown(key)} now plays {len(steps)} steps."
        self._screen.sync()

    def choose(self) -> None:
        """Choose a macro by its key, and play it."""
        found, fault = macros.load(self._screen.shell.preferences.macros_file)
        if not found:
            record = self._screen.key_names().get("macro.record", "?")
            self._session.note = fault or f"No macro yet: {record} records one."
            self._screen.sync()
            return
        names = ", ".join(shown(key) for key in found)
        self._ask_key(f"Play which macro? {names}", lambda key: self._play_macro(key, found))

    def _play_macro(self, key: str, found: dict[str, tuple[str, ...]]) -> None:
        if key not in found:
            self._session.note = f"{shown(key)} has no macro."
            self._screen.sync()
            return
        begin(self._screen, partial(self._repeat, found[key]), "macro")

    async def _repeat(self, steps: Sequence[str]) -> None:
        """Perform the steps one after another; stop at the first refusal."""
        self._session.refused = None
        for number, step in enumerate(steps, 1):
            await self._do(step)
            if self._session.is_refused:
                self._session.note += f" Macro stopped at step {number} of {len(steps)}."
                self._screen.sync()
                return

    async def _do(self, step: str) -> None:
        app = self._screen.app
        if step.startswith(macros.KEY):
            key = step.removeprefix(macros.KEY)
            app.screen.post_message(events.Key(key, key_to_character(key)))
        else:
            await app.run_action(known()[step].action, app.screen)
        await self._settled()

    async def _settled(self) -> None:
        """Wait until the top screen has been refreshed, which a closing screen never reports."""
        done = asyncio.Event()
        self._screen.app.screen.call_after_refresh(done.set)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), _PATIENCE)


# -- lists of orders -----------------------------------------------------------------------------


class ListEditor:
    """Lists of orders as text: pasted on the map, loaded from a file, copied or saved."""

    def __init__(self, screen: MapScreen[Any], session: Session, turns: TurnFlow) -> None:
        """Handle lists on a screen; ``turns`` knows when the player may act."""
        self._screen = screen
        self._asking = turns.asking
        self._session = session
        self._turns = turns

    def take(self, text: str) -> None:
        """Parse a text as a list of orders, and submit its lines if the player confirms."""
        if self._screen.telling.listing and not self._turns.is_busy:
            begin(self._screen, partial(self._take, text), "dialogue")

    def offer(self) -> None:
        """Offer to load a list, or to copy or save the present one."""
        if not self._screen.telling.listing:
            self._screen.remark("This game has no lists of orders.")
        elif not self._turns.is_busy:
            begin(self._screen, self._choose_way, "dialogue")

    async def _choose_way(self) -> None:
        text = self._screen.telling.listed(self._session.view)
        none = "" if text else "It is empty."
        choices = [
            Choice("load", "Load lines from a file into it"),
            Choice("copy", "Copy it", none),
            Choice("save", "Save it to a file", none),
            Choice("paste", "To paste lines, do so on the map"),
        ]
        if not self._turns.has_files:
            choices = [choice for choice in choices if choice.value not in {"load", "save"}]
        title = f"Your list, as {self._screen.telling.listing}"
        match await self._screen.app.push_screen_wait(ChooseOne(title, tuple(choices))):
            case "load":
                await self._load()
            case "copy":
                self._screen.app.copy_to_clipboard(text)
                self._note(f"{_count(text)} copied, if your terminal allows programs to copy.")
            case "save":
                await self._save(text)
            case _:
                pass

    def _note(self, text: str) -> None:
        self._session.note = text
        self._screen.sync()

    # -- files -----------------------------------------------------------------------------------

    async def _load(self) -> None:
        lines = (Line("Its name. Refused lines are listed.", Tone.QUIET),)
        window = TypeLine("Load from a file", lines, check=_why_not_read, examples=_offered())
        name = await self._screen.app.push_screen_wait(window)
        if name:
            await self._take(read_file(_path(name), _LONGEST).decode("utf-8-sig", "replace"))

    async def _save(self, text: str) -> None:
        window = TypeLine("Save to a file", check=why_no_new_file)
        name = await self._screen.app.push_screen_wait(window)
        if not name:
            return
        try:
            with created(_path(name)) as file:
                file.write(text.encode())
        except OSError as problem:
            self._note(f"Not saved: {problem}")
        else:
            self._note(f"{_count(text)} saved as {_path(name)}.")

    # -- submitting ------------------------------------------------------------------------------

    async def _take(self, text: str) -> None:
        """Submit line by line after a confirmation; a refused line does not stop the others."""
        if len(text) > _LONGEST:
            self._note(f"That is too long for a list: more than {_LONGEST} characters.")
            return
        found = self._screen.telling.unlisted(self._session.view, text)
        if not found:
            self._note("There is no line of a list in that.")
            return
        title = f"Add {many(len(found), 'line')} to your list?"
        if await self._asking.show(Confirm(title, _preview(found))):
            await self._submit(found)

    async def _submit(self, found: tuple[ListLine, ...]) -> None:
        refused: list[Line] = []
        for each in found:
            fault = each.fault
            if each.line:
                reply = await self._session.submit(each.line)
                fault = "" if reply.ok else refusal(reply)
            if fault:
                text = f"Line {each.number}, {each.text[:_WIDE]}: {fault}"
                refused.append(Line(text, Tone.BAD))
        self._session.note = (
            f"{many(len(found) - len(refused), 'line')} added, {len(refused)} refused."
        )
        self._turns.after()
        if refused:
            said = [Line(self._session.note, Tone.TITLE), *refused]
            self._screen.app.push_screen(PagesScreen[None]([Page("Refused", said)]))


def _preview(found: tuple[ListLine, ...]) -> tuple[Line, ...]:
    """Return the first lines, and the number of further ones."""
    lines = [
        Line(f"{each.number:>3}  {each.text[:_WIDE]}", Tone.BAD if each.fault else Tone.NORMAL)
        for each in found[:_PREVIEW]
    ]
    rest = len(found) - len(lines)
    return (*lines, *([Line(f"and {rest} more", Tone.QUIET)] if rest else []))


def _count(text: str) -> str:
    return many(len(text.splitlines()), "line")


def _path(name: str) -> Path:
    return Path(name.strip()).expanduser()


def _why_not_read(name: str) -> str:
    """Return why a file cannot be read as a list, or an empty text."""
    path = _path(name)
    try:
        if not path.is_file():
            return f"There is no file {path}."
        if path.stat().st_size > _LONGEST:
            return f"That is too long for a list: more than {_LONGEST} bytes."
        read_file(path, _LONGEST).decode("utf-8")
    except UnicodeDecodeError:
        return "That is no text."
    except (OSError, ValueError) as problem:
        return str(problem)
    return ""


def _offered() -> tuple[str, ...]:
    """Return files in the current folder that may be lists, newest first."""
    try:
        found = [path for path in Path().iterdir() if path.suffix in _ENDINGS and path.is_file()]
        found.sort(key=lambda path: (-path.stat().st_mtime, path.name))
    except OSError:
        return ()
    return tuple(path.name for path in found[:_OFFERED])
