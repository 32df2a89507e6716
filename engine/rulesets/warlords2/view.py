"""Views of a viewer (section 11), a state that looks like it, and commands to try there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane, Roster
from engine.core.dice import Dice, Seeded
from engine.core.ids import PUBLIC, REFEREE, Viewer
from engine.core.record import replace
from engine.core.refused import Refused
from engine.kit.memo import recent_each
from engine.kit.records import alike
from engine.rulesets.warlords2 import events as ev
from engine.rulesets.warlords2.rule_settings import book_of
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.state import State, View
from engine.strategic.commands import AnyCommand
from engine.strategic.decision import Decision, pick
from engine.strategic.dispatch import decide, owes
from engine.strategic.evolve import evolve
from engine.strategic.offers import candidates, is_plain_step
from engine.strategic.pieces import Side, Site, SiteKind, side_bit
from engine.strategic.seen import Seen, everything, known_tiles, veiled
from engine.strategic.settings import RuleSettings
from engine.strategic.sight import visible
from engine.strategic.world import treaty

_KINDS: tuple[SiteKind, ...] = ("relic", "sage", "gold", "allies")


def has_fog(state: State) -> bool:
    """True if parts of the map are hidden. Rules: W2-11."""
    return state.options.hidden_map == "on" and not state.lifted and state.reason is None


def _secrets(state: State, viewer: Viewer) -> frozenset[int]:
    """Sides whose secrets the viewer knows; all of them when the game is over."""
    if viewer == REFEREE or state.reason is not None:
        return everything(state)
    return frozenset() if viewer == PUBLIC else frozenset((viewer,))


@recent_each
def _visible(state: State, viewer: Viewer) -> npt.NDArray[np.bool_]:
    shape = state.terrain.cells.shape
    if viewer == REFEREE or not has_fog(state):
        return np.ones(shape, dtype=np.bool_)
    if viewer == PUBLIC or viewer not in state.sides:
        return np.zeros(shape, dtype=np.bool_)
    return visible(state, book_of(state.options), viewer)


def _seen(state: State, viewer: Viewer) -> Seen:
    secrets = _secrets(state, viewer)
    fog = has_fog(state) and viewer != REFEREE
    return Seen(state, secrets, _visible(state, viewer), known_tiles(state, secrets, fog=fog))


def view(state: State, viewer: Viewer) -> View:
    """The view of a viewer. Rules: W2-11."""
    sight = _visible(state, viewer)
    if viewer == REFEREE or state.reason is not None:
        known = state
    else:
        known = veiled(state, _secrets(state, viewer), sight, fog=has_fog(state))
    return alike(View, known, viewer=viewer, visible=Plane(sight.astype(np.uint8)))


def redact(event: ev.AnyEvent, before: State, after: State, viewer: Viewer) -> ev.AnyEvent | None:
    """The event as the viewer may know it, or None."""
    if viewer == REFEREE:
        return event
    if isinstance(event, ev.GameSet):
        shown = view(after, viewer)
        blank = Map(after.name, after.title, after.about)
        return replace(event, scenario=blank, start=alike(State, shown))
    return event.redacted(_seen(before, viewer), _seen(after, viewer))


def imagine(seen: View, dice: Dice) -> State:
    """A state that gives this view; unknown parts are omitted or sampled."""
    state = alike(State, seen)
    if seen.viewer == REFEREE or state.reason is not None:
        return state
    own = 0 if seen.viewer == PUBLIC else side_bit(seen.viewer)
    return replace(
        state,
        sides=Roster(_imagined_side(state, side, seen.viewer) for side in state.sides.values()),
        sites=Roster(_imagined_site(site, own, dice) for site in state.sites.values()),
        next_id=1 + max((*state.armies, *state.transits), default=0),
    )


def _imagined_side(state: State, side: Side, viewer: Viewer) -> Side:
    if side.id == viewer:
        return side
    order = tuple(kind.order for kind in state.types.values())
    stances = tuple(treaty(state, side.id, other) for other in state.sides)
    return replace(side, order=order, stances=stances)


def _imagined_site(site: Site, own: int, dice: Dice) -> Site:
    if site.kind == "unknown":
        return replace(site, kind=pick(dice, _KINDS))
    return replace(site, known_to=own)


# -- commands that are possible now ----------------------------------------------------------------


_TRIAL: Final = b"offers"


def offers(seen: View, about: int | None = None) -> Iterator[AnyCommand]:
    """Commands that will not be refused: each is tried on an imagined state."""
    if seen.viewer not in owes(seen):
        return
    state = imagine(seen, Seeded(_TRIAL, 0, "imagine"))
    book = book_of(state.options)
    for command in candidates(seen, seen.viewer, about):
        if is_plain_step(state, book, command) or _is_possible(state, book, seen.viewer, command):
            yield command


def _is_possible(state: State, book: RuleSettings, side: int, command: AnyCommand) -> bool:
    work: Decision = Decision(state, evolve, Seeded(_TRIAL, 0, "decide"))
    try:
        decide(work, book, side, command)
    except Refused:
        return False
    return True
