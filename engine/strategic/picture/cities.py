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


def taken(scene: PictureContext, event: ev.CityTaken) -> Iterator[Line]:
    """Rules: W2-9.2."""
    city, winner = event.city, event.city.owner
    text = f"{side_name(scene, winner)} took {city.name} from {side_name(scene, event.loser)}"
    if event.loot:
        text += f" with {event.loot} gold"
    tone = mood(scene, winner, event.loser)
    yield say(scene, text, "capture", winner, at=(city.x, city.y), tone=tone)


def settled(scene: PictureContext, event: ev.CitySettled) -> Iterator[Line]:
    """Rules: W2-9.2."""
    city, side = event.city, side_name(scene, event.side)
    verb = {"occupy": "occupies", "pillage": "pillaged", "sack": "sacked"}[event.fate]
    text = f"{side} {verb} {city.name}"
    if event.gain:
        text += f" for {event.gain} gold"
    yield say(scene, text, "capture", event.side, at=(city.x, city.y))


def razed(scene: PictureContext, event: ev.CityRazed) -> Iterator[Line]:
    """Rules: W2-9.2."""
    city = event.city
    text = f"{side_name(scene, event.side)} razed {city.name} to the ground"
    at = city.x, city.y
    yield say(scene, text, "capture", event.side, at=at, tone=Tone.BAD)


def changed(scene: PictureContext, event: ev.CityChanged) -> Iterator[Line]:
    """Rules: W2-9.3, W2-9.5, W2-17."""
    city, at = event.city, (event.city.x, event.city.y)
    match event.what:
        case "produce" if city.making != NONE:
            what = type_name(scene, city.slots[city.making].type)
            text = f"{city.name} makes {what}, done in {many(city.left, 'turn')}"
            yield say(scene, text, "produce", city.owner, at=at, tone=Tone.QUIET)
        case "vector" if city.vector != NONE:
            text = f"Armies of {city.name} go to {city_name(scene, city.vector)}"
            yield say(scene, text, "vector", city.owner, at=at, tone=Tone.QUIET)
        case "vector":
            text = f"Armies of {city.name} stay there"
            yield say(scene, text, "vector", city.owner, at=at, tone=Tone.QUIET)
        case "name":
            text = f"A city of {side_name(scene, city.owner)} is called {city.name} now"
            yield say(scene, text, "command", city.owner, at=at, tone=Tone.QUIET)
        case _:
            text = f"{city.name} makes nothing now"
            yield say(scene, text, "produce", city.owner, at=at, tone=Tone.QUIET)


def bought(scene: PictureContext, event: ev.SlotBought) -> Iterator[Line]:
    """Rules: W2-9.4."""
    city = event.city
    what = type_name(scene, city.slots[event.slot].type)
    text = f"{city.name} has learned to make {what}"
    if city.owner == scene.viewer:
        text += f" for {event.price} gold, {event.gold} left"
    yield say(scene, text, "buy", city.owner, at=(city.x, city.y))


def counted(_scene: PictureContext, _event: ev.Counted) -> Iterator[Line]:
    """Nothing is said of turns that pass."""
    return iter(())


def made(scene: PictureContext, event: ev.ArmyMade) -> Iterator[Line]:
    """Rules: W2-9.3."""
    army = event.army
    text = f"{city_name(scene, event.city)} has made {army_name(scene, army)}"
    yield say(scene, text, "produce", army.owner, at=army.at, tone=mood(scene, army.owner))


def sent(scene: PictureContext, event: ev.ArmySent) -> Iterator[Line]:
    """Rules: W2-9.5."""
    way, army = event.transit, event.transit.army
    text = (
        f"{city_name(scene, event.city)} has made {army_name(scene, army)}, which are on their way"
        f" to {city_name(scene, way.target)}, there in round {way.due}"
    )
    yield say(scene, text, "vector", army.owner, at=_place(scene, event.city))


def turned_back(scene: PictureContext, event: ev.TransitsMoved) -> Iterator[Line]:
    """Rules: W2-9.5."""
    for way in event.transits:
        text = f"{army_name(scene, way.army)} found no place and turn back, home in round {way.due}"
        yield say(scene, text, "vector", way.army.owner, at=_place(scene, way.army.home))


def arrived(scene: PictureContext, event: ev.ArmyArrived) -> Iterator[Line]:
    """Rules: W2-9.5."""
    army = event.army
    text = f"{army_name(scene, army)} arrived at {where(scene, army.at)}"
    yield say(scene, text, "vector", army.owner, at=army.at, tone=mood(scene, army.owner))


def lost(scene: PictureContext, event: ev.TransitsLost) -> Iterator[Line]:
    """Rules: W2-9.2, W2-9.5."""
    text = f"{many(len(event.transits), 'army', 'armies')} on the way got lost"
    yield say(scene, text, "vector", scene.viewer if scene.is_player else NOBODY, tone=Tone.BAD)


_JOINING: Final = {
    "allies": "joined",
    "neutral": "stand guard for",
    "hero": "came to",
    "reward": "joined",
    "arrived": "arrived for",
}


def placed(scene: PictureContext, event: ev.ArmiesPlaced) -> Iterator[Line]:
    """Rules: W2-9.7, W2-10.5, W2-10.6."""
    owner, at = event.armies[0].owner, event.armies[0].at
    who = company(scene, event.armies)
    text = f"{who} {_JOINING[event.reason]} {side_name(scene, owner)} at {where(scene, at)}"
    topic: Topic = "neutral" if event.reason == "neutral" else "search"
    quiet = event.reason in {"neutral", "arrived"}
    tone = Tone.QUIET if quiet else mood(scene, owner)
    yield say(scene, text, topic, owner, at=at, tone=tone)


def freed(scene: PictureContext, event: ev.CitiesFreed) -> Iterator[Line]:
    """Rules: W2-13.1, W2-17."""
    names = joined([city.name for city in event.cities])
    verb = "belongs" if len(event.cities) == 1 else "belong"
    at = event.cities[0].x, event.cities[0].y
    yield say(scene, f"{names} {verb} to nobody now", "resign", at=at)


def _place(scene: PictureContext, number: int) -> tuple[int, int] | None:
    city: City | None = scene.world.cities.get(number)
    return (city.x, city.y) if city is not None else None
