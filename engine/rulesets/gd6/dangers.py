"""Dangers for the headquarters of a seat, to be told before it seals its list."""

from __future__ import annotations

from engine.rulesets.gd6.fights import needed
from engine.rulesets.gd6.forces import health, threat
from engine.rulesets.gd6.lists import project
from engine.rulesets.gd6.state import View
from engine.rulesets.gd6.territories import counts, headquarters
from engine.rulesets.gd6.words import land, many, said
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone


def dangers(view: View) -> tuple[Line, ...]:
    """Lines about headquarters of the viewer that one rival could take, the worst first.

    The garrison is what the list leaves there; others are taken to send all they have.

    Rules: GD-HQ-3, GD-INVADE-5, GD-MOVE-2.
    """
    if view.viewer not in view.players or view.reason:
        return ()
    found = [(threat(view, at), _takes(view, at), at) for at in headquarters(view, view.viewer)]
    worst = sorted(
        (takes - force, at, force, takes) for force, takes, at in found if force >= takes
    )
    return tuple(
        said(
            view,
            f"Headquarters at {land(view, at)} can fall: {many(force, 'army', 'armies')}"
            f" could come, {takes} take it.",
            view.viewer,
            "GD-MOVE-2",
            at,
            tone=Tone.BAD,
        )
        for _, at, force, takes in worst
    )


def _takes(view: View, at: int) -> int:
    """Armies that take a territory of the viewer from what its list leaves there."""
    here = project(view).after.territories[at]
    tower = here.construct == "watchtower"
    return needed(health(counts(here)), tower=tower, mines=here.mines, guided=False).take
