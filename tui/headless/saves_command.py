"""``banneret saves``: list, show, rename, delete and repair saved games."""

from __future__ import annotations

import argparse
import datetime

from engine.core.archive import Archive, Opened, SaveInfo, SeatPlayer
from engine.core.codec import encode_json, plain
from engine.core.printable import writable
from engine.core.record import replace
from engine.core.registry import find
from engine.core.replay import fold
from engine.core.soundness import log_faults
from engine.tabletop.english import many
from engine.tabletop.presenter import presenter_of
from tui.console.exits import Exit
from tui.console.printing import say, say_json
from tui.play.outcome import result_lines
from tui.play.saved_games import viewer_of


def main(args: argparse.Namespace, archive: Archive) -> Exit:
    """List, show, rename, delete or repair saved games, as the arguments say.

    Raises:
        SaveFault: it cannot be carried out.
        BrokenLog: the game to show has an inconsistent log.
    """
    match args.action:
        case "show":
            _show(archive.read(args.name), as_json=args.json)
        case "rename":
            archive.rename(args.name, args.new)
        case "delete":
            archive.delete(args.name)
        case "repair":
            say(*archive.repair(args.name))
        case _:
            _list(archive.listing(), as_json=args.json)
    return Exit.OK


def _list(found: tuple[SaveInfo, ...], *, as_json: bool) -> None:
    if as_json:
        shown = [replace(one, name=writable(one.name), fault=writable(one.fault)) for one in found]
        say_json(encode_json(shown).decode())
        return
    if not found:
        say("no saved games")
    width = max((len(info.name) for info in found), default=0)
    for info in found:
        when = datetime.datetime.fromtimestamp(info.modified).astimezone()
        what = (
            info.fault or f"{info.title or info.ruleset}, {many(info.entries, 'entry', 'entries')}"
        )
        say(f"{info.name.ljust(width)}  {when:%Y-%m-%d %H:%M}  {what}")


def _show(opened: Opened, *, as_json: bool) -> None:
    rules = find(opened.header.ruleset)
    with log_faults(rules, opened.log):
        state = fold(rules, opened.log.line())
        outcome = rules.outcome(state)
        statistics = dict(rules.statistics(state))
        said = result_lines(presenter_of(rules), rules.view(state, viewer_of(rules, opened, state)))
    texts = presenter_of(rules).new_game
    if as_json:
        told = {
            "name": writable(opened.name),
            "header": plain(opened.header),
            "entries": len(opened.log),
            "outcome": plain(outcome),
            "statistics": statistics,
            "remarks": list(opened.remarks),
        }
        say_json(encode_json(told).decode())
        return
    entries = many(len(opened.log), "entry", "entries")
    lines = [
        f"{opened.name}: {opened.header.title or rules.title}",
        *(f"{player.name}: {_who(player)}" for player in opened.header.players),
        f"begun {opened.header.created or 'at no recorded time'}",
        f"{entries}, {len(opened.log.line())} in the line that is played",
        *(line.text for line in said),
        *(f"{texts.statistic(name)}: {', '.join(map(str, n))}" for name, n in statistics.items()),
        *opened.remarks,
    ]
    say(*lines)


def _who(player: SeatPlayer) -> str:
    return f"computer, {player.bot}" if player.bot else "person"
