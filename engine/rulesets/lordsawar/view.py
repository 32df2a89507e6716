"""Views of a viewer (section 17), a state that looks like it, and commands to try there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.core.containers import Roster
from engine.core.ids import REFEREE, Viewer
from engine.core.record import replace
from engine.rulesets.lordsawar import events as ev
from engine.rulesets.lordsawar.commands import AnyCommand
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.moving import may_park
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import Condition, State, View
from engine.strategic.views import Viewing

_KINDS: Final = ("relic", "gold", "allies")


def _own_conditions(state: State, viewer: Viewer) -> Roster[Condition]:
    """Conditions of a viewer's armies."""
    rows, armies = state.conditions.values(), state.armies
    return Roster(row for row in rows if row.id in armies and armies[row.id].owner == viewer)


def own_candidates(view: View) -> Iterator[AnyCommand]:
    """Commands of this game alone that may be possible."""
    if view.question is None:
        yield from may_park(view)


class _Viewing(Viewing[State, View]):
    """Views with the conditions of own armies only, and offers of own commands."""

    def view(self, state: State, viewer: Viewer) -> View:
        """The view of a viewer. Rules: LW-17."""
        found = super().view(state, viewer)
        if viewer == REFEREE or state.reason is not None:
            return found
        return replace(found, conditions=_own_conditions(state, viewer))

    def offers(self, view: View, about: int | None = None) -> Iterator[AnyCommand]:
        """Commands that will not be refused."""
        yield from self.possible(view, own_candidates(view) if about is None else ())
        yield from super().offers(view, about)


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
