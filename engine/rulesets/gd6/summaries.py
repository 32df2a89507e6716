"""Status, summary, result and reports of a game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from engine.rulesets.gd6 import canvas
from engine.rulesets.gd6.commands import UNITS, PlaceHq
from engine.rulesets.gd6.cursor import is_settling, left_to_send, spawn_left, to_raise_at
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.state import NOBODY, End, Phase, Player, View
from engine.rulesets.gd6.territories import (
    counts,
    headquarters,
    letter,
    name,
    owned,
    statistics,
    strength,
)
from engine.rulesets.gd6.turns import owing, playing, score
from engine.rulesets.gd6.view import knows
from engine.rulesets.gd6.words import (
    PHASES,
    called,
    joined,
    land,
    many,
    said,
    sentence,
    several,
    spot,
    units,
)
from engine.tabletop.board import NOBODY as NO_SEAT
from engine.tabletop.board import Find, Line, Status
from engine.tabletop.report import UNKNOWN, Report, ReportRow, columns
from engine.tabletop.roles import Tone

_ENDS: Final[dict[End, str]] = {
    "mutual_elimination": "GD-END-2",
    "last_standing": "GD-END-3",
    "domination": "GD-END-4",
    "turn_limit": "GD-END-5",
}


ROUND_WORD: Final = "turn"
"""Word of the rule book for a round."""

_TRACK: Final[dict[Phase, str]] = {
    "natural": "Nature",
    "construction": "Building",
    "inventory": "Items",
    "movement": "March",
    "final": "End",
}
"""Names of the phases in the track that shows them all. See: GD-TURN-1."""


def needed_to_dominate(view: View) -> int:
    """Return the territories needed for domination; 0 without such an end. See: GD-END-4."""
    return -(-view.options.domination * len(view.territories) // 100)


# -- the status ------------------------------------------------------------------------------------


def status(view: View) -> Status:
    """Return the status: turn, seats with open lists, and what the viewer has left to do.

    Without a turn limit the current turn counts as the last. See: GD-LIST-3, GD-HQ-5.
    """
    waiting = sorted(owing(view))
    return Status(
        round=view.turn,
        rounds=max(view.options.turn_limit, view.turn),
        phase=_phase(view, waiting),
        seat=view.viewer if view.viewer in waiting else min(waiting, default=NO_SEAT),
        text=f"{turn(view)}. {_doing(view, waiting)}",
        todo=_todo(view),
        over=bool(view.reason),
        track=("Settling" if view.choosing and waiting else "Orders", *_TRACK.values()),
        at_track=0 if waiting or view.reason else 1 + tuple(_TRACK).index(view.phase),
        endless=view.options.turn_limit < view.turn,
        round_word=ROUND_WORD,
        side=_side(view, waiting),
        todo_word=_todo_word(view),
        stock=_stock(view, waiting),
    )


def _stock(view: View, waiting: list[int]) -> str:
    """Return the viewer's IP, with its name while others are awaited; empty for spectators."""
    own = view.players.get(view.viewer)
    if own is None:
        return ""
    name = own.name or letter(view.viewer)
    return f"{name} has {own.ip} IP" if waiting and view.viewer not in waiting else f"{own.ip} IP"


def _side(view: View, waiting: list[int]) -> str:
    """Return the viewer's name while its list is open, or else the seats still awaited."""
    if view.viewer in waiting:
        return view.players[view.viewer].name or letter(view.viewer)
    return joined([view.players[seat].name or letter(seat) for seat in waiting])


def turn(view: View) -> str:
    """Return the number of the turn, and the last turn if there is a limit."""
    limit = view.options.turn_limit
    return f"Turn {view.turn} of {limit}" if limit >= view.turn else f"Turn {view.turn}"


def _phase(view: View, waiting: list[int]) -> str:
    if view.reason:
        return "End"
    if waiting:
        return "Settling" if view.choosing else "Orders"
    step = f", step {view.step}" if view.step else ""
    return PHASES[view.phase] + step


def _doing(view: View, waiting: list[int]) -> str:
    if view.reason:
        names = joined([called(view, seat) for seat in view.winners])
        verb = "share the victory" if len(view.winners) > 1 else "has won"
        return sentence(f"{names} {verb}") if names else "Nobody has won."
    if not waiting:
        return f"{_phase(view, waiting)}."
    seats = [called(view, at) + (" (you)" if at == view.viewer else "") for at in waiting]
    what = "a new site" if view.choosing else "orders"
    return f"Waiting for {what} of {joined(seats)}."


def _todo(view: View) -> int:
    """Count what the viewer has to do next: choose a site, or send units, or raise armies."""
    if is_homeless(view):
        return 1
    return left_to_send(view) or _left_to_raise(view)


def _todo_word(view: View) -> str:
    """Return the words after the number of ``_todo``."""
    if is_homeless(view):
        return "site to choose"
    is_one = _todo(view) == 1
    if left_to_send(view):
        return "unit to send" if is_one else "units to send"
    return "army to raise" if is_one else "armies to raise"


def is_homeless(view: View) -> bool:
    """Return whether the viewer must still choose a site."""
    if not is_settling(view):
        return False
    return not any(isinstance(order, PlaceHq) for order in view.players[view.viewer].orders)


def _left_to_raise(view: View) -> int:
    """Return how many armies the viewer can still raise somewhere."""
    return spawn_left(view) if to_raise_at(view) else 0


# -- the summary -----------------------------------------------------------------------------------


def summary(view: View) -> tuple[Line, ...]:
    """Return the standings, below the aims of the game or, at its end, the result."""
    first = ending(view) if view.reason else (Line(f"{turn(view)}.", Tone.TITLE), *aims(view))
    return (*first, *(_seat(view, seat) for seat in view.players))


def aims(view: View) -> tuple[Line, ...]:
    """Return the ways to win this game. See: GD-END-3 to GD-END-5."""
    lines = []
    if needed := needed_to_dominate(view):
        every = len(view.territories)
        text = f"{needed} of {every} territories ({view.options.domination} %) win."
        lines.append(Line(text, rule="GD-END-4"))
    if limit := view.options.turn_limit:
        text = f"After turn {limit} the most territories win."
        lines.append(Line(text, rule="GD-END-5"))
    return (*lines, Line("The last one with land wins.", rule="GD-END-3"))


def _seat(view: View, seat: int) -> Line:
    player, lands = view.players[seat], owned(view, seat)
    if player.status == "eliminated":
        return said(view, f"{called(view, seat)}: out of the game", seat, "GD-END-1")
    if player.status == "unsettled" and not lands:
        return said(view, f"{called(view, seat)}: not settled yet", seat, "GD-HQ-7")
    share = 100 * len(lands) // len(view.territories)
    parts = [
        f"{many(len(lands), 'territory', 'territories')} ({share} %)",
        many(len(headquarters(view, seat)), "headquarters", "headquarters"),
        many(sum(map(strength, lands)), "unit"),
    ]
    if view.reason or seat == view.viewer:
        parts.append(f"{player.ip} IP")
    if player.conceding:
        parts.append("gives up")
    elif player.sealed:
        parts.append("sealed")
    return said(view, f"{called(view, seat)}: {', '.join(parts)}", seat, "GD-END-5")


# -- the end ---------------------------------------------------------------------------------------


def ending(view: View) -> tuple[Line, ...]:
    """Return the winners and the reason. See: GD-END-2 to GD-END-5."""
    rule = _ENDS.get(view.reason, "")
    winners = view.winners
    seat = winners[0] if len(winners) == 1 else NOBODY
    names = joined([called(view, one) for one in winners]) or "nobody"
    verb = "share the victory" if len(winners) > 1 else "wins"
    title = sentence(f"{names} {verb} in turn {view.turn}")
    return Line(title, Tone.TITLE, seat, rule), Line(_why(view), Tone.STRONG, seat, rule)


def _why(view: View) -> str:
    if view.reason == "mutual_elimination" or not view.winners:
        return "Nobody owns land any more."
    if view.reason == "last_standing":
        return "Nobody else owns land."
    if view.reason == "domination":
        own = sum(len(owned(view, one)) for one in view.winners)
        every = len(view.territories)
        need = needed_to_dominate(view)
        who = joined([called(view, one) for one in view.winners])
        verb = "own" if len(view.winners) > 1 else "owns"
        return sentence(f"{who} {verb} {own} of {every} territories; {need} were needed")
    return f"The last turn is over. {_ahead(view)}"


def _ahead(view: View) -> str:
    """Explain which number decided after the last turn. See: GD-END-5."""
    scores = {seat: score(view, seat) for seat in playing(view)}
    best = score(view, view.winners[0])
    others = [points for seat, points in scores.items() if seat not in view.winners]
    if not others:
        return (
            "Everything that counts is equal." if len(view.winners) > 1 else "Nobody else is left."
        )
    second = max(others)
    place = next((n for n in range(len(best)) if best[n] != second[n]), 0)
    if not place:
        return f"{best[0]} territories against {second[0]}."
    noun = ("territories", "headquarters", "units", "IP")[place]
    same = many(best[0], "territory", "territories")
    return f"{same} each; {noun} decide: {best[place]} against {second[place]}."


# -- introduction and search -----------------------------------------------------------------------


def introduction(view: View) -> tuple[Line, ...]:
    """Return the introduction before the first turn. See: GD-HQ-1, GD-HQ-2, GD-LIST-3."""
    least = numbers().hq_min_distance.value
    settling = Line(f"First settle, {least} borders away from all others.", rule="GD-HQ-2")
    return (
        Line(view.title or view.name or "Global Domination", Tone.TITLE, rule="GD-TURN-1"),
        Line("All give orders in secret; then all are carried out at once.", rule="GD-LIST-3"),
        *((settling,) if _has_to_settle(view) else ()),
        *aims(view),
    )


def _has_to_settle(view: View) -> bool:
    """Return whether the viewer still has to settle; for a spectator, whether any seat has."""
    own = view.players.get(view.viewer)
    players = view.players.values() if own is None else (own,)
    return any(player.status == "unsettled" for player in players)


def finds(view: View) -> tuple[Find, ...]:
    """Return search entries: territories, ``14 Eastfen (blue)``, then the units on each."""
    lands, armies = list[Find](), list[Find]()
    for at, here in view.territories.items():
        cell, place = canvas.spot(view.world, at), land(view, at)
        lands.append(Find(f"{place} ({_whose(view, here.owner)})", "territory", cell, here.owner))
        if strength(here):
            text = f"{several(counts(here))} of {called(view, here.owner)} at {place}"
            armies.append(Find(text, "unit", cell, here.owner))
    return (*lands, *armies)


def _whose(view: View, owner: int) -> str:
    if owner == NOBODY:
        return "neutral"
    return view.players[owner].name if owner in view.players else letter(owner)


# -- reports ---------------------------------------------------------------------------------------

_OPEN: Final = "IP and items of others are their secret."
_SEATS: Final = columns("Player", ">Land", ">HQs", ">Units", ">IP", "Now")
_LANDS: Final = columns(
    "Territory", "Player", *(f">{unit.capitalize()}" for unit in UNITS), ">Loyalty", "Built"
)
_PURSE: Final = columns("Player", ">IP", ">Crop", ">Dynamite", ">Toxic")
_SQUADS: Final = columns("Player", "Units", "From", "To")


def reports(view: View) -> tuple[Report, ...]:
    """Return the reports that the viewer may see. See: GD-SECRET-1, GD-SECRET-2, GD-SECRET-4."""
    notes = () if all(_is_open(view, seat) for seat in view.players) else (_OPEN,)
    return (
        Report("seats", "Players", _SEATS, tuple(_seat_rows(view)), notes),
        Report("land", "Land", _LANDS, tuple(_land_rows(view))),
        Report("purse", "Purse", _PURSE, tuple(_purse_rows(view))),
        Report("squads", "Marches", _SQUADS, tuple(_squad_rows(view))),
    )


def _is_open(view: View, seat: int) -> bool:
    """Return whether the viewer may know a seat's IP and items."""
    return bool(view.reason) or knows(view.viewer, seat)


def _seat_rows(view: View) -> Iterator[ReportRow]:
    counted = statistics(view)
    for seat in sorted(view.players, key=lambda seat: (-counted["territories"][seat], seat)):
        numbers = (values[seat] for values in counted.values())
        ip = view.players[seat].ip if _is_open(view, seat) else UNKNOWN
        cells = (called(view, seat), *numbers, ip, _standing(view, view.players[seat]))
        yield ReportRow(cells, seat=seat)


def _standing(view: View, player: Player) -> str:
    if player.id in view.winners:
        return "winner"
    if player.status == "eliminated":
        return "out"
    if player.status == "unsettled" and not owned(view, player.id):
        return "not settled yet"
    return "sealed" if player.sealed and not view.reason else ""


def _mine(view: View) -> list[int]:
    """Return the seats in reports: the viewer, or all for spectators and finished games."""
    own = view.viewer in view.players and not view.reason
    return [view.viewer] if own else list(view.players)


def _land_rows(view: View) -> Iterator[ReportRow]:
    for here in chain.from_iterable(owned(view, seat) for seat in _mine(view)):
        built = ["headquarters"] if here.hq != NOBODY else []
        built += [here.construct] if here.construct else []
        built += ["wasteland"] if here.wasteland else []
        built += [many(here.mines, "mine")] if here.mines else []
        state = name(view, here.id), letter(here.owner), *counts(here), here.loyalty
        tone = Tone.BAD if here.wasteland else Tone.NORMAL
        cells = (*state, ", ".join(built))
        yield ReportRow(cells, tone, spot(view, here.id), here.owner)


def _purse_rows(view: View) -> Iterator[ReportRow]:
    """Yield IP and items that the viewer may know. See: GD-SECRET-2."""
    for player in map(view.players.__getitem__, _mine(view)):
        if _is_open(view, player.id):
            items = (player.ip, player.crop, player.dynamite, player.toxic)
            yield ReportRow((called(view, player.id), *items), seat=player.id)


def _squad_rows(view: View) -> Iterator[ReportRow]:
    """Yield the marching units that the viewer sees. See: GD-SECRET-4."""
    for squad in view.squads.values():
        here, there = squad.path[min(squad.hop, len(squad.path) - 1)], squad.path[-1]
        what, places = units(squad.count, squad.unit), (name(view, here), name(view, there))
        cells = (called(view, squad.seat), what, *places)
        yield ReportRow(cells, at=spot(view, here), seat=squad.seat)
