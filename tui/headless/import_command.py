"""``banneret import``: a foreign file as a scenario, or as a saved game if it was played."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.core.archive import Archive, SeatPlayer
from engine.core.game import Game
from engine.core.refused import Refused
from engine.core.registry import find, names
from engine.core.ruleset import AnyRuleset, Imported, Importer, ScenarioFault
from engine.core.scenarios import dump
from tui.console.exits import Exit, Wrong
from tui.console.input_files import content
from tui.console.printing import say
from tui.play.scenarios import own_folder
from tui.play.seats import header_of, seat_name
from tui.play.table import Table

LARGEST = 1 << 24
"""Bytes of a file above which it is not read."""


def main(args: argparse.Namespace, archive: Archive) -> Exit:
    """Import a file.

    Raises:
        Wrong: nothing can be made of it, or the scenario cannot be written.
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
    if found.play:
        target = _keep(args, rules, found, archive)
    else:
        path = Path(args.out) if args.out else own_folder(rules) / f"{found.scenario.name}.json"
        _write(path, found, force=args.force)
        target = str(path)
    say(f"{target}: {found.scenario.title}", *found.remarks)
    return Exit.OK


def _keep(args: argparse.Namespace, rules: AnyRuleset, found: Imported, archive: Archive) -> str:
    """Replay the imported commands into a new save; its name."""
    name = str(Path(args.out).absolute()) if args.out else Path(args.file).stem
    start = Game.begin(rules, found.scenario, {}, b"")
    seats = sorted({seat for seat, _ in found.play} | rules.owes(start.state))
    names = rules.seat_names(found.scenario)
    players = tuple(SeatPlayer(seat, seat_name(names, seat)) for seat in seats)
    header = header_of(rules, found.scenario, players, 1)
    file = archive.create(name, header)
    try:
        file.patient = True
        table = Table.begin(rules, found.scenario, {}, header, file=file)
        for seat, command in found.play:
            table.game.submit(seat, command)
    except Refused as problem:
        raise Wrong(f"{args.file}: {problem}") from None
    finally:
        file.close()
    return file.name


def _reader(name: str, data: bytes) -> tuple[AnyRuleset, Importer]:
    known = []
    for rules in map(find, names()):
        for importer in rules.importers:
            if importer.sniff(data):
                return rules, importer
            known.append(importer.name)
    raise Wrong(f"{name}: nothing that can be imported; known: {'; '.join(known) or 'nothing'}")


def _write(target: Path, found: Imported, *, force: bool) -> None:
    if target.exists() and not force:
        raise Wrong(f"{target}: is there already; --force replaces it")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(dump(found.scenario) + "\n", encoding="utf-8")
    except OSError as problem:
        raise Wrong(f"{target}: {problem.strerror}") from None
