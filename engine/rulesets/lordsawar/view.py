"""Views of a viewer (section 17), imagined states, and offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from engine.core.containers import Roster
from engine.core.ids import REFEREE, Viewer
from engine.core.record import replace
from engine.rulesets.lordsawar import events as ev
from engine.rulesets.lordsawar.commands import AnyCommand
from engine.rulesets.lordsawar.diplomacy import shown_proposals
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import Condition, State, View
from engine.strategic.views import Viewing

_KINDS: Final = ("ruin",)

S = TypeVar("S", bound=State)


class _Viewing(Viewing[State, View]):
    """Views that also hide what only this game has: rewards, quests, the neutral treasury."""

    def view(self, state: State, viewer: Viewer) -> View:
        """Build a view; also hide what only this game has. See: LW-14 to LW-17."""
        shown = super().view(state, viewer)
        if viewer == REFEREE or state.reason is not None:
            return shown
        own = {army.id for army in shown.armies.values() if army.owner == viewer}
        quests = Roster(quest for quest in shown.quests.values() if quest.id in own)
        return replace(
            shown,
            neutral_gold=0,
            rewards=Roster(),
            quests=quests,
            proposals=shown_proposals(state, viewer),
        )


VIEWING: Final = _Viewing(State, View, settings_in, _KINDS, evolve=evolve)
"""Views, imagined states and offers of this game. See: LW-17."""

imagine = VIEWING.imagine
offers: Callable[..., Iterator[AnyCommand]] = VIEWING.offers


def view(state: State, viewer: Viewer) -> View:
    """Build the view of a viewer, without the rewards at sites. Rules: LW-17.9. See: LW-14."""
    return _conditioned(VIEWING.view(state, viewer), viewer, state)


def _conditioned(known: S, viewer: Viewer, state: State) -> S:
    """Keep the conditions of the viewer's armies, and the visible part of those of others in sight.

    Rules: LW-7.4. See: LW-3.2.
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
    """Return the part of an event that a viewer may know, or None. See: LW-17."""
    if viewer == REFEREE:
        return event
    if isinstance(event, ev.GameSet):
        blank = Map(after.name, after.title, after.about)
        start = _conditioned(VIEWING.shown(after, viewer), viewer, after)
        return replace(event, scenario=blank, start=start)
    return event.redacted(VIEWING.seen(before, viewer), VIEWING.seen(after, viewer))
