"""Change the conditions of armies: experience, medals, healing, fortified stacks.

Implements sections 6.2 to 6.5, the fortified stacks of 3.2, and the effects of an order to move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final, cast

from engine.core.record import replace
from engine.rulesets.lordsawar.battle_records import HIT_POINT, HitCounters
from engine.rulesets.lordsawar.events import ConditionsSet
from engine.rulesets.lordsawar.experience import (
    Medal,
    decorated,
    hit_counters,
    kept_counters,
    may_get_medals,
    medals_due,
    read,
    share,
    stored,
)
from engine.rulesets.lordsawar.hit_points import healed
from engine.rulesets.lordsawar.levels import value_of
from engine.rulesets.lordsawar.lineup import (
    battle_tile,
    combat_options,
    combatant,
    fight_order,
    hits_of,
)
from engine.rulesets.lordsawar.state import Condition, State
from engine.rulesets.lordsawar.strength import may_fortify, tile_class, tower_army
from engine.strategic import goals, turns
from engine.strategic.aftermath import survivors
from engine.strategic.commands import Defend
from engine.strategic.decision import Decision, grow_armies
from engine.strategic.events.battle import FoughtBattle
from engine.strategic.pieces import Army
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, armies_of

_MEDALS: Final[Mapping[Medal, int]] = {"attack": 1, "defence": 2, "veteran": 4}
"""Bits of the medals in a condition. See: LW-6.4."""


def _position(world: World) -> State:
    return cast("State", world)


# -- after a battle --------------------------------------------------------------------------------


def after_battle(decision: Decision, settings: RuleSettings, fought: FoughtBattle) -> None:
    """Update experience, battle counts, hit counters and medals of all survivors of a battle.

    Rules: LW-6.2. See: LW-6.3, LW-6.4.
    """
    del settings
    before = _position(fought.before)
    values = {army.id: value_of(before, army) for army in (*fought.attackers, *fought.defenders)}
    winners, losers = fought.attackers, fought.defenders
    if not fought.event.won:
        winners, losers = losers, winners
    alive = tuple(decision.state.armies[army.id] for army in survivors(fought, winners))
    each = share((values[army.id] for army in losers), len(alive))
    counters = _counters(before, fought, values)
    wiser = {army.id: _wiser(before.condition(army.id), counters[army.id], each) for army in alive}
    medals = {
        army.id: medals_due(
            wiser[army.id].battles, counters[army.id], held(before.condition(army.id))
        )
        for army in may_earn(before, alive)
    }
    rows = [_honoured(row, values[row.id], medals.get(row.id, ())) for row in wiser.values()]
    decision.emit(ConditionsSet(tuple(rows), "experience"))
    grow_armies(
        decision, (_raised(army, values, medals) for army in alive if medals.get(army.id)), "medal"
    )


def _counters(
    before: State, fought: FoughtBattle, values: Mapping[int, Fraction]
) -> dict[int, HitCounters]:
    """Return the hit counters of all fighters after the battle. Rules: LW-6.3."""
    event = fought.event
    hits = hits_of(event.attackers, event.defenders, event.duels)
    conditions = (before.condition(army) for army in values)
    known = {one.id: HitCounters(one.dealt, one.taken) for one in conditions}
    return hit_counters(hits, values, known, dice=before.options.combat_rule == "dice")


def _wiser(condition: Condition, counters: HitCounters, gained: Fraction) -> Condition:
    """Add experience to a condition; any gain resets its hit counters. See: LW-6.2, LW-6.3."""
    kept = kept_counters(counters, gained)
    return replace(
        condition,
        xp=stored(read(condition.xp) + gained),
        battles=condition.battles + bool(gained),
        dealt=kept.dealt,
        taken=kept.taken,
    )


def may_earn(before: State, alive: Iterable[Army]) -> tuple[Army, ...]:
    """Return the survivors that can earn medals: ordinary armies beside a hero. Rules: LW-6.4."""
    listed = tuple(alive)
    led = {army.at for army in listed if army.hero is not None}
    return tuple(
        army
        for army in listed
        if may_get_medals(
            hero=army.hero is not None,
            awardable=before.types[army.type].special > 0,
            with_hero=army.at in led,
        )
    )


def held(condition: Condition) -> tuple[Medal, ...]:
    """Return the medals that an army has. See: LW-6.4."""
    return tuple(medal for medal, bit in _MEDALS.items() if condition.medals & bit)


def _honoured(condition: Condition, worth: Fraction, new: tuple[Medal, ...]) -> Condition:
    """Add new medals to a condition. See: LW-6.4."""
    if not new:
        return condition
    medals = condition.medals | sum(_MEDALS[medal] for medal in new)
    return replace(condition, medals=medals, value=stored(decorated(1, worth, len(new))[1]))


def _raised(
    army: Army, values: Mapping[int, Fraction], medals: Mapping[int, tuple[Medal, ...]]
) -> Army:
    """Give an army the strength of its new medals. See: LW-6.4."""
    new = len(medals[army.id])
    strength, _ = decorated(army.strength, values[army.id], new)
    return replace(army, strength=strength, medals=army.medals + new)


# -- rest ------------------------------------------------------------------------------------------


def recover(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Heal a side's armies, and fortify those that defend. Rules: LW-6.5, LW-3.2. See: LW-13.1."""
    turns.heal(decision, settings, side)
    fortify(decision, side)


def still_lost(army: Army) -> int:
    """Return the units that a wounded army still lacks after an upkeep phase. See: LW-6.5."""
    if not army.hp:
        return 0
    return army.hp.most - healed(army.hp.most - army.hp.lost, army.hp.most // HIT_POINT)


def fortify(decision: Decision, side: int) -> None:
    """Fortify the defending stacks of a side where the ground allows it. Rules: LW-3.2."""
    state = _position(decision.state)
    by_tile: dict[tuple[int, int], list[Army]] = {}
    for army in armies_of(state, side):
        if army.defends:
            by_tile.setdefault(army.at, []).append(army)
    rows = [row for stack in by_tile.values() for row in _fortified(state, stack)]
    if rows:
        decision.emit(ConditionsSet(tuple(rows), "fortified"))


def _fortified(state: State, stack: list[Army]) -> list[Condition]:
    """Return the new conditions of a stack that becomes fortified. See: LW-3.2."""
    rows = [state.condition(army.id) for army in stack]
    new = [row for row in rows if not row.fortified]
    tile = battle_tile(state, stack[0].at)
    if not new or not may_fortify(tile):
        return []
    tower = None
    if not any(row.tower for row in rows):
        on = tile_class(tile, combat_options(state.options))
        line = (combatant(state, army) for army in stack)
        tower = tower_army(line, fight_order(state, stack[0].owner), on)
    known = {row.id: row for row in rows if row in new or row.id == tower}
    return [
        replace(row, fortified=True, tower=row.tower or row.id == tower) for row in known.values()
    ]


# -- orders ----------------------------------------------------------------------------------------


def defend(decision: Decision, settings: RuleSettings, side: int, command: Defend) -> None:
    """Start or stop the defence of armies; armies that stop are not fortified. See: LW-3.2.

    Raises:
        Refused: no such armies, or they already do so.
    """
    goals.defend(decision, settings, side, command)
    if not command.on:
        wake(decision, command.armies)


def wake(decision: Decision, armies: Iterable[int]) -> None:
    """End fortification, towers and parking of armies that move. See: LW-3.2, LW-12.5."""
    state = _position(decision.state)
    rows = (state.condition(army) for army in armies)
    awake = tuple(
        replace(row, fortified=False, tower=False, parked=False)
        for row in rows
        if row.fortified or row.tower or row.parked
    )
    if awake:
        decision.emit(ConditionsSet(awake, "moved"))
