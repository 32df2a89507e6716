"""Fights, and what happens to the losers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from engine.core.decision import BaseDecision
from engine.core.refused import Refused
from tests.toy import events as ev
from tests.toy.hexes import Hex, beside, is_land, standing
from tests.toy.numbers import numbers
from tests.toy.refusal import Refusal
from tests.toy.state import Band, Lost, Seen, State

Decision: TypeAlias = BaseDecision[State, ev.AnyEvent]
"""Collects the events of one decision in this game."""


def fight_all(decision: Decision) -> None:
    """Fight on every hex with bands of several clans, top row first. Rules: T-FIGHT-1."""
    terrain = decision.state.terrain
    for y in range(terrain.height):
        for x in range(terrain.width):
            if len({band.clan for band in standing(decision.state, (x, y))}) > 1:
                fight(decision, (x, y))


def fight(decision: Decision, at: Hex) -> None:
    """Fight on a hex: reveal strengths, throw dice, beat the losers.

    Rules: T-FIGHT-1, T-FIGHT-2.
    """
    here = standing(decision.state, at)
    if unknown := [band for band in here if not band.known]:
        decision.emit(
            ev.BandsShown(
                tuple(band.id for band in unknown), tuple(band.strength for band in unknown)
            )
        )
    clans = sorted({band.clan for band in here})
    sums = tuple((clan, _sum(decision, clan, here)) for clan in clans)
    highest = max(total for _, total in sums)
    winner = next(clan for clan, total in sums if total == highest)
    decision.emit(ev.FightWon(*at, winner, sums))
    for clan in clans:
        if clan != winner:
            beat(decision, clan, at)


def _sum(decision: Decision, clan: int, here: Sequence[Band]) -> int:
    strength = sum(band.strength for band in here if band.clan == clan)
    return strength + decision.state.clans[clan].stake + decision.dice.roll(numbers().die.value)


def beat(decision: Decision, clan: int, at: Hex) -> None:
    """Let the foremost band of a clan fall; its other bands on the hex must retreat.

    Rules: T-FIGHT-3. See: T-RETREAT-1.
    """
    own = [band.id for band in standing(decision.state, at) if band.clan == clan]
    ranks = decision.state.clans[clan].ranks
    foremost = next((band for band in ranks if band in own), own[0])
    fall(decision, foremost)
    if len(own) > 1:
        decision.emit(ev.RetreatDue(clan, *at))


def fall(decision: Decision, band: int) -> None:
    """Let a band fall; its clan is out if that was its last band. Rules: T-OUT-1."""
    clan = decision.state.bands[band].clan
    decision.emit(ev.BandFell(band))
    if not any(other.alive and other.clan == clan for other in decision.state.bands.values()):
        decision.emit(ev.ClanLeft(clan, resigned=False))


def refuges(seen: Seen, lost: Lost) -> list[Hex]:
    """Return the hexes to which a beaten clan may retreat. Rules: T-RETREAT-1."""
    return [
        at
        for at in beside((lost.x, lost.y))
        if is_land(seen, at) and all(band.clan == lost.clan for band in standing(seen, at))
    ]


def give_way(decision: Decision) -> None:
    """Let the bands fall that must retreat next and have no free hex. Rules: T-RETREAT-2."""
    while decision.state.lost and not refuges(decision.state, decision.state.lost[0]):
        lost = decision.state.lost[0]
        own = [
            band for band in standing(decision.state, (lost.x, lost.y)) if band.clan == lost.clan
        ]
        decision.emit(ev.BandsRetreated((), lost.x, lost.y))
        for band in own:
            fall(decision, band.id)


def retreat(decision: Decision, seat: int, at: Hex) -> None:
    """Move the clan's beaten bands to ``at``, or refuse the hex. Rules: T-RETREAT-1."""
    if not decision.state.lost or decision.state.lost[0].clan != seat:
        raise Refused(Refusal.NOT_NOW, "You have no bands that must retreat now.", "T-RETREAT-1")
    lost = decision.state.lost[0]
    if at not in refuges(decision.state, lost):
        raise Refused(Refusal.NO_WAY, "Your bands cannot retreat to that hex.", "T-RETREAT-1")
    own = (band for band in standing(decision.state, (lost.x, lost.y)) if band.clan == seat)
    decision.emit(ev.BandsRetreated(tuple(band.id for band in own), *at))
