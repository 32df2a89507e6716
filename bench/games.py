"""A long computer game as a save for measurements; played once and kept in a folder."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from engine.core.archive import Header, SeatPlayer
from engine.core.notation import write
from engine.core.registry import find
from saves.archive import Folder
from saves.reader import Reading
from tui.play.players import think
from tui.play.table import Table

RULESET = "weltendaemmerung"
_SEEDS = 6


def arguments(about: str | None) -> argparse.Namespace:
    """Parse the options that all measurements of a save share."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--save", type=Path, help="measure this save instead of a new game")
    parser.add_argument("--level", default="normal", help="of both computer players")
    return parser.parse_args()


def long_game(args: argparse.Namespace) -> Reading:
    """Return the save to measure: the first game that lasts all its rounds, or the longest one."""
    if args.save is not None:
        return Folder().read(str(args.save))
    archive = Folder(Path(tempfile.mkdtemp()))
    best: Reading | None = None
    for seed in range(_SEEDS):
        reason = _play(archive, f"game {seed}", f"bench {seed}".encode(), args.level)
        found = archive.read(f"game {seed}")
        if best is None or len(found.log) > len(best.log):
            best = found
        if reason == "time":
            return found
    assert best is not None  # noqa: S101 - there is at least one seed
    return best


def _play(archive: Folder, name: str, seed: bytes, level: str) -> str:
    rules = find(RULESET)
    players = (SeatPlayer(0, "Eldoin", level), SeatPlayer(1, "Dailor", level))
    header = Header(RULESET, rules.schema, seed, players)
    file = archive.create(name, header)
    file.patient = True
    scenario = next(iter(rules.scenarios().values()))
    table = Table.begin(rules, scenario, {}, header, file=file)
    while (seat := table.to_act()) is not None:
        view = table.game.view(seat)
        for command in think(rules, level, view, seat, seed, len(table.game.log)):
            if not table.submit(seat, write(command)).ok:
                break
    table.close()
    outcome = rules.outcome(table.game.state)
    return "" if outcome is None else outcome.reason
