"""Events of cities: capture, production, purchases, armies sent from city to city."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.strategic import events as ev
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.style import Topic
from engine.strategic.picture.words import (
    army_name,
    city_name,
    company,
    joined,
    many,
    mood,
    say,
    side_name,
    type_name,
    where,
)
from engine.strategic.pieces import NOBODY, NONE, City
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone


def taken(context: PictureContext, event: ev.CityTaken) -> Iterator[Line]:
    """Rules: W2-9.2."""
    city, winner = event.city, event.city.owner
    text = f"{side_name(context, winner)} took {city.name} from {side_name(context, event.loser)}"
    if event.loot:
        text += f" with {event.loot} gold"
    tone = mood(context, winner, event.loser)
    yield say(context, text, "capture", winner, at=(city.x, city.y), tone=tone)


def settled(context: PictureContext, event: ev.CitySettled) -> Iterator[Line]:
    """Rules: W2-9.2."""
    city, side = event.city, side_name(context, event.side)
    verb = {"occupy": "occupies", "pillage": "pillaged", "sack": "sacked"}[event.fate]
    text = f"{side} {verb} {city.name}"
    if event.gain:
        text += f" for {event.gain} gold"
    yield say(context, text, "capture", event.side, at=(city.x, city.y))


def razed(context: PictureContext, event: ev.CityRazed) -> Iterator[Line]:
    """Rules: W2-9.2."""
    city = event.city
    text = f"{side_name(context, event.side)} razed {city.name} to the ground"
    at = city.x, city.y
    yield say(context, text, "capture", event.side, at=at, tone=Tone.BAD)


def changed(context: PictureContext, event: ev.CityChanged) -> Iterator[Line]:
    """Rules: W2-9.3, W2-9.5, W2-17."""
    city, at = event.city, (event.city.x, event.city.y)
    match event.what:
        case "produce" if city.making != NONE:
            what = type_name(context, city.slots[city.making].type)
            text = f"{city.name} makes {what}, done in {many(city.left, 'turn')}"
            yield say(context, text, "produce", city.owner, at=at, tone=Tone.QUIET)
        case "vector" if city.vector != NONE:
            text = f"Armies of {city.name} go to {city_name(context, city.vector)}"
            yield say(context, text, "vector", city.owner, at=at, tone=Tone.QUIET)
        case "vector":
            text = f"Armies of {city.name} stay there"
            yield say(context, text, "vector", city.owner, at=at, tone=Tone.QUIET)
        case "name":
            text = f"A city of {side_name(context, city.owner)} is called {city.name} now"
            yield say(context, text, "command", city.owner, at=at, tone=Tone.QUIET)
        case _:
            text = f"{city.name} makes nothing now"
            yield say(context, text, "produce", city.owner, at=at, tone=Tone.QUIET)


def bought(context: PictureContext, event: ev.SlotBought) -> Iterator[Line]:
    """Rules: W2-9.4."""
    city = event.city
    what = type_name(context, city.slots[event.slot].type)
    text = f"{city.name} has learned to make {what}"
    if city.owner == context.viewer:
        text += f" for {event.price} gold, {event.gold} left"
    yield say(context, text, "buy", city.owner, at=(city.x, city.y))


def counted(_context: PictureContext, _event: ev.Counted) -> Iterator[Line]:
    """Nothing is said of turns that pass."""
    return iter(())


def made(context: PictureContext, event: ev.ArmyMade) -> Iterator[Line]:
    """Rules: W2-9.3."""
    army = event.army
    text = f"{city_name(context, event.city)} has made {army_name(context, army)}"
    yield say(context, text, "produce", army.owner, at=army.at, tone=mood(context, army.owner))


def sent(context: PictureContext, event: ev.ArmySent) -> Iterator[Line]:
    """Rules: W2-9.5."""
    way, army = event.transit, event.transit.army
    text = (
        f"{city_name(context, event.city)} has made {army_name(context, army)}, which are on their"
        f" way to {city_name(context, way.target)}, there in round {way.due}"
    )
    yield say(context, text, "vector", army.owner, at=_place(context, event.city))


def turned_back(context: PictureContext, event: ev.TransitsMoved) -> Iterator[Line]:
    """Rules: W2-9.5."""
    for way in event.transits:
        text = (
            f"{army_name(context, way.army)} found no place and turn back, home in round {way.due}"
        )
        yield say(context, text, "vector", way.army.owner, at=_place(context, way.army.home))


def arrived(context: PictureContext, event: ev.ArmyArrived) -> Iterator[Line]:
    """Rules: W2-9.5."""
    army = event.army
    text = f"{army_name(context, army)} arrived at {where(context, army.at)}"
    yield say(context, text, "vector", army.owner, at=army.at, tone=mood(context, army.owner))


def lost(context: PictureContext, event: ev.TransitsLost) -> Iterator[Line]:
    """Rules: W2-9.2, W2-9.5."""
    text = f"{many(len(event.transits), 'army', 'armies')} on the way got lost"
    yield say(
        context, text, "vector", context.viewer if context.is_player else NOBODY, tone=Tone.BAD
    )


_JOINING: Final = {
    "allies": "joined",
    "neutral": "stand guard for",
    "hero": "came to",
    "reward": "joined",
    "arrived": "arrived for",
}


def placed(context: PictureContext, event: ev.ArmiesPlaced) -> Iterator[Line]:
    """Rules: W2-9.7, W2-10.5, W2-10.6."""
    owner, at = event.armies[0].owner, event.armies[0].at
    who = company(context, event.armies)
    text = f"{who} {_JOINING[event.reason]} {side_name(context, owner)} at {where(context, at)}"
    topic: Topic = "neutral" if event.reason == "neutral" else "search"
    quiet = event.reason in {"neutral", "arrived"}
    tone = Tone.QUIET if quiet else mood(context, owner)
    yield say(context, text, topic, owner, at=at, tone=tone)


def freed(context: PictureContext, event: ev.CitiesFreed) -> Iterator[Line]:
    """Rules: W2-13.1, W2-17."""
    names = joined([city.name for city in event.cities])
    verb = "belongs" if len(event.cities) == 1 else "belong"
    at = event.cities[0].x, event.cities[0].y
    yield say(context, f"{names} {verb} to nobody now", "resign", at=at)


def _place(context: PictureContext, number: int) -> tuple[int, int] | None:
    city: City | None = context.world.cities.get(number)
    return (city.x, city.y) if city is not None else None
