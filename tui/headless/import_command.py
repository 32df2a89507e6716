"""``banneret import``: convert a file of another program to a scenario or a saved game."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from engine.core.archive import Archive, SeatPlayer
from engine.core.game import Game
from engine.core.record import replace
from engine.core.refused import Refused
from engine.core.registry import find, names
from engine.core.ruleset import AnyRuleset, Imported, Importer, ScenarioFault
from engine.core.save_names import checked_name
from engine.core.scenarios import dump
from tui.console.exits import Exit, Wrong
from tui.console.files import content, is_there, put_file, unusable
from tui.console.printing import say
from tui.play.scenarios import own_folder, with_own_names
from tui.play.seats import header_of, seat_name
from tui.play.table import Table

_PART: Final = " (new)"
"""Suffix of the name of a new save until it replaces the old one."""

LARGEST = 1 << 24
"""Maximum bytes of a file; a larger one is not read."""

_CONTAINERS: Final = (
    (b"PK\3\4", "a ZIP archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ", "xz data"),
    (b"C64 tape image", "a tape image of a C64 (T64)"),
    (b"C64S tape", "a tape image of a C64 (T64)"),
    (b"C64-TAPE-RAW", "a tape image of a C64 (TAP)"),
)
"""Names of the kinds of files that contain other files, each with its first bytes."""

_DISK_SIZES: Final = frozenset({174_848, 175_531, 196_608, 197_376})
"""Sizes of disk images of a C64 (D64), with 35 or 40 tracks, with and without error codes."""


def main(args: argparse.Namespace, archive: Archive) -> Exit:
    """Convert a file of another program; write it as a scenario or a saved game.

    Raises:
        Wrong: the file cannot be imported, or the scenario cannot be written.
        SaveFault: the game cannot be written.
    """
    data = content(Path(args.file), LARGEST)
    companion = content(Path(args.companion), LARGEST) if args.companion else None
    rules, importer = _reader(args.file, data)
    try:
        found = importer.read(data, companion)
    except ScenarioFault as fault:
        rule = f" [{fault.rule}]" if fault.rule else ""
        raise Wrong(f"{args.file}: {fault}{rule}") from None
    scenario, renamed = with_own_names(rules, found.scenario)
    found = replace(found, scenario=scenario, remarks=(*found.remarks, *renamed))
    if found.play:
        target = _keep(args, rules, found, archive)
    else:
        path = Path(args.out) if args.out else own_folder(rules) / f"{found.scenario.name}.json"
        _write(path, found, force=args.force)
        target = str(path)
    say(f"{target}: {found.scenario.title}", *found.remarks)
    return Exit.OK


def _keep(args: argparse.Namespace, rules: AnyRuleset, found: Imported, archive: Archive) -> str:
    """Replay the imported commands into a new save and return its name.

    An old save is replaced only when the new one is complete.
    """
    name = str(Path(args.out).absolute()) if args.out else Path(args.file).stem
    is_taken = is_there(name) if args.out else name in {info.name for info in archive.listing()}
    is_replaced = args.force and is_taken
    if args.out and is_taken and not args.force:
        raise Wrong(f"{args.out}: is there already; --force replaces it")
    if is_replaced and not args.out:
        try:
            checked_name(name)
        except ValueError as problem:
            raise Wrong(f"{problem}; choose another with -o") from None
    start = Game.begin(rules, found.scenario, {}, b"")
    seats = sorted({seat for seat, _ in found.play} | rules.owes(start.state))
    names = rules.seat_names(found.scenario)
    players = tuple(SeatPlayer(seat, seat_name(names, seat)) for seat in seats)
    header = header_of(rules, found.scenario, players, 1)
    file = archive.create(f"{name}{_PART}" if is_replaced else name, header)
    try:
        file.patient = True
        table = Table.begin(rules, found.scenario, {}, header, file=file)
        for seat, command in found.play:
            table.game.submit(seat, command)
    except Refused as problem:
        raise Wrong(f"{args.file}: {problem}") from None
    finally:
        file.close()
    if not is_replaced:
        return file.name
    archive.delete(name)
    if args.out:
        Path(f"{name}{_PART}").rename(name)
    else:
        archive.rename(file.name, name)
    return Path(name).stem


def _reader(name: str, data: bytes) -> tuple[AnyRuleset, Importer]:
    known = []
    for rules in map(find, names()):
        for importer in rules.importers:
            if importer.sniff(data):
                return rules, importer
            known.append(importer.name)
    if container := _container(data):
        raise Wrong(f"{name}: is {container}; take the file out of it and import that")
    raise Wrong(f"{name}: nothing that can be imported; known: {'; '.join(known) or 'nothing'}")


def _container(data: bytes) -> str:
    """Return the kind of file that contains other files; empty if the kind is unknown."""
    if len(data) in _DISK_SIZES:
        return "a disk image of a C64 (D64)"
    return next((name for start, name in _CONTAINERS if data.startswith(start)), "")


def _write(target: Path, found: Imported, *, force: bool) -> None:
    if is_there(target) and not force:
        raise Wrong(f"{target}: is there already; --force replaces it")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as problem:
        raise unusable(target, problem) from None
    put_file(target, [dump(found.scenario), "\n"])
