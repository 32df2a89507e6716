"""Cities: the lines to the places they send armies to, and the events of cities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kit.grid import Place
from engine.strategic import events as ev
from engine.strategic.picture.context import NARRATION, PictureContext, fact, facts, losses, tells
from engine.strategic.picture.words import gold, seat_of, verb
from engine.strategic.pieces import NOBODY, NONE, TO_FLAG, City
from engine.strategic.refusal import Topic
from engine.tabletop.board import NOBODY as NO_SEAT
from engine.tabletop.board import BoardMark, Line
from engine.tabletop.english import joined, many
from engine.tabletop.fact import Fact, LossRow
from engine.tabletop.narration import mood
from engine.tabletop.roles import MarkSign, Tone

# -- vectors ---------------------------------------------------------------------------------------


def vector_line(context: PictureContext, city: City) -> Iterator[BoardMark]:
    """Yield the marks of the line from a city to the destination of its new armies."""
    target = vector_end(context, city.owner, city.vector)
    if target is None:
        return
    (x1, y1), (x2, y2) = (city.x, city.y), target
    steps = max(abs(x2 - x1), abs(y2 - y1))
    for step in range(1, steps):
        x = x1 + (2 * step * (x2 - x1) + steps) // (2 * steps)
        y = y1 + (2 * step * (y2 - y1) + steps) // (2 * steps)
        yield BoardMark(x, y, MarkSign.PATH, ":")
    yield BoardMark(x2, y2, MarkSign.TARGET)


def vector_end(context: PictureContext, side: int, target: int) -> Place | None:
    """Return the tile of a target city or of the side's rally flag; None if it does not exist."""
    if target == TO_FLAG:
        row = context.world.sides.get(side)
        return row.flag if row is not None else None
    return city_place(context, target)


def city_place(context: PictureContext, city: int) -> Place | None:
    """Return the first tile of a city by its id, or None if the id is unknown."""
    row = context.world.cities.get(city)
    return (row.x, row.y) if row is not None else None


def heart(context: PictureContext, city: City) -> Place:
    """Return the tile of a city with armies that can act, else one with armies, else its first."""
    tiles = (city.x, city.y), *city.tiles
    manned = [at for at in tiles if at in context.stacks]
    ready = (at for at in manned if at in context.movers)
    return next(ready, manned[0] if manned else tiles[0])


# -- events ----------------------------------------------------------------------------------------


@tells(ev.CityTaken)
def _tell_taken(event: ev.CityTaken, context: PictureContext) -> Iterator[Line]:
    city, winner = event.city, event.city.owner
    text = f"{context.side_name(winner)} takes {city.name} from {context.side_name(event.loser)}"
    if event.loot:
        loser = context.side_name(event.loser)
        text += f" and gains {gold(event.loot)}; {loser} loses {2 * event.loot:,}"
        left = dict(event.gold).get(context.viewer)
        text += f" and has {left:,} left" if event.loser == context.viewer and left else ""
    tone = mood(context, winner, event.loser)
    yield context.say(text, "capture", winner, at=(city.x, city.y), tone=tone)


@facts(ev.CityTaken)
def _taken_facts(event: ev.CityTaken, *_: PictureContext) -> Iterator[Fact]:
    city = event.city
    at = city.x, city.y
    winner, loser = seat_of(city.owner), seat_of(event.loser)
    yield Fact("capture", winner, loser, at=at, target=city.name, amount=event.loot or None)


@losses(ev.CityTaken)
def _taken_losses(
    event: ev.CityTaken, _: PictureContext, after: PictureContext
) -> Iterator[LossRow]:
    city, loser, winner = event.city, seat_of(event.loser), seat_of(event.city.owner)
    rule, at = after.rule("capture"), (city.x, city.y)
    foe = winner if winner != loser else NO_SEAT
    yield LossRow(loser, city.name, "taken", 0, foe, city.name, at, rule)


@tells(ev.CitySettled)
def _tell_settled(event: ev.CitySettled, context: PictureContext) -> Iterator[Line]:
    city, side = event.city, context.side_name(event.side)
    does = {"occupy": "occupies", "pillage": "pillages", "sack": "sacks"}[event.fate]
    text = f"{side} {does} {city.name}"
    if event.gain:
        text += f" for {gold(event.gain)}"
    yield context.say(text, "capture", event.side, at=(city.x, city.y))


@tells(ev.CityRazed)
def _tell_razed(event: ev.CityRazed, context: PictureContext) -> Iterator[Line]:
    city = event.city
    text = f"{context.side_name(event.side)} razes {city.name} to the ground"
    at = city.x, city.y
    yield context.say(text, "capture", event.side, at=at, tone=Tone.BAD)


@facts(ev.CityRazed)
def _razed_facts(event: ev.CityRazed, before: PictureContext, _: PictureContext) -> Iterator[Fact]:
    city = event.city
    owner = before.world.cities[city.id].owner if city.id in before.world.cities else NONE
    other = seat_of(owner) if owner not in {NONE, event.side} else NO_SEAT
    seat = seat_of(event.side)
    yield Fact("capture", seat, other, at=(city.x, city.y), target=f"{city.name} (razed)")


@losses(ev.CityRazed)
def _razed_losses(
    event: ev.CityRazed, _: PictureContext, after: PictureContext
) -> Iterator[LossRow]:
    city, rule = event.city, after.rule("capture")
    at, seat = (city.x, city.y), seat_of(event.side)
    yield LossRow(seat, city.name, "razed", 0, NO_SEAT, city.name, at, rule)


@tells(ev.CityChanged)
def _tell_changed(event: ev.CityChanged, context: PictureContext) -> Iterator[Line]:
    city = event.city
    topic: Topic
    match event.what:
        case "produce" if city.making != NONE:
            what = context.type_name(city.slots[city.making].type)
            topic, text = "produce", f"{city.name} starts {what}: {many(city.left, 'turn')}"
        case "vector" if city.vector != NONE:
            target = context.city_name(city.vector)
            topic, text = "vector", f"{city.name} sends its armies to {target}"
        case "vector":
            topic, text = "vector", f"{city.name} keeps its armies"
        case "name":
            topic, text = "command", f"{context.side_name(city.owner)} names a city {city.name}"
        case _:
            topic, text = "produce", f"{city.name} stops production"
    yield context.say(text, topic, city.owner, at=(city.x, city.y), tone=Tone.QUIET)


@tells(ev.SlotBought)
def _tell_bought(event: ev.SlotBought, context: PictureContext) -> Iterator[Line]:
    city = event.city
    if event.slot == NONE:
        text = f"{city.name} is harder to take now"
        yield context.say(text, "buy", city.owner, at=(city.x, city.y))
        return
    what = context.type_name(city.slots[event.slot].type)
    text = f"{city.name} can make {what} now"
    if city.owner == context.viewer:
        text += f": {gold(event.price)} paid, {event.gold:,} left"
    yield context.say(text, "buy", city.owner, at=(city.x, city.y))


@facts(ev.SlotBought)
def _built_facts(event: ev.SlotBought, _: PictureContext, after: PictureContext) -> Iterator[Fact]:
    city = event.city
    if event.slot == NONE:
        return
    target = f"{after.type_name(city.slots[event.slot].type)} in {city.name}"
    seat, at = seat_of(city.owner), (city.x, city.y)
    yield Fact("work", seat, at=at, target=target, amount=event.price)


NARRATION.silent(ev.Counted)


@tells(ev.ArmyMade)
def _tell_made(event: ev.ArmyMade, context: PictureContext) -> Iterator[Line]:
    army = event.army
    text = f"{context.city_name(event.city)} completes {context.company((army,))}"
    yield context.say(text, "produce", army.owner, at=army.at, tone=mood(context, army.owner))


@facts(ev.ArmyMade, ev.ArmyArrived)
def _made_facts(
    event: ev.ArmyMade | ev.ArmyArrived, _: PictureContext, after: PictureContext
) -> Iterator[Fact]:
    army = event.army
    seat = seat_of(army.owner)
    yield Fact("work", seat, at=army.at, target=after.army_name(army), amount=1)


@tells(ev.ArmySent)
def _tell_sent(event: ev.ArmySent, context: PictureContext) -> Iterator[Line]:
    way, army = event.transit, event.transit.army
    text = (
        f"{context.city_name(event.city)} sends {context.army_name(army)}"
        f" to {context.city_name(way.target)} (round {way.due})"
    )
    yield context.say(text, "vector", army.owner, at=city_place(context, event.city))


@tells(ev.TransitsMoved)
def _tell_turned_back(event: ev.TransitsMoved, context: PictureContext) -> Iterator[Line]:
    for way in event.transits:
        text = f"{context.army_name(way.army)} find no room and turn back (round {way.due})"
        yield context.say(text, "vector", way.army.owner, at=city_place(context, way.army.home))


@tells(ev.ArmyArrived)
def _tell_arrived(event: ev.ArmyArrived, context: PictureContext) -> Iterator[Line]:
    army = event.army
    arrives = verb([army], "arrives", "arrive")
    text = f"{context.army_name(army)} {arrives} {context.place(army.at)}"
    yield context.say(text, "vector", army.owner, at=army.at, tone=mood(context, army.owner))


@tells(ev.TransitsLost)
def _tell_lost(event: ev.TransitsLost, context: PictureContext) -> Iterator[Line]:
    lost = "is lost on its way" if len(event.transits) == 1 else "are lost on their way"
    text = f"{many(len(event.transits), 'army', 'armies')} {lost}"
    yield context.say(
        text, "vector", context.viewer if context.is_player else NOBODY, tone=Tone.BAD
    )


_JOINING: Final = {
    "allies": ("joins", "join"),
    "neutral": ("stands guard for", "stand guard for"),
    "hero": ("joins", "join"),
    "reward": ("joins", "join"),
    "arrived": ("arrives for", "arrive for"),
}


@tells(ev.ArmiesPlaced)
def _tell_placed(event: ev.ArmiesPlaced, context: PictureContext) -> Iterator[Line]:
    owner, at = event.armies[0].owner, event.armies[0].at
    who = context.company(event.armies)
    joins = verb(event.armies, *_JOINING[event.reason])
    text = f"{who} {joins} {context.side_name(owner)} {context.place(at)}"
    topic: Topic = "neutral" if event.reason == "neutral" else "search"
    quiet = event.reason in {"neutral", "arrived"}
    tone = Tone.QUIET if quiet else mood(context, owner)
    yield context.say(text, topic, owner, at=at, tone=tone)


fact(ev.ArmiesPlaced, lambda event, _, after: after.work_fact(event.armies))


@tells(ev.CitiesFreed)
def _tell_freed(event: ev.CitiesFreed, context: PictureContext) -> Iterator[Line]:
    names = joined([city.name for city in event.cities])
    now = "is neutral now" if len(event.cities) == 1 else "are neutral now"
    at = event.cities[0].x, event.cities[0].y
    yield context.say(f"{names} {now}", "resign", at=at)
