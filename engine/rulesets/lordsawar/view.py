"""Views of a viewer (section 17), a state that looks like it, and commands to try there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.core.ids import REFEREE, Viewer
from engine.core.record import replace
from engine.rulesets.lordsawar import events as ev
from engine.rulesets.lordsawar.commands import AnyCommand, Propose
from engine.rulesets.lordsawar.diplomacy import shown_proposals
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import State, View
from engine.strategic.views import Viewing

_KINDS: Final = ("relic", "gold", "allies")


class _Viewing(Viewing[State, View]):
    """Views in which proposals are known to both parties only, and offers of own commands."""

    def view(self, state: State, viewer: Viewer) -> View:
        """The view of a viewer. Rules: LW-16, LW-17."""
        found = super().view(state, viewer)
        if viewer == REFEREE or state.reason is not None:
            return found
        return replace(found, proposals=shown_proposals(state, viewer))

    def offers(self, view: View, about: int | None = None) -> Iterator[AnyCommand]:
        """Commands that will not be refused. Rules: LW-16."""
        yield from self.possible(view, own_candidates(view) if about is None else ())
        yield from super().offers(view, about)


def own_candidates(view: View) -> Iterator[AnyCommand]:
    """Commands of this game alone that may be possible. Rules: LW-16."""
    side = view.viewer
    if view.question is not None or view.options.diplomacy == "off":
        return
    for other in view.sides.values():
        if other.alive and other.id != side:
            yield from (Propose(other.id, treaty) for treaty in (0, 2, -1))


VIEWING: Final = _Viewing(
    State, View, lambda state: settings_of(state.options), _KINDS, evolve=evolve
)
"""Views, imagined states and offers of this game. Rules: LW-17."""

view = VIEWING.view
imagine = VIEWING.imagine
offers: Callable[..., Iterator[AnyCommand]] = VIEWING.offers


def redact(event: ev.AnyEvent, before: State, after: State, viewer: Viewer) -> ev.AnyEvent | None:
    """The event as the viewer may know it, or None. Rules: LW-17."""
    if viewer == REFEREE:
        return event
    if isinstance(event, ev.GameSet):
        blank = Map(after.name, after.title, after.about)
        return replace(event, scenario=blank, start=VIEWING.shown(after, viewer))
    return event.redacted(VIEWING.seen(before, viewer), VIEWING.seen(after, viewer))
