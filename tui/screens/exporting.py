"""Writing files about a saved game from the screen that shows it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import perf_counter

from engine.core.replay import BrokenLog
from engine.tabletop.ask import Choice
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.screens.watching import WatchScreen

_SLICE = 0.01
"""Seconds of writing before keys are let through."""


class ExportScreen(WatchScreen):
    """A watched game of which recordings, drawings, texts and data can be written."""

    def action_export(self) -> None:
        """Write a recording, a drawing, a text or data."""
        from tui.screens.recording import FORMATS  # noqa: PLC0415 - not before it is needed
        from tui.screens.study import Pick  # noqa: PLC0415 - not before it is needed

        choices = tuple(Choice(kind, f"{kind:<6} {text}") for kind, text in FORMATS.items())
        self.app.push_screen(Pick("Export", choices), self._choose_range)

    def _choose_range(self, kind: str | None) -> None:
        from tui.screens.study import TypeLine  # noqa: PLC0415 - not before it is needed

        if kind is None:
            return
        here = self.viewing.index + 1
        if kind in {"svg", "text"}:
            self._choose_file(kind, f"{here}")
            return
        lines = [Line("From entry - to entry; one number: only that.", Tone.QUIET)]
        preset = f"{here}-{len(self.viewing.line)}"
        window = TypeLine("Which entries", lines, preset=preset, check=self._wrong_range)

        def chosen(text: str | None) -> None:
            if text is not None:
                self._choose_file(kind, text)

        self.app.push_screen(window, chosen)

    def _wrong_range(self, text: str) -> str:
        return "" if _range(text, len(self.viewing.line)) else "Two numbers, such as 1-120."

    def _choose_file(self, kind: str, entries: str) -> None:
        from tui.screens.study import TypeLine  # noqa: PLC0415 - not before it is needed

        found = _range(entries, len(self.viewing.line))
        ending = "txt" if kind == "text" else kind
        window = TypeLine("Name of the file", preset=f"{Path(self.name_of_save).stem}.{ending}",
                          check=_wrong_file)  # fmt: skip

        def chosen(name: str | None) -> None:
            if name is not None and found is not None:
                work = self._write(kind, found, Path(name.strip()).expanduser())
                self.run_worker(work, group="export", exit_on_error=False)

        self.app.push_screen(window, chosen)

    async def _write(self, kind: str, entries: tuple[int, int], path: Path) -> None:
        """Write a file in slices; keys come in between."""
        from tui.screens.recording import FORMATS, Camera, Lens, exported  # noqa: PLC0415 - as above

        lens = Lens(max(80, self.app.size.width), max(24, self.app.size.height),
                    self.shell.depth, self.shell.glyphs)  # fmt: skip
        chosen = next(known for known in FORMATS if known == kind)
        began = perf_counter()
        self.remark(f"Writing {path.name} …" if lens.glyphs != "ascii" else f"Writing {path.name}")
        try:
            with path.open("x", encoding="utf-8") as file:
                for line in exported(Camera(self.viewing.twin(), lens), chosen, *entries):
                    file.write(line + "\n")
                    if perf_counter() - began > _SLICE:
                        await asyncio.sleep(_SLICE / 4)
                        began = perf_counter()
        except asyncio.CancelledError:
            path.unlink(missing_ok=True)
            raise
        except (OSError, BrokenLog) as problem:
            self.remark(f"Not written: {problem}")
        else:
            self.remark(f"Written: {path}")


def _range(text: str, entries: int) -> tuple[int, int] | None:
    """The places (from 0) that ``12-40`` or ``12`` names; None: it names none."""
    first, _, last = (part.strip() for part in text.partition("-"))
    if not first.isdecimal() or not (last or first).isdecimal():
        return None
    low, high = int(first) - 1, int(last or first) - 1
    return (low, min(high, entries - 1)) if 0 <= low <= high and low < entries else None


def _wrong_file(text: str) -> str:
    path = Path(text.strip()).expanduser()
    if not text.strip() or path.is_dir():
        return "That is no name for a file."
    if path.exists():
        return f"{path.name} is there already."
    return "" if path.parent.is_dir() else f"There is no folder {path.parent}."
