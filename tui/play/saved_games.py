"""Saved games as a screen lists them: filter, order, row, and the preview of a position."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.core import registry
from engine.core.archive import Archive, Opened, SaveFault, SaveInfo
from engine.core.ids import Seat, Viewer
from engine.core.registry import UnknownRuleset
from engine.core.replay import BrokenLog, Cursor, Keyframes
from engine.core.ruleset import AnyRuleset
from engine.core.soundness import position_faults
from engine.tabletop.board import Board, Line, Symbol
from engine.tabletop.new_game import player_name
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone
from tui.play.outcome import numbers
from tui.replay.viewers import viewers_of

ORDERS: Final[dict[str, Callable[[SaveInfo], Any]]] = {
    "last played": lambda info: (-info.modified, info.name),
    "name": lambda info: info.name.casefold(),
    "game": lambda info: (info.title.casefold(), -info.modified),
    "longest": lambda info: (-info.entries, info.name),
}
"""Orders of the list; the first is the default."""

NAME_WIDTH: Final = 27


def chosen(saves: Iterable[SaveInfo], order: str, words: str) -> tuple[SaveInfo, ...]:
    """Return the saves that contain every word of ``words``, sorted by ``ORDERS[order]``."""
    wanted = words.casefold().split()
    found = [info for info in saves if all(word in _text(info) for word in wanted)]
    return tuple(sorted(found, key=ORDERS[order]))


def _text(info: SaveInfo) -> str:
    people = (f"{player.name} {player.bot} {player_name(player.bot)}" for player in info.players)
    state = "damaged" if info.fault else ""
    return " ".join([info.name, info.title, info.ruleset, *people, state]).casefold()


def row(info: SaveInfo, now: datetime.datetime) -> str:
    """Return the row of a save: its name and when it was last played."""
    return (
        f"{shortened(info.name):<{NAME_WIDTH}} {'damaged' if info.fault else played(info, now):>13}"
    )


def shortened(name: str) -> str:
    """Return the name of a save, cut to the columns that lists have for it."""
    return name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 2] + ".."


def played(info: SaveInfo, now: datetime.datetime) -> str:
    """Return the time at which a save was last played, in a few words."""
    when = datetime.datetime.fromtimestamp(info.modified, now.tzinfo)
    days = (now.date() - when.date()).days
    if days == 0:
        return f"today {when:%H:%M}"
    if days == 1:
        return f"yest. {when:%H:%M}"
    return f"{when:%Y-%m-%d}"


def people(info: SaveInfo) -> str:
    """Return the players of a save in a line: ``Dailor: easy, Eldoin: person``."""
    return ", ".join(f"{player.name}: {player_name(player.bot)}" for player in info.players)


# -- previews --------------------------------------------------------------------------------------


SLICE: Final = 100
"""Number of entries that are folded before other tasks run."""

_BESIDE: Final = 31
"""Columns for numbers beside the list of saves in a window of 80."""


@dataclass(frozen=True)
class Preview:
    """Position as a list shows it."""

    symbols: Sequence[Symbol] = ()
    board: Board | None = None
    lines: tuple[Line, ...] = ()
    damaged: bool = False
    """True if the save cannot be read without a repair."""


async def look_into(archive: Archive, name: str) -> Preview:
    """Return the position of a save, or the reason why it cannot be shown."""
    try:
        rules, opened, state = await _position(archive, name)
        with position_faults(opened.log):
            return _shown(rules, opened, state)
    except SaveFault as fault:
        lines = (Line(str(fault), Tone.BAD), Line("Enter: try to repair it.", Tone.QUIET))
        return Preview(lines=lines, damaged=True)
    except (UnknownRuleset, BrokenLog) as fault:
        return Preview(lines=(Line(str(fault), Tone.BAD),))


async def standing(archive: Archive, info: SaveInfo) -> tuple[str, ...]:
    """Return (round, whose move it is) of a save in words; () if it cannot be read."""
    try:
        await asyncio.to_thread(registry.find, info.ruleset)
        rules, opened, state = await _position(archive, info.name)
        with position_faults(opened.log):
            status = presenter_of(rules).status(rules.view(state, viewer_of(rules, opened, state)))
            return status.round_text, _to_move(opened, rules.owes(state), over=status.over)
    except (SaveFault, UnknownRuleset, BrokenLog):
        return ()


def _to_move(opened: Opened, owing: Iterable[Seat], *, over: bool) -> str:
    """Return in words who must move; "your" if there is only one person in the game."""
    if over:
        return "over"
    players = [player for player in opened.header.players if player.seat in set(owing)]
    people = [player.name for player in players if not player.bot]
    if not people:
        return f"{players[0].name} is moving" if players else "nobody's move"
    alone = sum(not player.bot for player in opened.header.players) == 1
    return "your move" if alone else f"{people[0]}'s move"


async def _position(archive: Archive, name: str) -> tuple[AnyRuleset, Opened, Any]:
    """Return the rules of a save, its log, and the state after its last entry.

    Raises:
        SaveFault: it cannot be read.
        UnknownRuleset: its game is not installed.
        BrokenLog: an event cannot be applied.
    """
    opened = await asyncio.to_thread(archive.read, name)
    rules = registry.find(opened.header.ruleset)
    keyframes: Keyframes[Any] = Keyframes()
    keyframes.states.update(archive.keyframes(opened, rules.state_type))
    cursor = Cursor(rules, opened.log.line(), keyframes)
    for index in _stops(cursor):
        cursor.seek(index)
        await asyncio.sleep(0)
    return rules, opened, cursor.state


def _stops(cursor: Cursor[Any, Any, Any]) -> Iterator[int]:
    """Yield the entries at which folding pauses, from the last keyframe to the end."""
    last = len(cursor.line) - 1
    known = cursor.keyframes.states
    start = next((at for at in range(last, -1, -1) if cursor.line[at].seq in known), 0)
    yield from range(start, last, SLICE)
    yield last


def viewer_of(rules: AnyRuleset, opened: Opened, state: object) -> Viewer:
    """Return the viewer for the owner of a save, who must not see the secrets of others."""
    secret = rules.traits.hidden and rules.outcome(state) is None
    return viewers_of(opened, secret=secret)[0]


def _shown(rules: AnyRuleset, opened: Opened, state: object) -> Preview:
    presenter = presenter_of(rules)
    view = rules.view(state, viewer_of(rules, opened, state))
    status = presenter.status(view)
    lines = [Line(status.text, Tone.STRONG)]
    if not status.over:
        names = {player.seat: player for player in opened.header.players}
        owing = [names[seat] for seat in sorted(rules.owes(state)) if seat in names]
        if not all(player.name in status.text for player in owing):
            turn = ", ".join(player.name for player in owing)
            lines.append(Line(f"To act: {turn}", seat=owing[0].seat))
    known = presenter.numbers(view)
    players, texts = opened.header.players, presenter.new_game
    lines += numbers(known, players, rules.outcome(state), _BESIDE, texts)
    lines += [Line(remark, Tone.BAD) for remark in opened.remarks]
    return Preview(presenter.symbols, presenter.board(view, presenter.zooms[0]), tuple(lines))
