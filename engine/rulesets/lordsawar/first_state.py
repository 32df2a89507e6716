"""The first state of a game, with everything drawn that its scenario leaves open.

The dice are thrown in this order: the secret of a hidden map, gold side by side, garrisons city by
city, then sites.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.core.containers import Plane
from engine.core.dice import Dice
from engine.core.record import replace
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import FIRST_OPINION, NO_PROPOSAL, State
from engine.strategic.cities import posted
from engine.strategic.decision import new_ids, roll
from engine.strategic.pieces import NOBODY, NONE, Army, City, Slot, side_bit
from engine.strategic.settings import RuleSettings
from engine.strategic.sight import square, surroundings
from engine.strategic.site_contents import fill
from engine.strategic.world import PEACE, WAR, armies_of, cities_of

_WORD: Final = 1 << 32
_WORDS: Final = 4

_GOLD: Final = (131, 4, 2)
"""Gold of a side at the start: so much, with a draw of four less to two more. Rules: LW-20."""


def secret(dice: Dice) -> str:
    """Secret of a hidden map: 16 random bytes as hexadecimal digits. Rules: LW-17."""
    return "".join(f"{dice.roll(_WORD) - 1:08x}" for _ in range(_WORDS))


def first_state(described: State, scene: Map, dice: Dice) -> State:
    """The first state of a new game. Rules: LW-17, LW-19.5, LW-20."""
    settings = settings_of(described.options)
    hidden = described.options.hidden_map == "on"
    state = replace(described, secret=secret(dice)) if hidden else described
    state = _sides_drawn(state, scene, dice)
    state = _kept(state, settings)
    state = fill(state, settings, dice)
    return _discovered(state, settings) if hidden else state


def _sides_drawn(state: State, scene: Map, dice: Dice) -> State:
    """Gold, treaties and opinions. Rules: LW-16, LW-20."""
    agreed = PEACE if state.options.diplomacy == "on" else WAR
    count = len(state.sides)
    treaties = tuple(
        tuple(PEACE if one == other else agreed for other in range(count)) for one in range(count)
    )
    least, down, up = _GOLD
    sides = []
    for side in state.sides.values():
        told = scene.sides[side.id].gold
        gold = roll(dice, 1, down + up + 1, least - down - 1) if told is None else told
        sides.append(replace(side, gold=gold, stances=treaties[side.id]))
    return replace(
        state,
        sides=state.sides.put(*sides),
        treaties=treaties,
        proposals=((NO_PROPOSAL,) * count,) * count,
        opinions=((FIRST_OPINION,) * count,) * count,
    )


def _kept(state: State, settings: RuleSettings) -> State:
    """A garrison in every city: the strongest in capitals, else the weakest. Rules: LW-17."""
    numbers = new_ids(state, len(state.cities))
    capitals = {side.capital for side in state.sides.values()}
    cities, armies = [], []
    for number, city in zip(numbers, state.cities.values(), strict=True):
        if not city.slots:
            continue
        best = max if (city.x, city.y) in capitals else min
        slot = best(city.slots, key=lambda slot: slot.strength)
        armies.append(_ready(settings, city, slot, number))
        if city.owner != NOBODY and city.making == NONE:
            cities.append(replace(city, making=0, left=city.slots[0].turns))
    return replace(
        state,
        cities=state.cities.put(*cities),
        armies=state.armies.put(*armies),
        next_id=state.next_id + len(state.cities),
    )


def _ready(settings: RuleSettings, city: City, slot: Slot, number: int) -> Army:
    army = posted(settings.cities, city, slot, number, city.tiles[0])
    return replace(army, points=army.max_move)


def _discovered(state: State, settings: RuleSettings) -> State:
    """The state with the tiles discovered that each side's armies and cities see.

    The cities of the start count as taken. Rules: LW-17.
    """
    known = np.zeros(state.terrain.cells.shape, dtype=np.uint8)
    for side in state.sides:
        seen = surroundings(state, settings, armies_of(state, side))
        for city in cities_of(state, side):
            seen |= square(state, (city.x, city.y), settings.moving.city_sight)
        known[seen] |= np.uint8(side_bit(side))
    return replace(state, discovered=Plane(known))
