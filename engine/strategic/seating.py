"""Seats of a scenario: how many can play it, and its form with fewer sides or computers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, TypeVar

from engine.core.options import Option
from engine.core.record import Record, replace
from engine.strategic.pieces import NOBODY
from engine.strategic.scenario_checks import Span

S = TypeVar("S", bound=Record)

_ROOM: Final = 400
"""Tiles of a new map for each side."""


def options_of(
    scene: Any, options: Sequence[Option], of_new_maps: Collection[str]
) -> tuple[Option, ...]:
    """Options of a scenario: those of new maps only where it has one, with its numbers."""
    if scene.new is None:
        return tuple(option for option in options if option.name not in of_new_maps)
    return tuple(
        replace(option, default=getattr(scene.new, option.name.removeprefix("map_"), None))
        if option.name in of_new_maps
        else option
        for option in options
    )


def seat_range(scene: Any, sides: Span) -> Span:
    """Least and greatest number of players; in mid-game exactly its sides."""
    least, most = sides
    if scene.new is not None:
        return least, max(least, min(most, scene.new.width * scene.new.height // _ROOM))
    return (len(scene.sides) if scene.now else least), len(scene.sides)


def default_seats(scene: Any, sides: Span) -> int:
    """Default number of players of a scenario."""
    least, most = seat_range(scene, sides)
    meant = scene.meant_for or most if scene.new is None else scene.new.sides
    return min(max(least, meant), most)


def with_seats(scene: S, seats: int, computers: Collection[int]) -> S:
    """The scenario for a number of sides: the last ones go, and what was theirs is nobody's.

    Sides that computers begin on are not human.
    """
    told: Any = scene
    if told.new is not None:
        people = tuple(number not in computers for number in range(seats))
        return replace(scene, new=replace(told.new, sides=seats, people=people))
    sides = tuple(
        replace(side, human=number not in computers)
        for number, side in enumerate(told.sides[:seats])
    )
    if seats >= len(told.sides):
        return replace(scene, sides=sides)
    kept = tuple(
        replace(
            city,
            owner=city.owner if city.owner < seats else NOBODY,
            original=city.original if (city.original or 0) < seats else None,
        )
        for city in told.cities
    )
    shorter = tuple(
        replace(side, stances=side.stances[:seats]) if side.stances else side for side in sides
    )
    items = tuple(
        item if item.side < seats or item.side == NOBODY else replace(item, side=NOBODY)
        for item in told.items
    )
    return replace(scene, sides=shorter, cities=kept, items=items)
