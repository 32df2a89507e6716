"""Lists of orders as text: pasted on the map, loaded from a file, copied or saved."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from textual import events

from engine.tabletop.ask import Choice
from engine.tabletop.board import Line
from engine.tabletop.listing import ListLine
from engine.tabletop.roles import Tone
from tui.screens.turns import Turns
from tui.widgets.jobs import begin

_LONGEST: Final = 65536
"""Bytes of a file, and characters of a paste, that are read as a list at most."""

_PREVIEW: Final = 8
"""Lines of a list that are shown before it is taken."""

_WIDE: Final = 64
"""Characters of such a line."""

_OFFERED: Final = 8
"""Files that are offered."""

_ENDINGS: Final = frozenset({".gdl", ".txt", ".orders"})
"""What the names of files end in that are offered."""


class Lists(Turns):
    """The part of the game's screen that takes lists written elsewhere, and gives them out."""

    has_files: ClassVar[bool] = True
    """Whether files of this machine are the player's own."""

    def on_paste(self, event: events.Paste) -> None:
        """A text that is pasted on the map is a list."""
        event.stop()
        if self.telling.listing and not self._busy:
            begin(self, partial(self._take, event.text), "dialogue")

    def action_lists(self) -> None:
        """Load a list, or give the present one out."""
        if not self.telling.listing:
            self.remark("This game has no lists of orders.")
        elif not self._busy:
            begin(self, self._choose_way, "dialogue")

    async def _choose_way(self) -> None:
        from tui.screens.ask import ChooseOne  # noqa: PLC0415 - not before it is needed

        text = self.telling.listed(self.session.view)
        none = "" if text else "It is empty."
        choices = [
            Choice("load", "Load lines from a file into it"),
            Choice("copy", "Copy it", none),
            Choice("save", "Save it to a file", none),
            Choice("paste", "To paste lines: do that on the map"),
        ]
        if not self.has_files:
            choices = [choice for choice in choices if choice.value not in {"load", "save"}]
        title = f"Your list, as {self.telling.listing}"
        match await self.app.push_screen_wait(ChooseOne(title, tuple(choices))):
            case "load":
                await self._load()
            case "copy":
                self.app.copy_to_clipboard(text)
                self._note(f"{_count(text)} copied, if your terminal allows programs to copy.")
            case "save":
                await self._save(text)
            case _:
                pass

    def _note(self, text: str) -> None:
        self.session.note = text
        self.sync()

    # -- files -----------------------------------------------------------------------------------

    async def _load(self) -> None:
        from tui.screens.study import TypeLine  # noqa: PLC0415 - not before it is needed

        lines = (Line("Its name; lines that are refused are told of.", Tone.QUIET),)
        window = TypeLine("Load from a file", lines, check=_why_not_read, examples=_offered())
        name = await self.app.push_screen_wait(window)
        if name:
            await self._take(_read(name))

    async def _save(self, text: str) -> None:
        from tui.screens.study import TypeLine  # noqa: PLC0415 - not before it is needed

        window = TypeLine("Save to a file", check=_why_not_written)
        name = await self.app.push_screen_wait(window)
        if not name:
            return
        try:
            with _path(name).open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as problem:
            self._note(f"Not saved: {problem}")
        else:
            self._note(f"{_count(text)} saved as {_path(name)}.")

    # -- taking ----------------------------------------------------------------------------------

    async def _take(self, text: str) -> None:
        """Submit line after line, once that is wanted; what is refused spoils no other."""
        from tui.screens.ask import Confirm  # noqa: PLC0415 - not before it is needed

        if len(text) > _LONGEST:
            self._note(f"That is too long for a list: more than {_LONGEST} characters.")
            return
        found = self.telling.unlisted(self.session.view, text)
        if not found:
            self._note("There is no line of a list in that.")
            return
        title = f"Add {_lines(len(found))} to your list?"
        if await self.app.push_screen_wait(Confirm(title, _preview(found))):
            await self._submit(found)

    async def _submit(self, found: tuple[ListLine, ...]) -> None:
        from tui.screens.pages import Page, PagesScreen  # noqa: PLC0415 - not before it is needed

        refused: list[Line] = []
        for each in found:
            fault, rule = each.fault, ""
            if each.line:
                reply = await self.session.submit(each.line)
                fault, rule = ("", "") if reply.ok else (reply.text, reply.rule)
            if fault:
                text = f"Line {each.number}, {each.text[:_WIDE]}: {fault}"
                refused.append(Line(text, Tone.BAD, rule=rule))
        self.session.note = f"{_lines(len(found) - len(refused))} added, {len(refused)} refused."
        self._after()
        if refused:
            said = [Line(self.session.note, Tone.TITLE), *refused]
            self.app.push_screen(PagesScreen[None]([Page("Refused", said)]))


def _preview(found: tuple[ListLine, ...]) -> tuple[Line, ...]:
    """The first lines, and how many more there are."""
    lines = [
        Line(f"{each.number:>3}  {each.text[:_WIDE]}", Tone.BAD if each.fault else Tone.NORMAL)
        for each in found[:_PREVIEW]
    ]
    rest = len(found) - len(lines)
    return (*lines, *([Line(f"and {rest} more", Tone.QUIET)] if rest else []))


def _lines(count: int) -> str:
    return f"{count} line" if count == 1 else f"{count} lines"


def _count(text: str) -> str:
    return _lines(len(text.splitlines()))


def _path(name: str) -> Path:
    return Path(name.strip()).expanduser()


def _read(name: str) -> str:
    return _path(name).read_bytes().decode("utf-8", "replace")


def _why_not_read(name: str) -> str:
    """Why a file cannot be read as a list; empty if it can."""
    path = _path(name)
    try:
        if not path.is_file():
            return f"There is no file {path}."
        if path.stat().st_size > _LONGEST:
            return f"That is too long for a list: more than {_LONGEST} bytes."
        path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return "That is no text."
    except (OSError, ValueError) as problem:
        return str(problem)
    return ""


def _why_not_written(name: str) -> str:
    """Why a file cannot be made; empty if it can."""
    path = _path(name)
    try:
        if not name.strip() or path.is_dir():
            return "That is no name of a file."
        if path.exists():
            return "There is a file of that name already."
        if not path.parent.is_dir():
            return f"There is no folder {path.parent}."
    except (OSError, ValueError) as problem:
        return str(problem)
    return ""


def _offered() -> tuple[str, ...]:
    """Files in the present folder that may be lists, the newest first."""
    try:
        found = [path for path in Path().iterdir() if path.suffix in _ENDINGS and path.is_file()]
        found.sort(key=lambda path: (-path.stat().st_mtime, path.name))
    except OSError:
        return ()
    return tuple(path.name for path in found[:_OFFERED])
