"""Events as facts, as far as the viewer may know them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import assert_never

from engine.tabletop.fact import GAVE_UP, Fact, Odds
from tests.toy import events as ev
from tests.toy.canvas import cell_of
from tests.toy.hexes import Hex, standing
from tests.toy.numbers import numbers
from tests.toy.sentences import status
from tests.toy.state import HIDDEN, View


def facts(event: ev.AnyEvent, before: View, after: View) -> tuple[Fact, ...]:
    """Return what an event means, as facts for clients, limited to what the viewer knows."""
    match event:
        case ev.GameSet() | ev.OrdersDropped() | ev.CryRaised() | ev.OrdersSealed():
            return ()
        case ev.BandsShown() | ev.RetreatDue():
            return ()
        case ev.OrderGiven() | ev.RanksSet() | ev.StakeLaid():
            return (_order(event, after),)
        case ev.BandMarched():
            return (_move(before, event.band, (event.x, event.y)),)
        case ev.BandsRetreated():
            return tuple(_move(before, band, (event.x, event.y)) for band in event.bands)
        case ev.FightWon() | ev.BandFell():
            return tuple(_fight(event, before))
        case ev.MarchBegan() | ev.LanternLit() | ev.ClanLeft() | ev.RoundBegan() | ev.GameEnded():
            return tuple(_round(event, after))
        case _:
            assert_never(event)


def _order(event: ev.OrderGiven | ev.RanksSet | ev.StakeLaid, after: View) -> Fact:
    match event:
        case ev.OrderGiven():
            move = _move(after, event.order.id, event.order.path[-1])
            return Fact("order", move.seat, at=move.at, source=move.source, piece=move.piece)
        case ev.RanksSet():
            return Fact("order", event.clan, target="ranks")
        case ev.StakeLaid():
            return Fact("order", event.clan, target="stake", amount=event.stake)


def _move(before: View, band: int, to: Hex) -> Fact:
    row = before.bands[band]
    here = cell_of((row.x, row.y))
    return Fact("move", row.clan, at=cell_of(to), source=here, piece=f"band {band}")


def _fight(event: ev.FightWon | ev.BandFell, before: View) -> Iterator[Fact]:
    match event:
        case ev.FightWon():
            yield from _sides(event, before)
        case ev.BandFell():
            band = before.bands[event.band]
            at = cell_of((band.x, band.y))
            yield Fact("loss", band.clan, at=at, piece=f"band {band.id}")


def _sides(event: ev.FightWon, before: View) -> Iterator[Fact]:
    """Yield a fight as an attack by each clan in it. See: T-FIGHT-2."""
    known = _known_sums(event, before)
    for clan, total in event.sums:
        others = [other for other, _ in event.sums if other != clan]
        faces = range(1, numbers().die.value + 1)
        yield Fact(
            "attack",
            clan,
            others[0] if clan == event.winner else event.winner,
            at=cell_of((event.x, event.y)),
            won=clan == event.winner,
            chance=_chance(known, clan) if known else None,
            amount=total,
            odds=Odds(tuple((known[clan] + face, 1) for face in faces)) if known else None,
        )


def _known_sums(event: ev.FightWon, before: View) -> dict[int, int]:
    """Return each clan's strengths plus its stake in a fight; {} if a strength is unknown."""
    here = standing(before, (event.x, event.y))
    if any(band.strength == HIDDEN for band in here):
        return {}
    return {
        clan: before.clans[clan].stake + sum(band.strength for band in here if band.clan == clan)
        for clan, _ in event.sums
    }


def _chance(known: dict[int, int], clan: int) -> tuple[int, int]:
    """Return (throws with which the clan wins, all throws of all dice)."""
    throws = list(product(range(1, numbers().die.value + 1), repeat=len(known)))
    won = 0
    for faces in throws:
        sums = {one: base + face for (one, base), face in zip(known.items(), faces, strict=True)}
        won += max(sorted(sums), key=lambda one: sums[one]) == clan
    return won, len(throws)


def _round(
    event: ev.MarchBegan | ev.LanternLit | ev.ClanLeft | ev.RoundBegan | ev.GameEnded,
    after: View,
) -> Iterator[Fact]:
    match event:
        case ev.MarchBegan():
            yield Fact("phase", target="March")
        case ev.LanternLit():
            at = cell_of((event.x, event.y))
            yield Fact("capture", event.clan, at=at, target="shrine", amount=event.lanterns)
        case ev.ClanLeft():
            yield Fact("other", event.clan, target=GAVE_UP if event.resigned else "beaten")
        case ev.RoundBegan():
            yield Fact("round", target=f"round {event.round}", amount=event.round)
            yield Fact("phase", target=status(after).phase)
        case ev.GameEnded():
            yield from (Fact("end", clan, target=event.reason) for clan in event.winners)
