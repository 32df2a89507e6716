"""Whether a map is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engine.core.ruleset import ScenarioFault
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.state import Land, World

_WIDEST: Final = 20_000
"""Map units of a canvas, across or down."""
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{3}")


def check_world(world: World) -> None:
    """Refuse a map that cannot be played or drawn. Rules: GD-MAP-3.

    Raises:
        ScenarioFault: with the place of the first fault.
    """
    for place, text in _faults(world):
        raise ScenarioFault(place, text, "GD-MAP-3")


def _faults(world: World) -> Iterator[tuple[str, str]]:
    most = numbers().most_territories.value
    if not 1 <= len(world.lands) <= most:
        yield "world.lands", f"there are {len(world.lands)} territories, not 1 to {most}"
        return
    if not (0 <= world.canvas[0] <= _WIDEST and 0 <= world.canvas[1] <= _WIDEST):
        yield "world.canvas", f"a canvas is at most {_WIDEST} units wide and high"
    for place, land in enumerate(world.lands):
        where = f"world.lands[{place}]"
        if land.id != place + 1:
            yield f"{where}.id", f"this is territory {place + 1}, not {land.id}"
        yield from _beside(world, land, f"{where}.neighbours")
        yield from _shape(world, land, f"{where}.polygon")
    yield from _pairs(world)
    for number, colour in enumerate(world.colours):
        if not _COLOUR.fullmatch(colour):
            yield f"world.colours[{number}]", f"{colour[:20]!r} is no colour such as #f80"


def _beside(world: World, land: Land, where: str) -> Iterator[tuple[str, str]]:
    known = range(1, len(world.lands) + 1)
    if list(land.neighbours) != sorted(set(land.neighbours)):
        yield where, "the neighbours are not in order, or one stands twice"
    for other in land.neighbours:
        if other not in known:
            yield where, f"there is no territory {other}"
        elif other == land.id:
            yield where, "a territory does not lie beside itself"
        elif land.id not in world.beside(other):
            yield where, f"{land.id} lies beside {other}, but {other} not beside {land.id}"


def _shape(world: World, land: Land, where: str) -> Iterator[tuple[str, str]]:
    if 0 < len(land.polygon) < 3:
        yield where, "a polygon has at least 3 points"
    width, height = world.canvas
    if any(not (0 <= x <= width and 0 <= y <= height) for x, y in land.polygon):
        yield where, f"a point is not on the canvas of {width} x {height}"


def _pairs(world: World) -> Iterator[tuple[str, str]]:
    known = range(1, len(world.lands) + 1)
    for name, pairs in (("sea_routes", world.sea_routes), ("seams", world.seams)):
        for one, other in pairs:
            if one not in known or other not in known:
                yield f"world.{name}", f"{one},{other} is no pair of territories"
            elif (other in world.beside(one)) is (name == "seams"):
                has = "a border" if name == "seams" else "no border"
                yield f"world.{name}", f"there is {has} between {one} and {other}"
    for pair in world.wrap_routes:
        if pair not in world.sea_routes:
            yield "world.wrap_routes", f"{pair[0]},{pair[1]} is no sea route"
    for at in world.sites:
        if at not in known:
            yield "world.sites", f"there is no territory {at}"
