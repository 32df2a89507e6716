"""Aids for the contract suite: secrets, makers of maps and short games."""

from __future__ import annotations

from typing import Any, Final

from engine.core.ids import Seat
from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from tests.contract.aids import Aids, Chance, Ending


def _other_player(state: Any, seat: Seat, chance: Chance) -> Any:
    return chance.choice([player for player in state.players.values() if player.id != seat])


def _stores(state: Any, seat: Seat, chance: Chance) -> Any:
    other = _other_player(state, seat, chance)
    numbers = {name: chance.randrange(9) for name in ("ip", "crop", "dynamite", "toxic")}
    return replace(state, players=state.players.put(replace(other, **numbers)))


def _lists(state: Any, seat: Seat, chance: Chance) -> Any:
    other, third = _other_player(state, seat, chance), _other_player(state, seat, chance)
    changed = replace(other, orders=third.orders[:2], last=other.last[:1])
    return replace(state, players=state.players.put(changed))


def _spies(state: Any, seat: Seat, chance: Chance) -> Any:
    here = chance.choice([*state.territories.values()])
    if here.owner in (seat, -1):
        return state
    spied = replace(here, spy=chance.randrange(3))
    return replace(state, territories=state.territories.put(spied))


def _mines(state: Any, seat: Seat, chance: Chance) -> Any:
    here = chance.choice([*state.territories.values()])
    other = _other_player(state, seat, chance).id
    if here.owner != other:
        return state
    known = here.mines - sum(count for by, count in here.laid if by == other)
    count = chance.randrange(1, 4)
    laid = (*((by, number) for by, number in here.laid if by != other), (other, count))
    mined = replace(here, mines=known + count, laid=tuple(sorted(laid)))
    return replace(state, territories=state.territories.put(mined))


def _battles(event: Any) -> int:
    """Return the attacks of an event; in a skirmish every side with fighters attacks."""
    match event:
        case ev.Skirmish():
            return sum(count > 0 for _, count, _ in event.sides)
        case _:
            return int(isinstance(event, ev.InvasionBegan | ev.DynamiteUsed | ev.ToxicUsed))


AIDS: Final = Aids(
    battles=_battles,
    changes=(_stores, _lists, _spies, _mines),
    secret_tries=60,
    options_of_makers=frozenset({"map_seed", "map_size"}),
    seeds={"hard": 2},
    weights={"world": 1, "new": 20},
    endings=(Ending(2, limited=True), Ending(1, limited=True)),
    limits={"turn_limit": 9},
    rounds=(
        ("", {"turn_limit": 30}, "turn 1 of 30"),
        ("", {"turn_limit": 0, "domination": 60}, "turn 1"),
    ),
)
