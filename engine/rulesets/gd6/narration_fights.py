"""Narration of fights: loops, skirmishes, landmines and invasions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.fights import passing_at
from engine.rulesets.gd6.narration import facts, flying_to, losses, place_loss, tells, unit_losses
from engine.rulesets.gd6.narration_phases import in_step, unit_facts, won_invasion
from engine.rulesets.gd6.state import NOBODY, Loss, UnitCounts, View
from engine.rulesets.gd6.territories import name, strength
from engine.rulesets.gd6.words import (
    called,
    fallen,
    joined,
    land,
    many,
    mood,
    said,
    sentence,
    several,
    spot,
    units,
)
from engine.tabletop.board import Line
from engine.tabletop.fact import Fact, LossRow
from engine.tabletop.roles import Tone

# -- loops and skirmishes --------------------------------------------------------------------------


@tells(ev.LoopFound)
def _loop(event: ev.LoopFound, after: View) -> Line:
    """See: GD-LOOP-1, GD-LOOP-2."""
    names = [land(after, at) for at in event.places]
    if len(names) == 2:
        text = f"Step {after.step}: attacks cross between {joined(names)}"
    else:
        text = f"Step {after.step}: attacks go round from {' to '.join((*names, names[0]))}"
    cell = spot(after, event.places[0])
    return Line(sentence(text), Tone.STRONG, rule="GD-LOOP-1", at=cell)


@tells(ev.Skirmish)
def _skirmish(event: ev.Skirmish, after: View) -> Iterator[Line]:
    """Report the units that met, and those that are left. See: GD-SKIRMISH-2, GD-SKIRMISH-3."""
    sides = " against ".join(f"{called(after, seat)} {before}" for seat, before, _ in event.sides)
    left = [(seat, count) for seat, _, count in event.sides if count]
    result = f"{called(after, left[0][0])} keeps {left[0][1]}" if left else "nobody is left"
    at = event.places[0]
    if event.kind == "target":
        begin = in_step(after, at)
    else:
        begin = f"Step {after.step}, {joined([land(after, one) for one in event.places])}: "
    winner, text = _winner(event), f"{begin}{sides}, {result}"
    beaten = after.viewer != winner and any(after.viewer == seat for seat, _, _ in event.sides)
    won = Tone.GOOD if after.viewer == winner else Tone.NORMAL
    yield said(after, text, winner, "GD-SKIRMISH-2", at, tone=Tone.BAD if beaten else won)
    yield from _spies(event.losses, after, at)


def _winner(event: ev.Skirmish) -> int:
    """Return the seat with units left, or NOBODY."""
    return next((seat for seat, _, left in event.sides if left), NOBODY)


def _opponent(event: ev.Skirmish, seat: int) -> int:
    """Return a seat's opponent: the winner, or else the first other seat."""
    winner = _winner(event)
    others = [other for other, _, _ in event.sides if other != seat]
    return winner if winner not in (NOBODY, seat) else others[0]


@facts(ev.Skirmish)
def _skirmish_fact(event: ev.Skirmish, before: View) -> Iterator[Fact]:
    """Yield an attack by each side, won if it has units left, and losses. See: GD-SKIRMISH-2."""
    here, rounds = spot(before, event.places[0]), event.rounds
    for seat, count, left in event.sides:
        foe = _opponent(event, seat)
        if count:
            won = left > 0
            yield Fact("attack", seat, foe, at=here, target="skirmish", won=won, amount=rounds)
        yield from unit_facts(fallen(event.losses, seat), seat, foe, here)


@losses(ev.Skirmish)
def _skirmish_loss(event: ev.Skirmish, before: View) -> Iterator[LossRow]:
    """Yield the loss of each side. See: GD-LOOP-1."""
    cause, rule = ("loop", "GD-LOOP-1") if event.kind == "loop" else ("skirmish", "GD-SKIRMISH-2")
    place, cell = joined([name(before, at) for at in event.places]), spot(before, event.places[0])
    for seat, _, _ in event.sides:
        dead = fallen(event.losses, seat)
        if any(dead):
            foe = _opponent(event, seat)
            yield LossRow(seat, several(dead), cause, sum(dead), foe, place, cell, rule)


# -- spies and landmines ---------------------------------------------------------------------------


def _spies(losses: Iterable[Loss], after: View, at: int) -> Iterator[Line]:
    """Report the spies that were caught in a fight, by seat. See: GD-SPY-1."""
    dead = [loss for loss in losses if loss.unit == "spy"]
    for seat in sorted({loss.seat for loss in dead}):
        count = sum(loss.lost for loss in dead if loss.seat == seat)
        text = f"{in_step(after, at)}{units(count, 'spy')} of {called(after, seat)}"
        text += f" {'is' if count == 1 else 'are'} caught"
        yield said(after, text, seat, "GD-SPY-1", at, tone=mood(after, NOBODY, seat))


tells(ev.SpiesCaught)(lambda event, after: _spies(event.losses, after, event.at))


@tells(ev.MinesExploded)
def _exploded(event: ev.MinesExploded, after: View) -> Line:
    """See: GD-MINE-2, GD-MINE-3."""
    dead = _killed_by_mines(event)
    text = f"{in_step(after, event.at)}{many(event.exploded, 'mine')}"
    text += f" {'goes' if event.exploded == 1 else 'go'} off under {called(after, event.seat)},"
    text += f" {several(dead) if any(dead) else 'no unit'}"
    text += " are lost" if sum(dead) > 1 else " is lost"
    text += f", {many(event.left, 'mine')} left" if event.left else ""
    tone = mood(after, NOBODY, event.seat)
    return said(after, text, event.seat, "GD-MINE-2", event.at, tone=tone)


def _killed_by_mines(event: ev.MinesExploded) -> UnitCounts:
    army, cavalry, heavy, spy = fallen(event.losses)
    return army + event.spawned_lost, cavalry, heavy, spy


@losses(ev.MinesExploded)
def _exploded_loss(event: ev.MinesExploded, before: View) -> Iterator[LossRow]:
    dead = _killed_by_mines(event)
    return unit_losses(before, event.seat, dead, "mines", event.at, "GD-MINE-2")


# -- invasions -------------------------------------------------------------------------------------


@tells(ev.InvasionBegan)
def _invaded(event: ev.InvasionBegan, after: View) -> Line:
    there = [str(event.defenders)] if event.defenders else ["no defender"]
    if after.territories[event.at].construct == "watchtower":
        there.append("a watchtower")
    text = f"{in_step(after, event.at)}{called(after, event.seat)} invades"
    text += f" {called(after, event.owner)}, {event.attackers} against {joined(there)}"
    tone = mood(after, event.seat, event.owner)
    return said(after, text, event.seat, "GD-INVADE-1", event.at, tone=tone)


def _attackers(view: View, at: int, seat: int) -> int:
    """Return the number of units of a seat in flight to a territory that can fight."""
    squads = (squad for squad in flying_to(view, at) if squad.seat == seat)
    return sum(squad.count for squad in squads if squad.unit != "spy")


@tells(ev.PenaltyPaid)
def _penalty(event: ev.PenaltyPaid, after: View) -> Line:
    begin = in_step(after, event.at)
    if event.damage:
        tone, text = mood(after, NOBODY, event.seat), f"{begin}invading {_cost(event, after)}"
        return said(after, text, event.seat, "GD-INVADE-1", event.at, tone=tone)
    text = f"{begin}a spy shows {called(after, event.seat)} the way: no penalty"
    return said(after, text, event.seat, "GD-INTEL-1", event.at)


@tells(ev.WatchtowerHeld)
def _tower(event: ev.WatchtowerHeld, after: View) -> Line:
    end = "it is destroyed" if event.destroyed else "it stands"
    text = f"{in_step(after, event.at)}the watchtower {_cost(event, after)}; {end}"
    tone = mood(after, NOBODY, event.seat)
    return said(after, text, event.seat, "GD-TOWER-1", event.at, tone=tone)


def _cost(event: ev.PenaltyPaid | ev.WatchtowerHeld, after: View) -> str:
    """Report what attackers lost before they reached a defender, and how many are left."""
    left = _attackers(after, event.at, event.seat)
    rest = f"{left} left" if left else "nobody left"
    return f"costs {called(after, event.seat)} {several(fallen(event.losses))}, {rest}"


@facts(ev.SpiesCaught, ev.PenaltyPaid, ev.MinesExploded, ev.WatchtowerHeld)
def _cost_fact(
    event: ev.SpiesCaught | ev.PenaltyPaid | ev.MinesExploded | ev.WatchtowerHeld, before: View
) -> Iterator[Fact]:
    """Yield the losses to spies, penalty, mines and tower, and the loss of the tower itself.

    See: GD-INVADE-1, GD-TOWER-1, GD-MINE-2, GD-SPY-1.
    """
    here, owner = spot(before, event.at), before.territories[event.at].owner
    for seat in sorted({loss.seat for loss in event.losses}):
        yield from unit_facts(fallen(event.losses, seat), seat, owner, here)
    match event:
        case ev.MinesExploded(spawned_lost=count) if count:
            yield Fact("loss", event.seat, at=here, piece="army", amount=count)
        case ev.WatchtowerHeld(destroyed=True):
            yield Fact("capture", event.seat, owner, at=here, target="watchtower")
        case _:
            pass


_CAUSES: Final = {
    ev.SpiesCaught: ("caught", "GD-SPY-1"),
    ev.PenaltyPaid: ("penalty", "GD-INVADE-1"),
    ev.WatchtowerHeld: ("watchtower", "GD-TOWER-1"),
}


@losses(*_CAUSES)
def _cost_loss(
    event: ev.SpiesCaught | ev.PenaltyPaid | ev.WatchtowerHeld, before: View
) -> Iterator[LossRow]:
    (cause, rule), at, owner = _CAUSES[type(event)], event.at, before.territories[event.at].owner
    for seat in sorted({loss.seat for loss in event.losses}):
        dead = fallen(event.losses, seat)
        yield from unit_losses(before, seat, dead, cause, at, rule, other=owner)
    if isinstance(event, ev.WatchtowerHeld) and event.destroyed:
        yield place_loss(before, owner, "watchtower", "invasion", at, rule, other=event.seat)


@tells(ev.Defended)
def _defended(event: ev.Defended, after: View) -> Line:
    """Report the fight one for one, and the units left on both. See: GD-INVADE-2, GD-SPY-2."""
    seat, owner = called(after, event.seat), called(after, event.owner)
    there, here = _attackers(after, event.at, event.seat), strength(after.territories[event.at])
    text = f"{in_step(after, event.at)}{seat} loses {several(fallen(event.losses))}"
    text += f" and {owner} {several(event.garrison)}, {there} against {here} left"
    tone = mood(after, event.seat, event.owner) if not here else Tone.NORMAL
    about = event.owner if here else event.seat
    return said(after, text, about, "GD-INVADE-2", event.at, tone=tone)


@facts(ev.Defended)
def _defended_fact(event: ev.Defended, before: View) -> Iterator[Fact]:
    """Yield all losses, and the won attack if both sides are wiped out. See: GD-INVADE-2.

    With attackers left it is a fact of the land that becomes neutral; with defenders left it is
    lost.
    """
    at, seat, owner, dead = event.at, event.seat, event.owner, fallen(event.losses)
    passing = sum(squad.count for squad in passing_at(before, at) if squad.unit != "spy")
    here = before.territories[at]
    defenders = strength(here) - here.spy + passing
    if (sum(dead), sum(event.garrison[:3])) == (_attackers(before, at, seat), defenders):
        yield won_invasion(before, at, seat, owner)
    yield from unit_facts(dead, seat, owner, spot(before, at))
    yield from unit_facts(event.garrison, owner, seat, spot(before, at))


@losses(ev.Defended)
def _defended_loss(event: ev.Defended, before: View) -> Iterator[LossRow]:
    at, seat, owner, rule = event.at, event.seat, event.owner, "GD-INVADE-2"
    dead = fallen(event.losses)
    yield from unit_losses(before, seat, dead, "invasion", at, rule, other=owner)
    yield from unit_losses(before, owner, event.garrison, "invasion", at, rule, other=seat)


@tells(ev.InvasionRepelled)
def _repelled(event: ev.InvasionRepelled, after: View) -> Line:
    """See: GD-INVADE-2, GD-INVADE-3."""
    here = strength(after.territories[event.at])
    text = f"{in_step(after, event.at)}{called(after, event.owner)} holds it"
    text += f" with {many(here, 'unit')}" if here else " with nobody left"
    tone = mood(after, event.owner, event.seat)
    return said(after, text, event.owner, "GD-INVADE-2", event.at, tone=tone)


@facts(ev.InvasionRepelled)
def _repelled_fact(event: ev.InvasionRepelled, before: View) -> Fact:
    """See: GD-INVADE-3."""
    here = spot(before, event.at)
    return Fact("attack", event.seat, event.owner, at=here, target="invasion", won=False)
