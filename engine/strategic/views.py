"""Views, states imagined from them, and the commands that can be tried there.

A ruleset names the record of its state and the record of its view, which adds ``viewer`` and
``visible`` to the fields of a state. It also supplies a function that returns the rule settings of
a position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane, Roster
from engine.core.dice import Dice, Seeded
from engine.core.ids import PUBLIC, REFEREE, Viewer
from engine.core.record import Command, replace
from engine.core.refused import Refused
from engine.kit.identity_cache import keyed_identity_cache
from engine.kit.records import alike
from engine.strategic import sight
from engine.strategic.decision import Decision, pick
from engine.strategic.dispatch import decide, owes
from engine.strategic.events.base import FirstEvent
from engine.strategic.evolve import evolve
from engine.strategic.offers import candidates, is_plain_step
from engine.strategic.pieces import Side, Site, side_bit
from engine.strategic.seen import Secrecy, Seen, everything, known_tiles, veiled
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, treaty

S = TypeVar("S", bound=World)
V = TypeVar("V", bound=World)

_TRIAL: Final = b"offers"


class Viewing(Generic[S, V]):
    """Views, imagined states and offers of a ruleset on the strategic layer."""

    def __init__(
        self,
        state_type: type[S],
        view_type: type[V],
        settings_of: Callable[[Any], RuleSettings],
        kinds: Sequence[str],
        evolve: Callable[[Any, Any], Any] = evolve,
    ) -> None:
        """Set up the views; ``kinds`` are the kinds that an unknown site can turn out to be."""
        self._evolve = evolve
        self._state_type = state_type
        self._view_type = view_type
        self._settings_of = settings_of
        self._kinds = tuple(kinds)
        self._visible = keyed_identity_cache(self._visible_to)

    def has_fog(self, state: S | V) -> bool:
        """Return whether parts of the map are hidden."""
        return state.reason is None and sight.has_fog(state, self._settings_of(state))

    def seen(self, state: S, viewer: Viewer) -> Seen:
        """Return the knowledge of a viewer in a state, for the redaction of events."""
        secrets = self._secrets(state, viewer)
        fog = self.has_fog(state) and viewer != REFEREE
        known = known_tiles(state, secrets, fog=fog)
        return Seen(state, secrets, self._visible(state, viewer), known, self._secrecy(state))

    def view(self, state: S, viewer: Viewer) -> V:
        """Return the view of a viewer; the referee, and after the end every viewer, sees all."""
        visible = self._visible(state, viewer)
        if viewer == REFEREE or state.reason is not None:
            known = state
        else:
            secrets = self._secrets(state, viewer)
            known = veiled(
                state, secrets, visible, fog=self.has_fog(state), secrecy=self._secrecy(state)
            )
        planes = Plane(visible.astype(np.uint8))
        return alike(self._view_type, known, viewer=viewer, visible=planes)

    def shown(self, state: S, viewer: Viewer) -> S:
        """Return the view of a viewer as a state, for the first event of a game."""
        return alike(self._state_type, self.view(state, viewer))

    def redact(self, event: Any, before: S, after: S, viewer: Viewer) -> Any:
        """Return the event as a viewer may know it, or None; the first without its scenario."""
        if viewer == REFEREE:
            return event
        if isinstance(event, FirstEvent):
            first: Any = event
            blank = type(first.scenario)(after.name, after.title, after.about)
            return replace(first, scenario=blank, start=self.shown(after, viewer))
        return event.redacted(self.seen(before, viewer), self.seen(after, viewer))

    def imagine(self, view: Any, dice: Dice) -> S:
        """Return a state that gives this view; unknown parts are omitted or sampled."""
        state = alike(self._state_type, view)
        if view.viewer == REFEREE or state.reason is not None:
            return state
        state = sight.reckoned(state, self._settings_of(state))
        own = 0 if view.viewer == PUBLIC else side_bit(view.viewer)
        sides = state.sides.values()
        sites = state.sites.values()
        return replace(
            state,
            sides=Roster(_imagined_side(state, side, view.viewer) for side in sides),
            sites=Roster(self._imagined_site(site, own, dice) for site in sites),
            next_id=1 + max((*state.armies, *state.transits), default=0),
        )

    def offers(self, view: Any, about: int | None = None) -> Iterator[Any]:
        """Yield commands that will not be refused: each was tried on an imagined state.

        With ``about``, the id of an army, only those of that army.
        """
        if view.viewer not in owes(view):
            return
        state = self.imagine(view, Seeded(_TRIAL, 0, "imagine"))
        settings = self._settings_of(state)
        listed = chain(
            *(own(view, view.viewer, about) for own in settings.offers),
            candidates(view, view.viewer, about),
        )
        for command in listed:
            plain = is_plain_step(state, settings, command)
            if plain or self._is_possible(state, settings, view.viewer, command):
                yield command

    def _is_possible(self, state: S, settings: RuleSettings, side: int, command: Command) -> bool:
        """Return whether a command would not be refused in a position."""
        decision: Decision = Decision(state, self._evolve, Seeded(_TRIAL, 0, "decide"))
        try:
            decide(decision, settings, side, command)
        except Refused:
            return False
        return True

    def _secrecy(self, state: S) -> Secrecy:
        return self._settings_of(state).moving.secrecy

    def _secrets(self, state: S, viewer: Viewer) -> frozenset[int]:
        """Return the sides whose private information the viewer knows; after the game, all."""
        if viewer == REFEREE or state.reason is not None:
            return everything(state)
        return frozenset() if viewer == PUBLIC else frozenset((viewer,))

    def _visible_to(self, state: S, viewer: Viewer) -> npt.NDArray[np.bool_]:
        shape = state.terrain.cells.shape
        if viewer == REFEREE or not self.has_fog(state):
            return np.ones(shape, dtype=np.bool_)
        if viewer == PUBLIC or viewer not in state.sides:
            return np.zeros(shape, dtype=np.bool_)
        return sight.visible(state, self._settings_of(state), viewer)

    def _imagined_site(self, site: Site, own: int, dice: Dice) -> Site:
        if site.kind == "unknown":
            kind: Any = pick(dice, self._kinds)
            return replace(site, kind=kind)
        return replace(site, known_to=own)


def _imagined_side(state: World, side: Side, viewer: Viewer) -> Side:
    """Give a side the default line of battle and stances, unless it is the viewer's own."""
    if side.id == viewer:
        return side
    order = side.order or tuple(kind.order for kind in state.types.values())
    stances = tuple(treaty(state, side.id, other) for other in state.sides)
    return replace(side, order=order, stances=stances)
