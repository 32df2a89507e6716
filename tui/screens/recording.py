"""Export of a saved game without a terminal: asciicast, SVG, text, and JSON lines."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, assert_never

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from engine.core.codec import plain, plain_json
from engine.core.notation import write
from engine.core.printable import escaped_json, harmless
from engine.core.replay import BrokenLog
from engine.tabletop import viewport
from engine.tabletop.ask import Choice
from engine.tabletop.board import NOBODY, BoardMark, GlyphSet, Line, condensed
from engine.tabletop.fact import Fact
from engine.tabletop.focus import Focus
from engine.tabletop.roles import MarkSign, Tone
from engine.tabletop.viewport import Viewport
from tui.console.files import created
from tui.replay.watch import Watch
from tui.screens.frame import ask
from tui.style.palette import Palette, chosen
from tui.terminal.ascii_fallback import in_ascii
from tui.terminal.capabilities import Depth
from tui.terminal.cells import RowPatch, cells_of
from tui.terminal.output import ShownCells
from tui.widgets.board_rows import BoardRows
from tui.widgets.jobs import sliced
from tui.widgets.marks import loudest
from tui.widgets.panels import wrap
from tui.widgets.tiles import largest_that_fits

if TYPE_CHECKING:
    from tui.screens.map import MapScreen

_SIDE: Final = 26
"""Columns of the panel."""
_LOG: Final = 3
"""Rows of the log."""
_WIDE: Final = 120
"""Minimum columns for which a cell of the board takes two."""

Format: TypeAlias = Literal["cast", "cast3", "svg", "text", "jsonl"]

FORMATS: Final[dict[Format, str]] = {
    "cast": "a recording to play in a terminal or a page (asciicast 2)",
    "cast3": "the same for newer players (asciicast 3)",
    "svg": "a drawing of the screen (SVG)",
    "text": "the screen as text",
    "jsonl": "entries, events and their meaning (JSON lines)",
}

SMALLEST: Final = (40, 12)
"""Columns and rows of the smallest picture."""

_TERMINAL: Final = "xterm-256color"
"""Type of the terminal for which recordings are made."""

_PAUSES: Final = {"round": 1.2, "phase": 1.0, "end": 2.0, "attack": 0.7, "capture": 0.7}
"""Seconds for which a picture with such a fact is shown; all others take 0.2."""


@dataclass(frozen=True)
class Lens:
    """Size, colours and signs of pictures."""

    width: int = 80
    height: int = 24
    depth: Depth = "256"
    glyphs: GlyphSet = "rich"

    @property
    def palette(self) -> Palette:
        """The colours for this depth."""
        return chosen(self.depth)


class Camera:
    """Draws what a watch shows; the visible part of the board follows the events."""

    def __init__(self, watch: Watch, lens: Lens | None = None) -> None:
        """Draw what ``watch`` shows, by default as 80 x 24 cells in 256 colours."""
        self.watch = watch
        self.lens = lens or Lens()
        self._palette = self.lens.palette
        self._drawing = BoardRows(watch.presenter.symbols)
        self._port: Viewport | None = None
        self._cursor: tuple[int, int] | None = None

    def shot(self) -> list[Strip]:
        """Return the present moment as rows: heading, board and panel, command, log."""
        watch, lens, palette = self.watch, self.lens, self._palette
        said = condensed(watch.said())
        marks = self._look_at(said)
        rows = lens.height - 2 - _LOG
        side = _SIDE if lens.width >= 2 * _SIDE else 0
        board = self._board_rows(marks, lens.width - side, rows)
        panel = self._panel(side) if side else []
        place = f"entry {watch.entry.seq} of {watch.line[-1].seq}"
        picture = [self._bar(watch.status.text, place)]
        for y in range(rows):
            row = list(board[y])
            if side:
                row += [Segment(" ", palette.blank), *panel[y : y + 1]]
            picture.append(self._strip(row))
        picture.append(self._strip([Segment(" " + watch.command(), palette.line(Tone.QUIET, -1))]))
        told = [row for line in said for row in wrap(line, lens.width - 2, palette)][-_LOG:]
        picture += [self._strip([Segment(" " + text, style)]) for text, style in told]
        return picture + [self._strip([])] * (lens.height - len(picture))

    def _strip(self, segments: Sequence[Segment]) -> Strip:
        if self.lens.glyphs == "ascii":
            segments = [Segment(in_ascii(part.text), part.style) for part in segments]
        return Strip(segments).adjust_cell_length(self.lens.width, self._palette.blank)

    def _bar(self, left: str, right: str) -> Strip:
        space = self.lens.width - len(right) - 3
        style = self._palette.heading
        return self._strip([Segment(f" {left[:space]:<{space}} {right} ", style)])

    def _panel(self, side: int) -> list[Segment]:
        watch = self.watch
        lines = [Line(watch.opened.header.title or watch.opened.name, Tone.TITLE)]
        lines += [Line(text, Tone.NORMAL) for text in watch.luck()]
        lines += [Line(text, Tone.STRONG) for text in (watch.comment(),) if text]
        if watch.may_count:
            lines.append(Line(""))
            for name, values in watch.rules.statistics(watch.state).items():
                lines.append(Line(f"{name} {' : '.join(map(str, values))}", Tone.QUIET))
        rows = [row for line in lines for row in wrap(line, side - 1, self._palette)]
        return [Segment(text, style) for text, style in rows]

    # -- the board -------------------------------------------------------------------------------

    def _look_at(self, said: Sequence[Line]) -> dict[tuple[int, int], BoardMark]:
        """Put the cursor where something happened, and return the marks of the path there."""
        places = [line.at for line in self.watch.said() if line.at is not None]
        places += [line.at for line in said if line.at is not None][-1:]
        if places:
            self._cursor = places[-1]
        elif self._cursor is None or self.watch.index == 0:
            focus: Focus = self.watch.presenter.start(self.watch.view)
            self._cursor = focus.x, focus.y
        way = [BoardMark(*at, MarkSign.PATH) for at in places[:-1]]
        return loudest(self.watch.board, way)

    def _board_rows(
        self, marks: dict[tuple[int, int], BoardMark], width: int, height: int
    ) -> list[list[Segment]]:
        board, lens, drawing = self.watch.board, self.lens, self._drawing
        size = (
            (1, 1)
            if board.narrow
            else largest_that_fits((board.width, board.height), (width, height))
        )
        columns, rows = size or (2 if lens.width >= _WIDE else 1, 1)
        drawing.dress(lens.glyphs, self._palette, (columns, rows))
        room, at = (max(1, width // columns), max(1, height // rows)), self._cursor or (0, 0)
        drawing.marks, drawing.spot = loudest(board, marks.values()), board.zoomed(*at)
        drawing.captions.place(board, columns)
        whole = board.width, board.height
        if self._port is None or (self._port.board_width, self._port.board_height) != whole:
            self._port = viewport.opened(room, whole, at)
        self._port = port = viewport.leap(self._port, *at)
        left, top = (width - port.width * columns) // 2, (height - port.height * rows) // 2
        right = width - left - port.width * columns
        margins = [Segment(" " * room, self._palette.blank) for room in (left, right)]
        blank = Segment(" " * width, self._palette.blank)
        cells = range(port.x, port.x + port.width)
        picture = [[blank]] * top
        for y in range(port.y, port.y + port.height):
            for part in range(rows):
                picture.append([margins[0], *drawing.row(board, cells, y, part), margins[1]])
        return picture + [[blank]] * (height - len(picture))


# -- kinds of files ------------------------------------------------------------------------------


def exported(camera: Camera, kind: Format, first: int, last: int) -> Iterator[str]:
    """Yield the lines of a file of some format on the entries at ``first`` to ``last``.

    A drawing shows only the moment at ``last``.
    """
    match kind:
        case "cast":
            yield from as_cast(camera, first, last)
        case "cast3":
            yield from as_cast(camera, first, last, version=3)
        case "jsonl":
            yield from as_json(camera.watch, first, last)
        case "text":
            for index in range(first, last + 1):
                camera.watch.seek(index)
                yield as_text(camera)
        case "svg":
            camera.watch.seek(last)
            yield as_svg(camera)
        case _:
            assert_never(kind)


def as_text(camera: Camera) -> str:
    """Return the present moment as plain rows of text."""
    rows = ("".join(part.text for part in row) for row in camera.shot())
    return "\n".join(harmless(row).rstrip() for row in rows)


def as_svg(camera: Camera) -> str:
    """Return the present moment as an SVG drawing."""
    lens = camera.lens
    console = Console(
        width=lens.width, height=lens.height, record=True, file=io.StringIO(), force_terminal=True,
        color_system="truecolor", legacy_windows=False,
    )  # fmt: skip
    for row in camera.shot():
        text = Text(end="", no_wrap=True)
        for part in row:
            text.append(harmless(part.text), part.style or Style())
        console.print(text, end="\n", no_wrap=True, overflow="crop", highlight=False)
    return console.export_svg(title=harmless(camera.watch.opened.header.title) or "Banneret")


def as_cast(camera: Camera, first: int, last: int, version: Literal[2, 3] = 2) -> Iterator[str]:
    """Yield the entries ``first`` to ``last`` as an asciicast, line by line.

    Each round begins with a marker, which players of recordings show as a chapter. All players read
    version 2; version 3 needs one from 2025 or later.
    """
    lens, watch = camera.lens, camera.watch
    title = watch.opened.header.title or watch.rules.title
    if version == 2:
        size: dict[str, Any] = {"width": lens.width, "height": lens.height}
        yield _json({"version": 2, **size, "title": title, "env": {"TERM": _TERMINAL}})
    else:
        term = {"cols": lens.width, "rows": lens.height, "type": _TERMINAL}
        yield _json({"version": 3, "term": term, "title": title})
    now = 0.0
    for pause, code, data in _cast_events(camera, first, last):
        now += pause
        yield _json([round(now, 3) if version == 2 else pause, code, data])
    if version == 3:
        yield _json([0.0, "x", "0"])


def _cast_events(camera: Camera, first: int, last: int) -> Iterator[tuple[float, str, str]]:
    """Yield outputs and markers of a recording, each with the seconds since the previous one."""
    lens, watch = camera.lens, camera.watch
    shown = ShownCells()
    shown.resize(lens.width, lens.height)
    pause, round_now, word = 0.0, -1, watch.presenter.round_word.capitalize()
    for index in range(first, last + 1):
        watch.seek(index)
        strips = camera.shot()
        patches = [RowPatch(y, 0, cells_of([strip], lens.depth)) for y, strip in enumerate(strips)]
        start = "\x1b[?25l\x1b[2J" if index == first else ""
        if watch.status.round != round_now:
            round_now = watch.status.round
            yield pause, "m", f"{word} {round_now}"
            pause = 0.0
        yield pause, "o", start + shown.paint(patches)
        pause = max([_PAUSES.get(fact.kind, 0.2) for fact in watch.facts()], default=0.2)
    yield pause, "o", "\x1b[0m\x1b[?25h\r\n"


def as_json(watch: Watch, first: int, last: int) -> Iterator[str]:
    """Yield a line of JSON for each entry: place, round, seat, command, events and facts."""
    for index in range(first, last + 1):
        watch.seek(index)
        entry = watch.entry
        row: dict[str, Any] = {"place": str(entry.seq), "round": watch.status.round}
        if watch.may_count or entry.seat == watch.viewer:
            command = write(entry.command) if entry.command is not None else ""
            row |= {"seat": entry.seat, "command": command}
        row["events"] = [plain_json(told.event) for told in watch.told]
        row["facts"] = [_told(fact) for fact in watch.facts()]
        yield _json(row)


def _told(fact: Fact) -> dict[str, Any]:
    """Return a fact as a dict without its empty fields."""
    silent = {"seat": NOBODY, "other": NOBODY, "piece": "", "target": "", "way": []}
    return {
        name: value
        for name, value in plain(fact).items()
        if value is not None and value != silent.get(name)
    }


def _json(value: object) -> str:
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return escaped_json(written.encode()).decode()


# -- from the screen of a replay -----------------------------------------------------------------


class ReplayExporter:
    """Export recordings, drawings, texts and data from the screen of a watched game."""

    def __init__(self, screen: MapScreen[Any], watch: Watch, name_of_save: str) -> None:
        """Write what ``watch`` shows, named after its save."""
        self._screen = screen
        self._watch = watch
        self._name_of_save = name_of_save

    def offer(self) -> None:
        """Ask for a format, entries and a file, and write it."""
        from tui.screens.ask import ChooseOne  # noqa: PLC0415 - not before it is needed

        choices = tuple(Choice(kind, f"{kind:<6} {text}") for kind, text in FORMATS.items())
        ask(self._screen.app, ChooseOne("Export", choices), self._choose_range)

    def _choose_range(self, kind: str) -> None:
        from tui.screens.dialog import TypeLine  # noqa: PLC0415 - not before it is needed

        here, last = self._watch.entry.seq, self._watch.line[-1].seq
        if kind in {"svg", "text"}:
            self._choose_file(kind, f"{here}")
            return
        lines = [Line("From entry - to entry; one number: only that.", Tone.QUIET)]
        preset = f"{here}-{last}"
        window = TypeLine("Which entries", lines, preset=preset, check=self._wrong_range)
        ask(self._screen.app, window, partial(self._choose_file, kind))

    def _wrong_range(self, text: str) -> str:
        return "" if _range(text, self._watch) else "Two numbers, such as 1-120."

    def _choose_file(self, kind: str, entries: str) -> None:
        from tui.screens.dialog import TypeLine, why_no_new_file  # noqa: PLC0415 - the same

        found = _range(entries, self._watch)
        ending = "txt" if kind == "text" else kind
        window = TypeLine("Name of the file", preset=f"{Path(self._name_of_save).stem}.{ending}",
                          check=why_no_new_file)  # fmt: skip

        def chosen(name: str) -> None:
            if found is not None:
                work = self._write(kind, found, Path(name.strip()).expanduser())
                self._screen.run_worker(work, group="export", exit_on_error=False)

        ask(self._screen.app, window, chosen)

    async def _write(self, kind: str, entries: tuple[int, int], path: Path) -> None:
        """Write a file in slices, so that keys are handled in between."""
        lens = Lens(max(80, self._screen.app.size.width), max(24, self._screen.app.size.height),
                    self._screen.shell.depth, self._screen.shell.glyphs)  # fmt: skip
        chosen = next(known for known in FORMATS if known == kind)
        dots = "" if lens.glyphs == "ascii" else " …"
        self._screen.remark(f"Writing {path.name}{dots}")
        try:
            with created(path) as file:
                lines = exported(Camera(self._watch.twin(), lens), chosen, *entries)
                async for line in sliced(lines):
                    file.write(f"{line}\n".encode())
        except (OSError, BrokenLog) as problem:
            self._screen.remark(f"Not written: {problem}")
        else:
            self._screen.remark(f"Written: {path}")


def _range(text: str, watch: Watch) -> tuple[int, int] | None:
    """Parse ``12-40`` or ``12``, numbers of entries, into positions on the line.

    None if it is wrong.
    """
    first, _, last = (part.strip() for part in text.partition("-"))
    if not first.isdecimal() or not (last or first).isdecimal():
        return None
    low, high = int(first), int(last or first)
    if not low <= high or low > watch.line[-1].seq:
        return None
    return watch.index_of(low), watch.index_of(high)
