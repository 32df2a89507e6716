"""Build the first state of a game and draw everything that its scenario leaves open.

The order of the dice: the secret of a hidden map, gold by side, garrisons by city, cities that
cannot buy new types, then keepers, hidden ruins and rewards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.dice import Dice, shuffle
from engine.core.record import replace
from engine.rulesets.lordsawar.items import stock
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.rulesets.lordsawar.scenario_codec import keepers
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import FIRST_OPINION, NO_PROPOSAL, Reward, State
from engine.rulesets.lordsawar.strength import defence_level
from engine.rulesets.lordsawar.tables import DrawRange, armyset
from engine.strategic import beginning
from engine.strategic.cities import posted
from engine.strategic.decision import new_ids, pick, roll
from engine.strategic.pieces import (
    NOBODY,
    Army,
    City,
    Site,
    Slot,
    UnitType,
    side_bit,
)
from engine.strategic.settings import RuleSettings
from engine.strategic.sight import square, surroundings
from engine.strategic.world import PEACE, WAR, armies_of, cities_of

_GOLD: Final = (4, 2)
"""Maximum below and above ``start_gold`` in the draw of a side's gold. See: LW-20."""

_BEST_OF_ACTIVE: Final = 79
"""Percent chance that an active neutral city has its strongest type. See: LW-17."""

_HEAD_START: Final = 20
"""With a head start, each computer player gets 1 in this many cities, at least 1. See: LW-20."""


def first_state(described: State, scene: Map, dice: Dice) -> State:
    """Return the first state of a new game; draw all that its scenario leaves open.

    Rules: LW-19.5. See: LW-17, LW-20.
    """
    settings = settings_in(described)
    state = _sides_drawn(described, scene, dice)
    state = _kept(state, settings, dice)
    state = _dealt(state, settings)
    state = _idle_or_busy(state)
    state = _buying(state, dice)
    state = sites_filled(state, dice)
    hidden = described.options.hidden_map == "on"
    return _discovered(state, settings) if hidden else state


def _sides_drawn(state: State, scene: Map, dice: Dice) -> State:
    """Set gold, treaties and opinions. Rules: LW-16.1, LW-20.2."""
    count = len(state.sides)
    treaties = beginning.treaties(count, PEACE if state.options.diplomacy == "on" else WAR)
    down, up = _GOLD
    sides = []
    for side in state.sides.values():
        told = scene.sides[side.id]
        gold = told.gold
        if gold is None:
            gold = max(0, roll(dice, 1, down + up + 1, state.options.start_gold - down - 1))
        sides.append(replace(side, gold=gold, stances=told.stances or treaties[side.id]))
    return replace(
        state,
        sides=state.sides.put(*sides),
        treaties=treaties,
        proposals=((NO_PROPOSAL,) * count,) * count,
        opinions=((FIRST_OPINION,) * count,) * count,
    )


# -- garrisons -------------------------------------------------------------------------------------


def _kept(state: State, settings: RuleSettings, dice: Dice) -> State:
    """Put a garrison into every city that can make something. See: LW-17."""
    for city in state.cities.values():
        state = _garrisoned(state, settings, city, _garrison(state, city, dice))
    return state


def _garrison(state: State, city: City, dice: Dice) -> tuple[Slot, ...]:
    """Return the garrison of a city.

    It is the strongest slot in capitals, the weakest in other cities of a side. See: LW-17.
    """
    if not city.slots:
        return ()
    if city.owner == NOBODY:
        return _neutral_garrison(state, city, dice)
    is_capital = (city.x, city.y) == state.sides[city.owner].capital
    return (strongest(city.slots) if is_capital else weakest(city.slots),)


def _neutral_garrison(state: State, city: City, dice: Dice) -> tuple[Slot, ...]:
    """Return the garrison of a neutral city, as the option says. Rules: LW-17.2."""
    match state.options.neutral_cities:
        case "average":
            return (weakest(city.slots),)
        case "strong":
            return (strongest(city.slots),)
        case "active":
            best = dice.roll(100) <= _BEST_OF_ACTIVE
            return (strongest(city.slots) if best else weakest(city.slots),)
        case "defensive":
            return (quickest(city.slots),) * 2


def strongest(slots: Sequence[Slot]) -> Slot:
    """Return the first of the strongest slots. See: LW-17."""
    return max(slots, key=lambda slot: slot.strength)


def weakest(slots: Sequence[Slot]) -> Slot:
    """Return the first of the weakest slots. See: LW-17."""
    return min(slots, key=lambda slot: slot.strength)


def quickest(slots: Sequence[Slot]) -> Slot:
    """Return the weakest of the quickest slots. See: LW-17."""
    return min(slots, key=lambda slot: (slot.turns, slot.strength))


def _garrisoned(
    state: State, settings: RuleSettings, city: City, garrison: Sequence[Slot]
) -> State:
    """Add rested armies on the first tile of a city. See: LW-1, LW-17."""
    numbers = new_ids(state, len(garrison))
    rows = zip(garrison, numbers, strict=True)
    armies = (_ready(settings, city, slot, number) for slot, number in rows)
    return replace(state, armies=state.armies.put(*armies), next_id=state.next_id + len(garrison))


def _ready(settings: RuleSettings, city: City, slot: Slot, number: int) -> Army:
    army = posted(settings.cities, city, slot, number, city.tiles[0])
    return replace(army, points=army.max_move)


# -- quick start -----------------------------------------------------------------------------------


def _dealt(state: State, settings: RuleSettings) -> State:
    """Apply quick start: give neutral cities and new garrisons to sides. See: LW-17, LW-20."""
    owners = dealt_cities(state)
    if not owners:
        return state
    posts = {at for city in owners for at in state.cities[city].tiles}
    gone = [army.id for army in state.armies.values() if army.at in posts]
    state = replace(state, armies=state.armies.drop(*gone))
    for number, side in owners.items():
        city = state.cities[number]
        level = defence_level(len(city.slots), neutral=False)
        city = replace(city, owner=side, defence=level)
        state = replace(state, cities=state.cities.put(city))
        garrison = (weakest(city.slots),) if city.slots else ()
        state = _garrisoned(state, settings, city, garrison)
    return state


def dealt_cities(state: State) -> Mapping[int, int]:
    """Return the new owners of neutral cities under quick start, by city id.

    Under ``even``, all sides get the same number, and the remaining cities stay neutral.
    Rules: LW-20.5.
    """
    free = sum(city.owner == NOBODY for city in state.cities.values())
    match state.options.quick_start:
        case "none":
            return {}
        case "even":
            sides = tuple(state.sides)
            return beginning.nearest_dealt(state, sides, free - free % len(sides))
        case "head_start":
            computers = tuple(side.id for side in state.sides.values() if not side.human)
            share = max(1, len(state.cities) // _HEAD_START)
            return beginning.nearest_dealt(state, computers, share * len(computers))


# -- production ------------------------------------------------------------------------------------


def _idle_or_busy(state: State) -> State:
    """Activate the first slot of every owned city; neutral cities are idle. See: LW-17."""
    busy = (
        replace(city, making=0, left=city.slots[0].turns)
        for city in state.cities.values()
        if city.owner != NOBODY and city.slots
    )
    return replace(state, cities=state.cities.put(*busy))


def _buying(state: State, dice: Dice) -> State:
    """Draw the cities that cannot buy new types; add them to the scenario's. See: LW-20."""
    capitals = {side.capital for side in state.sides.values()}
    closed = set(state.no_buying)
    for city in state.cities.values():
        match state.options.build_production:
            case "always":
                continue
            case "usually":
                closed |= {city.id} if dice.roll(3) == 1 else set()
            case "seldom":
                open_ = (city.x, city.y) in capitals or dice.roll(10) == 1
                closed |= set() if open_ else {city.id}
            case "never":
                closed.add(city.id)
    return replace(state, no_buying=tuple(sorted(closed)))


def _discovered(state: State, settings: RuleSettings) -> State:
    """Mark the tiles that each side's armies and cities see as discovered.

    The cities of the start count as taken. Rules: LW-17.7.
    """
    known = np.zeros(state.terrain.cells.shape, dtype=np.uint8)
    for side in state.sides:
        seen = surroundings(state, settings, armies_of(state, side))
        for city in cities_of(state, side):
            seen |= square(state, (city.x, city.y), settings.moving.city_sight)
        known[seen] |= np.uint8(side_bit(side))
    return replace(state, discovered=Plane(known))


# -- sites at the start ----------------------------------------------------------------------------


_MAP_PARTS: Final = (5, 3)
"""Divisors of the land's width and height: a rewarded map shows a fifth to a third of each."""


def sites_filled(state: State, dice: Dice) -> State:
    """Return a state with items, keepers, hidden ruins and rewards. Rules: LW-19.5. See: LW-14."""
    if not state.items:
        state = replace(state, items=Roster(stock()))
    if not state.guardians:
        state = replace(state, guardians=keepers(state.types))
    state = _guarded(state, dice)
    state = _hidden(state, dice)
    return _rewarded(state, dice)


def _searchable(state: State) -> list[Site]:
    return [site for site in state.sites.values() if not (site.searched or _is(site, "temple"))]


def _is(site: Site, kind: str) -> bool:
    return site.kind == kind


# -- keepers and hidden ruins ----------------------------------------------------------------------


def _awardable(state: State) -> list[UnitType]:
    """Return the types that guard ruins and join as allies. See: LW-9, LW-14."""
    return [kind for kind in state.types.values() if kind.special > 0]


def _guarded(state: State, dice: Dice) -> State:
    """Draw keepers for unsearched sites; ``guardian`` -1 means none. Rules: LW-19.5. See: LW-14."""
    kinds = _awardable(state)
    kept = []
    for site in _searchable(state):
        if site.guardian < 0 or (site.guardian == 0 and not kinds):
            kept.append(replace(site, guardian=0))
        elif site.guardian == 0:
            kept.append(replace(site, guardian=pick(dice, kinds).id + 1))
    return replace(state, sites=state.sites.put(*kept))


def _hidden(state: State, dice: Dice) -> State:
    """Hide all strongholds, and ``hidden_ruins`` percent of the plain ruins.

    A fraction of a ruin is rounded up with that fraction as its chance. Rules: LW-19.5. See: LW-14.
    """
    forts = [site for site in _searchable(state) if _is(site, "stronghold")]
    ruins = [site for site in _searchable(state) if _is(site, "ruin") and not site.hidden]
    sure, rest = divmod(len(ruins) * state.options.hidden_ruins, 100)
    count = sure + (1 if rest and dice.roll(100) <= rest else 0)
    drawn = shuffle(dice, ruins)[:count] if count else ()
    hidden = (replace(site, hidden=True) for site in (*forts, *drawn))
    return replace(state, sites=state.sites.put(*hidden))


# -- rewards ---------------------------------------------------------------------------------------


def _rewarded(state: State, dice: Dice) -> State:
    """Add a reward to each unsearched site that lacks one, except sages.

    Items of the scenario's rewards, and those that are drawn, are placed at their sites.
    See: LW-14.
    """
    for reward in state.rewards.values():
        state = _placed(state, reward)
    for site in _searchable(state):
        if not _is(site, "sage") and site.id not in state.rewards:
            reward = drawn_reward(state, site.id, dice)
            state = _placed(replace(state, rewards=state.rewards.put(reward)), reward)
    return state


def _placed(state: State, reward: Reward) -> State:
    """Place the item of a reward, if any, at its site."""
    if reward.kind != "item":
        return state
    item = replace(state.items[reward.item], where="site", holder=reward.id)
    return replace(state, items=state.items.put(item))


def drawn_reward(state: State, site: int, dice: Dice) -> Reward:
    """Draw a reward of a site; it is gold if the drawn kind has nothing to give. See: LW-14.2."""
    maps = ("map",) if state.options.hidden_map == "on" else ()
    kind = pick(dice, ("gold", "allies", "item", "ruin", *maps))
    numbers, kinds = armyset().rewards, _awardable(state)
    pool = [i for i in state.items.values() if i.where == "unused" and i.side == NOBODY]
    secret = [s for s in state.sites.values() if s.hidden and not s.searched and s.id != site]
    if kind == "allies" and kinds:
        ally = pick(dice, kinds).id
        return Reward(site, kind, ally=ally, count=_spanned(dice, numbers.allies))
    if kind == "item" and pool:
        return Reward(site, kind, item=pick(dice, pool).id)
    if kind == "ruin" and secret:
        return Reward(site, kind, site=pick(dice, secret).id)
    if kind == "map":
        return _map_reward(state, site, dice)
    return Reward(site, "gold", gold=_spanned(dice, numbers.gold))


def _map_reward(state: State, site: int, dice: Dice) -> Reward:
    """Draw a rectangle of the land; the book leaves its size open. See: LW-14."""
    width, height = (_part(dice, size) for size in (state.width, state.height))
    x = dice.roll(state.width - width + 1) - 1
    y = dice.roll(state.height - height + 1) - 1
    return Reward(site, "map", x=x, y=y, width=width, height=height)


def _part(dice: Dice, size: int) -> int:
    small, large = _MAP_PARTS
    return _spanned(dice, (max(1, size // small), max(1, size // large)))


def _spanned(dice: Dice, span: DrawRange | Sequence[int]) -> int:
    low, high = span
    return low - 1 + dice.roll(high - low + 1)
