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
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import State, View
from engine.strategic.views import Viewing

_KINDS: Final = ("relic", "gold", "allies")


class _Views(Viewing[State, View]):
    """Views that hide what only this game has: rewards, and what others' heroes and armies know."""

    def view(self, state: State, viewer: Viewer) -> View:
        """The view of a viewer. Rules: LW-14, LW-15, LW-17."""
        shown = super().view(state, viewer)
        if viewer == REFEREE or state.reason is not None:
            return shown
        armies = shown.armies
        own = {army.id for army in armies.values() if army.owner == viewer}
        return replace(
            shown,
            rewards=Roster(),
            quests=Roster(quest for quest in shown.quests.values() if quest.id in own),
            conditions=Roster(one for one in shown.conditions.values() if one.id in own),
        )


VIEWING: Final = _Views(
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
