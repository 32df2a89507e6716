"""Random small positions with moves for Hypothesis, chosen so that much happens at once.

Some positions have two rings of attacks that share an edge. Some are duels: two seats own all the
land and attack from everywhere, so that loops overlap. Others have hot spots that several seats
move to. The rest is drawn freely, including faulty orders.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st

from tests.rulesets.gd6.movement_cases import Problem, empty
from tests.rulesets.gd6.naive import SPEED
from tests.rulesets.gd6.naive_world import Borders, Edge, Land, Order

Pick = Callable[[int], int]
"""A function that returns a number from 0 up to, but not including, its argument."""

SHAPES: Final = (0, 1, 2, 2, 3)
"""Kinds of positions: free, one ring, two rings (twice as often), duel."""

CONSTRUCTS: Final = (None, None, None, "watchtower", "watchtower", "bivouac", "library")


@st.composite
def problems(
    draw: st.DrawFn, *, advanced: bool | None = None, loops: bool | None = None
) -> Problem:
    """Draw a position with moves of 2 to 6 seats.

    With ``advanced``, all types of units and mines occur; None draws it. With ``loops``, rings of
    attacks are built; None draws it.
    """

    def pick(choices: int) -> int:
        return draw(st.integers(0, choices - 1))

    shape = SHAPES[pick(len(SHAPES))] if loops is None else 2 * int(loops)
    duel, rings = shape == 3, shape % 3
    seats = 2 if duel else 2 + pick(5) if not rings else 3 + pick(4)
    deep = bool(pick(2)) if advanced is None else advanced
    numbers = draw(st.permutations(range(1, 4 + pick(6 if duel else 10))))
    attacks = _rings(pick, numbers, rings)
    borders = _graph(pick, numbers, attacks)
    lands = {place: _land(pick, seats, deep=deep, owned=duel) for place in borders}
    _own_rings(pick, lands, attacks, seats)
    found: Problem = {"borders": borders, "lands": lands, "orders": {}, "advanced": deep}
    _order_rings(pick, found, attacks)
    _order_freely(pick, found, calm=bool(attacks) and pick(3) > 0)
    return found


def _rings(pick: Pick, numbers: list[int], rings: int) -> list[list[int]]:
    """Return circles of territories; a second circle shares at least one edge with the first."""
    if not rings:
        return []
    first = numbers[: 2 + pick(min(4, len(numbers) - 1))]
    shared = 2 + pick(len(first) - 1)
    least = 1 + int(shared == len(first))
    count = max(least, len(first) - shared) if pick(2) else least + pick(2)
    fresh = numbers[len(first) :][:count]
    if rings == 1 or len(fresh) < least:
        return [first]
    return [first, [*first[:shared], *fresh]]


def _edges(ring: list[int]) -> list[Edge]:
    return list(zip(ring, ring[1:] + ring[:1], strict=True))


def _graph(pick: Pick, numbers: list[int], rings: list[list[int]]) -> Borders:
    """Return a connected graph with some extra borders."""
    edges = {edge for ring in rings for edge in _edges(ring)}
    for at, place in enumerate(numbers[1:], 1):
        if not any(place in edge for edge in edges):
            edges.add((place, numbers[pick(at)]))
    for _ in range(pick(len(numbers))):
        here, there = numbers[pick(len(numbers))], numbers[pick(len(numbers))]
        if here != there:
            edges.add((here, there))
    edges |= {(there, here) for here, there in edges}
    return {
        place: sorted(there for here, there in edges if here == place) for place in sorted(numbers)
    }


def _land(pick: Pick, seats: int, *, deep: bool, owned: bool) -> Land:
    land = empty()
    kind = 4 if owned else pick(8)
    land["construct"] = CONSTRUCTS[pick(len(CONSTRUCTS))]
    if deep and pick(4) == 0:
        land["mines"] = 1 + pick(3)
    if kind < 3:
        return land
    land["owner"] = pick(seats)
    land["loyalty"] = pick(4)
    land["wasteland"] = pick(8) == 7
    if kind > 3:
        _man(pick, land, deep=deep)
    return land


def _man(pick: Pick, land: Land, *, deep: bool) -> None:
    """Place units on a territory, mostly armies, sometimes more than an invasion penalty kills."""
    land["units"]["army"] = 1 + pick(4) + pick(8)
    if deep:
        for unit in ("cavalry", "heavy", "spy"):
            count = pick(8) - 4
            if count > 0:
                land["units"][unit] = count


def _own_rings(pick: Pick, lands: dict[int, Land], rings: list[list[int]], seats: int) -> None:
    """Give neighbours in a circle to different seats, and attackers of one land to the same."""
    for number, ring in enumerate(rings):
        for at, place in enumerate(ring):
            if number and place in rings[0]:
                continue
            beside = {lands[ring[at - 1]]["owner"]}
            if at == len(ring) - 1:
                beside.add(lands[ring[0]]["owner"])
            owner: int | None = pick(seats)
            if number and at == len(ring) - 1:
                owner = lands[rings[0][-1]]["owner"]
            elif owner in beside:
                owner = next((seat for seat in range(seats) if seat not in beside), None)
            lands[place]["owner"] = owner
            if owner is None:
                lands[place]["units"] = {}
            elif not lands[place]["units"]:
                lands[place]["units"]["army"] = 2 + pick(8)


def _order_rings(pick: Pick, found: Problem, rings: list[list[int]]) -> None:
    edges = list(dict.fromkeys(edge for ring in rings for edge in _edges(ring)))
    for edge in edges:
        land = found["lands"][edge[0]]
        if land["owner"] is not None and land["units"] and pick(8):
            ways = sum(1 for other in edges if other[0] == edge[0])
            count = max(1, land["units"].get("army", 0) // ways - pick(2))
            onward = [there for here, there in edges if here == edge[1] and pick(3) == 2]
            _give(pick, found, land["owner"], [*edge, *onward[:1]], "army", count)


def _order_freely(pick: Pick, found: Problem, *, calm: bool) -> None:
    """Add some moves of all seats with units; with ``calm`` only a few, to keep rings unbroken."""
    spots = sorted(found["borders"])
    hot = {spots[pick(len(spots))] for _ in range(1 + pick(2))}
    for place, land in found["lands"].items():
        for unit, there in land["units"].items():
            if land["owner"] is None or (calm and pick(8)):
                continue
            for _ in range(1 + pick(2)):
                path = _path(pick, found["borders"], place, hot, SPEED[unit])
                _give(pick, found, land["owner"], path, unit, 1 + pick(there + 1))
    if pick(6) == 5:
        seat, place = pick(2), spots[pick(len(spots))]
        path = [place, *(spots[pick(len(spots))] for _ in range(pick(5)))]
        _give(pick, found, seat, path, "army" if pick(3) else "heavy", pick(4) - 1)


def _path(pick: Pick, borders: Borders, start: int, hot: set[int], speed: int) -> list[int]:
    path = [start]
    for _ in range(1 + pick(speed)):
        beside = borders[path[-1]]
        drawn_to = [place for place in beside if place in hot]
        choices = drawn_to if drawn_to and pick(2) else beside
        path.append(choices[pick(len(choices))])
    return path


def _give(pick: Pick, found: Problem, seat: int, path: list[int], unit: str, count: int) -> None:
    """Insert an order at a random index of a seat's list."""
    orders = found["orders"].setdefault(seat, [])
    orders.insert(pick(len(orders) + 1), Order(path=path, unit=unit, count=count))
