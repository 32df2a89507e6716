"""Views of a viewer (section 11), states imagined from them, and offered commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State, View
from engine.strategic.commands import AnyCommand
from engine.strategic.views import Viewing

_KINDS: Final = ("relic", "sage", "gold", "allies")

VIEWING: Final = Viewing(State, View, lambda state: settings_of(state.options), _KINDS)
"""Views, redacted events, imagined states and offers of this game. See: W2-11."""

view = VIEWING.view
redact = VIEWING.redact
imagine = VIEWING.imagine
offers: Callable[..., Iterator[AnyCommand]] = VIEWING.offers
