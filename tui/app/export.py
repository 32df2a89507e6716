"""``banneret export --format``: recordings, drawings, texts and data of a saved game."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.core.archive import Opened
from engine.core.ruleset import AnyRuleset, Exporter, ScenarioFault
from tui.console.exits import Exit, Wrong
from tui.play.seats import seat_named
from tui.replay.watch import Watch

if TYPE_CHECKING:
    from tui.screens.recording import Camera

_FORMATS = ("position", "cast", "cast3", "svg", "text", "jsonl")
_SIZE = re.compile(r"(\d{1,4})x(\d{1,4})")


def main(args: argparse.Namespace, opened: Opened) -> Exit:
    """Write the file.

    Raises:
        Wrong: an argument does not fit, or the file cannot be written.
        BrokenLog: an event of the log cannot be applied.
    """
    watch = Watch(opened)
    if args.seat:
        viewer = seat_named(watch.seats, args.seat)
        if viewer not in watch.viewers:
            raise Wrong(f"a game with secrets is not shown to {args.seat} before it is over")
        watch.look_as(viewer)
    first, last = _range(args, watch)
    exporter = _exporter(args, watch.rules)
    if exporter is not None:
        return _write_foreign(args, watch, exporter, last)
    camera = _camera(args, watch)
    if args.output is None:
        for line in _lines(args, camera, first, last):
            sys.stdout.write(line + "\n")
        return Exit.OK
    path = Path(args.output)
    if args.format == "svg" and first < last:
        for index in range(first, last + 1):
            numbered = path.with_stem(f"{path.stem}-{watch.line[index].seq:04}")
            _write(numbered, _lines(args, camera, index, index))
        return Exit.OK
    _write(path, _lines(args, camera, first, last))
    return Exit.OK


def _exporter(args: argparse.Namespace, rules: AnyRuleset) -> Exporter | None:
    """The format of the game's own that was asked for, if one was."""
    own = {exporter.name: exporter for exporter in rules.exporters}
    if args.format not in own and args.format not in _FORMATS:
        known = ", ".join([*_FORMATS, *own])
        raise Wrong(f"there is no format {args.format!r} for this game; known: {known}")
    return own.get(args.format)


def _write_foreign(args: argparse.Namespace, watch: Watch, exporter: Exporter, last: int) -> Exit:
    """Write the whole game up to an entry, with everybody's secrets, as ``dump`` does."""
    if args.seat or args.first is not None:
        raise Wrong(f"--format {args.format} is of whole games: --to goes with it, nothing else")
    try:
        content = exporter.content(watch.line[: last + 1])
    except ScenarioFault as fault:
        raise Wrong(str(fault)) from None
    if args.output is not None:
        _write_bytes(Path(args.output), content)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    return Exit.OK


def _write_bytes(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as problem:
        raise Wrong(f"{path}: {problem.strerror}") from None


def _write(path: Path, lines: Iterable[str]) -> None:
    try:
        with path.open("w", encoding="utf-8") as file:
            for line in lines:
                file.write(line + "\n")
    except OSError as problem:
        raise Wrong(f"{path}: {problem.strerror}") from None


def _lines(args: argparse.Namespace, camera: Camera, first: int, last: int) -> Iterator[str]:
    from tui.screens.recording import FORMATS, exported  # noqa: PLC0415 - draws; not before it is needed

    kind = next(known for known in FORMATS if known == args.format)
    return exported(camera, kind, first, last)


def _camera(args: argparse.Namespace, watch: Watch) -> Camera:
    from tui.screens.recording import SMALLEST, Camera, Lens  # noqa: PLC0415 - draws

    size = _SIZE.fullmatch(args.size)
    width, height = map(int, size.groups()) if size is not None else (0, 0)
    if width < SMALLEST[0] or height < SMALLEST[1] or width > 500 or height > 200:
        raise Wrong(f"a size is written 80x24, from {SMALLEST[0]}x{SMALLEST[1]} to 500x200")
    colours: Any = args.colours
    return Camera(watch, Lens(width, height, colours, args.glyphs))


def _range(args: argparse.Namespace, watch: Watch) -> tuple[int, int]:
    """Positions on the line of the entries whose numbers were given."""
    lowest, highest = watch.line[0].seq, watch.line[-1].seq
    last = highest if args.last is None else args.last
    alone = args.format in {"svg", "text"} and args.first is None
    first = (last if alone else lowest) if args.first is None else args.first
    if not lowest <= first <= last <= highest:
        raise Wrong(f"there are entries {lowest} to {highest}, not {first} to {last}")
    for number in (first, last):
        if watch.line[watch.index_of(number)].seq != number:
            raise Wrong(f"entry {number} is not on the line that is played")
    return watch.index_of(first), watch.index_of(last)
