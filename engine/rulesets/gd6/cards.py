"""Cards of the panel: a garrison against what could attack it, and the forces of all seats."""

from __future__ import annotations

from collections.abc import Iterator

from engine.kit.identity_cache import identity_cache
from engine.rulesets.gd6.forces import foreseen, health, healths, price, threat
from engine.rulesets.gd6.state import NOBODY, View
from engine.rulesets.gd6.territories import letter, statistics
from engine.rulesets.gd6.words import spot
from engine.tabletop.board import Line
from engine.tabletop.panel import force_lines, gauge, heading
from engine.tabletop.roles import Tone


def strength_lines(view: View, at: int) -> Iterator[Line]:
    """Yield lines that compare a territory's strength with what can come this turn, in armies.

    The viewer's own land is compared with the strongest rival, other land with the viewer's own
    units in reach. Yields nothing if no unit can come, or if one army takes neutral land.
    See: GD-MOVE-2, GD-UNIT-3, GD-INVADE-5.
    """
    seat, owner = view.viewer, view.territories[at].owner
    if view.reason or seat not in view.players:
        return
    forces = foreseen(view)
    if owner == seat:
        title, rule = "If it stays so", "GD-MOVE-2"
        here, there = health(forces.units[at]), threat(view, at)
        words = "Garrison", "One rival"
    else:
        aims = price(view, at)
        title, rule = "To take it", "GD-INVADE-5"
        here, there = aims.take if aims is not None else 0, forces.reach(seat, at)
        words = "Needed", "In reach"
        if owner == NOBODY and here <= 1:
            return
    here = here // healths()[0] if owner == seat else here
    if not there:
        return
    most, place = max(here, there), spot(view, at)
    yield heading(title, rule=rule, at=place)
    for text, value in zip(words, (here, there), strict=True):
        yield Line(f"{text} {value}", rule=rule, at=place, gauge=gauge("force", value, most))
    if owner == seat and there > here:
        yield Line("It could fall", Tone.BAD, rule=rule, at=place)


@identity_cache
def forces(view: View) -> tuple[Line, ...]:
    """Return land, headquarters and visible units of all seats. See: GD-END-2."""
    numbers = statistics(view)
    names = [view.players[seat].name or letter(seat) for seat in view.players]
    rows = [(word, numbers[word]) for word in ("territories", "units")]
    return force_lines(names, rows)
