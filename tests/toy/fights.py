"""Fights, and what becomes of those who lose them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from engine.core.refused import Refused
from engine.core.work import Work
from tests.toy import events as ev
from tests.toy.hexes import Hex, beside, is_land, standing
from tests.toy.numbers import numbers
from tests.toy.refusal import Refusal
from tests.toy.state import Band, Lost, Seen, State

Deed: TypeAlias = Work[State, ev.AnyEvent]
"""The scratch pad of one decision in this game."""


def fight_all(work: Deed) -> None:
    """Fight wherever several clans stand, top row first. Rules: T-FIGHT-1."""
    terrain = work.state.terrain
    for y in range(terrain.height):
        for x in range(terrain.width):
            if len({band.clan for band in standing(work.state, (x, y))}) > 1:
                fight(work, (x, y))


def fight(work: Deed, at: Hex) -> None:
    """One fight: strengths are shown, dice thrown, losers beaten. Rules: T-FIGHT-1, T-FIGHT-2."""
    here = standing(work.state, at)
    if unknown := [band for band in here if not band.known]:
        work.emit(
            ev.BandsShown(
                tuple(band.id for band in unknown), tuple(band.strength for band in unknown)
            )
        )
    clans = sorted({band.clan for band in here})
    sums = tuple((clan, _sum(work, clan, here)) for clan in clans)
    highest = max(total for _, total in sums)
    winner = next(clan for clan, total in sums if total == highest)
    work.emit(ev.FightWon(*at, winner, sums))
    for clan in clans:
        if clan != winner:
            beat(work, clan, at)


def _sum(work: Deed, clan: int, here: Sequence[Band]) -> int:
    strength = sum(band.strength for band in here if band.clan == clan)
    return strength + work.state.clans[clan].stake + work.dice.roll(numbers().die.value)


def beat(work: Deed, clan: int, at: Hex) -> None:
    """A clan loses its foremost band, the others must retreat. Rules: T-FIGHT-3, T-RETREAT-1."""
    own = [band.id for band in standing(work.state, at) if band.clan == clan]
    ranks = work.state.clans[clan].ranks
    foremost = next((band for band in ranks if band in own), own[0])
    fall(work, foremost)
    if len(own) > 1:
        work.emit(ev.RetreatDue(clan, *at))


def fall(work: Deed, band: int) -> None:
    """A band falls, and its clan is out if that was the last. Rules: T-OUT-1."""
    clan = work.state.bands[band].clan
    work.emit(ev.BandFell(band))
    if not any(other.alive and other.clan == clan for other in work.state.bands.values()):
        work.emit(ev.ClanLeft(clan, resigned=False))


def refuges(seen: Seen, lost: Lost) -> list[Hex]:
    """Where a clan may retreat to. Rules: T-RETREAT-1."""
    return [
        at
        for at in beside((lost.x, lost.y))
        if is_land(seen, at) and all(band.clan == lost.clan for band in standing(seen, at))
    ]


def give_way(work: Deed) -> None:
    """Those fall who must retreat next and have nowhere to go. Rules: T-RETREAT-2."""
    while work.state.lost and not refuges(work.state, work.state.lost[0]):
        lost = work.state.lost[0]
        own = [band for band in standing(work.state, (lost.x, lost.y)) if band.clan == lost.clan]
        work.emit(ev.BandsRetreated((), lost.x, lost.y))
        for band in own:
            fall(work, band.id)


def retreat(work: Deed, seat: int, at: Hex) -> None:
    """Take what is left to ``at``. Rules: T-RETREAT-1."""
    if not work.state.lost or work.state.lost[0].clan != seat:
        raise Refused(Refusal.NOT_NOW, "You have no bands that must retreat now.", "T-RETREAT-1")
    lost = work.state.lost[0]
    if at not in refuges(work.state, lost):
        raise Refused(Refusal.NO_WAY, "Your bands cannot retreat to that hex.", "T-RETREAT-1")
    own = (band for band in standing(work.state, (lost.x, lost.y)) if band.clan == seat)
    work.emit(ev.BandsRetreated(tuple(band.id for band in own), *at))
