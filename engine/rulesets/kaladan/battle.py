"""Battles: steps, casualties, outcome and invasion. See: KA-7, KA-8.

A battle is a chain of steps. ``go_on`` runs the next step again and again until a seat has to
choose; the battle in the state records which steps are done.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.refused import Refused
from engine.kit.dice_pools import roll
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan import magic
from engine.rulesets.kaladan.board import (
    Decision,
    controller,
    enemies_beside,
    neighbours,
    own_units,
    room,
    standing,
    tile_name,
    tile_number,
)
from engine.rulesets.kaladan.elimination import eliminate
from engine.rulesets.kaladan.outcome import (
    all_alike,
    asked_battle,
    fallen_crowns,
    inheritance,
    invaders,
    judged,
    side_of,
    survivors,
    victor,
)
from engine.rulesets.kaladan.pools import (
    ATTACK,
    DEFENCE,
    cards_at_work,
    casualties,
    comparison,
    pools,
    sizes,
    thrown,
)
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import NOBODY, Battle, BattleSide, State, StateOrView, Unit

# -- declaring -------------------------------------------------------------------------------------


def targets(seen: StateOrView, seat: int, source: int) -> tuple[int, ...]:
    """Return the enemy tiles that a seat can attack from a tile now, in order. Rules: KA-7.2."""
    if seen.phase != "action" or seen.battle is not None or seen.battle_used:
        return ()
    if seen.active != seat or controller(seen, source) != seat:
        return ()
    return enemies_beside(seen, seat, source)


def attack(decision: Decision, seat: int, command: do.Attack) -> None:
    """Declare a battle. Rules: KA-7.2.

    Raises:
        Refused: it is another phase, a battle was fought this turn, the seat holds no such tile, or
            the target is not an adjacent enemy tile.
    """
    state = decision.state
    source = tile_number(state.layout, command.source)
    target = tile_number(state.layout, command.target)
    if target not in targets(state, seat, source):
        raise _refused_attack(state, seat, source, target)
    decision.emit(ev.BattleDeclared(seat, controller(state, target), source, target))


def _refused_attack(state: State, seat: int, source: int, target: int) -> Refused:
    here, there = (tile_name(state.layout, tile) for tile in (source, target))
    if state.battle is not None:
        return Refused(Refusal.WRONG_PHASE, "A battle is being fought already.", "KA-6.4")
    if state.phase != "action" or state.active != seat:
        return Refused(Refusal.WRONG_PHASE, "You attack in your Action Phase.", "KA-7.2")
    if state.battle_used:
        text = "You have fought your battle of this turn."
        return Refused(Refusal.BATTLE_USED, text, "KA-7.2")
    if controller(state, source) != seat:
        return Refused(Refusal.NOT_OWN, f"You have no units on {here}.", "KA-7.2")
    if target not in neighbours(state.layout, source):
        return Refused(Refusal.NOT_ADJACENT, f"{there} is not next to {here}.", "KA-7.2")
    return Refused(Refusal.NOT_ENEMY, f"No enemy stands on {there}.", "KA-7.2")


# -- the chain -------------------------------------------------------------------------------------


def go_on(decision: Decision) -> None:
    """Continue the battle until a seat has to choose, or it is over. Rules: KA-7.1."""
    while (battle := decision.state.battle) is not None and battle.asked == NOBODY:
        _step(decision, battle)


def _step(decision: Decision, battle: Battle) -> None:
    if battle.verdict:
        _conclude(decision, battle)
    elif decision.state.options.magic == "on" and not battle.revealed:
        magic.hear_statements(decision, battle)
    elif magic.work(decision, magic.BEFORE_POOLS):
        _after_effects(decision)


def _after_effects(decision: Decision) -> None:
    """Run the next step after the effects that come before the roll. Rules: KA-7.4."""
    state, battle = decision.state, _battle(decision)
    if not battle.dice and all(standing(state, side.tile) for side in battle.sides):
        _fight(decision)
    elif (side := _bleeding(battle)) is not None:
        _ask_losses(decision, side)
    elif (seat := magic.asked_after(state, battle)) != NOBODY:
        decision.emit(ev.BattleWaits("after", seat))
    else:
        magic.work_after(decision)
        _settle(decision)


def _battle(decision: Decision) -> Battle:
    battle = decision.state.battle
    if battle is None:
        raise ValueError("there is no battle")
    return battle


# -- roll and casualties ---------------------------------------------------------------------------


def _fight(decision: Decision) -> None:
    """Roll all dice at once, apply cards to them, and compare pairs. Rules: KA-7.6. See: KA-7.5."""
    magic.work(decision, magic.IN_POOLS)
    battle = _battle(decision)
    cards = cards_at_work(battle)
    attackers, defenders = (side.tile for side in battle.sides)
    dice = tuple(
        die
        for pool in pools(decision.state, attackers, defenders, cards)
        for die in thrown(pool, roll(decision.dice, sizes(pool)))
    )
    decision.emit(ev.DiceRolled(dice))
    magic.work(decision, magic.AFTER_ROLL)
    battle = _battle(decision)
    found = comparison(battle.dice, cards)
    attack_losses, defence_losses = (
        casualties(found.lost[number], len(standing(decision.state, side.tile)), cards, number)
        for number, side in enumerate(battle.sides)
    )
    decision.emit(
        ev.PairsCompared(
            pairs=found.pairs,
            ignored=found.ignored,
            dropped=found.set_aside,
            lost=found.lost,
            losses=(attack_losses, defence_losses),
        )
    )


def _bleeding(battle: Battle) -> BattleSide | None:
    """Return the side that must choose casualties next, attacker first, or None. Rules: KA-7.7."""
    return next((side for side in battle.sides if side.losses and not side.chosen), None)


def _ask_losses(decision: Decision, side: BattleSide) -> None:
    """Ask a side for its casualties, unless it has no choice. Rules: KA-7.7."""
    units = standing(decision.state, side.tile)
    if side.losses >= len(units) or all_alike(units):
        chosen = tuple(unit.id for unit in units[: side.losses])
        decision.emit(ev.CasualtiesChosen(side.seat, chosen))
    else:
        decision.emit(ev.BattleWaits("losses", side.seat))


def choose_losses(decision: Decision, seat: int, command: do.ChooseLosses) -> None:
    """Choose the casualties of the seat. Rules: KA-7.7.

    Raises:
        Refused: no battle waits for this, or the units are too few, too many or not on the tile.
    """
    battle = asked_battle(decision.state, seat, "losses")
    side = side_of(battle, seat)
    units = _chosen(decision.state, seat, side.tile, command.units)
    if len(units) != side.losses:
        text = f"You lose exactly {side.losses}; you named {len(units)}."
        raise Refused(Refusal.WRONG_CASUALTIES, text, "KA-7.7")
    decision.emit(ev.CasualtiesChosen(seat, units))


def _chosen(state: State, seat: int, tile: int, units: Sequence[int]) -> tuple[int, ...]:
    """Return the sorted ids of named units of a seat, which must be on a tile."""
    return tuple(sorted(unit.id for unit in own_units(state, seat, tile, units)))


# -- outcome ---------------------------------------------------------------------------------------


def _settle(decision: Decision) -> None:
    """Make removals final, settle the fall of Crowns, and judge the battle.

    Rules: KA-7.9, KA-8, KA-12.
    """
    state, battle = decision.state, _battle(decision)
    fallen = fallen_crowns(state, battle)
    gone = [unit for unit in state.units.values() if unit.place == "removed"]
    dead = tuple(unit.id for unit in gone if unit.kind not in ("special", "crown"))
    specials = tuple(unit.id for unit in gone if unit.kind == "special")
    if dead or specials:
        decision.emit(ev.UnitsDied(dead, specials))
    for crown in fallen:
        _fall(decision, crown, victor(battle, fallen, crown.owner))
    left = survivors(decision.state, battle)
    verdict = judged(left)
    count = invaders(decision.state, _battle(decision), left[ATTACK])
    decision.emit(ev.BattleJudged(verdict, count if verdict == "attacker_wins" else 0))


def _fall(decision: Decision, crown: Unit, by: int) -> None:
    """Eliminate the owner of a fallen Crown; the victor takes its Special Units. See: KA-8.1."""
    decision.emit(ev.CrownFell(crown.owner, crown.id, by))
    specials = () if by == NOBODY else inheritance(decision.state, crown.owner)
    eliminate(decision, crown.owner, by, specials)


def _conclude(decision: Decision, battle: Battle) -> None:
    """Run the invasion, let Special Units arrive, and end the battle.

    Rules: KA-8.3. See: KA-7.10.
    """
    if battle.invaders:
        _ask_invasion(decision, battle)
        return
    target = battle.sides[DEFENCE].tile
    for unit in battle.arrivals:
        place = target if room(decision.state, target) > 0 else 0
        owner = decision.state.units[unit].owner
        decision.emit(ev.SpecialTransferred(owner, unit, place))
    done = tuple(unit.id for side in battle.sides for unit in standing(decision.state, side.tile))
    decision.emit(ev.BattleEnded(battle.verdict, done))


def _ask_invasion(decision: Decision, battle: Battle) -> None:
    """Ask which units move in, unless there is no choice. Rules: KA-7.10."""
    side = battle.sides[ATTACK]
    units = standing(decision.state, side.tile)
    if battle.invaders >= len(units) or all_alike(units):
        going = tuple(unit.id for unit in units[: battle.invaders])
        _invade(decision, battle, going)
    else:
        decision.emit(ev.BattleWaits("invasion", side.seat))


def _invade(decision: Decision, battle: Battle, units: tuple[int, ...]) -> None:
    attacker, defender = battle.sides
    decision.emit(ev.Invaded(attacker.seat, attacker.tile, defender.tile, units))


def invade(decision: Decision, seat: int, command: do.Invade) -> None:
    """Move the chosen units into the conquered tile. Rules: KA-7.10.

    Raises:
        Refused: no battle waits for this, or the units are too few, too many or not on the tile.
    """
    battle = asked_battle(decision.state, seat, "invasion")
    units = _chosen(decision.state, seat, battle.sides[ATTACK].tile, command.units)
    if len(units) != battle.invaders:
        text = f"Exactly {battle.invaders} must move in; you named {len(units)}."
        raise Refused(Refusal.WRONG_INVADERS, text, "KA-7.10")
    _invade(decision, battle, units)
