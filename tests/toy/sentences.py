"""Events and positions in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from engine.tabletop.board import NOBODY, Line, Status
from engine.tabletop.roles import Tone
from tests.toy import events as ev
from tests.toy.canvas import cell_of
from tests.toy.hexes import Hex, standing
from tests.toy.orders import living
from tests.toy.state import CLANS, HIDDEN, Band, Terrain, View
from tests.toy.turns import owing


def tell(event: ev.AnyEvent, after: View) -> tuple[Line, ...]:
    """Describe an event in sentences, with the rule behind it."""
    match event:
        case ev.GameSet():
            return (Line(f"{event.scenario.title}: {event.rounds} rounds.", Tone.TITLE),)
        case ev.OrderGiven() | ev.OrdersDropped() | ev.RanksSet():
            return _tell_order(event, after)
        case ev.CryRaised() | ev.StakeLaid() | ev.OrdersSealed() | ev.MarchBegan():
            return _tell_seal(event)
        case ev.BandMarched() | ev.BandsShown() | ev.FightWon() | ev.BandFell():
            return _tell_fight(event, after)
        case ev.RetreatDue():
            return (_of_clan(event.clan, "must retreat.", "T-RETREAT-1", (event.x, event.y)),)
        case ev.BandsRetreated():
            return tuple(_of_band(after, band, "retreats.", "T-RETREAT-1") for band in event.bands)
        case ev.LanternLit() | ev.ClanLeft() | ev.RoundBegan() | ev.GameEnded():
            return _tell_round(event)
        case _:
            assert_never(event)


def _tell_order(
    event: ev.OrderGiven | ev.OrdersDropped | ev.RanksSet, after: View
) -> tuple[Line, ...]:
    match event:
        case ev.OrderGiven():
            return (_of_band(after, event.order.id, "will march.", "T-ORDER-1"),)
        case ev.OrdersDropped():
            return tuple(_of_band(after, band, "stays.", "T-ORDER-3") for band in event.bands)
        case ev.RanksSet():
            return (_of_clan(event.clan, "forms its ranks.", "T-RANK-1"),)


def _tell_seal(
    event: ev.CryRaised | ev.StakeLaid | ev.OrdersSealed | ev.MarchBegan,
) -> tuple[Line, ...]:
    match event:
        case ev.CryRaised():
            return (_of_clan(event.clan, f"cries: {event.text}", "T-CRY-1"),)
        case ev.StakeLaid():
            return (_of_clan(event.clan, f"stakes {event.stake}.", "T-SEAL-1"),)
        case ev.OrdersSealed():
            return (_of_clan(event.clan, "has sealed its orders.", "T-SEAL-1"),)
        case ev.MarchBegan():
            return (Line("All march.", Tone.STRONG, rule="T-MARCH-1"), *_stakes(event))


def _tell_fight(
    event: ev.BandMarched | ev.BandsShown | ev.FightWon | ev.BandFell, after: View
) -> tuple[Line, ...]:
    match event:
        case ev.BandMarched():
            return (_of_band(after, event.band, "arrives.", "T-MARCH-1"),)
        case ev.BandsShown():
            pairs = zip(event.bands, event.strengths, strict=True)
            return tuple(_of_band(after, band, f"has {n}.", "T-FIGHT-1") for band, n in pairs)
        case ev.FightWon():
            sums = ", ".join(f"{CLANS[clan]} {total}" for clan, total in event.sums)
            return (_of_clan(event.winner, f"wins: {sums}.", "T-FIGHT-2", (event.x, event.y)),)
        case ev.BandFell():
            return (_of_band(after, event.band, "falls.", "T-FIGHT-3"),)


def _lanterns(number: int) -> str:
    return "1 lantern" if number == 1 else f"{number} lanterns"


def _tell_round(
    event: ev.LanternLit | ev.ClanLeft | ev.RoundBegan | ev.GameEnded,
) -> tuple[Line, ...]:
    match event:
        case ev.LanternLit():
            at = (event.x, event.y)
            return (_of_clan(event.clan, f"has {_lanterns(event.lanterns)}.", "T-SHRINE-1", at),)
        case ev.ClanLeft():
            word, rule = ("resigns.", "T-OUT-2") if event.resigned else ("is beaten.", "T-OUT-1")
            return (_of_clan(event.clan, word, rule),)
        case ev.RoundBegan():
            return (Line(f"Round {event.round}.", Tone.TITLE),)
        case ev.GameEnded():
            rule = "T-WIN-1" if event.reason == "last" else "T-WIN-2"
            return tuple(_of_clan(clan, "wins the game.", rule) for clan in event.winners)


def _stakes(event: ev.MarchBegan) -> Iterator[Line]:
    for clan, stake in enumerate(event.stakes):
        if stake:
            yield _of_clan(clan, f"had staked {stake}.", "T-MARCH-1")


def _of_clan(clan: int, text: str, rule: str, at: Hex | None = None) -> Line:
    cell = None if at is None else cell_of(at)
    return Line(f"{CLANS[clan]} {text}", seat=clan, rule=rule, at=cell)


def _of_band(view: View, band: int, text: str, rule: str) -> Line:
    row = view.bands[band]
    return _of_clan(row.clan, f"band {band} {text}", rule, (row.x, row.y))


def look(view: View, at: Hex) -> tuple[Line, ...]:
    """Describe a hex in sentences."""
    ground = Terrain(view.terrain[at[1], at[0]]).name.capitalize()
    cell, terrain = cell_of(at), view.terrain[at[1], at[0]]
    rule = "T-SHRINE-1" if terrain == Terrain.SHRINE else "T-ORDER-1"
    bands = (
        Line(describe(band), seat=band.clan, rule="T-SETUP-2", at=cell)
        for band in standing(view, at)
    )
    return (Line(f"{ground} at {at[0]},{at[1]}", rule=rule, at=cell), *bands)


def describe(band: Band) -> str:
    """Describe a band in a few words."""
    strength = "?" if band.strength == HIDDEN else str(band.strength)
    return f"{CLANS[band.clan]}, band {band.id}, strength {strength}"


def status(view: View) -> Status:
    """Return the status line."""
    owed = owing(view)
    own = view.viewer in owed
    seat = view.viewer if own else min(owed, default=NOBODY)
    phase = "Retreat" if view.lost else "Orders"
    doer = "The game is over" if view.reason else f"{CLANS[seat]}: {phase.lower()}"
    idle = len(living(view, seat)) - len(view.orders) if own and not view.lost else 0
    return Status(
        round=view.round,
        rounds=view.rounds,
        phase=phase,
        seat=seat,
        text=f"Round {view.round} of {view.rounds}. {doer}.",
        todo=idle,
        over=bool(view.reason),
    )


def summary(view: View) -> tuple[Line, ...]:
    """Return who leads, or the outcome of the game."""
    return (
        Line(status(view).text, Tone.TITLE),
        *(
            Line(
                f"{CLANS[clan.id]}: {_lanterns(clan.lanterns)}, {len(living(view, clan.id))} bands"
                + (", winner" if clan.id in view.winners else ""),
                seat=clan.id,
            )
            for clan in view.clans.values()
        ),
    )
