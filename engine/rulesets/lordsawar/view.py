"""Views of a viewer (section 17), imagined states, and offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.core.containers import Roster
from engine.core.ids import REFEREE, Viewer
from engine.core.record import replace
from engine.rulesets.lordsawar.commands import AnyCommand
from engine.rulesets.lordsawar.diplomacy import shown_proposals
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.rulesets.lordsawar.state import Condition, State, View
from engine.strategic.views import Viewing

_KINDS: Final = ("ruin",)


class _Viewing(Viewing[State, View]):
    """Views that also hide what only this game has: rewards, quests, the neutral treasury."""

    def view(self, state: State, viewer: Viewer) -> View:
        """Build a view; also hide what only this game has.

        Keep the conditions of the viewer's armies, and the visible part of those of others in
        sight. See: LW-14 to LW-17.
        """
        shown = super().view(state, viewer)
        if viewer == REFEREE or state.reason is not None:
            return shown
        own = {army.id for army in shown.armies.values() if army.owner == viewer}
        quests = Roster(quest for quest in shown.quests.values() if quest.id in own)
        rows = []
        for row in state.conditions.values():
            army = shown.armies.get(row.id)
            if army is not None and army.owner == viewer:
                rows.append(row)
            elif army is not None and army.type == state.armies[row.id].type:
                rows.append(row.looks)
        return replace(
            shown,
            neutral_gold=0,
            rewards=Roster(),
            quests=quests,
            proposals=shown_proposals(state, viewer),
            conditions=Roster(row for row in rows if row != Condition(row.id)),
        )


VIEWING: Final = _Viewing(State, View, settings_in, _KINDS, evolve=evolve)
"""Views, redacted events, imagined states and offers of this game. See: LW-17."""

view = VIEWING.view
redact = VIEWING.redact
imagine = VIEWING.imagine
offers: Callable[..., Iterator[AnyCommand]] = VIEWING.offers
