"""Secret orders: give, drop and seal them."""

from __future__ import annotations

from engine.core.refused import Refused
from tests.toy import events as ev
from tests.toy.commands import DropOrders, GiveOrder, RaiseCry, SealOrders, SetRanks
from tests.toy.fights import Decision
from tests.toy.hexes import beside, is_land
from tests.toy.numbers import numbers
from tests.toy.refusal import Refusal
from tests.toy.state import Band, Order, Seen


def give(decision: Decision, seat: int, command: GiveOrder) -> None:
    """Order a band to march. Rules: T-ORDER-1, T-ORDER-2."""
    check_open(decision, seat)
    band = _own_band(decision, seat, command.band)
    if not is_march(decision.state, (band.x, band.y), command.path):
        raise Refused(
            Refusal.NO_WAY,
            f"A band marches one to {numbers().march.value} hexes over land, each beside the last.",
            "T-ORDER-1",
        )
    decision.emit(ev.OrderGiven(Order(band.id, command.path)))


def is_march(seen: Seen, start: tuple[int, int], path: tuple[tuple[int, int], ...]) -> bool:
    """Return whether a band at ``start`` can be ordered along a path. Rules: T-ORDER-1."""
    if not 1 <= len(path) <= numbers().march.value:
        return False
    steps = zip((start, *path), path, strict=False)
    return all(after in beside(before) and is_land(seen, after) for before, after in steps)


def drop(decision: Decision, seat: int, command: DropOrders) -> None:
    """Take the orders of some bands back. Rules: T-ORDER-3."""
    check_open(decision, seat)
    for band in command.bands:
        _own_band(decision, seat, band)
    ordered = set(command.bands) & set(decision.state.orders)
    if not command.bands or len(ordered) != len(command.bands):
        raise Refused(Refusal.NO_ORDER, "Name bands that have orders, each once.", "T-ORDER-3")
    decision.emit(ev.OrdersDropped(tuple(sorted(ordered))))


def rank(decision: Decision, seat: int, command: SetRanks) -> None:
    """Set which bands of a clan fall first. Rules: T-RANK-1."""
    check_open(decision, seat)
    if sorted(command.bands) != living(decision.state, seat):
        raise Refused(Refusal.BAD_RANKS, "Name each of your living bands once.", "T-RANK-1")
    decision.emit(ev.RanksSet(seat, command.bands))


def cry(decision: Decision, seat: int, command: RaiseCry) -> None:
    """Say a text to all clans, once a round. Rules: T-CRY-1."""
    check_open(decision, seat)
    if decision.state.clans[seat].cried:
        raise Refused(Refusal.BAD_CRY, "Your clan has raised its cry in this round.", "T-CRY-1")
    if not 1 <= len(command.text) <= numbers().cry.value or not command.text.isprintable():
        longest = numbers().cry.value
        raise Refused(Refusal.BAD_CRY, f"A cry is a line of 1 to {longest} signs.", "T-CRY-1")
    decision.emit(ev.CryRaised(seat, command.text))


def seal(decision: Decision, seat: int, command: SealOrders) -> None:
    """End the orders of a clan for this round, and lay its stake. Rules: T-SEAL-1."""
    check_open(decision, seat)
    if not 0 <= command.stake <= highest_stake(decision.state, seat):
        raise Refused(Refusal.BAD_STAKE, "You cannot stake that many lanterns.", "T-SEAL-1")
    if command.stake:
        decision.emit(ev.StakeLaid(seat, command.stake))
    decision.emit(ev.OrdersSealed(seat))


def highest_stake(seen: Seen, seat: int) -> int:
    """Return the maximum number of lanterns that a clan can stake. Rules: T-SEAL-1."""
    return seen.clans[seat].lanterns if seen.options.stakes == "on" else 0


def living(seen: Seen, seat: int) -> list[int]:
    """Return the ids of a clan's living bands."""
    return [band.id for band in seen.bands.values() if band.clan == seat and band.alive]


def is_open(seen: Seen, seat: int) -> bool:
    """Return whether a clan may give orders now. See: T-SEAL-1."""
    clan = seen.clans[seat]
    return clan.playing and not clan.sealed and not seen.marched


def check_open(decision: Decision, seat: int) -> None:
    """Refuse orders after the seal and during retreats. Rules: T-SEAL-1."""
    if not is_open(decision.state, seat):
        raise Refused(Refusal.NOT_NOW, "You cannot give orders now.", "T-SEAL-1")


def _own_band(decision: Decision, seat: int, band: int) -> Band:
    if band not in decision.state.bands or not decision.state.bands[band].alive:
        raise Refused(Refusal.NO_SUCH_BAND, f"There is no band {band}.", "T-ORDER-1")
    if decision.state.bands[band].clan != seat:
        raise Refused(Refusal.NOT_YOURS, f"Band {band} is not yours.", "T-ORDER-1")
    return decision.state.bands[band]
