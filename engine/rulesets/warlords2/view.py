"""Views of a viewer (section 11), states imagined from them, and offered commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.core.ids import REFEREE, Viewer
from engine.core.record import replace
from engine.rulesets.warlords2 import events as ev
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.state import State, View
from engine.strategic.commands import AnyCommand
from engine.strategic.views import Viewing

_KINDS: Final = ("relic", "sage", "gold", "allies")

VIEWING: Final = Viewing(State, View, lambda state: settings_of(state.options), _KINDS)
"""Views, imagined states and offers of this game."""

view = VIEWING.view
imagine = VIEWING.imagine
offers: Callable[..., Iterator[AnyCommand]] = VIEWING.offers


def redact(event: ev.AnyEvent, before: State, after: State, viewer: Viewer) -> ev.AnyEvent | None:
    """Return the event as the viewer may know it, or None. See: W2-11."""
    if viewer == REFEREE:
        return event
    if isinstance(event, ev.GameSet):
        blank = Map(after.name, after.title, after.about)
        return replace(event, scenario=blank, start=VIEWING.shown(after, viewer))
    return event.redacted(VIEWING.seen(before, viewer), VIEWING.seen(after, viewer))
