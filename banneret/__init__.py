"""Banneret from Python: begin or open games, play and observe them, ask about them, run bots.

>>> import banneret
>>> game = banneret.new_game("weltendaemmerung", scenario="ford", seed=7)
>>> game.seats, game.seats[game.to_act]
(('Eldoin', 'Dailor'), 'Eldoin')
>>> game.legal()[0]
'step unit=0 direction=up'
>>> entry = game.play("step unit=0 direction=up")
>>> outcome = banneret.play_out(game, {0: "easy", 1: "easy"})
>>> outcome == game.outcome, game.is_over
(True, True)

``banneret.debug`` offers the verbs of ``banneret debug`` for saved games, and ``banneret.rl``
offers the games as environments for reinforcement learning. Modules are loaded at their first use,
so ``import banneret`` takes no time.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from banneret import debug, rl
    from banneret.catalogue import commands, levels, notation, options, rulesets, scenarios
    from banneret.games import Game, new_game, open  # noqa: A004 - as in gzip
    from banneret.playing import Match, match, play_out
    from banneret.positions import Position
    from engine.core.archive import SaveFault
    from engine.core.log import Entry
    from engine.core.refused import Refused
    from engine.core.replay import BrokenLog
    from engine.core.ruleset import Outcome
    from study.lab.bots import BotFault
    from tui.console.exits import Stuck, Wrong

if sys.platform == "win32":
    raise ImportError("Banneret runs on Linux and macOS; on Windows install and start it in WSL.")

__all__ = [
    "BotFault",
    "BrokenLog",
    "Entry",
    "Game",
    "Match",
    "Outcome",
    "Position",
    "Refused",
    "SaveFault",
    "Stuck",
    "Wrong",
    "commands",
    "debug",
    "levels",
    "match",
    "new_game",
    "notation",
    "open",
    "options",
    "play_out",
    "rl",
    "rulesets",
    "scenarios",
]

_MODULES: Final = ("debug", "rl")
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "banneret.catalogue": ("commands", "levels", "notation", "options", "rulesets", "scenarios"),
    "banneret.games": ("Game", "new_game", "open"),
    "banneret.playing": ("Match", "match", "play_out"),
    "banneret.positions": ("Position",),
    "engine.core.archive": ("SaveFault",),
    "engine.core.log": ("Entry",),
    "engine.core.refused": ("Refused",),
    "engine.core.replay": ("BrokenLog",),
    "engine.core.ruleset": ("Outcome",),
    "tui.console.exits": ("Stuck", "Wrong"),
    "study.lab.bots": ("BotFault",),
}
_HOMES: Final = {name: home for home, names in _NAMES.items() for name in names}
"""Module of each public name."""


if not TYPE_CHECKING:  # a type checker would take any name for one that exists

    def __getattr__(name: str) -> Any:
        """Return a name of the library, loaded at its first use.

        Raises:
            AttributeError: there is no such name.
        """
        if name in _MODULES:
            return import_module(f"banneret.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'banneret' has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return found


def __dir__() -> list[str]:
    """Return the names of the library."""
    return sorted(__all__)
