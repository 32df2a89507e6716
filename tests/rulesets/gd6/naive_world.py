"""Records of the naive Movement Phase: plain dicts, and lookups in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias, TypedDict

HEALTH: Final = {"army": 1, "cavalry": 1, "heavy": 2, "spy": 0}

Borders: TypeAlias = dict[int, list[int]]
Edge: TypeAlias = tuple[int, int]


class Land(TypedDict):
    """A territory; ``owner`` is a seat or None."""

    owner: int | None
    loyalty: int
    units: dict[str, int]
    construct: str | None
    hq: bool
    wasteland: bool
    mines: int


class Order(TypedDict):
    """A move; its index in the seat's list is its priority."""

    path: list[int]
    unit: str
    count: int


class Unit(TypedDict):
    """One unit. ``at`` is None in transit; ``rank`` and ``path`` come from its order."""

    seat: int
    kind: str
    at: int | None
    rank: int
    path: list[int]
    wounds: int
    dead: bool


class World(TypedDict):
    """The whole position during the movement."""

    borders: Borders
    lands: dict[int, Land]
    units: list[Unit]
    log: list[dict[str, Any]]


class Result(TypedDict):
    """Outcome. ``lost`` omits zeros; ``refused`` has the codes by seat and index in the list."""

    lands: dict[int, Land]
    lost: dict[int, dict[str, int]]
    refused: dict[tuple[int, int], list[str]]
    reduced: dict[tuple[int, int], int]
    units: list[Unit]
    log: list[dict[str, Any]]


def kill_spies(units: list[Unit]) -> None:
    for unit in units:
        if HEALTH[unit["kind"]] == 0:
            unit["dead"] = True


def hit(line: list[Unit]) -> None:
    for unit in line:
        if not unit["dead"]:
            unit["wounds"] += 1
            unit["dead"] = unit["wounds"] >= HEALTH[unit["kind"]]
            return


def heal(world: World) -> None:
    for unit in world["units"]:
        unit["wounds"] = 0


def standing(world: World, place: int) -> list[Unit]:
    return [unit for unit in living(world["units"]) if unit["at"] == place]


def in_transit(world: World) -> list[Unit]:
    return [unit for unit in living(world["units"]) if unit["at"] is None]


def bound_for(world: World, place: int, step: int) -> list[Unit]:
    return [unit for unit in in_transit(world) if unit["path"][step] == place]


def edge_of(unit: Unit, step: int) -> Edge:
    return unit["path"][step - 1], unit["path"][step]


def living(units: Iterable[Unit]) -> list[Unit]:
    return [unit for unit in units if not unit["dead"]]


def seats_of(units: Iterable[Unit]) -> list[int]:
    return sorted({unit["seat"] for unit in units})


def count(units: Iterable[Unit]) -> dict[str, int]:
    found: dict[str, int] = {}
    for unit in units:
        found[unit["kind"]] = found.get(unit["kind"], 0) + 1
    return found


def by_seat(units: list[Unit]) -> dict[int, dict[str, int]]:
    return {seat: count(unit for unit in units if unit["seat"] == seat) for seat in seats_of(units)}
