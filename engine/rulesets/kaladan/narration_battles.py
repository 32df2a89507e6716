"""Describe battles: Magic, dice, pairs, casualties, Crowns, and the end of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.record import replace
from engine.kit.dice_pools import LossCounts, chance_of_losses, pair_losses
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import standing
from engine.rulesets.kaladan.boxes import spot
from engine.rulesets.kaladan.narration import (
    NARRATION,
    facts,
    losses,
    place_of,
    tells,
    whose,
)
from engine.rulesets.kaladan.pools import (
    ATTACK,
    DEFENCE,
    cards_at_work,
    dropped,
    has_op,
    rerolls,
)
from engine.rulesets.kaladan.state import HIDDEN, NOBODY, Battle, BattleSide, End, View
from engine.rulesets.kaladan.tables import magic_cards
from engine.rulesets.kaladan.words import (
    VERDICTS,
    called,
    card_name,
    company,
    joined,
    many,
    mood,
    on,
    said,
    sentence,
    unit_name,
)
from engine.tabletop.board import Line
from engine.tabletop.fact import GAVE_UP, Fact, LossRow, Odds
from engine.tabletop.roles import Tone

ENDS: Final[dict[End, str]] = {
    "last_crown": "KA-17.1",
    "no_crown": "KA-17.2",
    "round_limit": "KA-17.3",
}
"""Rule for each reason of the end."""


# -- declarations ----------------------------------------------------------------------------------


@tells(ev.BattleDeclared)
def _declared(event: ev.BattleDeclared, after: View) -> Line:
    text = (
        f"{called(after, event.attacker)} attacks {called(after, event.defender)} "
        f"on {place_of(after, event.target)}"
    )
    tone = mood(after, NOBODY, event.defender, Tone.STRONG)
    line = said(after, text, event.attacker, "KA-7.2", event.target, tone=tone)
    return replace(line, others=(event.defender,))


NARRATION.silent(ev.BattleWaits)  # the question itself is on the screen


@tells(ev.MagicDeclared)
def _spoken(event: ev.MagicDeclared, after: View) -> Line:
    if not event.joins:
        return whose(after, event.seat, "plays no Magic", "KA-7.3")
    known = event.card not in ("", HIDDEN)
    card = f" face down: {card_name(event.card)}" if known else " face down"
    return whose(after, event.seat, f"plays a Magic card{card}", "KA-7.3")


@tells(ev.MagicRevealed)
def _revealed(event: ev.MagicRevealed, after: View) -> Iterator[Line]:
    """See: KA-7.3."""
    for side, card in zip(_sides(after), event.cards, strict=True):
        if card:
            yield whose(after, side.seat, f"reveals {_described(card)}", "KA-10.3")


def _described(card: str) -> str:
    row = magic_cards().get(card)
    return f"{row.name}: {row.text}" if row is not None else card_name(card)


def _sides(view: View) -> Sequence[BattleSide]:
    return view.battle.sides if view.battle is not None else ()


@facts(ev.MagicRevealed)
def _revealed_fact(event: ev.MagicRevealed, before: View) -> Iterator[Fact]:
    for side, card in zip(_sides(before), event.cards, strict=True):
        if card:
            yield Fact("other", side.seat, target=card_name(card))


@tells(ev.MagicApplied)
def _effect(event: ev.MagicApplied, after: View) -> Line:
    """See: KA-7.4, KA-10.2."""
    name = card_name(event.card)
    if event.cancelled:
        return said(after, f"{name} is negated", event.seat, "KA-10.2")
    parts = []
    if event.removed:
        parts.append(f"{company(after, event.removed)} removed")
    if event.moved:
        back = {unit.tile for unit in event.moved}
        goal = joined(sorted(on(after, tile) if tile else "the reserve" for tile in back))
        parts.append(f"{company(after, [unit.id for unit in event.moved])} now in {goal}")
    parts += [f"{called(after, seat)} has {gold} gold" for seat, gold in event.gold]
    text = f"{name}: {joined(parts)}" if parts else f"{name} takes effect"
    return said(after, text, event.seat, "KA-10.2")


@tells(ev.AfterMagicPlayed)
def _after(event: ev.AfterMagicPlayed, after: View) -> Line:
    if not event.card:
        return whose(after, event.seat, "plays no Magic after the battle", "KA-7.8")
    return whose(after, event.seat, f"plays {_described(event.card)}", "KA-7.8")


@facts(ev.AfterMagicPlayed)
def _after_fact(event: ev.AfterMagicPlayed, _before: View) -> Iterator[Fact]:
    if event.card:
        yield Fact("other", event.seat, target=card_name(event.card))


# -- dice ------------------------------------------------------------------------------------------


@tells(ev.DiceRolled)
def _rolled(event: ev.DiceRolled, after: View) -> Iterator[Line]:
    """See: KA-7.5, KA-7.6."""
    for number, side in enumerate(_sides(after)):
        own = sorted((die for die in event.dice if die.side == number), key=lambda die: -die.value)
        sides = sorted({die.sides for die in own}, reverse=True)
        kinds = [(size, [str(die.value) for die in own if die.sides == size]) for size in sides]
        shown = ", ".join(f"D{size}: {' '.join(values)}" for size, values in kinds) or "nothing"
        yield said(after, f"{called(after, side.seat)} rolls {shown}", side.seat, "KA-7.6")


@tells(ev.DiceRerolled)
def _rerolled(event: ev.DiceRerolled, after: View) -> Line:
    again = [f"{die.first} to {die.value}" for die in event.dice if die.first]
    text = f"{called(after, event.seat)} rolls again: {', '.join(again) or 'no die'}"
    return said(after, text, event.seat, "KA-10.2")


@tells(ev.PairsCompared)
def _compared(event: ev.PairsCompared, after: View) -> Iterator[Line]:
    battle = after.battle
    if battle is None:
        return
    signs = {True: ">", False: "<"}
    pairs = [f"{a}{'=' if a == d else signs[a > d]}{d}" for a, d in event.pairs]
    yield Line(sentence(f"Pairs: {'  '.join(pairs) or 'none'}"), Tone.NORMAL, rule="KA-7.6")
    for side, lost, units in zip(battle.sides, event.lost, event.losses, strict=True):
        price = f"{many(lost, 'pair')} and {many(units, 'unit')}" if lost else "no pair"
        text = f"{called(after, side.seat)} loses {price}"
        yield said(after, text, side.seat, "KA-7.7", side.tile)


def roll_odds(battle: Battle) -> LossCounts:
    """Return the distribution of the pairs lost by both sides, from the dice thrown.

    It includes the cards that affect the roll. See: KA-7.6, KA-10.2.
    """
    cards = cards_at_work(battle)
    attack, defence = (
        tuple(die.sides for die in battle.dice if die.side == side) for side in (ATTACK, DEFENCE)
    )
    return pair_losses(
        attack,
        defence,
        ties_win=(has_op(cards, ATTACK, "ties_win"), has_op(cards, DEFENCE, "ties_win")),
        drop=dropped(cards),
        reroll=rerolls(cards),
    )


@facts(ev.PairsCompared)
def _compared_fact(event: ev.PairsCompared, before: View) -> Iterator[Fact]:
    """Yield the attack and the defence: the pairs that the other side lost, with the roll's odds.

    The chance is the attacker's to clear the tile. See: KA-7.6.
    """
    battle = before.battle
    if battle is None:
        return
    attacker, defender = battle.sides
    odds = roll_odds(battle)
    units = len(standing(before, defender.tile))
    clears = chance_of_losses(odds, defence=units)
    here, there = spot(before.layout, defender.tile), spot(before.layout, attacker.tile)
    for side, other, column in ((attacker, defender, 1), (defender, attacker, 0)):
        counts = Counter[int]()
        for lost, weight in odds.items():
            counts[lost[column]] += weight
        attacks = side is attacker
        uncertain = attacks and 0 < clears < 1
        yield Fact(
            "attack" if attacks else "defence",
            side.seat,
            other.seat,
            at=here if attacks else there,
            source=there if attacks else here,
            piece=called(before, side.seat),
            target=called(before, other.seat),
            won=event.lost[1] >= units if attacks else None,
            chance=(clears.numerator, clears.denominator) if uncertain else None,
            amount=event.lost[column],
            odds=Odds(tuple(sorted(counts.items()))),
        )


# -- casualties ------------------------------------------------------------------------------------


@tells(ev.CasualtiesChosen)
def _casualties(event: ev.CasualtiesChosen, after: View) -> Iterator[Line]:
    if event.units:
        tone = Tone.BAD if after.viewer == event.seat else Tone.NORMAL
        text = f"{called(after, event.seat)} gives up {company(after, event.units)}"
        yield said(after, text, event.seat, "KA-7.7", tone=tone)


@tells(ev.UnitsDied)
def _died(event: ev.UnitsDied, after: View) -> Iterator[Line]:
    """See: KA-7.9, KA-12."""
    if event.dead:
        yield Line(sentence(f"Dead: {company(after, event.dead)}"), rule="KA-12")
    if event.fallen:
        text = f"Fallen until brought back: {company(after, event.fallen)}"
        yield Line(sentence(text), rule="KA-9")


@facts(ev.UnitsDied)
def _died_fact(event: ev.UnitsDied, before: View) -> Iterator[Fact]:
    """Yield the loss of each unit as a fact."""
    for number in (*event.dead, *event.fallen):
        unit = before.units[number]
        row = _row(before, unit.owner, unit_name(before, unit), 1, "KA-7.9")
        yield Fact("loss", row.seat, row.other, at=row.at, target=row.what, amount=1)


@losses(ev.UnitsDied)
def _died_rows(event: ev.UnitsDied, before: View) -> Iterator[LossRow]:
    """Yield a row for each side that lost units."""
    lost = [before.units[number] for number in (*event.dead, *event.fallen)]
    for seat in sorted({unit.owner for unit in lost}):
        own = [unit.id for unit in lost if unit.owner == seat]
        yield _row(before, seat, company(before, own), len(own), "KA-7.9")


def _row(view: View, seat: int, what: str, count: int, rule: str) -> LossRow:
    """Return the loss of a seat in the battle, on its own tile there."""
    foe, tile = _foe(view.battle, seat)
    place, at = (on(view, tile), spot(view.layout, tile)) if tile else ("", None)
    return LossRow(seat, what, "battle", count, foe, place, at, rule)


def _foe(battle: Battle | None, seat: int) -> tuple[int, int]:
    """Return the opponent of a seat in a battle, and the seat's own tile there."""
    if battle is None:
        return NOBODY, 0
    own = next((side for side in battle.sides if side.seat == seat), None)
    other = next((side for side in battle.sides if side.seat != seat), None)
    return (other.seat if other else NOBODY), (own.tile if own else 0)


# -- outcome ---------------------------------------------------------------------------------------


@tells(ev.CrownFell)
def _crown(event: ev.CrownFell, after: View) -> Line:
    text = f"The Crown of {called(after, event.seat)} falls."
    tone = mood(after, event.by, event.seat, Tone.STRONG)
    return Line(text, tone, event.seat, "KA-8.1")


@facts(ev.CrownFell)
def _crown_fact(event: ev.CrownFell, before: View) -> Fact:
    at = _row(before, event.seat, "Crown", 1, "KA-8.1").at
    return Fact("loss", event.seat, event.by, at=at, target="Crown", amount=1)


losses(ev.CrownFell)(lambda event, before: _row(before, event.seat, "Crown", 1, "KA-8.1"))


@tells(ev.SeatEliminated)
def _eliminated(event: ev.SeatEliminated, after: View) -> Iterator[Line]:
    name = called(after, event.seat)
    text = f"{name} gives up and leaves the war" if event.resigned else f"{name} is out of the war"
    tone = mood(after, event.by, event.seat, Tone.STRONG)
    yield said(after, text, event.seat, "KA-8.4" if event.resigned else "KA-8.1", tone=tone)
    if event.specials:
        won = company(after, event.specials)
        yield whose(after, event.by, f"takes {won} into its service", "KA-8.3")


@facts(ev.SeatEliminated)
def _eliminated_fact(event: ev.SeatEliminated, _before: View) -> Fact:
    what = GAVE_UP if event.resigned else "out of the war"
    return Fact("other", event.seat, event.by, target=what)


@facts(ev.BattleJudged, ev.BattleEnded)
def _attack_without_dice(event: ev.BattleJudged | ev.BattleEnded, before: View) -> Iterator[Fact]:
    """Yield the attack of a battle that Magic or a resignation decided before the roll."""
    if before.battle is None or before.battle.dice:
        return
    attacker, defender = before.battle.sides
    here, there = spot(before.layout, defender.tile), spot(before.layout, attacker.tile)
    if isinstance(event, ev.BattleJudged):
        won = event.verdict == "attacker_wins"
        yield Fact("attack", attacker.seat, defender.seat, at=here, source=there, won=won)
    elif event.verdict == "abandoned":
        yield Fact("attack", attacker.seat, defender.seat, at=here, source=there, amount=0)


@tells(ev.BattleJudged)
def _judged(event: ev.BattleJudged, _after: View) -> Line:
    return Line(sentence(VERDICTS[event.verdict]), Tone.STRONG, rule="KA-7.9")


@facts(ev.Invaded)
def _invaded_fact(event: ev.Invaded, before: View) -> Fact:
    other, _ = _foe(before.battle, event.seat)
    return Fact(
        "capture",
        event.seat,
        other,
        at=spot(before.layout, event.target),
        source=spot(before.layout, event.source),
        piece=company(before, event.units),
        target=on(before, event.target),
    )


@tells(ev.SpecialTransferred)
def _transferred(event: ev.SpecialTransferred, after: View) -> Line:
    name = unit_name(after, after.units[event.unit])
    if event.tile:
        text = f"{name} appears on {on(after, event.tile)} for {called(after, event.seat)}"
    else:
        text = f"{name} finds no room and waits for {called(after, event.seat)}"
    return said(after, text, event.seat, "KA-8.3", event.tile)


@tells(ev.BattleEnded)
def _battle_ended(event: ev.BattleEnded, _after: View) -> Iterator[Line]:
    """Describe only an abandoned battle; other outcomes have been described. See: KA-8.4."""
    if event.verdict == "abandoned":
        yield Line(sentence(VERDICTS["abandoned"]), Tone.STRONG, rule="KA-8.4")


@tells(ev.GameEnded)
def _ended(event: ev.GameEnded, after: View) -> Line:
    """See: KA-17."""
    names = joined([called(after, seat) for seat in event.winners])
    verb = "win" if len(event.winners) > 1 else "wins"
    text = {
        "last_crown": f"The last Crown standing is that of {names}",
        "no_crown": f"The last Crowns fall together: {names} share the end",
        "round_limit": f"The last round is over: {names} {verb} the war",
    }.get(event.reason, "The war is over")
    tone = Tone.GOOD if after.viewer in event.winners else Tone.TITLE
    return Line(sentence(text), tone, rule=ENDS.get(event.reason, "KA-17.1"))


@facts(ev.GameEnded)
def _ended_fact(event: ev.GameEnded, _before: View) -> Fact:
    """Return the end of the game as a fact; a shared victory has no seat."""
    return Fact("end", event.winners[0] if len(event.winners) == 1 else NOBODY)
