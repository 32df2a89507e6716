"""A second implementation of the Movement Phase, as simple as possible, to check the engine.

It was written from the rule book alone (7.5, 7.6, 8, 12.1, 12.3 to 12.6) and works on plain dicts:
every unit is a separate dict that is hit and moved alone, and every stage inspects every territory.
Nothing here is fast or clever, and nothing is shared with the engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from itertools import pairwise
from typing import Final

from tests.rulesets.gd6.naive_world import (
    HEALTH,
    Borders,
    Edge,
    Land,
    Order,
    Result,
    Unit,
    World,
    bound_for,
    by_seat,
    count,
    edge_of,
    heal,
    hit,
    in_transit,
    kill_spies,
    living,
    seats_of,
    standing,
)

SPEED: Final = {"army": 2, "cavalry": 4, "heavy": 1, "spy": 1}
LINE_UP: Final = ["spy", "heavy", "army", "cavalry"]
PENALTY: Final = 2
TOWER: Final = 2


def resolve(
    borders: Borders,
    lands: dict[int, Land],
    orders: dict[int, list[Order]],
    *,
    advanced: bool = False,
) -> Result:
    """Execute all moves of the phase (section 8.9); the arguments are not changed."""
    world: World = {
        "borders": borders,
        "lands": deepcopy(lands),
        "units": _units_of(lands),
        "log": [],
    }
    refused, reduced = _bind(world, orders, advanced=advanced)
    steps = max((len(unit["path"]) - 1 for unit in world["units"]), default=0)
    for step in range(1, steps + 1):
        _lift_off(world, step)
        _peaceful_arrivals(world, step)
        _target_skirmishes(world, step)
        _loop_skirmishes(world, step)
        _invasions(world, step)
    return {
        "lands": _with_units(world),
        "lost": _lost(world),
        "refused": refused,
        "reduced": reduced,
        "units": world["units"],
        "log": world["log"],
    }


def _units_of(lands: dict[int, Land]) -> list[Unit]:
    units: list[Unit] = []
    for place, land in sorted(lands.items()):
        for kind, number in land["units"].items():
            for _ in range(number):
                assert land["owner"] is not None, "neutral land holds no units"
                units.append(
                    {
                        "seat": land["owner"],
                        "kind": kind,
                        "at": place,
                        "rank": -1,
                        "path": [],
                        "wounds": 0,
                        "dead": False,
                    }
                )
    return units


def _with_units(world: World) -> dict[int, Land]:
    for place, land in world["lands"].items():
        land["units"] = {}
        for unit in standing(world, place):
            assert unit["seat"] == land["owner"]
            land["units"][unit["kind"]] = land["units"].get(unit["kind"], 0) + 1
    return world["lands"]


def _lost(world: World) -> dict[int, dict[str, int]]:
    lost: dict[int, dict[str, int]] = {}
    for unit in world["units"]:
        if unit["dead"]:
            of_seat = lost.setdefault(unit["seat"], {})
            of_seat[unit["kind"]] = of_seat.get(unit["kind"], 0) + 1
    return lost


# Orders: 7.4, 7.5, 7.6


def reasons(
    borders: Borders, lands: dict[int, Land], seat: int, order: Order, *, advanced: bool
) -> list[str]:
    """Return the reasons to refuse a move (table of 7.4), except a lack of units."""
    path = order["path"]
    if not path or any(place not in borders for place in path):
        return ["unknown_territory" if path else "malformed_order"]
    if order["unit"] != "army" and not advanced:
        return ["variant_not_enabled"]
    found = []
    if lands[path[0]]["owner"] != seat:
        found.append("origin_not_owned")
    if order["count"] < 1:
        found.append("move_bad_count")
    if len(path) < 2 or len(path) > SPEED[order["unit"]] + 1:
        found.append("path_bad_length")
    if any(after not in borders[before] for before, after in pairwise(path)):
        found.append("path_not_connected")
    return found


def _bind(
    world: World, orders: dict[int, list[Order]], *, advanced: bool
) -> tuple[dict[tuple[int, int], list[str]], dict[tuple[int, int], int]]:
    refused: dict[tuple[int, int], list[str]] = {}
    reduced: dict[tuple[int, int], int] = {}
    for seat, listed in orders.items():
        for rank, order in enumerate(listed):
            why = reasons(world["borders"], world["lands"], seat, order, advanced=advanced)
            if why:
                refused[seat, rank] = why
                continue
            bound = 0
            for unit in world["units"]:
                if (
                    bound < order["count"]
                    and unit["at"] == order["path"][0]
                    and unit["kind"] == order["unit"]
                    and unit["path"] == []
                ):
                    unit["path"] = order["path"]
                    unit["rank"] = rank
                    bound += 1
            if bound == 0:
                refused[seat, rank] = ["insufficient_units"]
            elif bound < order["count"]:
                reduced[seat, rank] = bound
    return refused, reduced


# The stages of a step: 8.2 to 8.6


def _lift_off(world: World, step: int) -> None:
    for unit in [unit for unit in living(world["units"]) if len(unit["path"]) > step]:
        assert unit["at"] == unit["path"][step - 1]
        unit["at"] = None
    world["log"].append({"what": "step", "step": step})


def _peaceful_arrivals(world: World, step: int) -> None:
    for place, land in sorted(world["lands"].items()):
        owner = land["owner"]
        bound = bound_for(world, place, step)
        for unit in bound:
            if unit["seat"] == owner:
                unit["at"] = place
        foreign = [unit for unit in bound if unit["seat"] != owner]
        if owner is None and len(seats_of(foreign)) == 1:
            _claim(world, place, foreign)


def _target_skirmishes(world: World, step: int) -> None:
    for place, land in sorted(world["lands"].items()):
        bound = bound_for(world, place, step)
        if len(seats_of(bound)) >= 2:
            _skirmish(world, "target", (place,), bound)
            if land["owner"] is None:
                _claim(world, place, bound_for(world, place, step))


def _loop_skirmishes(world: World, step: int) -> None:
    world["log"].append({"what": "attacks", "edges": _attacks(world, step)})
    while loop := first_loop(edge for _, edge in _attacks(world, step)):
        round_it = set(zip(loop, loop[1:] + loop[:1], strict=True))
        in_loop = [unit for unit in in_transit(world) if edge_of(unit, step) in round_it]
        _skirmish(world, "loop", loop, in_loop)
    world["log"].append({"what": "no loops", "edges": _attacks(world, step)})


def _invasions(world: World, step: int) -> None:
    targets = [place for place in sorted(world["lands"]) if bound_for(world, place, step)]
    informed = {place: _has_intelligence(world, place, step) for place in targets}
    for place in targets:
        _invade(world, place, step, informed=informed[place])


def _invade(world: World, place: int, step: int, *, informed: bool) -> None:
    land = world["lands"][place]
    attack = bound_for(world, place, step)
    defence = standing(world, place)
    entry = {"what": "invasion", "at": place, "seat": attack[0]["seat"], "sent": count(attack)}
    kill_spies(attack)
    line = sorted(living(attack), key=lambda unit: unit["rank"])
    if not informed:
        for _ in range(PENALTY):
            hit(line)
    _explode(land, line)
    if land["construct"] == "watchtower":
        suffered = 0
        while suffered < TOWER and living(line):
            hit(line)
            suffered += 1
        if suffered == TOWER:
            land["construct"] = None
    if living(line):
        kill_spies(defence)
        wall = sorted(living(defence), key=lambda unit: _place_in_defence(unit, step))
        while living(line) and living(wall):
            hit(line)
            hit(wall)
        if not living(wall):
            _neutralise(land)
            _settle(world, place, living(line))
    heal(world)
    world["log"].append({**entry, "landed": count(living(line)), "owner": land["owner"]})


def _place_in_defence(unit: Unit, step: int) -> tuple[int, bool, int]:
    passing = len(unit["path"]) - 1 > step
    return LINE_UP.index(unit["kind"]), passing, -unit["rank"]


def _has_intelligence(world: World, place: int, step: int) -> bool:
    for attacker in bound_for(world, place, step):
        seat, start = attacker["seat"], attacker["path"][step - 1]
        beside = [x for x in world["borders"][start] if world["lands"][x]["owner"] == seat]
        for spy in living(world["units"]):
            if spy["kind"] == "spy" and spy["seat"] == seat and spy["at"] in [start, *beside]:
                return True
    return False


# Skirmishes and loops: 8.4, 8.5


def _skirmish(world: World, kind: str, places: tuple[int, ...], units: list[Unit]) -> None:
    entry = {"what": kind, "places": places, "before": by_seat(units)}
    kill_spies(units)
    lines = [
        sorted((unit for unit in units if unit["seat"] == seat), key=lambda unit: unit["rank"])
        for seat in seats_of(units)
    ]
    while sum(1 for line in lines if living(line)) > 1:
        for line in lines:
            hit(line)
    heal(world)
    world["log"].append({**entry, "after": by_seat(living(units))})


def first_loop(edges: Iterable[Edge]) -> tuple[int, ...]:
    """Return the first of the shortest loops along edges, from its smallest index; () if none.

    All paths without a repeated place are extended edge by edge from every place.
    """
    known = set(edges)
    ways: list[tuple[int, ...]] = sorted({(start,) for start, _ in known})
    while ways:
        loops = [way for way in ways if (way[-1], way[0]) in known and min(way) == way[0]]
        if loops:
            return min(loops)
        ways = [
            (*way, end)
            for way in ways
            for start, end in known
            if start == way[-1] and end not in way
        ]
    return ()


def _attacks(world: World, step: int) -> list[tuple[int, Edge]]:
    return sorted({(unit["seat"], edge_of(unit, step)) for unit in in_transit(world)})


# Claiming, mines, hits: 8.8, 12.3 to 12.5


def _claim(world: World, place: int, units: list[Unit]) -> None:
    if units:
        _explode(world["lands"][place], sorted(units, key=lambda unit: unit["rank"]))
        heal(world)
        _settle(world, place, living(units))


def _settle(world: World, place: int, units: list[Unit]) -> None:
    land = world["lands"][place]
    for unit in units:
        if land["owner"] != unit["seat"]:
            land["owner"] = unit["seat"]
            land["loyalty"] = 0
        unit["at"] = place
    if units:
        world["log"].append({"what": "claimed", "at": place, "seat": units[0]["seat"]})


def _neutralise(land: Land) -> None:
    land["owner"] = None
    land["loyalty"] = 0
    if land["construct"] == "bivouac":
        land["construct"] = None


def _explode(land: Land, line: list[Unit]) -> None:
    fighters = [unit for unit in line if HEALTH[unit["kind"]] > 0]
    while land["mines"] > 0 and living(fighters):
        land["mines"] -= 1
        hit(fighters)
