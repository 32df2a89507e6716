"""Help in pages: the keys as they are now, this game's rules, the signs of its map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.screen import Screen

from engine.tabletop.ask import Intent
from engine.tabletop.board import GlyphSet, Line, Symbol
from engine.tabletop.manual import Chapter
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import Role, Tone
from tui.screens.pages import Page, PagesScreen
from tui.settings.keymap import Keymap, shown
from tui.settings.keys import CONTEXTS, FOR_PLAYERS, Context


class HelpScreen(PagesScreen[None]):
    """Help on the screen beneath: its keys, the rules and the signs of its game."""

    def __init__(
        self,
        below: Screen[Any],
        presenter: AnyPresenter | None = None,
        intents: Sequence[Intent] = (),
        rule: str = "",
    ) -> None:
        """Begin with the keys, or with a rule by its id."""
        super().__init__()
        self._below = below
        self._presenter = presenter
        self._intents = tuple(intents)
        self._rule = rule

    def on_mount(self) -> None:
        """Write the pages."""
        shell = self.shell
        own = next((c for c in CONTEXTS if c.bindings == list(self._below.BINDINGS)), None)
        hidden = FOR_PLAYERS if getattr(self._below, "watches", False) else frozenset[str]()
        told = shell.preferences.keys_told
        self.pages = [Page("Keys", key_lines(shell.keymap, own, self._intents, told, hidden))]
        if self._presenter is not None:
            rules = rule_lines(self._presenter.manual)
            self.pages.append(Page("Rules", rules))
            self.pages.append(Page("Signs", sign_lines(self._presenter.symbols, shell.glyphs)))
            if self._rule:
                self.page = 1
                found = [n for n, line in enumerate(rules) if line.rule == self._rule]
                self._at = found[0] if found else 0
        super().on_mount()


def key_lines(
    keymap: Keymap,
    own: Context | None,
    intents: Sequence[Intent],
    told: str = "",
    hidden: frozenset[str] = frozenset(),
) -> list[Line]:
    """All keys but the ``hidden`` ones, those of the screen beneath first.

    ``told`` says where else they are changed.
    """
    contexts = [own, *(c for c in CONTEXTS if c is not own)] if own is not None else [*CONTEXTS]
    lines: list[Line] = []
    for context in contexts:
        lines.append(Line(context.title, Tone.TITLE))
        if context is own:
            lines += [_row((keymap.letter(i.key),), i.label) for i in intents]
        lines += [
            _row(keymap.of(binding), binding.description)
            for binding in context.bindings
            if binding.id not in hidden
        ]
        lines.append(Line(""))
    lines.append(Line(f"Other keys: in the settings{told}", Tone.QUIET))
    return lines


def _row(keys: Sequence[str], words: str) -> Line:
    return Line(f"{'  '.join(map(shown, keys)):<26} {words}")


def rule_lines(manual: Sequence[Chapter]) -> list[Line]:
    """The rule book; each rule's line carries its id."""
    lines: list[Line] = []
    for chapter in manual:
        lines.append(Line(chapter.title, Tone.TITLE))
        lines += [Line(words, Tone.QUIET) for words in chapter.words]
        lines += [Line(f"{rule.id}  {rule.text}", rule=rule.id) for rule in chapter.rules]
        lines.append(Line(""))
    return lines


def sign_lines(symbols: Sequence[Symbol], glyphs: GlyphSet) -> list[Line]:
    """The signs on the map with their meanings."""
    lines = [Line(f"Drawn with the {glyphs} signs; another set is a key away.", Tone.QUIET)]
    for symbol in symbols[1:]:
        if symbol.role is Role.WRITING:
            continue
        sign: str = getattr(symbol, glyphs)
        how = ", struck through" if symbol.struck else ""
        lines.append(Line(f"   {sign}    {symbol.name.replace('_', ' ')}{how}"))
    return lines
