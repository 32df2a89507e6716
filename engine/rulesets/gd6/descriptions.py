"""Texts about a territory, and the panel beside the map."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6.cards import strength_lines
from engine.rulesets.gd6.commands import UNITS, Spawn, place_of, touches
from engine.rulesets.gd6.construction import allowance
from engine.rulesets.gd6.cursor import free_units, is_open, is_settling, left_to_send, when_raising
from engine.rulesets.gd6.forces import price, threat
from engine.rulesets.gd6.inventory import stock
from engine.rulesets.gd6.lists import Judged, may_write, project
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.state import NOBODY, Player, Territory, View
from engine.rulesets.gd6.territories import (
    counts,
    free_sites,
    headquarters,
    letter,
    owned,
    strength,
)
from engine.rulesets.gd6.turns import income_of, playing
from engine.rulesets.gd6.words import (
    ITEMS,
    ORDER_RULES,
    called,
    capital,
    in_short,
    joined,
    land,
    many,
    said,
    several,
    spelt,
    spot,
    units,
)
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

# -- sentences -------------------------------------------------------------------------------------

SEA: Final = Line("The sea. Units cross it along the dotted lines.", rule="GD-LAND-2")


def look(view: View, at: int) -> tuple[Line, ...]:
    """Describe a territory, or the sea if ``at`` is not a territory. See: GD-SECRET-1."""
    if at not in view.territories:
        return (SEA,)
    here = view.territories[at]
    return (
        _owner(view, here),
        *_standing(view, here),
        *_built(view, here),
        *_spoilt(view, here),
        *_site(view, here),
        *_price(view, here),
        *_danger(view, here),
        _around(view, here),
        *_ordered(view, here),
    )


def _owner(view: View, here: Territory) -> Line:
    region = view.world.land(here.id).region
    own = view.world.land(here.id).name
    where = f"{land(view, here.id)}, {region}" if region not in ("", own) else land(view, here.id)
    if here.owner == NOBODY:
        return said(view, f"{where}: neutral", NOBODY, "GD-LAND-1", here.id)
    text = f"{where}: land of {called(view, here.owner)}, loyalty {here.loyalty}"
    return said(view, text, here.owner, "GD-FINAL-2", here.id)


def _standing(view: View, here: Territory) -> Iterator[Line]:
    if here.owner != NOBODY:
        text = several(counts(here)) if strength(here) else "no unit"
        verb = "stands" if strength(here) < 2 else "stand"
        yield said(view, f"{text} {verb} here", here.owner, "GD-UNIT-1", here.id)


def _built(view: View, here: Territory) -> Iterator[Line]:
    """Describe headquarters and construct. See: GD-HQ-3, GD-TOWER-1, GD-FINAL-1, GD-FINAL-3."""
    table = numbers()
    if here.hq != NOBODY:
        text = f"A headquarters, settled by {called(view, here.hq)}"
        yield said(view, text, here.owner, "GD-HQ-3", here.id)
    effects = {
        "watchtower": (f"invaders lose {table.watchtower_strength.value} more", "GD-TOWER-1"),
        "bivouac": (f"{units(table.bivouac_yield.value, 'army')} each turn", "GD-FINAL-1"),
        "library": (f"{table.ip_per_library.value} IP each turn", "GD-FINAL-3"),
    }
    if here.construct is not None:
        text, rule = effects[here.construct]
        yield said(view, f"A {here.construct}: {text}", here.owner, rule, here.id)


def _spoilt(view: View, here: Territory) -> Iterator[Line]:
    """Describe the wasteland, and the mines known to the viewer. See: GD-NATURAL-1, GD-MINE-5."""
    if here.wasteland:
        text = "A wasteland: one unit dies here each turn, and nothing is built"
        yield said(view, text, here.owner, "GD-NATURAL-1", here.id)
    if here.mines:
        own = dict(here.laid).get(view.viewer, 0)
        laid = f", {own} of them by you in secret" if own else ""
        text = f"{many(here.mines, 'mine')} laid here{laid}"
        yield said(view, text, here.owner, "GD-MINE-5", here.id)


def _site(view: View, here: Territory) -> Iterator[Line]:
    """Say whether a viewer without headquarters can settle here. See: GD-HQ-1, GD-HQ-2."""
    if is_settling(view):
        free = here.id in free_sites(view)
        text = "You can settle here" if free else "No site: owned, or too near to a headquarters"
        yield said(view, text, view.viewer, "GD-HQ-2", here.id)


# -- cost and threats ------------------------------------------------------------------------------


def _price(view: View, here: Territory) -> Iterator[Line]:
    """Say how many armies the viewer needs to take it, and which of its units are next to it.

    See: GD-INVADE-5, GD-STEP-4, GD-MINE-2.
    """
    if view.reason or is_settling(view):
        return
    aims = price(view, here.id)
    if aims is None:
        return
    if here.owner != NOBODY:
        text, rule = f"{_takers(aims.take)} if nobody else moves", "GD-INVADE-5"
        if 0 < aims.neutralise < aims.take:
            text += f", {aims.neutralise} make it neutral"
    elif aims.take > 1:
        text, rule = f"{_takers(aims.take)} through the mines", "GD-MINE-2"
    else:
        text, rule = f"{_takers(aims.take)} if nobody else comes", "GD-STEP-4"
    yield said(view, text, here.owner, rule, here.id)
    yield from _beside(view, here)


def _takers(count: int) -> str:
    return f"{count} armies take it" if count > 1 else "one army takes it"


def _danger(view: View, here: Territory) -> Iterator[Line]:
    """Describe the threat to the viewer's own land. See: GD-MOVE-2, GD-UNIT-3."""
    most = threat(view, here.id)
    if here.owner == view.viewer and not view.reason and most:
        text = f"One rival could send the strength of {units(most, 'army')} here in this turn"
        yield said(view, text, view.viewer, "GD-MOVE-2", here.id)


def _beside(view: View, here: Territory) -> Iterator[Line]:
    found = [
        f"{several(counts(view.territories[at]))} at {land(view, at)}"
        for at in view.world.beside(here.id)
        if view.territories[at].owner == view.viewer and strength(view.territories[at])
    ]
    if found:
        yield said(view, f"You have {joined(found)}", view.viewer, "GD-MOVE-2", here.id)


def _around(view: View, here: Territory) -> Line:
    """List the neighbours; around own land, with the armies to take each. See: GD-MAP-3."""
    own = here.owner == view.viewer and view.viewer in view.players
    names = []
    for at in view.world.beside(here.id):
        there = view.territories[at]
        if there.owner == view.viewer:
            note = ", yours"
        elif there.owner == NOBODY:
            note = ", neutral"
        else:
            note = f" of {called(view, there.owner)}"
            aims = price(view, at, here.id) if own else None
            note += f", {_takers(aims.take)}" if aims is not None else ""
        names.append(land(view, at) + note)
    text = f"Beside it: {'; '.join(names) or 'nothing'}"
    return said(view, text, NOBODY, "GD-MAP-3", here.id)


# -- the viewer's list -----------------------------------------------------------------------------


def _ordered(view: View, here: Territory) -> Iterator[Line]:
    """List the viewer's orders that begin or end here. See: GD-LIST-1, GD-SECRET-2."""
    if view.viewer not in view.players:
        return
    for number, order in enumerate(view.players[view.viewer].orders, 1):
        if touches(order, here.id):
            text = f"Your line {number}: {spelt(view, order)}"
            rule = ORDER_RULES[type(order)]
            yield said(view, text, view.viewer, rule, here.id, tone=Tone.QUIET)
    for order in view.players[view.viewer].forced:
        if touches(order, here.id):
            text = f"The referee orders: {spelt(view, order)}"
            yield said(view, text, view.viewer, "GD-FORCED-1", here.id, tone=Tone.QUIET)


# -- panel -----------------------------------------------------------------------------------------

WIDTH: Final = 22
"""Width of the panel in characters; it fits beside the map on a screen of 80 columns."""


def panel(view: View, at: int, held: int = 0) -> tuple[Line, ...]:
    """Return the panel for a territory (0: the sea): its units, its orders, and resources left.

    ``held`` is the territory whose units are picked up, which are shown too, or 0.
    See: GD-SECRET-2.
    """
    on_land = at in view.territories
    lines = list(_panel_place(view, at, held)) if on_land else [Line("Sea", rule="GD-LAND-2")]
    if held in view.territories and held != at and is_open(view):
        lines += _held(view, held)
    if view.viewer in playing(view) and not view.reason:
        lines += _purse(view)
        lines += _list(view)
        lines += _orders_here(view, at)
        if on_land and not is_settling(view):
            lines += strength_lines(view, at)
        lines += _orders_elsewhere(view, at)
    return tuple(lines)


def _note(
    view: View, text: str, seat: int, rule: str, at: int = 0, *, tone: Tone = Tone.NORMAL
) -> Line:
    """Return a line, cut to the width of the panel."""
    return Line(text[:WIDTH], tone, seat, rule, spot(view, at))


# -- panel: the territory --------------------------------------------------------------------------


def _panel_place(view: View, at: int, held: int) -> Iterator[Line]:
    """Show owner, units, constructs and conquest cost. See: GD-LAND-1, GD-UNIT-1, GD-INVADE-5."""
    here = view.territories[at]
    yield _note(view, capital(land(view, at)), here.owner, "GD-LAND-1", at, tone=Tone.HEADING)
    if here.owner == NOBODY:
        yield _note(view, "neutral", NOBODY, "GD-LAND-1", at)
    else:
        yield _note(view, _panel_owner(view, here.owner), here.owner, "GD-LAND-1", at)
        yield _note(view, f"loyalty {here.loyalty}", here.owner, "GD-FINAL-2", at)
        for unit, count in zip(UNITS, counts(here), strict=True):
            if count:
                yield _note(view, units(count, unit), here.owner, "GD-UNIT-1", at)
        if not strength(here):
            yield _note(view, "no unit", here.owner, "GD-UNIT-1", at)
    yield from _works(view, here)
    if is_settling(view):
        text = "you can settle here" if at in free_sites(view) else "no site"
        yield _note(view, text, view.viewer, "GD-HQ-2", at)
    elif here.owner != view.viewer:
        yield from _panel_price(view, at, held)


def _panel_price(view: View, at: int, held: int) -> Iterator[Line]:
    """Show the armies needed, sent from ``held`` if that is a neighbour. See: GD-INVADE-5."""
    aims = price(view, at, held if held in view.world.beside(at) else 0)
    owner = view.territories[at].owner
    if aims is not None and (aims.take > 1 or owner != NOBODY):
        yield _note(view, f"taken by {units(aims.take, 'army')}", owner, "GD-INVADE-5", at)


def _panel_owner(view: View, seat: int) -> str:
    """Return name and letter of a seat; only the name is cut to the width."""
    mark = ", you" if seat == view.viewer else ""
    own = view.players[seat].name if seat in view.players else ""
    if own in ("", letter(seat)):
        return f"owner {letter(seat)}{mark}"
    end = f" ({letter(seat)}){mark}"
    return own[: WIDTH - len(end)] + end


def _works(view: View, here: Territory) -> Iterator[Line]:
    if here.hq != NOBODY:
        yield _note(view, f"headquarters of {letter(here.hq)}", here.owner, "GD-HQ-3", here.id)
    if here.construct is not None:
        yield _note(view, here.construct, here.owner, "GD-BUILD-1", here.id)
    if here.wasteland:
        yield _note(view, "wasteland", here.owner, "GD-NATURAL-1", here.id, tone=Tone.BAD)
    if here.mines:
        own = dict(here.laid).get(view.viewer, 0)
        text = many(here.mines, "mine") + (f", {own} yours" if own else "")
        yield _note(view, text, here.owner, "GD-MINE-5", here.id)


def _held(view: View, held: int) -> Iterator[Line]:
    """Show the units picked up and their territory. See: GD-MOVE-1."""
    text = f"from {land(view, held)}"
    yield _note(view, text, view.viewer, "GD-MOVE-1", held, tone=Tone.STRONG)
    for unit, count in free_units(view, held).items():
        yield _note(view, f"  {units(count, unit)}", view.viewer, "GD-MOVE-1", held)


# -- panel: the list -------------------------------------------------------------------------------


def _orders_here(view: View, at: int) -> Iterator[Line]:
    """Show the orders that begin or end here, with their verdicts. See: GD-CHECK-1."""
    for place, order in enumerate(view.players[view.viewer].orders):
        if touches(order, at):
            text = f"{place + 1}. {in_short(order)}"
            yield _note(view, text, view.viewer, ORDER_RULES[type(order)], at)
            yield from _verdict(view, _judged(view, place), at)


_AT_ONE_PLACE: Final = do.PlaceHq | do.Promote | do.Spawn | do.Build | do.LayMines
"""Orders whose short form does not name the territory."""


def _orders_elsewhere(view: View, at: int) -> Iterator[Line]:
    """Show the other orders, for screens with room for them. See: GD-LIST-1."""
    own = enumerate(view.players[view.viewer].orders)
    others = [(place, order) for place, order in own if not touches(order, at)]
    if others:
        yield _note(view, "elsewhere", NOBODY, "GD-LIST-1", tone=Tone.QUIET)
    for place, order in others:
        mark = "!" if _judged(view, place).codes else "."
        at_place = f"{order.at} " if isinstance(order, _AT_ONE_PLACE) else ""
        text = f"{place + 1}{mark} {at_place}{in_short(order)}"
        tone = Tone.BAD if mark == "!" else Tone.NORMAL
        rule, place_named = ORDER_RULES[type(order)], place_of(order)
        yield _note(view, text, view.viewer, rule, place_named, tone=tone)


def _judged(view: View, place: int) -> Judged:
    """Return the verdict on a line of an open list, or an empty one if the list is sealed."""
    return project(view).judged[place] if may_write(view, view.viewer) else Judged()


def _verdict(view: View, judged: Judged, at: int) -> Iterator[Line]:
    """Show the refusal of a line, or the reduced number of units, wrapped. See: GD-CHECK-2."""
    if judged.codes:
        texts, rule, tone = wrap(f"refused: {judged.text}", WIDTH), judged.rule, Tone.BAD
    elif judged.kept >= 0:
        texts, rule, tone = [f"only {judged.kept} are there"], "GD-BIND-1", Tone.STRONG
    else:
        return
    for text in texts:
        yield _note(view, text, view.viewer, rule or "GD-CHECK-2", at, tone=tone)


# -- panel: resources ------------------------------------------------------------------------------


def _purse(view: View) -> Iterator[Line]:
    """Show IP, items, and armies that may still be spawned. See: GD-SECRET-2, GD-SPAWN-1."""
    seat, player = view.viewer, view.players[view.viewer]
    written = may_write(view, seat)
    left = project(view).after.players[seat].ip if written else player.ip
    text = f"{player.ip} IP" + (f", {left} unspent" if left != player.ip else "")
    yield _note(view, text, seat, "GD-FINAL-3")
    if gain := sum(income_of(view, seat)):
        yield _note(view, f"income {gain} IP", seat, "GD-FINAL-3", tone=Tone.QUIET)
    for item in do.ITEMS:
        if count := stock(player, item):
            yield _note(view, f"{count} {ITEMS[item]}", seat, "GD-ITEM-1")
    seen = when_raising(view)
    if written and owned(seen, seat):
        ordered = sum(order.count for order in player.orders if isinstance(order, Spawn))
        most = allowance(view, seat)
        rule = "GD-SPAWN-1" if headquarters(seen, seat) else "GD-SPAWN-3"
        yield _note(view, f"to raise: {max(0, most - ordered)} of {most}", seat, rule)


def _list(view: View) -> Iterator[Line]:
    """Show the state of the list: number of lines, idle units, lines that prevent sealing.

    See: GD-LIST-3, GD-CHECK-2.
    """
    seat, player = view.viewer, view.players[view.viewer]
    if not may_write(view, seat):
        text = "you have given up" if player.conceding else "list sealed"
        yield _note(view, text, seat, "GD-END-6" if player.conceding else "GD-LIST-3")
        return
    idle = left_to_send(view)
    text = many(len(player.orders), "line") + (f", {idle} idle" if idle else "")
    yield _note(view, text, seat, "GD-LIST-1")
    yield from _faults(view, player)


def _faults(view: View, player: Player) -> Iterator[Line]:
    """Show the numbers of refused and of reduced lines. See: GD-CHECK-2, GD-BIND-1."""
    judged = project(view).judged
    refused = [str(n) for n, line in enumerate(judged, 1) if line.codes]
    reduced = [str(n) for n, line in enumerate(judged, 1) if line.kept >= 0]
    for places, word, rule in (
        (refused, "refused", "GD-CHECK-2"),
        (reduced, "short", "GD-BIND-1"),
    ):
        if places:
            for text in wrap(f"{word}: {', '.join(places)}", WIDTH):
                yield _note(view, text, player.id, rule, tone=Tone.BAD)
