"""Turns: which clans must act, the course of a round, and the end of the game."""

from __future__ import annotations

from tests.toy import events as ev
from tests.toy.fights import Decision, fight_all, give_way
from tests.toy.state import Seen, Terrain


def owing(seen: Seen) -> frozenset[int]:
    """Return the clans that must act: the one that must retreat, or all that have not sealed.

    Rules: T-SEAL-2. See: T-RETREAT-1.
    """
    if seen.reason:
        return frozenset()
    if seen.lost:
        return frozenset({seen.lost[0].clan})
    return frozenset(clan.id for clan in seen.clans.values() if clan.playing and not clan.sealed)


def leave(decision: Decision, clan: int) -> None:
    """Let a clan resign: its bands fall, and it is out. Rules: T-OUT-2."""
    for band in decision.state.bands.rows():
        if band.clan == clan and band.alive:
            decision.emit(ev.BandFell(band.id))
    decision.emit(ev.ClanLeft(clan, resigned=True))
    go_on(decision)


def go_on(decision: Decision) -> None:
    """Run all steps that need no answer of a seat. Rules: T-SEAL-2. See: T-RETREAT-2, T-WIN-1."""
    if _is_over(decision):
        return
    if not decision.state.marched:
        if owing(decision.state):
            return
        march(decision)
    give_way(decision)
    if not _is_over(decision) and not decision.state.lost:
        end_round(decision)


def march(decision: Decision) -> None:
    """Move all bands with orders to their goals, then fight. Rules: T-MARCH-1. See: T-FIGHT-1."""
    orders, clans = decision.state.orders.rows(), decision.state.clans.rows()
    stakes = tuple(clan.stake for clan in clans)
    decision.emit(ev.MarchBegan(stakes, tuple(clan.lanterns - clan.stake for clan in clans)))
    for order in orders:
        decision.emit(ev.BandMarched(order.id, *order.path[-1]))
    fight_all(decision)


def end_round(decision: Decision) -> None:
    """Give lanterns at shrines; then begin a round, or end the game. Rules: T-SHRINE-1, T-WIN-2."""
    terrain = decision.state.terrain
    for y in range(terrain.height):
        for x in range(terrain.width):
            if terrain[y, x] == Terrain.SHRINE:
                _light(decision, x, y)
    if decision.state.round < decision.state.rounds:
        decision.emit(ev.RoundBegan(decision.state.round + 1))
        return
    left = [clan for clan in decision.state.clans.values() if clan.playing]
    most = max(clan.lanterns for clan in left)
    winners = tuple(clan.id for clan in left if clan.lanterns == most)
    decision.emit(ev.GameEnded("lanterns", winners))


def _light(decision: Decision, x: int, y: int) -> None:
    here = {
        band.clan
        for band in decision.state.bands.values()
        if band.alive and (band.x, band.y) == (x, y)
    }
    for clan in sorted(here):
        decision.emit(ev.LanternLit(clan, x, y, decision.state.clans[clan].lanterns + 1))


def _is_over(decision: Decision) -> bool:
    """Return whether only one clan is left; if so, end the game. Rules: T-WIN-1."""
    left = [clan.id for clan in decision.state.clans.values() if clan.playing]
    if len(left) == 1:
        decision.emit(ev.GameEnded("last", tuple(left)))
    return len(left) == 1
