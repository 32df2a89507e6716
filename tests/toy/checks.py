"""Conditions on a scenario, so that a game can be played from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from engine.core.ruleset import ScenarioFault
from tests.toy.fights import refuges
from tests.toy.orders import is_march
from tests.toy.state import HIDDEN, SIGNS, Field, Now, Placed, Seen

LARGEST: Final = 40
"""Maximum number of hexes in a row, rows, lanterns and rounds, and maximum strength."""


def check_field(field: Field) -> None:
    """Refuse a field that cannot be played; name the first fault. Rules: T-SETUP-1.

    See: T-SETUP-3.
    """
    _demand(2 <= field.clans <= 3, "clans", "two or three can play")
    _demand(1 <= field.rounds <= LARGEST, "rounds", f"must be from 1 to {LARGEST}")
    _check_rows(field.rows)
    _check_strengths(field)
    for number, put in enumerate(field.bands):
        _check_band(field, f"bands[{number}]", put)
    if field.now is None:
        _check_apart(field)
    else:
        _check_now(field, field.now)


def check_whole(seen: Seen) -> None:
    """Refuse impossible orders, and a retreat without a free hex. Rules: T-SETUP-3."""
    for order in seen.orders.values():
        known = order.id in seen.bands and seen.bands[order.id].alive and not seen.marched
        _demand(known, "now.orders", f"band {order.id} cannot have an order")
        band = seen.bands[order.id]
        fits = is_march(seen, (band.x, band.y), order.path)
        _demand(fits, "now.orders", f"band {order.id} cannot march so", "T-ORDER-1")
    if seen.lost and not seen.reason:
        free = refuges(seen, seen.lost[0])
        _demand(bool(free), "now.lost[0]", "there is no way to retreat", "T-RETREAT-2")


def _demand(holds: bool, place: str, text: str, rule: str = "T-SETUP-1") -> None:
    if not holds:
        raise ScenarioFault(place, text, rule)


def _check_rows(rows: Sequence[str]) -> None:
    _demand(1 <= len(rows) <= LARGEST, "rows", f"must be 1 to {LARGEST} rows")
    for number, row in enumerate(rows):
        place = f"rows[{number}]"
        _demand(1 <= len(row) <= LARGEST, place, f"must be 1 to {LARGEST} hexes long")
        _demand(len(row) == len(rows[0]), place, "is not as long as the first")
        _demand(set(row) <= set(SIGNS), place, f"has other signs than {' '.join(SIGNS)}")


def _check_strengths(field: Field) -> None:
    fine = len(field.strengths) >= 1 and all(1 <= one <= LARGEST for one in field.strengths)
    _demand(fine, "strengths", f"must be numbers from 1 to {LARGEST}", "T-SETUP-2")
    for clan in range(field.clans):
        own = [put.strength for put in field.bands if put.clan == clan]
        fits = len(own) == len(field.strengths)
        _demand(fits, "bands", f"clan {clan} has {len(own)}, not {len(field.strengths)}")
        given = Counter(strength for strength in own if strength != HIDDEN)
        dealt = given <= Counter(field.strengths)
        _demand(dealt, "bands", f"the strengths of clan {clan} are others", "T-SETUP-2")


def _check_band(field: Field, place: str, put: Placed) -> None:
    _demand(0 <= put.clan < field.clans, f"{place}.clan", f"there is no clan {put.clan}")
    on_map = 0 <= put.y < len(field.rows) and 0 <= put.x < len(field.rows[0])
    _demand(on_map, place, f"{put.x},{put.y} is not on the map")
    _demand(field.rows[put.y][put.x] != "~", place, f"{put.x},{put.y} is water")
    shown = not put.known or put.strength != HIDDEN
    _demand(shown, f"{place}.known", "what is not given cannot be known", "T-SETUP-2")


def _check_apart(field: Field) -> None:
    holders: dict[tuple[int, int], int] = {}
    for number, put in enumerate(field.bands):
        _demand(put.alive, f"bands[{number}].alive", "needs a table `now`", "T-SETUP-3")
        other = holders.setdefault((put.x, put.y), put.clan)
        _demand(other == put.clan, f"bands[{number}]", "stands on a hex of another clan")


def _check_now(field: Field, now: Now) -> None:
    _demand(1 <= now.round <= field.rounds, "now.round", f"must be from 1 to {field.rounds}")
    ids = [clan.id for clan in now.clans]
    _demand(ids == list(range(field.clans)), "now.clans", "must be all clans in order")
    _check_clans(field, now)
    ordered = [order.id for order in now.orders]
    _demand(len(set(ordered)) == len(ordered), "now.orders", "a band has two orders", "T-ORDER-2")
    _check_meetings(field, now)
    _check_end(now)


def _check_clans(field: Field, now: Now) -> None:
    for clan in now.clans:
        place = f"now.clans[{clan.id}]"
        own = [number for number, put in enumerate(field.bands, 1) if put.clan == clan.id]
        alive = any(field.bands[number - 1].alive for number in own)
        _demand(clan.playing == alive, f"{place}.playing", "goes with living bands", "T-OUT-1")
        _demand(0 <= clan.lanterns <= 20 * LARGEST, f"{place}.lanterns", "are too many or too few")
        most = 20 * LARGEST if now.marched else clan.lanterns
        _demand(0 <= clan.stake <= most, f"{place}.stake", "is too high or too low", "T-SEAL-1")
        apart = len(set(clan.ranks)) == len(clan.ranks)
        fits = apart and set(clan.ranks) <= set(own)
        _demand(fits, f"{place}.ranks", "must be bands of the clan, each once", "T-RANK-1")


def _check_meetings(field: Field, now: Now) -> None:
    """Check that on each shared hex all clans but one are beaten, and that no other clan is."""
    holders: dict[tuple[int, int], set[int]] = {}
    for put in field.bands:
        if put.alive:
            holders.setdefault((put.x, put.y), set()).add(put.clan)
    waiting = [(lost.clan, lost.x, lost.y) for lost in now.lost]
    _demand(len(set(waiting)) == len(waiting), "now.lost", "names a clan twice", "T-RETREAT-1")
    for clan, x, y in waiting:
        stands = clan in holders.get((x, y), set())
        _demand(stands, "now.lost", f"clan {clan} does not stand on {x},{y}", "T-RETREAT-1")
    for (x, y), clans in sorted(holders.items()):
        beaten = sum((clan, x, y) in waiting for clan in clans)
        fought = beaten == len(clans) - 1
        _demand(fought, "bands", f"it is not settled who holds {x},{y}", "T-FIGHT-1")


def _check_end(now: Now) -> None:
    playing = [clan for clan in now.clans if clan.playing]
    if now.reason:
        named = set(now.winners) <= {clan.id for clan in playing} and bool(now.winners)
        _demand(named, "now.winners", "must be clans that are left", "T-WIN-1")
        return
    _demand(not now.winners, "now.winners", "nobody has won yet", "T-WIN-1")
    _demand(len(playing) > 1, "now.clans", "fewer than two are left", "T-WIN-1")
    _demand(now.marched == bool(now.lost), "now.marched", "goes with retreats", "T-RETREAT-1")
    asked = bool(now.lost) or any(not clan.sealed for clan in playing)
    _demand(asked, "now.clans", "all have sealed", "T-SEAL-2")
