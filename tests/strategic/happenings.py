"""Invariants of every event of a game, for any order.

``of_events`` yields a sentence for each violation. Numbers are those of section 19 of the rule
book.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from engine.rulesets.warlords2.events import AnyEvent
from engine.rulesets.warlords2.evolve import evolve
from engine.rulesets.warlords2.state import State
from engine.strategic import events as ev
from engine.strategic.pieces import NOBODY
from tests.strategic.invariants import PURSE


def of_events(state: State, events: Iterable[AnyEvent]) -> Iterator[str]:
    """Yield the faults of events that follow a position."""
    for event in events:
        after = evolve(state, event)
        yield from _of_event(state, event, after)
        state = after


def _of_event(before: State, event: AnyEvent, after: State) -> Iterator[str]:
    match event:
        case ev.GroupMoved():
            yield from _march(before, event)
        case ev.BattleFought():
            yield from _battle(before, event)
        case ev.CityTaken():
            yield from _capture(before, event, after)
        case ev.CitySettled():
            yield from _settled(before, event)
        case ev.PointsRefilled():
            yield from _refill(before, event)
        case ev.ArmySent():
            yield from _sent(before, event)
        case ev.ArmyArrived():
            yield from _arrival(before, event)
        case _:
            pass


def _march(before: State, event: ev.GroupMoved) -> Iterator[str]:
    """Check number 9: all members of a group spend the same points.

    Armies that land or board lose all points. A classic attack may cost more than the lowest points
    in the group.
    """
    left = dict(zip(event.armies, event.points, strict=True))
    spent = {before.armies[army].points - points for army, points in left.items()}
    short = before.options.attack_step == "terrain" and 0 in event.points
    if min(spent) < 0 or (len(spent) > 1 and any(event.points) and not short):
        yield f"armies {event.armies} spend {sorted(spent)} on one way"


def _battle(before: State, event: ev.BattleFought) -> Iterator[str]:
    """Check number 10."""
    lines = (event.attackers, event.defenders)
    for fighter in (*lines[0], *lines[1]):
        if not 1 <= fighter.strength <= 15:
            yield f"army {fighter.army} fights with {fighter.strength}"
        if fighter.army not in before.armies:
            yield f"army {fighter.army} fights and is not there"
    dead = [
        [duel.defender if duel.won else duel.attacker for duel in event.duels if duel.won == won]
        for won in (False, True)
    ]
    whole = [
        [fighter.army for fighter in line] == fallen
        for line, fallen in zip(lines, dead, strict=True)
    ]
    if whole != [not event.won, event.won]:
        yield f"a battle at {event.at} ends with the dead {dead}"
    counted = (event.helped, event.covered)
    for parts in counted:
        if sum(part.value for part in parts if not part.cancelled and part.source != "foe") > (
            before.options.bonus_cap
        ):
            yield f"a side fights at {event.at} with {parts}"


def _capture(before: State, event: ev.CityTaken, after: State) -> Iterator[str]:
    """Check number 12."""
    purse = partial(_all_gold, sides=len(before.sides))
    if purse(after) > purse(before):
        yield f"city {event.city.id} was taken, and there is more gold"
    if event.loser != NOBODY and event.loser in before.sides:
        lost = before.sides[event.loser].gold - after.sides[event.loser].gold
        won = after.sides[event.city.owner].gold - before.sides[event.city.owner].gold
        full = after.sides[event.city.owner].gold == PURSE
        if lost // 2 != won and not full:
            yield f"{event.loser} lost {lost} gold, the captor won {won}"


def _all_gold(state: State, sides: int) -> int:
    return sum(state.sides[number].gold for number in range(sides))


def _refill(before: State, event: ev.PointsRefilled) -> Iterator[str]:
    """Check number 9 for refilled points of armies without items of speed."""
    quick = {item.holder for item in before.items.values() if item.kind == "speed"}
    swift = {before.armies[army].at for army in quick if army in before.armies}
    for number, points in event.points:
        army = before.armies[number]
        least = 20 if army.aboard else army.max_move
        if army.at not in swift and not least <= points <= least + 2:
            yield f"army {number} of move {army.max_move} begins with {points} points"


def _settled(before: State, event: ev.CitySettled) -> Iterator[str]:
    """Check number 13."""
    first = before.cities[event.city.id].slots[:1]
    if event.fate == "sack" and event.city.slots != first:
        yield f"of the sacked city {event.city.id} is left {event.city.slots}"


def _sent(before: State, event: ev.ArmySent) -> Iterator[str]:
    """Check number 14."""
    if event.transit.due != before.turn + 2:
        yield f"army {event.transit.id} is due in {event.transit.due - before.turn} turns"


def _arrival(before: State, event: ev.ArmyArrived) -> Iterator[str]:
    """Check number 14."""
    if before.transits[event.transit].due != before.turn:
        yield f"army {event.transit} arrives in round {before.turn}, when it is not due"
