"""Corpora of saves: short games of computer players, made in a few seconds.

``python -m tests.debug.corpus FOLDER --ruleset gd6 --games 10`` makes one from the command line.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final

from engine.core.archive import Header, SeatPlayer
from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.options import Value
from engine.core.record import Command, Record, replace
from engine.core.refused import Refused
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset, Offers
from engine.core.scenarios import computers_among, fitted
from saves.archive import Folder
from tests.contract.walks import AnyGame


class Sort(Record, frozen=True):
    """A kind of game: its scenario and options, and the levels that play it in turn."""

    scenario: str
    seats: int = 2
    options: Mapping[str, Value] = {}
    levels: tuple[str, ...] = ()
    """Empty means all levels of the ruleset."""


SORTS: Final[Mapping[str, Sequence[Sort]]] = {
    "weltendaemmerung": (Sort("ford"), Sort("ford", options={"steps": "eight"})),
    "gd6": (
        Sort("ring", 3),
        Sort("isthmus", options={"variant": "advanced"}),
        Sort("ring", 3, options={"variant": "advanced", "turn_limit": 12}),
    ),
    "kaladan": (Sort("duel"), Sort("duel", options={"magic": "on"}), Sort("wilds", 3)),
    "warlords2": (Sort("last_stand"), Sort("skirmish"), Sort("narrows")),
    "lordsawar": (Sort("ford"), Sort("fen")),
}


def corpus(
    folder: Path, ruleset: str, games: int, entries: int = 120, *, level: str = ""
) -> list[Path]:
    """Return saves of ``games`` games, of at most ``entries`` entries; always the same ones.

    Existing saves are reused. With ``level``, all computer players have that level; the first level
    of a ruleset is the fastest.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for seed in range(games):
        path = folder / f"{ruleset}-{seed:03}.bnr"
        if not path.exists():
            sorts = SORTS[ruleset]
            sort = sorts[seed % len(sorts)]
            sort = replace(sort, levels=(level,)) if level else sort
            _save(find(ruleset), path, sort, seed, entries)
        found.append(path)
    return found


def saved_game(folder: Path, ruleset: str, sort: Sort, seed: int, entries: int) -> Path:
    """Return a save of one game of at most ``entries`` entries; reuse it if it is in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{ruleset}-{sort.scenario}-{seed:03}.bnr"
    if not path.exists():
        _save(find(ruleset), path, sort, seed, entries)
    return path


def _save(rules: AnyRuleset, path: Path, sort: Sort, seed: int, entries: int) -> None:
    """Play a game into a file; give it its final name only when it is complete."""
    levels = sort.levels or tuple(rules.bots)
    players = tuple(
        SeatPlayer(seat, f"Player {seat}", levels[(seed + seat) % len(levels)])
        for seat in range(sort.seats)
    )
    scenario = fitted(rules, rules.scenarios()[sort.scenario], sort.seats, computers_among(players))
    key = f"corpus {seed}".encode()
    part = path.with_suffix(".part.bnr")
    part.unlink(missing_ok=True)
    file = Folder(path.parent).create_at(part, Header(rules.name, rules.schema, key, players))
    file.patient = True
    game = Game.begin(rules, scenario, sort.options, key, journal=file)
    _play(game, players, key, entries)
    file.close()
    part.rename(path)


def _play(game: AnyGame, players: Sequence[SeatPlayer], key: bytes, entries: int) -> None:
    """Play plans of computer players until the game is over or has ``entries`` entries."""
    rules = game.rules
    for number in count():
        owing = rules.owes(game.state)
        if not owing or len(game.log) >= entries:
            return
        seat = min(owing)
        view = game.view(seat)
        dice = Seeded(key, number, f"bot:{seat}")
        plan = rules.bots[players[seat].bot].plan(view, _offers(rules, view), dice)
        for command in plan:
            if seat not in rules.owes(game.state) or len(game.log) >= entries:
                break
            try:
                game.submit(seat, command)
            except Refused:
                break


def _offers(rules: AnyRuleset, view: Any) -> Offers[Command]:
    def offers(about: int | None = None) -> Iterator[Command]:
        return rules.offers(view, about)

    return offers


def main() -> int:
    """Make corpora from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ruleset", action="append", help="default: all")
    parser.add_argument("--games", type=int, default=10, help="of each ruleset")
    parser.add_argument("--entries", type=int, default=120, help="most in a game")
    args = parser.parse_args()
    for name in args.ruleset or SORTS:
        made = corpus(args.folder, name, args.games, args.entries)
        sys.stdout.write(f"{name}: {len(made)} saves\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
