"""Finding and choosing by name on a screen with a board: places, actions, rules, settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic

from engine.tabletop.board import Find
from tui import finder
from tui.finder import Found
from tui.keys import APP, CONTEXTS
from tui.screens.map import MapScreen, Result


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
            *finder.settings(self.banneret.preferences.about.items()),
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
        keymap = self.banneret.keymap
        here = {str(active.binding.id) for active in self.active_bindings.values()}
        wanted = [
            Found("letter", i.label, "game", i.name, keymap.letter(i.key), "", i.reason)
            for i in self.wanted_here()
        ]
        own = [c for c in CONTEXTS if c.bindings == list(self.BINDINGS)]
        own += [c for c in CONTEXTS if c.bindings is APP]
        rest = [c for c in CONTEXTS if c not in own]
        return [
            *wanted,
            *finder.actions(own, keymap, frozenset(here)),
            *finder.actions(rest, keymap, frozenset()),
        ]

    def _choose(self, title: str, entries: Sequence[Found]) -> None:
        from tui.screens.find import FindScreen  # noqa: PLC0415 - not before it is needed

        self.app.push_screen(FindScreen(title, entries), self._chosen)

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
                self.banneret.show_settings(found.target)
            case "letter":
                self.want(found.target, "")
            case "action":
                await self.run_action(found.target)
