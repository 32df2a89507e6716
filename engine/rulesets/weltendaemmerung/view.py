"""What a viewer knows: everything, for nothing is hidden (section 1)."""

from __future__ import annotations

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.ids import Viewer
from engine.rulesets.weltendaemmerung.state import Options, State, View


def view(state: State, viewer: Viewer) -> View:
    """The position as a viewer sees it."""
    return View(
        viewer=viewer,
        terrain=state.terrain,
        units=state.units,
        sites=state.sites,
        frontier=state.frontier,
        rounds=state.rounds,
        cursor=state.cursor,
        options=state.options,
        name=state.name,
        title=state.title,
        about=state.about,
        completed=state.completed,
        phase=state.phase,
        player=state.player,
        attacks=state.attacks,
        winner=state.winner,
        reason=state.reason,
        cycle=state.cycle,
    )


def imagine(seen: View) -> State:
    """The one state this view can come from."""
    return State(
        terrain=seen.terrain,
        units=seen.units,
        sites=seen.sites,
        frontier=seen.frontier,
        rounds=seen.rounds,
        cursor=seen.cursor,
        options=seen.options,
        name=seen.name,
        title=seen.title,
        about=seen.about,
        completed=seen.completed,
        phase=seen.phase,
        player=seen.player,
        attacks=seen.attacks,
        winner=seen.winner,
        reason=seen.reason,
        cycle=seen.cycle,
    )


def empty() -> State:
    """The state before the first event: a board of no tiles."""
    return State(
        terrain=Plane(np.zeros((0, 0), dtype=np.uint8)),
        units=Roster(),
        sites=Roster(),
        frontier=0,
        rounds=0,
        cursor=(0, 0),
        options=Options(),
    )
