"""The Final Phase, elimination and victory."""

from __future__ import annotations

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.lands import Job, counts, neutralise, owned, strength
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.state import NOBODY, End, Seen


def grow(work: Job) -> None:
    """Bivouacs, loyalty, income, in this order. Rules: GD-FINAL-1 to GD-FINAL-3."""
    for here in work.state.territories.rows():
        if here.construct == "bivouac" and here.owner != NOBODY and not here.wasteland:
            count = numbers().bivouac_yield.value
            work.emit(ev.BivouacYielded(here.id, count, here.army + count))
    grown = tuple(
        (here.id, here.loyalty + 1)
        for here in work.state.territories.values()
        if here.owner != NOBODY
    )
    if grown:
        work.emit(ev.LoyaltyGrown(grown))
    for seat in playing(work.state):
        _earn(work, seat)


def _earn(work: Job, seat: int) -> None:
    """What a seat earns. Rules: GD-FINAL-3."""
    table, lands = numbers(), owned(work.state, seat)
    territories = len(lands) * table.ip_per_territory.value
    hqs = sum(here.hq != NOBODY for here in lands) * table.ip_per_hq.value
    libraries = sum(here.construct == "library" for here in lands) * table.ip_per_library.value
    armies = sum(here.army for here in lands) // table.armies_per_ip.value
    ip = work.state.players[seat].ip + territories + hqs + libraries + armies
    work.emit(ev.IncomeEarned(seat, territories, hqs, libraries, armies, ip))


def playing(seen: Seen) -> list[int]:
    """The seats that are not eliminated, in order."""
    return [player.id for player in seen.players.values() if player.status != "eliminated"]


def eliminate_landless(work: Job) -> None:
    """Who has settled and owns nothing is out. Rules: GD-END-1."""
    for player in work.state.players.rows():
        if player.status == "active" and not owned(work.state, player.id):
            work.emit(ev.Eliminated(player.id, "no_land"))


def judge(work: Job, *, at_end_of_turn: bool) -> bool:
    """Whether the game is over; says so then. Rules: GD-END-2 to GD-END-5, GD-END-7."""
    end = _last_one(work.state)
    if not end[0] and at_end_of_turn:
        end = _dominating(work.state)
        if not end[0]:
            end = _at_limit(work.state)
    if end[0]:
        work.emit(ev.GameOver(*end))
    return bool(end[0])


Verdict = tuple[End, tuple[int, ...]]


def _last_one(seen: Seen) -> Verdict:
    """Nobody, or one seat only, is left. Rules: GD-END-2, GD-END-3."""
    if any(player.status == "unsettled" for player in seen.players.values()):
        return "", ()
    landed = tuple(seat for seat in playing(seen) if owned(seen, seat))
    if not landed:
        return "mutual_elimination", ()
    return ("last_standing", landed) if len(landed) == 1 else ("", ())


def _dominating(seen: Seen) -> Verdict:
    """Somebody owns enough of the map. Rules: GD-END-4."""
    percent, every = seen.options.domination, len(seen.territories)
    if not percent:
        return "", ()
    found = tuple(seat for seat in playing(seen) if len(owned(seen, seat)) * 100 >= percent * every)
    if not found:
        return "", ()
    most = max(len(owned(seen, seat)) for seat in found)
    return "domination", tuple(seat for seat in found if len(owned(seen, seat)) == most)


def _at_limit(seen: Seen) -> Verdict:
    """The last turn is over. Rules: GD-END-5."""
    if not seen.options.turn_limit or seen.turn < seen.options.turn_limit:
        return "", ()
    scores = {seat: score(seen, seat) for seat in playing(seen)}
    best = max(scores.values())
    return "turn_limit", tuple(seat for seat, points in scores.items() if points == best)


def score(seen: Seen, seat: int) -> tuple[int, int, int, int]:
    """Territories, headquarters, units, IP: what counts when the turns are over."""
    lands = owned(seen, seat)
    hqs = sum(here.hq != NOBODY for here in lands)
    return len(lands), hqs, sum(map(strength, lands)), seen.players[seat].ip


def leave(work: Job, seat: int) -> None:
    """A seat that conceded is gone: its units vanish, its land is neutral. Rules: GD-END-6."""
    for here in owned(work.state, seat):
        if strength(here):
            work.emit(ev.Disbanded(seat, here.id, counts(here)))
        neutralise(work, here.id)
    work.emit(ev.Eliminated(seat, "conceded"))
