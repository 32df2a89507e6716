"""``banneret export --format``: recordings, drawings, texts and data of a saved game."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.core.archive import Opened
from engine.core.log import AnyEntry
from engine.core.registry import find
from engine.core.replay import fold
from engine.core.ruleset import AnyRuleset, Exporter, ScenarioFault
from engine.core.scenarios import dump
from tui.console.commands import PROGRAM, ArgumentSpec, find_command
from tui.console.exits import Exit, Wrong
from tui.console.files import put_file
from tui.play.seats import seat_named
from tui.replay.watch import Watch

if TYPE_CHECKING:
    from tui.screens.recording import Camera

_SIZE = re.compile(r"(\d{1,4})x(\d{1,4})")


def main(args: argparse.Namespace, opened: Opened) -> Exit:
    """Write a saved game to a file or standard output, in the requested format.

    Raises:
        Wrong: an argument does not fit, or the file cannot be written.
        BrokenLog: an event of the log cannot be applied.
    """
    _check_options(args, opened)
    if args.format == "position":
        return _write_position(args, opened)
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


_ALL: Final = frozenset({"first", "last", "seat", "size", "colours", "glyphs"})

_TAKEN: Final[Mapping[str, frozenset[str]]] = {
    "position": frozenset({"at"}),
    "cast": _ALL,
    "cast3": _ALL,
    "svg": _ALL,
    "text": _ALL - {"colours"},
    "jsonl": frozenset({"first", "last", "seat"}),
}
"""Options that each format accepts, by their names in the parsed arguments."""

_TAKEN_BY_OTHERS: Final = frozenset({"last"})
"""Options accepted by a game's own formats, which contain the whole game with all its secrets."""


def _check_options(args: argparse.Namespace, opened: Opened) -> None:
    """Refuse an unknown format, and an option that has no effect on the format.

    Raises:
        Wrong: naming the option, or the formats in which this game can be written.
    """
    own = find(opened.header.ruleset).exporters
    if args.format not in _TAKEN and args.format not in [exporter.name for exporter in own]:
        line = opened.log.line()
        fit = [exporter.name for exporter in own if not _why_not(exporter, line)]
        known = ", ".join([*_TAKEN, *fit])
        raise Wrong(f"there is no format {args.format!r} for this game; known: {known}")
    taken = _TAKEN.get(args.format, _TAKEN_BY_OTHERS)
    for argument in _options():
        name = argument.settings.get("dest", argument.names[0].removeprefix("--"))
        is_checked = name == "at" or name in _ALL
        is_given = is_checked and getattr(args, name) != argument.settings.get("default")
        if is_given and name not in taken:
            raise Wrong(f"{argument.names[0]} does not go with --format {args.format}")


def _why_not(exporter: Exporter, entries: Sequence[AnyEntry]) -> str:
    """Return why a format cannot hold a game; empty if it can."""
    try:
        exporter.content(entries)
    except ScenarioFault as fault:
        return str(fault)
    return ""


def _options() -> Iterator[ArgumentSpec]:
    spec = find_command(PROGRAM, "export")
    for argument in spec.arguments if spec is not None else ():
        if isinstance(argument, ArgumentSpec) and argument.names[0].startswith("--"):
            yield argument


def _write_position(args: argparse.Namespace, opened: Opened) -> Exit:
    """Write the position after an entry as a scenario, including everything hidden in it."""
    if args.at is not None and not 0 <= args.at < len(opened.log):
        raise Wrong(f"{args.save}: no entry {args.at}; it has 0 to {len(opened.log) - 1}")
    rules = find(opened.header.ruleset)
    text = dump(rules.position(fold(rules, opened.log.line(args.at))))
    if args.output is None:
        sys.stdout.write(text + "\n")
    else:
        _write(Path(args.output), [text])
    return Exit.OK


def _exporter(args: argparse.Namespace, rules: AnyRuleset) -> Exporter | None:
    """Return the requested format if it is one of the game's own, or None."""
    return next((one for one in rules.exporters if one.name == args.format), None)


def _write_foreign(args: argparse.Namespace, watch: Watch, exporter: Exporter, last: int) -> Exit:
    """Write the whole game up to an entry, with the secrets of all, as ``dump`` does."""
    try:
        content = exporter.content(watch.line[: last + 1])
    except ScenarioFault as fault:
        raise Wrong(f"{args.save} cannot be written as {exporter.name}: {fault}") from None
    if args.output is not None:
        put_file(Path(args.output), content)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    return Exit.OK


def _write(path: Path, lines: Iterable[str]) -> None:
    put_file(path, (f"{line}\n" for line in lines))


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
    """Return the positions on the line of the requested entries."""
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
