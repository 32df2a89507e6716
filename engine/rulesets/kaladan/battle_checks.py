"""Check battles in progress in scenarios. See: KA-7, KA-8."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.rulesets.kaladan.aims import has_aims
from engine.rulesets.kaladan.board import controller, neighbours, standing
from engine.rulesets.kaladan.magic import can_join, can_play_after, most_saved, savable
from engine.rulesets.kaladan.outcome import invaders, removed, side_of
from engine.rulesets.kaladan.pools import ATTACK, DEFENCE
from engine.rulesets.kaladan.scenario import demand
from engine.rulesets.kaladan.state import NOBODY, Battle, BattleSide, State
from engine.rulesets.kaladan.tables import magic_cards

_DICE: Final = (4, 6, 8, 10, 12)
_MOST_DICE: Final = 2
"""Maximum dice of one unit, and of terrain, Castle and card each."""


def check_battle(state: State) -> None:
    """Check that a battle in progress can continue. See: KA-7.

    Raises:
        ScenarioFault: the battle has a fault; it names the place of the first.
    """
    battle = state.battle
    if battle is None:
        return
    _check_tiles(state, battle)
    for number, side in enumerate(battle.sides):
        place = f"now.battle.sides[{number}]"
        _check_statement(state, battle, side, place)
        _check_losses(state, battle, side, place)
        _check_after(state, battle, side, place)
    _check_dice(state, battle)
    _check_conquest(state, battle)
    _check_step(state, battle)


def _check_tiles(state: State, battle: Battle) -> None:
    """Check the two sides and their tiles. See: KA-7.2."""
    seats = [side.seat for side in battle.sides]
    fits = {*seats} <= {*state.players} and len({*seats}) == len(seats)
    fits = fits and seats[ATTACK] == state.active
    demand(fits, "now.battle.sides", "must be the active seat and another", "KA-7.2")
    for number, side in enumerate(battle.sides):
        place = f"now.battle.sides[{number}]"
        demand(side.tile in state.tiles, f"{place}.tile", "is no tile", "KA-7.2")
        fallen = battle.verdict and number == DEFENCE
        alive = state.players[side.seat].alive or bool(fallen)
        demand(alive, f"{place}.seat", "must be a seat in the game", "KA-7.2")
        owner = controller(state, side.tile)
        gone = owner == NOBODY and (bool(removed(state, side.seat)) or bool(fallen))
        there = owner == side.seat or gone
        demand(there, f"{place}.tile", f"is not held by seat {side.seat}", "KA-7.2")
    source, target = (side.tile for side in battle.sides)
    near = target in neighbours(state.layout, source)
    demand(near, "now.battle.sides", "stand on adjacent tiles", "KA-7.2")
    fits = battle.asked in seats and state.players[battle.asked].alive
    demand(fits, "now.battle.asked", "must be one of the two seats", "KA-7.1")


def _check_statement(state: State, battle: Battle, side: BattleSide, place: str) -> None:
    """Check a side's answer about Magic, and its card. See: KA-7.3."""
    used = state.options.magic == "on"
    said = used or not (side.statement or side.card)
    demand(said, f"{place}.statement", "there is no Magic in this game", "KA-0")
    fits = bool(side.card) == (side.statement == "in")
    demand(fits, f"{place}.statement", "must be in with a card, and only so", "KA-7.3")
    spoken = not battle.revealed or bool(side.statement)
    demand(spoken, f"{place}.statement", "is missing, but the cards are turned over", "KA-7.3")
    works = side.applied or not side.cancelled
    works = works and (not side.applied or (bool(side.card) and battle.revealed))
    demand(works, f"{place}.applied", "needs a card that is turned over", "KA-7.4")
    if not side.card:
        return
    player, card = state.players[side.seat], magic_cards().get(side.card)
    own = side.card in (player.spent if battle.revealed else player.hand)
    where = "spent" if battle.revealed else "in its hand"
    demand(own, f"{place}.card", f"must be a card of this seat that is {where}", "KA-7.3")
    if card is None:
        return
    role = "attacker" if side is battle.sides[ATTACK] else "defender"
    fits = card.timing == "declare" and card.role in ("any", role)
    fits = fits and (battle.revealed or can_join(state, battle, side.seat, card))
    demand(fits, f"{place}.card", "cannot be committed in this battle", "KA-7.3")


def _check_losses(state: State, battle: Battle, side: BattleSide, place: str) -> None:
    """Check the pairs and units that a side lost. See: KA-7.7."""
    rolled = battle.step in ("losses", "after", "invasion") and bool(battle.dice)
    fits = 0 <= side.losses <= side.pairs_lost <= battle.pairs
    fits = fits and (rolled or not (side.pairs_lost or side.chosen))
    demand(fits, f"{place}.losses", "are more than the dice say", "KA-7.7")
    gone = {unit.id for unit in removed(state, side.seat)} if not battle.verdict else {*state.units}
    fits = len({*side.lost}) == len(side.lost) and {*side.lost} <= gone
    fits = fits and len(side.lost) == (side.losses if side.chosen else 0)
    demand(fits, f"{place}.lost", "must be the casualties of this seat", "KA-7.7")
    settled = side.chosen or not side.losses or battle.step == "losses"
    demand(settled, f"{place}.chosen", "its casualties are still to be chosen", "KA-7.7")


def _check_after(state: State, battle: Battle, side: BattleSide, place: str) -> None:
    """Check a side's answer about a card after the fight. See: KA-7.8."""
    late = battle.step in ("after", "invasion") or not side.after
    demand(late, f"{place}.after", "comes after the casualties", "KA-7.8")
    once = not side.after or not side.card
    demand(once, f"{place}.after", "this seat has played its card before", "KA-7.8")
    fits = bool(side.after_card) == (side.after == "in")
    demand(fits, f"{place}.after", "must be in with a card, and only so", "KA-7.8")
    if not side.after_card:
        none = not side.after_units
        demand(none, f"{place}.after_units", "come back with a card only", "KA-7.8")
        return
    own = side.after_card in state.players[side.seat].spent
    demand(own, f"{place}.after_card", "must be a card of this seat that is spent", "KA-7.8")
    if battle.verdict:
        return
    card = magic_cards()[side.after_card]
    fits = can_play_after(state, battle, side.seat, card)
    demand(fits, f"{place}.after_card", "cannot be played in this battle", "KA-7.8")
    units = side.after_units
    most = min(most_saved(state, battle, card), len(units)) if card.op == "save" else 0
    allowed = {unit.id for unit in savable(state, side.seat, card)}
    fits = len({*units}) == len(units) == most and {*units} <= allowed
    fits = fits and bool(units) == (card.op == "save")
    demand(fits, f"{place}.after_units", "must be removed units that it saves", "KA-10.2")


def _check_dice(state: State, battle: Battle) -> None:
    """Check the dice on the table, and their pairs. See: KA-7.5, KA-7.6."""
    sources = Counter[tuple[int, str, int]]()
    for number, die in enumerate(battle.dice):
        fits = die.side in (ATTACK, DEFENCE) and die.sides in _DICE
        fits = fits and 1 <= die.value <= die.sides and 0 <= die.first <= die.sides
        fits = fits and (die.source == "unit") == (die.unit in state.units)
        fits = fits and (die.unit in state.units or not die.unit)
        sources[die.side, die.source, die.unit] += 1
        fits = fits and sources[die.side, die.source, die.unit] <= _MOST_DICE
        demand(fits, f"now.battle.dice[{number}]", "is no die of a battle", "KA-7.5")
    counts = [sum(die.side == side for die in battle.dice) for side in (ATTACK, DEFENCE)]
    early = battle.step in ("magic", "aim")
    fits = not (early and battle.dice) and bool(counts[ATTACK]) == bool(counts[DEFENCE])
    demand(fits, "now.battle.dice", "are thrown by both sides after Magic", "KA-7.5")
    both = all(standing(state, side.tile) for side in battle.sides)
    fits = bool(battle.dice) or battle.step in ("magic", "aim", "invasion") or not both
    demand(fits, "now.battle.dice", "are missing", "KA-7.6")
    lost = sum(side.pairs_lost for side in battle.sides)
    fits = lost <= battle.pairs <= min(counts)
    demand(fits, "now.battle.pairs", "are more or fewer than the dice make", "KA-7.6")


def _check_conquest(state: State, battle: Battle) -> None:
    """Check that only a won battle waits for the invasion, and the Special Units that will appear.

    See: KA-7.10, KA-8.3.
    """
    won = battle.verdict == "attacker_wins"
    fits = won if battle.step == "invasion" else not battle.verdict
    demand(fits, "now.battle.verdict", "is not that of a battle at this step", "KA-7.9")
    attacker, defender = battle.sides
    for unit in battle.arrivals:
        comes = state.units.get(unit)
        fits = comes is not None and (comes.kind, comes.place) == ("special", "fallen")
        fits = fits and comes is not None and comes.owner == attacker.seat
        fits = fits and won and not state.players[defender.seat].alive
        demand(fits, "now.battle.arrivals", "must be fallen Special Units won here", "KA-8.3")
    once = len({*battle.arrivals}) == len(battle.arrivals)
    demand(once, "now.battle.arrivals", "name a unit twice", "KA-8.3")
    gone = any(unit.place == "removed" for unit in state.units.values())
    demand(not won or not gone, "now.units", "are not removed any more", "KA-7.9")
    free = not won or controller(state, defender.tile) == NOBODY
    demand(free, "now.battle.verdict", "is none while the battle tile is held", "KA-7.9")
    count = len(standing(state, attacker.tile))
    due = invaders(state, battle, count) if won else 0
    fits = battle.invaders == due and (due > 0 or not won)
    demand(fits, "now.battle.invaders", f"must be {due}", "KA-7.10")


def _check_step(state: State, battle: Battle) -> None:
    """Check that the asked seat can do what the battle waits for. See: KA-7.1."""
    magic = state.options.magic == "on"
    turned = battle.revealed == (magic and battle.step != "magic")
    demand(turned, "now.battle.revealed", "is wrong at this step", "KA-7.3")
    asked = side_of(battle, battle.asked)
    attacker = battle.sides[ATTACK]
    hand = bool(state.players[battle.asked].hand)
    card = magic_cards().get(asked.card)
    gone = any(unit.place == "removed" for unit in state.units.values())
    left = len(standing(state, asked.tile))
    aims = card is not None and card.op in ("shift", "levy", "assassinate")
    earlier = attacker.chosen or not attacker.losses or asked is attacker
    heard = bool(attacker.card or attacker.after) or not state.players[attacker.seat].hand
    due = {
        "magic": magic and not asked.statement and hand and not gone,
        "aim": aims and not asked.applied and card is not None
        and has_aims(state, battle, battle.asked, card),
        "losses": not asked.chosen and 0 < asked.losses <= left and earlier,
        "after": magic and gone and hand and not asked.card and not asked.after,
        "invasion": asked is attacker,
    }  # fmt: skip
    demand(due[battle.step], "now.battle.step", "asks nothing of this seat", "KA-7.1")
    spoken = {"magic": bool(attacker.statement), "after": heard}.get(battle.step, True)
    first = asked is attacker or spoken
    demand(first, "now.battle.asked", "the attacker speaks first", "KA-7.3")
