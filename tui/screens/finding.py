"""Finding and choosing by name on a screen with a board: places, actions, rules, settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic

from engine.tabletop.board import Find
from tui.screens.map import MapScreen, Result
from tui.settings.keys import APP, CONTEXTS, Context
from tui.widgets import finder
from tui.widgets.finder import Found


class Finding(MapScreen[Result], Generic[Result]):
    """The part of a screen with a board that leads to whatever has a name."""

    def action_palette(self) -> None:
        """All that can be done."""
        self._choose("What now?", self._actions())

    def find_in(self, places: Iterable[Find], *, actions_first: bool = False) -> None:
        """Choose among places and everything else that has a name."""
        found, actions = finder.places(places), self._actions()
        entries = [
            *(actions + found if actions_first else found + actions),
            *finder.rules(self.telling.manual),
            *finder.settings(self.shell.preferences.about.items()),
        ]
        self._choose("What now?" if actions_first else "Find", entries)

    def go_to(self, x: int, y: int) -> None:
        """Put the cursor on a cell."""
        raise NotImplementedError

    def go_if_told(self, cell: tuple[int, int] | None) -> None:
        """Put the cursor on the cell that a screen ended with, if it did with one."""
        if cell is not None:
            self.go_to(*cell)

    def want(self, name: str, reason: str) -> None:
        """Begin a dialogue of the ruleset, or say why not."""
        raise NotImplementedError

    def _actions(self) -> list[Found]:
        """Actions, those that are possible here first; giving up is behind them."""
        keymap = self.shell.keymap
        here = frozenset(str(active.binding.id) for active in self.active_bindings.values())
        own, rest = self._contexts()
        kept = [intent for intent in self.wanted_here() if intent.ends != "game"]
        given_up = [intent for intent in self.wanted_here() if intent.ends == "game"]
        return [
            *finder.letters(kept, keymap),
            *finder.actions(own, keymap, here),
            *finder.letters(given_up, keymap),
            *finder.actions(rest, keymap, frozenset()),
        ]

    def _contexts(self) -> tuple[list[Context], list[Context]]:
        """Where the keys of this screen are bound, and where all others are.

        A screen listens to the keys of the screens it is made from, too.
        """
        tables = [kind.__dict__.get("BINDINGS") for kind in type(self).__mro__]
        own = [context for context in CONTEXTS if context.bindings in tables]
        own += [context for context in CONTEXTS if context.bindings is APP]
        return own, [context for context in CONTEXTS if context not in own]

    def _choose(self, title: str, entries: Sequence[Found]) -> None:
        from tui.screens.find import FindScreen  # noqa: PLC0415 - not before it is needed

        self.app.push_screen(FindScreen(title, finder.once(entries)), self._chosen)

    async def _chosen(self, found: Found | None) -> None:
        if found is None:
            return
        match found.kind:
            case "place":
                x, y = map(int, found.target.split(","))
                self.go_to(x, y)
            case "rule":
                self.show_help(found.target)
            case "setting":
                self.shell.show_settings(found.target)
            case "letter":
                self.want(found.target, "")
            case "action":
                await self.run_action(found.target)
