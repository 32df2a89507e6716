"""A territory in sentences, for those who see the map and for those who hear it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.record import replace
from engine.rulesets.gd6.forces import price, threat
from engine.rulesets.gd6.lands import counts, free_sites, strength
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.order_words import RULES, spelt, touches
from engine.rulesets.gd6.panels import panel
from engine.rulesets.gd6.state import NOBODY, Territory, View
from engine.rulesets.gd6.walking import is_settling
from engine.rulesets.gd6.words import called, joined, land, many, said, several, units
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

__all__ = ["look", "panel"]

SEA: Final = Line("The sea. Units cross it along the dotted lines.", rule="GD-LAND-2")


def look(view: View, at: int) -> tuple[Line, ...]:
    """What is known of a territory; of the sea if ``at`` is none. Rules: GD-SECRET-1."""
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
    """Rules: GD-LAND-1, GD-FINAL-2."""
    region = view.world.land(here.id).region
    own = view.world.land(here.id).name
    where = f"{land(view, here.id)}, {region}" if region not in ("", own) else land(view, here.id)
    if here.owner == NOBODY:
        return said(view, f"{where}: neutral", NOBODY, "GD-LAND-1", here.id)
    text = f"{where}: land of {called(view, here.owner)}, loyalty {here.loyalty}"
    return said(view, text, here.owner, "GD-FINAL-2", here.id)


def _standing(view: View, here: Territory) -> Iterator[Line]:
    """Rules: GD-UNIT-1."""
    if here.owner != NOBODY:
        text = several(counts(here)) if strength(here) else "no unit"
        verb = "stands" if strength(here) < 2 else "stand"
        yield said(view, f"{text} {verb} here", here.owner, "GD-UNIT-1", here.id)


def _built(view: View, here: Territory) -> Iterator[Line]:
    """Headquarters and construct. Rules: GD-HQ-3, GD-TOWER-1, GD-FINAL-1, GD-FINAL-3."""
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
    """Wasteland, and mines as far as the viewer knows of them. Rules: GD-NATURAL-1, GD-MINE-5."""
    if here.wasteland:
        text = "A wasteland: one unit dies here each turn, and nothing is built"
        yield said(view, text, here.owner, "GD-NATURAL-1", here.id)
    if here.mines:
        own = dict(here.laid).get(view.viewer, 0)
        laid = f", {own} of them by you in secret" if own else ""
        text = f"{many(here.mines, 'mine')} laid here{laid}"
        yield said(view, text, here.owner, "GD-MINE-5", here.id)


def _site(view: View, here: Territory) -> Iterator[Line]:
    """Whether a seat without headquarters can settle here. Rules: GD-HQ-1, GD-HQ-2."""
    if is_settling(view):
        free = here.id in free_sites(view)
        text = "You can settle here" if free else "No site: owned, or too near to a headquarters"
        yield said(view, text, view.viewer, "GD-HQ-2", here.id)


# -- what it takes -------------------------------------------------------------------------------


def _price(view: View, here: Territory) -> Iterator[Line]:
    """The price for the viewer to take it, and the armies it has beside it.

    Rules: GD-INVADE-5, GD-STEP-4, GD-MINE-2.
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
    """Threats to the viewer's own land. Rules: GD-MOVE-2, GD-UNIT-3."""
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
    """The neighbours; for own land with what taking each of them needs. Rules: GD-MAP-3."""
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


# -- the viewer's list ---------------------------------------------------------------------------


def _ordered(view: View, here: Territory) -> Iterator[Line]:
    """The viewer's own lines that begin or end here. Rules: GD-LIST-1, GD-SECRET-2."""
    if view.viewer not in view.players:
        return
    for number, order in enumerate(view.players[view.viewer].orders, 1):
        if touches(order, here.id):
            text = f"Your line {number}: {spelt(view, order)}"
            rule = RULES[type(order)]
            yield replace(said(view, text, view.viewer, rule, here.id), tone=Tone.QUIET)
