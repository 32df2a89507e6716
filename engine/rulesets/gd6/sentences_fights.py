"""Skirmishes, mines and invasions in sentences that say why somebody won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.lands import strength
from engine.rulesets.gd6.sentences_moves import in_step
from engine.rulesets.gd6.state import NOBODY, View
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
from engine.tabletop.roles import Tone


def told_of_fight(  # noqa: PLR0911 - one case per event
    event: (
        ev.LoopFound
        | ev.Skirmish
        | ev.InvasionBegan
        | ev.SpiesCaught
        | ev.PenaltyPaid
        | ev.MinesExploded
        | ev.WatchtowerHeld
        | ev.Defended
        | ev.InvasionRepelled
    ),
    after: View,
) -> tuple[Line, ...]:
    """A fight, or a part of an invasion."""
    match event:
        case ev.LoopFound():
            return (_loop(event, after),)
        case ev.Skirmish():
            return (_skirmish(event, after), *_spies(event.losses, after, event.places[0]))
        case ev.SpiesCaught():
            return tuple(_spies(event.losses, after, event.at))
        case ev.MinesExploded():
            return (_exploded(event, after),)
        case ev.InvasionBegan():
            return (_invaded(event, after),)
        case ev.PenaltyPaid() | ev.WatchtowerHeld():
            return (_paid(event, after),)
        case ev.Defended():
            return (_defended(event, after),)
        case ev.InvasionRepelled():
            return (_repelled(event, after),)


# -- on the way ----------------------------------------------------------------------------------


def _loop(event: ev.LoopFound, after: View) -> Line:
    """Rules: GD-LOOP-1, GD-LOOP-2."""
    names = [land(after, at) for at in event.places]
    if len(names) == 2:
        text = f"Step {after.step}: attacks cross between {joined(names)}"
    else:
        text = f"Step {after.step}: attacks go round from {' to '.join((*names, names[0]))}"
    cell = spot(after, event.places[0])
    return Line(sentence(text), Tone.STRONG, rule="GD-LOOP-1", at=cell)


def _skirmish(event: ev.Skirmish, after: View) -> Line:
    """Who met whom with how many, and what is left. Rules: GD-SKIRMISH-2, GD-SKIRMISH-3."""
    sides = " against ".join(f"{called(after, seat)} {before}" for seat, before, _ in event.sides)
    left = [(seat, count) for seat, _, count in event.sides if count]
    result = f"{called(after, left[0][0])} keeps {left[0][1]}" if left else "nobody is left"
    if event.kind == "target":
        begin = in_step(after, event.places[0])
    else:
        begin = f"Step {after.step}, between {joined([land(after, at) for at in event.places])}: "
    winner = left[0][0] if left else NOBODY
    text = f"{begin}{sides}: a skirmish, {result}"
    line = said(after, text, winner, "GD-SKIRMISH-2", event.places[0])
    beaten = [seat for seat, _, _ in event.sides if seat != winner]
    return replace(line, tone=_tone(after, winner, beaten))


def _tone(view: View, winner: int, beaten: Iterable[int]) -> Tone:
    if view.viewer in set(beaten):
        return Tone.BAD
    return Tone.GOOD if view.viewer == winner else Tone.NORMAL


def _spies(losses: Iterable[ev.Loss], after: View, at: int) -> Iterator[Line]:
    """Spies that were caught in a fight, by seat. Rules: GD-SPY-1."""
    dead = [loss for loss in losses if loss.unit == "spy"]
    for seat in sorted({loss.seat for loss in dead}):
        count = sum(loss.lost for loss in dead if loss.seat == seat)
        text = f"{in_step(after, at)}{units(count, 'spy')} of {called(after, seat)}"
        text += f" {'is' if count == 1 else 'are'} caught in the fight and killed"
        line = said(after, text, seat, "GD-SPY-1", at)
        yield replace(line, tone=mood(after, NOBODY, seat))


def _exploded(event: ev.MinesExploded, after: View) -> Line:
    """Rules: GD-MINE-2, GD-MINE-3."""
    dead = fallen(event.losses)
    dead = (dead[0] + event.spawned_lost, *dead[1:])
    text = f"{in_step(after, event.at)}{many(event.exploded, 'mine')}"
    text += f" {'goes' if event.exploded == 1 else 'go'} off under {called(after, event.seat)},"
    text += f" {several(dead) if any(dead) else 'no unit'} {_lost(sum(dead))}"
    text += f", {many(event.left, 'mine')} left" if event.left else ""
    line = said(after, text, event.seat, "GD-MINE-2", event.at)
    return replace(line, tone=mood(after, NOBODY, event.seat))


def _lost(count: int) -> str:
    return "are lost" if count > 1 else "is lost"


# -- invasions -----------------------------------------------------------------------------------


def attackers(view: View, at: int, seat: int) -> int:
    """Units of a seat on the way to a territory that can fight."""
    return sum(
        squad.count
        for squad in view.squads.values()
        if squad.flying
        and squad.seat == seat
        and squad.path[squad.hop + 1] == at
        and squad.unit != "spy"
    )


def _invaded(event: ev.InvasionBegan, after: View) -> Line:
    """Rules: GD-INVADE-1."""
    there = [str(event.defenders)] if event.defenders else ["no defender"]
    if after.territories[event.at].construct == "watchtower":
        there.append("a watchtower")
    text = f"{in_step(after, event.at)}{called(after, event.seat)} invades"
    text += f" {called(after, event.owner)}, {event.attackers} against {joined(there)}"
    line = said(after, text, event.seat, "GD-INVADE-1", event.at)
    return replace(line, tone=mood(after, event.seat, event.owner))


def _paid(event: ev.PenaltyPaid | ev.WatchtowerHeld, after: View) -> Line:
    """What attackers lose before they reach a defender. Rules: GD-INVADE-1, GD-TOWER-1."""
    seat, begin = called(after, event.seat), in_step(after, event.at)
    dead, left = fallen(event.losses), attackers(after, event.at, event.seat)
    rest = f"{left} left" if left else "nobody left"
    cost = f"costs {seat} {several(dead)}, {rest}"
    text, rule = f"{begin}invading {cost}", "GD-INVADE-1"
    if isinstance(event, ev.WatchtowerHeld):
        end = "it is destroyed" if event.destroyed else "it stands"
        text, rule = f"{begin}the watchtower {cost}; {end}", "GD-TOWER-1"
    elif not event.damage:
        text = f"{begin}a spy has shown {seat} the way, so there is no penalty"
        return said(after, text, event.seat, "GD-INTEL-1", event.at)
    line = said(after, text, event.seat, rule, event.at)
    return replace(line, tone=mood(after, NOBODY, event.seat))


def _defended(event: ev.Defended, after: View) -> Line:
    """The fight one for one, and what each side has left. Rules: GD-INVADE-2, GD-SPY-2."""
    seat, owner = called(after, event.seat), called(after, event.owner)
    there, here = attackers(after, event.at, event.seat), strength(after.territories[event.at])
    lost = several(fallen(event.losses))
    text = f"{in_step(after, event.at)}one for one {seat} loses {lost} and {owner}"
    text += f" {several(event.garrison)}: {there} against {here} left"
    line = said(after, text, event.seat if not here else event.owner, "GD-INVADE-2", event.at)
    return replace(line, tone=mood(after, event.seat, event.owner) if not here else Tone.NORMAL)


def _repelled(event: ev.InvasionRepelled, after: View) -> Line:
    """Why the land stays its owner's. Rules: GD-INVADE-2, GD-INVADE-3."""
    here = strength(after.territories[event.at])
    owner = called(after, event.owner)
    text = f"{in_step(after, event.at)}no attacker is left, {owner} keeps it"
    text += f" with {many(here, 'unit')}" if here else " though nobody stands there"
    line = said(after, text, event.owner, "GD-INVADE-2", event.at)
    return replace(line, tone=mood(after, event.owner, event.seat))
