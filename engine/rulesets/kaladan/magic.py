"""Magic in battles: answers, effects in stages, after-battle cards.

See: KA-7.3, KA-7.4, KA-7.8, KA-10.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.aims import check_aim, has_aims
from engine.rulesets.kaladan.board import Decision, has_castle, room, standing
from engine.rulesets.kaladan.outcome import (
    asked_battle,
    has_won,
    is_among,
    opponent_of,
    removed,
    side_number,
    side_of,
)
from engine.rulesets.kaladan.pools import ATTACK, DEFENCE, terrain_dice
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import (
    NOBODY,
    NOWHERE,
    Battle,
    BattleSide,
    Die,
    State,
    StateOrView,
    Unit,
)
from engine.rulesets.kaladan.tables import MagicCard, MagicOp, magic_cards

Stages: TypeAlias = tuple[tuple[MagicOp, ...], ...]
"""Effects of cards, stage by stage. See: KA-7.4."""

BEFORE_POOLS: Final[Stages] = (("negate",), ("shift", "levy"), ("assassinate",), ("steal",))
IN_POOLS: Final[Stages] = (("die", "extra_die", "strip_terrain"),)
AFTER_ROLL: Final[Stages] = (("reroll",), ("drop_highest",), ("ties_win",), ("loss_cap",))


# -- answers ---------------------------------------------------------------------------------------


def can_join(seen: StateOrView, battle: Battle, seat: int, card: MagicCard) -> bool:
    """Return whether a seat can join with a card of its hand. Rules: KA-10. See: KA-7.3."""
    side = side_number(battle, seat)
    if card.timing != "declare" or not _fits_role(card, side):
        return False
    match card.op:
        case "die":
            return any(
                unit.kind == card.unit for unit in standing(seen, side_of(battle, seat).tile)
            )
        case "strip_terrain":
            first, second = battle.sides
            return bool(terrain_dice(seen, 1 - side, (first.tile, second.tile)))
        case "shift" | "levy" | "assassinate":
            return has_aims(seen, battle, seat, card)
        case _:
            return True


def _fits_role(card: MagicCard, side: int) -> bool:
    return card.role in ("any", "attacker" if side == ATTACK else "defender")


def _held(state: State, seat: int, card: str) -> MagicCard:
    """Return a card of a seat's hand.

    Raises:
        Refused: the seat does not hold the card.
    """
    if card not in state.players[seat].hand:
        raise Refused(Refusal.NO_CARD, "You do not hold that card.", "KA-7.3")
    return magic_cards()[card]


def declare(decision: Decision, seat: int, command: do.DeclareMagic) -> None:
    """Commit a Magic card to the battle, or stay out. Rules: KA-7.3.

    Raises:
        Refused: no battle waits for this, or the seat cannot join with the card.
    """
    battle = asked_battle(decision.state, seat, "magic")
    if command.card:
        card = _held(decision.state, seat, command.card)
        if not can_join(decision.state, battle, seat, card):
            text = f"{card.name} cannot be committed in this battle."
            raise Refused(Refusal.CARD_UNFIT, text, "KA-7.3")
    decision.emit(ev.MagicDeclared(seat, bool(command.card), command.card))


def hear_statements(decision: Decision, battle: Battle) -> None:
    """Ask the next side about Magic, or turn the cards over.

    Every seat with a hand is asked, even if no card fits; a seat without one stays out unasked.
    Rules: KA-7.3.
    """
    silent = next((side for side in battle.sides if not side.statement), None)
    if silent is None:
        first, second = battle.sides
        decision.emit(ev.MagicRevealed((first.card, second.card)))
    elif decision.state.players[silent.seat].hand:
        decision.emit(ev.BattleWaits("magic", silent.seat))
    else:
        decision.emit(ev.MagicDeclared(silent.seat, joins=False))


# -- effects ---------------------------------------------------------------------------------------


def work(decision: Decision, stages: Stages) -> bool:
    """Apply the revealed cards of these stages; return False if a seat has to aim first.

    In each stage the attacker's card comes first. Rules: KA-7.4, KA-10.2.
    """
    for stage in stages:
        for side in (ATTACK, DEFENCE):
            battle = _battle(decision)
            mine = battle.sides[side]
            card = magic_cards().get(mine.card)
            if card is None or mine.applied or card.op not in stage:
                continue
            if not _work_card(decision, battle, mine, card):
                return False
    return True


def _work_card(decision: Decision, battle: Battle, side: BattleSide, card: MagicCard) -> bool:
    """Apply one card; return False if its owner has to aim it first.

    The book does not cover an aimed card that has lost all its targets since it was committed: it
    is spent without effect, and its owner is not asked.
    """
    match card.op:
        case "negate":
            _negate(decision, side, opponent_of(battle, side.seat))
        case "shift" | "levy" | "assassinate":
            if has_aims(decision.state, battle, side.seat, card):
                decision.emit(ev.BattleWaits("aim", side.seat))
                return False
            decision.emit(ev.MagicApplied(side.seat, card.id))
        case "steal":
            decision.emit(_stolen(decision.state, battle, side.seat, card))
        case "reroll":
            decision.emit(ev.MagicApplied(side.seat, card.id))
            _throw_again(decision, battle, side.seat, card)
        case _:
            decision.emit(ev.MagicApplied(side.seat, card.id))
    return True


def _negate(decision: Decision, side: BattleSide, other: BattleSide) -> None:
    """Cancel the opponent's card; two negations cancel each other. See: KA-7.4."""
    against = magic_cards().get(other.card)
    mutual = against is not None and against.op == "negate"
    decision.emit(ev.MagicApplied(side.seat, side.card, cancelled=mutual))
    if against is not None:
        decision.emit(ev.MagicApplied(other.seat, other.card, cancelled=True))


def aim(decision: Decision, seat: int, command: do.AimCard) -> None:
    """Choose the targets of the seat's card. Rules: KA-7.4.

    Raises:
        Refused: no battle waits for this, or the card does not allow these targets.
    """
    battle = asked_battle(decision.state, seat, "aim")
    card = magic_cards()[side_of(battle, seat).card]
    decision.emit(check_aim(decision.state, battle, seat, card, command))


def _stolen(
    state: State, battle: Battle, seat: int, card: MagicCard, *, after: bool = False
) -> ev.MagicApplied:
    """Take up to ``n`` gold of the opponent. See: KA-10.2."""
    other = opponent_of(battle, seat).seat
    mine, purse = state.players[seat].gold, state.players[other].gold
    taken = min(card.n, purse)
    gold = ((seat, mine + taken), (other, purse - taken)) if taken else ()
    return ev.MagicApplied(seat, card.id, gold=gold, after=after)


def _throw_again(decision: Decision, battle: Battle, seat: int, card: MagicCard) -> None:
    """Reroll the low dice of a side; the new values count. See: KA-10.2."""
    side = side_number(battle, seat)

    def again(die: Die) -> Die:
        if die.side != side or die.value > card.at_most:
            return die
        return replace(die, value=decision.dice.roll(die.sides), first=die.value)

    dice = tuple(again(die) for die in battle.dice)
    if dice != battle.dice:
        decision.emit(ev.DiceRerolled(seat, dice))


def _battle(decision: Decision) -> Battle:
    battle = decision.state.battle
    if battle is None:
        raise ValueError("there is no battle")
    return battle


# -- after the battle ------------------------------------------------------------------------------


def asked_after(seen: StateOrView, battle: Battle) -> int:
    """Return the seat asked for an after-battle card now, or NOBODY.

    It needs a hand, but no card that fits, so that being asked reveals nothing. Rules: KA-7.8.
    """
    some = any(unit.place == "removed" for unit in seen.units.values())
    if seen.options.magic == "off" or not some:
        return NOBODY
    return next(
        (
            side.seat
            for side in battle.sides
            if not side.card and not side.after and seen.players[side.seat].hand
        ),
        NOBODY,
    )


def can_play_after(seen: StateOrView, battle: Battle, seat: int, card: MagicCard) -> bool:
    """Return whether a seat can play a card of its hand after the battle. See: KA-7.8."""
    if card.timing != "after" or not _fits_role(card, side_number(battle, seat)):
        return False
    if card.needs == "castle" and not has_castle(seen, battle.sides[DEFENCE].tile):
        return False
    match card.op:
        case "save":
            return bool(savable(seen, seat, card)) and most_saved(seen, battle, card) > 0
        case "gold_per_loss":
            return bool(removed(seen, seat))
        case _:
            return True


def savable(seen: StateOrView, seat: int, card: MagicCard) -> tuple[Unit, ...]:
    """Return the removed units that a card can take back. See: KA-10.2."""
    return tuple(unit for unit in removed(seen, seat) if is_among(unit, card))


def most_saved(seen: StateOrView, battle: Battle, card: MagicCard) -> int:
    """Return the maximum number of units that a card takes back. See: KA-10.2."""
    if card.to == "battle_tile":
        return min(card.n, room(seen, battle.sides[DEFENCE].tile))
    return card.n


def play_after(decision: Decision, seat: int, command: do.AfterMagic) -> None:
    """Play an after-battle card, or none.

    A save names at least one unit that comes back. Rules: KA-7.8.
    """
    battle = asked_battle(decision.state, seat, "after")
    if command.card:
        card = _held(decision.state, seat, command.card)
        if not can_play_after(decision.state, battle, seat, card):
            raise Refused(Refusal.CARD_UNFIT, f"{card.name} cannot be played now.", "KA-7.8")
        _check_saved(decision.state, battle, seat, card, command.units)
    elif command.units:
        raise Refused(Refusal.BAD_TARGET, "Without a card no unit comes back.", "KA-7.8")
    decision.emit(ev.AfterMagicPlayed(seat, command.card, command.units))


def _check_saved(
    state: State, battle: Battle, seat: int, card: MagicCard, units: Sequence[int]
) -> None:
    if card.op != "save":
        if units:
            raise Refused(Refusal.BAD_TARGET, f"{card.name} names no units.", "KA-7.8")
        return
    most = most_saved(state, battle, card)
    if not 1 <= len(units) <= most:
        raise Refused(Refusal.BAD_COUNT, f"Name from 1 to {most} units.", "KA-10.2")
    allowed = {unit.id for unit in savable(state, seat, card)}
    if len({*units}) != len(units) or not {*units} <= allowed:
        text = "The card cannot bring that back; name removed units that it allows, each once."
        raise Refused(Refusal.BAD_TARGET, text, "KA-10.2")


def work_after(decision: Decision) -> None:
    """Apply the after-battle cards: saves first, then the others. Rules: KA-10.2. See: KA-7.8."""
    played = list(_played_after(_battle(decision)))
    for seat, card, units in played:
        if card.op == "save":
            decision.emit(_saved(decision.state, _battle(decision), seat, card, units))
    for seat, card, _ in played:
        if card.op != "save":
            decision.emit(_rewarded(decision.state, _battle(decision), seat, card))


def _played_after(battle: Battle) -> Iterator[tuple[int, MagicCard, tuple[int, ...]]]:
    for side in battle.sides:
        if side.after_card:
            yield side.seat, magic_cards()[side.after_card], side.after_units


def _saved(
    state: State, battle: Battle, seat: int, card: MagicCard, units: Sequence[int]
) -> ev.MagicApplied:
    """Return saved units to the battle tile unchanged, or plain to the reserve. See: KA-2.2."""
    chosen = [state.units[unit] for unit in units]
    if card.to == "battle_tile":
        tile = battle.sides[DEFENCE].tile
        moved = tuple(replace(unit, place="board", tile=tile) for unit in chosen)
    else:
        moved = tuple(
            replace(unit, place="reserve", tile=NOWHERE, upgraded=False, done=False)
            for unit in chosen
        )
    return ev.MagicApplied(seat, card.id, moved=moved, after=True)


def _rewarded(state: State, battle: Battle, seat: int, card: MagicCard) -> ev.MagicApplied:
    """Return the gold of an after-battle card, if its condition holds. See: KA-10.2."""
    purse = state.players[seat].gold
    if card.needs == "won" and not has_won(state, battle, seat):
        return ev.MagicApplied(seat, card.id, after=True)
    match card.op:
        case "steal":
            return _stolen(state, battle, seat, card, after=True)
        case "gold_per_loss":
            gained = min(card.max, card.n * len(removed(state, seat)))
        case _:
            gained = card.n
    gold = ((seat, purse + gained),) if gained else ()
    return ev.MagicApplied(seat, card.id, gold=gold, after=True)
