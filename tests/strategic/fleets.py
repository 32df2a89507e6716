"""Three islands and the fleets between them: ships with armies aboard, riders, scouts, treaties.

It exercises switches without effect in shipped scenarios, where no side begins at sea: mixed
fleets, heroes that ride, groups guided through woods by a single army, and peace from the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.core.record import replace
from engine.kit.grid import Place
from engine.rulesets.warlords2.scene import CityPlaced, Map, Now, SidePlaced, SitePlaced
from engine.strategic.pieces import NOBODY, Army, Item
from tests.strategic.ground import (
    ARCHERS,
    BATS,
    CATAPULTS,
    DWARVES,
    HERO,
    LIGHT,
    NAVY,
    PEGASI,
    SCOUTS,
    army,
)

SIZE: Final = (20, 13)
_ISLANDS: Final = ((1, 1, 5, 11), (14, 1, 18, 11), (8, 3, 11, 9))
_CITIES: Final[tuple[tuple[int, int, str, int], ...]] = (
    *((2, 2, "Ashmouth", 0), (4, 9, "Brill", 0), (14, 2, "Corrin", 1), (16, 9, "Dunlow", 1)),
    *((8, 4, "Elsford", 2), (10, 7, "Ferny", NOBODY)),
)
_SITES: Final = ((2, 6, "the Well", "temple"), (17, 6, "the Cairn", "relic"), (8, 8, "Oak", "sage"))


def _rows() -> Iterator[str]:
    width, height = SIZE
    ground = {(x, y): _ground(x, y) for y in range(height) for x in range(width)}
    for (x, y), sign in list(ground.items()):
        near = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        if sign == "~" and any(ground.get(at, "~") not in "~w" for at in near):
            ground[x, y] = "w"
    for x, y, _, _ in _CITIES:
        ground |= {(x + dx, y + dy): "c" for dx in (0, 1) for dy in (0, 1)}
    ground |= {(x, y): "x" for x, y, _, _ in _SITES}
    yield from ("".join(ground[x, y] for x in range(width)) for y in range(height))


def _ground(x: int, y: int) -> str:
    on_land = any(left <= x <= right and top <= y <= low for left, top, right, low in _ISLANDS)
    return "..f.hfsm"[(3 * x + 5 * y) % 8] if on_land else "~"


def _stack(at: Place, owner: int, *kinds: int, aboard: bool = False) -> Iterator[Army]:
    """Yield a stack. If ``aboard``, all its armies are aboard except ships and flyers."""
    for kind in kinds:
        afloat = aboard and kind not in (NAVY, BATS, PEGASI)
        yield army(0, *at, kind, owner=owner, points=20 if afloat else 16, aboard=afloat)


def _numbered(stacks: Iterable[Iterable[Army]]) -> tuple[Army, ...]:
    every = (one for stack in stacks for one in stack)
    return tuple(replace(one, id=number) for number, one in enumerate(every, 1))


ARMIES: Final = _numbered(
    (
        _stack((6, 4), 0, NAVY, LIGHT, ARCHERS, aboard=True),
        _stack((7, 8), 0, NAVY, HERO, PEGASI, DWARVES, aboard=True),
        _stack((3, 6), 0, HERO, PEGASI),
        _stack((5, 5), 0, ARCHERS, LIGHT, SCOUTS),
        _stack((4, 9), 0, LIGHT),
        _stack((13, 5), 1, NAVY, LIGHT, CATAPULTS, aboard=True),
        _stack((12, 8), 1, NAVY, NAVY, BATS, aboard=True),
        _stack((16, 6), 1, HERO, BATS, DWARVES),
        _stack((14, 2), 1, LIGHT, LIGHT),
        _stack((8, 4), 2, HERO, PEGASI, ARCHERS),
        _stack((9, 8), 2, HERO, LIGHT),
        _stack((9, 10), 2, NAVY, LIGHT, aboard=True),
        _stack((10, 7), NOBODY, SCOUTS),
    )
)

FLEETS: Final = Map(
    name="fleets",
    title="Fleets",
    about="Three islands, and ships between them.",
    rows=tuple(_rows()),
    sides=(
        SidePlaced("Amber", (2, 2), gold=900),
        SidePlaced("Blue", (14, 2), gold=900),
        SidePlaced("Copper", (8, 4), gold=900),
    ),
    cities=tuple(
        CityPlaced(x=x, y=y, name=name, income=40, owner=owner, slots=("navy", "scouts", "pegasi"))
        for x, y, name, owner in _CITIES
    ),
    sites=tuple(SitePlaced(x=x, y=y, name=name, kind=kind) for x, y, name, kind in _SITES),
    items=(Item(0, "flight", 1, "Wings", "ground", x=3, y=6),),
    now=Now(
        order=(0, 1, 2),
        treaties=((0, 2, 0), (2, 0, 1), (0, 1, 0)),
        armies=ARMIES,
        next_id=len(ARMIES) + 1,
    ),
)
