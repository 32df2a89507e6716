"""Views of a viewer (section 17), a state that looks like it, and commands to try there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

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

_KINDS: Final = ("ruin",)

S = TypeVar("S", bound=State)


def own_candidates(view: View) -> Iterator[AnyCommand]:
    """Commands of this game alone that may be possible."""
    if view.question is None:
        yield from may_park(view)


class _Viewing(Viewing[State, View]):
    """Views, and offers of own commands."""

    def offers(self, view: View, about: int | None = None) -> Iterator[AnyCommand]:
        """Commands that will not be refused."""
        yield from self.possible(view, own_candidates(view) if about is None else ())
        yield from super().offers(view, about)

    def view(self, state: State, viewer: Viewer) -> View:
        """The view of a viewer, without the purse of the neutral side."""
        found = super().view(state, viewer)
        tells_all = viewer == REFEREE or state.reason is not None
        return found if tells_all else replace(found, neutral_gold=0)


VIEWING: Final = _Viewing(
    State, View, lambda state: settings_of(state.options), _KINDS, evolve=evolve
)
"""Views, imagined states and offers of this game. Rules: LW-17."""

imagine = VIEWING.imagine
offers: Callable[..., Iterator[AnyCommand]] = VIEWING.offers


def view(state: State, viewer: Viewer) -> View:
    """The view of a viewer, without what sites will give. Rules: LW-14, LW-17."""
    return _conditioned(_unrewarded(VIEWING.view(state, viewer), viewer), viewer, state)


def _unrewarded(known: S, viewer: Viewer) -> S:
    """A view without the rewards of sites; the referee, and after the end everybody, sees them."""
    if viewer == REFEREE or known.reason is not None:
        return known
    return replace(known, rewards=Roster())


def _conditioned(known: S, viewer: Viewer, state: State) -> S:
    """A view with the conditions of own armies, and with the looks of others in sight.

    Rules: LW-3.2, LW-7.
    """
    if viewer == REFEREE or known.reason is not None or not state.conditions:
        return known
    rows = []
    for row in state.conditions.values():
        army = known.armies.get(row.id)
        if army is not None and army.owner == viewer:
            rows.append(row)
        elif army is not None and army.type == state.armies[row.id].type:
            rows.append(row.looks)
    return replace(known, conditions=Roster(row for row in rows if row != Condition(row.id)))


def redact(event: ev.AnyEvent, before: State, after: State, viewer: Viewer) -> ev.AnyEvent | None:
    """The event as the viewer may know it, or None. Rules: LW-17."""
    if viewer == REFEREE:
        return event
    if isinstance(event, ev.GameSet):
        blank = Map(after.name, after.title, after.about)
        start = _unrewarded(VIEWING.shown(after, viewer), viewer)
        return replace(event, scenario=blank, start=_conditioned(start, viewer, after))
    return event.redacted(VIEWING.seen(before, viewer), VIEWING.seen(after, viewer))
