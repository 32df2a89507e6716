"""A game as text: notation with results, or JSON lines."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.archive import Opened
from engine.core.codec import encode_json, plain
from engine.core.feed import RedactedEvent, changes
from engine.core.ids import REFEREE, Viewer, viewer_name
from engine.core.log import AnyEntry
from engine.core.notation import write
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.core.scenarios import names_in
from engine.tabletop.board import condensed
from engine.tabletop.presenter import presenter_of


def as_text(opened: Opened, viewer: Viewer = REFEREE) -> Iterator[str]:
    """The line of the game that is played, a command a line and its results below it.

    The referee reads everything; a seat reads what it was told, without numbers of entries.

    Raises:
        BrokenLog: an event cannot be applied.
    """
    rules = find(opened.header.ruleset)
    presenter = presenter_of(rules)
    known = names_in(rules, opened.log)
    seated = {p.seat: p.name for p in opened.header.players}
    names = seated | {seat: known[seat] for seat in seated if 0 <= seat < len(known)}
    yield f"# {opened.header.title or rules.title}"
    for seat, name in names.items():
        yield f"# {name}: {_sits(opened, seat)}"
    for entry, events in _told(opened, rules, viewer):
        if entry.command is not None and viewer in (REFEREE, entry.seat):
            number = f"{entry.seq} " if viewer == REFEREE else ""
            who = names.get(entry.seat, viewer_name(entry.seat))
            yield f"{number}{who}: {write(entry.command)}"
        told = [line for known in events for line in presenter.tell(known.event, known.after)]
        for line in condensed(told):
            yield f"    {line.text}"


def as_json(opened: Opened, viewer: Viewer = REFEREE) -> Iterator[str]:
    """The same as JSON lines: whole entries for the referee, events for a seat."""
    rules = find(opened.header.ruleset)
    if viewer == REFEREE:
        for entry in opened.log.line():
            yield encode_json(entry).decode()
        return
    count = 0
    for entry, events in _told(opened, rules, viewer):
        if not events:
            continue
        told: dict[str, object] = {
            "count": count,
            "events": [plain(known.event) for known in events],
        }
        if entry.seat == viewer and entry.command is not None:
            told["command"] = plain(entry.command)
        yield encode_json(told).decode()
        count += 1


def _told(
    opened: Opened, rules: AnyRuleset, viewer: Viewer
) -> Iterator[tuple[AnyEntry, tuple[RedactedEvent, ...]]]:
    """Each entry with its events as the viewer was told them."""
    line = opened.log.line()
    for entry, change in zip(line, changes(rules, line), strict=True):
        yield entry, change.events(viewer)


def _sits(opened: Opened, seat: int) -> str:
    player = next(player for player in opened.header.players if player.seat == seat)
    return f"computer, {player.bot}" if player.bot else player.name
