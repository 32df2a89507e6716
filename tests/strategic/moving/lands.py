"""Random small positions for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.core.record import replace
from engine.kit.grid import Place
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import Terrain
from engine.strategic.pieces import NOBODY, Army
from tests.strategic.ground import (
    ARCHERS,
    BATS,
    DWARVES,
    HERO,
    LIGHT,
    NAVY,
    SCOUTS,
    army,
    city,
    world,
)

KINDS = (
    *((LIGHT,), (SCOUTS,), (ARCHERS, DWARVES), (ARCHERS, LIGHT), (BATS,), (NAVY,)),
    *((NAVY, BATS), (HERO, BATS), (NAVY, LIGHT), (NAVY, HERO, ARCHERS), (NAVY, LIGHT, BATS)),
)
"""Types of groups: on foot, in the air, at sea, and fleets with armies aboard and flyers."""

WATER = (Terrain.OCEAN, Terrain.SHORE)

options = st.builds(
    Options,
    cost_table=st.sampled_from(["seed", "classic"]),
    road_rule=st.sampled_from(["cap2", "cost1"]),
    zoc_penalty=st.sampled_from([0, 2, 5]),
    flying_step=st.sampled_from(["one", "cap2"]),
    group_ability=st.sampled_from(["all", "any"]),
    hero_rides_flyers=st.sampled_from(["on", "off"]),
    attack_step=st.sampled_from(["one", "terrain"]),
    hidden_map=st.sampled_from(["on", "off"]),
    diplomacy=st.sampled_from(["on", "off"]),
    radius_human_far=st.sampled_from([6, 20, 156]),
    intense_combat=st.sampled_from(["on", "off"]),
    bonus_cap=st.sampled_from([0, 5, 15]),
    novice_hero_shield=st.sampled_from(["on", "off"]),
    neutral_strength=st.sampled_from(["average", "strong", "active"]),
)


@st.composite
def lands(draw: st.DrawFn, size: int = 9) -> tuple[State, tuple[Army, ...]]:
    """Draw a position with a group of side 0, foes, neutrals, a third side and cities."""
    width, height = draw(st.integers(3, size)), draw(st.integers(3, size))
    row = st.text(alphabet="..#fhmsr=~~ww ", min_size=width, max_size=width)
    lines = draw(st.lists(row, min_size=height, max_size=height))
    spot = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    roads = draw(st.lists(spot, max_size=6))
    cities = []
    if width > 3 and height > 3 and draw(st.booleans()):
        x, y = draw(st.integers(0, width - 2)), draw(st.integers(0, height - 2))
        cities.append(city(0, x, y, draw(st.sampled_from([0, 1, NOBODY]))))
    taken = {tile: one.owner for one in cities for tile in one.tiles}
    start = draw(spot.filter(lambda at: taken.get(at, 0) == 0))
    kinds = draw(st.sampled_from(KINDS))
    afloat = draw(st.booleans())
    group = tuple(
        army(k + 1, *start, kind, points=draw(st.integers(0, 14))) for k, kind in enumerate(kinds)
    )
    others = []
    for number, at in enumerate(draw(st.lists(spot, max_size=4, unique=True)), 10):
        owner = draw(st.sampled_from([0, 1, 2, NOBODY]))
        if at != start and taken.get(at, owner) == owner:
            others.append(army(number, *at, owner=owner))
    chosen = draw(options)
    state = world(
        lines,
        armies=(*group, *others),
        cities=cities,
        roads=[at for at in roads if lines[at[1]][at[0]] in ".f="],
        sides=3,
        options=chosen,
        ports=tuple(draw(st.lists(spot, max_size=3, unique=True))),
        treaties=((0, 2, draw(st.sampled_from([0, 1, 2]))), (2, 0, 2), (2, 2, 0)),
    )
    if afloat and state.terrain[start[1], start[0]] in WATER:
        group = tuple(_at_sea(one) for one in group)
        state = replace(state, armies=state.armies.put(*group))
    return state, group


def _at_sea(one: Army) -> Army:
    """Return the army aboard, unless it is a boat or flies."""
    return one if one.type in (NAVY, BATS) else replace(one, aboard=True)


def places(state: State) -> list[Place]:
    """Return all tiles, row by row."""
    return [(x, y) for y in range(state.height) for x in range(state.width)]
