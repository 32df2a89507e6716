"""Apply an event to a state; no rules, dice or tables."""

from __future__ import annotations

from engine.core.containers import Plane
from engine.core.record import replace
from engine.rulesets.lordsawar.events import (
    AnyEvent,
    BridgeBurnt,
    ConditionsSet,
    DiplomacySettled,
    GameSet,
    HeroQuestSet,
    ItemUsed,
    NeutralGoldSet,
    OpinionsChanged,
    ProductionStopped,
    ProposalSet,
    RewardGiven,
    RoundScored,
)
from engine.rulesets.lordsawar.state import NO_PROPOSAL, State
from engine.strategic import evolve as strategic


def evolve(state: State, event: AnyEvent) -> State:
    """Return the state after an event."""
    match event:
        case GameSet():
            return event.start
        case ConditionsSet():
            return replace(state, conditions=state.conditions.put(*event.conditions))
        case ProposalSet():
            return _proposed(state, event)
        case DiplomacySettled():
            return _settled(state, event)
        case OpinionsChanged():
            return replace(state, opinions=event.opinions)
        case NeutralGoldSet():
            return replace(state, neutral_gold=event.gold)
        case RoundScored():
            return replace(state, scores=event.scores)
        case ProductionStopped():
            return replace(state, cities=state.cities.put(event.city))
        case ItemUsed():
            return _used(state, event)
        case BridgeBurnt():
            return _burnt(state, event)
        case RewardGiven():
            found = [site for site in (event.reward.id,) if site in state.rewards]
            return replace(state, rewards=state.rewards.drop(*found))
        case HeroQuestSet():
            ended = event.what in {"done", "void"}
            quests = state.quests
            left = quests.drop(event.quest.id) if ended else quests.put(event.quest)
            return replace(state, quests=left)
        case _:
            after = strategic.evolve(state, event)
            return after if len(after.armies) >= len(state.armies) else _of_the_living(after)


def _used(state: State, event: ItemUsed) -> State:
    purses = (replace(state.sides[side], gold=gold) for side, gold in event.gold)
    found = replace(
        state,
        items=state.items.put(event.item),
        sides=state.sides.put(*purses),
        sites=state.sites.put(*event.sites),
        armies=state.armies.put(*event.armies),
    )
    if event.city is None:
        return found
    art = state.art.edit()
    for (x, y), picture in zip(event.city.tiles, event.art, strict=True):
        art[y, x] = picture
    return replace(found, cities=found.cities.put(event.city), art=Plane(art))


def _burnt(state: State, event: BridgeBurnt) -> State:
    """Replace the tiles of a bridge by water."""
    terrain, roads, art = state.terrain.edit(), state.roads.edit(), state.art.edit()
    for x, y, ground in event.tiles:
        terrain[y, x] = art[y, x] = ground
        roads[y, x] = 0
    armies = state.armies.put(*event.armies)
    planes = {"terrain": Plane(terrain), "roads": Plane(roads), "art": Plane(art)}
    return replace(state, armies=armies, **planes)


def _proposed(state: State, event: ProposalSet) -> State:
    """Set the proposals of a side, and its stances if the event has them."""
    count, side = len(state.treaties), event.side
    rows = state.proposals or ((NO_PROPOSAL,) * count,) * count
    own = replace(state.sides[side], stances=event.stances or state.sides[side].stances)
    return replace(
        state,
        proposals=(*rows[:side], event.proposals, *rows[side + 1 :]),
        sides=state.sides.put(own),
    )


def _settled(state: State, event: DiplomacySettled) -> State:
    count = len(event.treaties)
    sides = (
        replace(side, stances=event.treaties[side.id])
        for side in state.sides.values()
        if side.id < count
    )
    return replace(
        state,
        treaties=event.treaties,
        opinions=event.opinions,
        proposals=((NO_PROPOSAL,) * count,) * count,
        sides=state.sides.put(*sides),
    )


def _of_the_living(state: State) -> State:
    """Drop the conditions of armies that are gone."""
    gone = [army for army in state.conditions if army not in state.armies]
    return replace(state, conditions=state.conditions.drop(*gone)) if gone else state
