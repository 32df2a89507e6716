"""What events cost, as rows of a table: armies, cities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.strategic import events as ev
from engine.strategic.picture.context import PictureContext, seat_of
from engine.strategic.picture.facts import facts
from engine.strategic.picture.style import Topic
from engine.strategic.picture.words import where
from engine.tabletop.board import NOBODY
from engine.tabletop.toll import Toll

_CAUSES: Final = {
    "disbanded": "disbanded",
    "guardian": "guardian",
    "side_out": "out of the game",
    "transit": "lost on the way",
    "resigned": "gave up",
}


_TOPICS: Final[dict[str, Topic]] = {"battle": "aftermath", "guardian": "search"}


def tolls(event: ev.AnyEvent, before: PictureContext, after: PictureContext) -> tuple[Toll, ...]:
    """What an event cost whom. Rules: W2-8.6, W2-9.2."""
    return tuple(row for row in _tolls(event, before, after) if row.seat != NOBODY)


def _tolls(event: ev.AnyEvent, before: PictureContext, after: PictureContext) -> Iterator[Toll]:
    match event:
        case ev.BattleFought():
            yield from _losses(event, before, after, "battle")
        case ev.ArmiesRemoved() if event.reason != "battle":
            yield from _losses(event, before, after, _CAUSES[event.reason])
        case ev.CityTaken():
            city, winner = event.city, seat_of(event.city.owner)
            rule, at = after.rule("capture"), (city.x, city.y)
            foe = winner if winner != seat_of(event.loser) else NOBODY
            yield Toll(seat_of(event.loser), city.name, "taken", 0, foe, city.name, at, rule)
        case ev.CityRazed():
            city = event.city
            rule, at = after.rule("capture"), (city.x, city.y)
            yield Toll(seat_of(event.side), city.name, "razed", 0, NOBODY, city.name, at, rule)
        case _:
            pass


def _losses(
    event: ev.AnyEvent, before: PictureContext, after: PictureContext, cause: str
) -> Iterator[Toll]:
    """The same as the facts of losses. Rules: W2-8.6."""
    topic: Topic = (
        "aftermath" if cause == "battle" else "search" if cause == "guardian" else "command"
    )
    for fact in facts(event, before, after):
        if fact.kind == "loss":
            count = fact.amount or 1
            what = f"{count} {fact.piece}" if count > 1 else fact.piece
            place = where(before, fact.at) if fact.at is not None else ""
            rule = after.rule(topic)
            yield Toll(fact.seat, what, cause, count, fact.other, place, fact.at, rule)
