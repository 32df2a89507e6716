"""Judge battles, also in advance: Crowns, victor, invaders. See: KA-7.9, KA-7.10, KA-8."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.refused import Refused
from engine.rulesets.kaladan.board import capacity, is_basic, owned, standing
from engine.rulesets.kaladan.pools import ATTACK, DEFENCE
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import (
    NOBODY,
    Battle,
    BattleSide,
    BattleStep,
    BattleVerdict,
    State,
    StateOrView,
    Unit,
)
from engine.rulesets.kaladan.tables import MagicCard, first_seat


def side_number(battle: Battle, seat: int) -> int:
    """Return the side of a seat in a battle: ATTACK or DEFENCE."""
    return ATTACK if battle.sides[ATTACK].seat == seat else DEFENCE


def side_of(battle: Battle, seat: int) -> BattleSide:
    """Return the side of a seat in a battle."""
    return battle.sides[side_number(battle, seat)]


def opponent_of(battle: Battle, seat: int) -> BattleSide:
    """Return the side of a seat's opponent in a battle."""
    return battle.sides[1 - side_number(battle, seat)]


def asked_battle(state: State, seat: int, step: BattleStep) -> Battle:
    """Return the battle that waits for this decision of the seat. See: KA-7.1.

    Raises:
        Refused: no battle waits for it.
    """
    battle = state.battle
    if battle is None or battle.asked != seat or battle.step != step:
        raise Refused(Refusal.WRONG_PHASE, _NOT_NOW[step], "KA-7.1")
    return battle


_NOT_NOW: Final[Mapping[BattleStep, str]] = {
    "magic": "No battle waits for your word about Magic.",
    "aim": "No card of yours waits for its targets.",
    "losses": "No battle waits for your casualties.",
    "after": "No battle waits for a card after the fight.",
    "invasion": "No conquered tile waits for your units.",
}


def removed(seen: StateOrView, seat: int) -> tuple[Unit, ...]:
    """Return a seat's units removed in this battle, in id order."""
    return tuple(unit for unit in owned(seen, seat) if unit.place == "removed")


def is_among(unit: Unit, card: MagicCard) -> bool:
    """Return whether a card's ``units`` and ``crown`` cover a unit. See: KA-10.2."""
    if unit.kind == "crown":
        return card.crown
    if card.units == "basic":
        return is_basic(unit)
    return card.units in ("any", unit.kind)


# -- judgement -------------------------------------------------------------------------------------


def fallen_crowns(seen: StateOrView, battle: Battle) -> tuple[Unit, ...]:
    """Return the Crowns among the removed units, the attacker's first. See: KA-8.1."""
    return tuple(
        unit for side in battle.sides for unit in removed(seen, side.seat) if unit.kind == "crown"
    )


def survivors(seen: StateOrView, battle: Battle) -> tuple[int, int]:
    """Return the units left on both tiles; none for a fallen Crown's side. See: KA-7.9."""
    fallen = {unit.owner for unit in fallen_crowns(seen, battle)}
    attack, defence = (
        0
        if side.seat in fallen
        else sum(unit.owner == side.seat for unit in standing(seen, side.tile))
        for side in battle.sides
    )
    return attack, defence


def judged(left: tuple[int, int]) -> BattleVerdict:
    """Return the outcome of a battle from the units that each side has left. Rules: KA-7.9."""
    match left[ATTACK] > 0, left[DEFENCE] > 0:
        case True, False:
            return "attacker_wins"
        case False, True:
            return "defender_wins"
        case True, True:
            return "defender_holds"
        case _:
            return "both_destroyed"


def has_won(seen: StateOrView, battle: Battle, seat: int) -> bool:
    """Return whether a seat takes or holds the battle tile as things are now. See: KA-10.2."""
    left = survivors(seen, battle)
    if side_number(battle, seat) == ATTACK:
        return judged(left) == "attacker_wins"
    return left[DEFENCE] > 0


def victor(battle: Battle, fallen: tuple[Unit, ...], loser: int) -> int:
    """Return the seat that defeated a fallen Crown, or NOBODY if both fell. Rules: KA-8.2."""
    return opponent_of(battle, loser).seat if len(fallen) == 1 else NOBODY


def inheritance(seen: StateOrView, loser: int) -> tuple[int, ...]:
    """Return the Special Units for the victor: that of the loser's realm, then others as gained.

    The first is identified by its maker, because ``gained`` can be missing in positions written by
    hand. Rules: KA-8.3.
    """
    specials = [
        unit for unit in owned(seen, loser) if unit.kind == "special" and unit.place != "out"
    ]
    specials.sort(key=lambda unit: (first_seat(unit.id) != loser, unit.gained, unit.id))
    return tuple(unit.id for unit in specials)


def invaders(seen: StateOrView, battle: Battle, attackers: int) -> int:
    """Return the number of units that must move into the conquered tile.

    One place is reserved if a Special Unit is about to appear there. Rules: KA-7.10.
    """
    kept = 1 if battle.arrivals else 0
    return min(attackers, capacity(seen.tiles[battle.sides[DEFENCE].tile]) - kept)


def all_alike(units: tuple[Unit, ...]) -> bool:
    """Return whether it makes no difference which of the units are chosen."""
    return (
        len({(unit.kind, unit.upgraded, unit.kind == "special" and unit.id) for unit in units}) < 2
    )
