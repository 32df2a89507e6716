"""Help in pages: the keys by purpose, this game's rules, what stands on its map."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from textual.binding import Binding
from textual.screen import Screen

from engine.tabletop.ask import Intent
from engine.tabletop.board import Board, Line
from engine.tabletop.manual import Chapter
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import Tone
from tui.screens.legend import Colourful, StyleSpan, legend
from tui.screens.pages import Page, PagesScreen
from tui.settings.keymap import Keymap, shown
from tui.settings.keys import CONTEXTS, FOR_PLAYERS, Context

_TWO: Final = 76
"""Columns from which on the keys stand in two columns."""

_WIDEST: Final = 60
"""Most columns of one of them."""

_KEYS: Final = 12
"""Columns of the keys before their words."""

_GAP: Final = 2

_COMPASS: Final = (
    ("move.up-left", "move.up", "move.up-right"),
    ("move.left", "", "move.right"),
    ("move.down-left", "move.down", "move.down-right"),
)
"""Ids of the directions as they lie around the cursor."""


class SeenMap(NamedTuple):
    """The map beneath the help: the view that it shows, and its board."""

    view: Any
    board: Board


class HelpScreen(PagesScreen[None]):
    """Help on the screen beneath: its keys, the rules, and the legend of its map."""

    def __init__(
        self,
        below: Screen[Any],
        presenter: AnyPresenter | None = None,
        intents: Sequence[Intent] = (),
        rule: str = "",
        seen: SeenMap | None = None,
    ) -> None:
        """Begin with the keys, or with a rule by its id."""
        super().__init__()
        self._colourful = Colourful()
        self.pager = self._colourful
        self._below = below
        self._presenter = presenter
        self._intents = tuple(intents)
        self._rule = rule
        self._seen = seen
        self._width = 0
        """Columns of the screen that the pages were written for."""
        self._spans: dict[str, Mapping[int, Sequence[StyleSpan]]] = {}

    def on_mount(self) -> None:
        """Write the pages."""
        self._write()
        if self._rule and self._presenter is not None:
            self.page = 1
            found = [n for n, line in enumerate(self.pages[1].lines) if line.rule == self._rule]
            self._at = found[0] if found else 0
        super().on_mount()

    def dress(self) -> None:
        """Take the signs and colours that are chosen, in the legend too."""
        self._write()
        super().dress()

    def on_resize(self) -> None:
        """Share out the columns anew."""
        super().on_resize()
        if self.pages and self.app.size.width != self._width:
            self._write()
            self.show(self.page, self.pager.at)

    def _write(self) -> None:
        self._width = self.app.size.width
        shell = self.shell
        own = next((c for c in CONTEXTS if c.bindings == list(self._below.BINDINGS)), None)
        hidden = FOR_PLAYERS if getattr(self._below, "watches", False) else frozenset[str]()
        parts = key_parts(shell.keymap, own, self._intents, hidden)
        lines = key_lines(parts, self.app.size.width - _GAP)
        told = shell.preferences.keys_told
        lines.append(Line(f"Change keys in the settings{told}", Tone.QUIET))
        self.pages = [Page("Keys", lines)]
        if self._presenter is not None:
            self.pages.append(Page("Rules", rule_lines(self._presenter.manual)))
        if self._presenter is not None and self._seen is not None:
            signs, spans = legend(self._presenter, *self._seen, shell.glyphs, shell.palette)
            self.pages.append(Page("Map", signs))
            self._spans["Map"] = spans

    def show(self, page: int, at: int = 0) -> None:
        """Turn to a page and a line."""
        if self.pages:
            self._colourful.spans = self._spans.get(self.pages[page % len(self.pages)].title, {})
        super().show(page, at)


# -- keys by purpose -------------------------------------------------------------------------------


class KeyPart(NamedTuple):
    """Keys with one purpose: a heading, and rows of a key and words, or rows as they are."""

    title: str
    rows: tuple[tuple[str, str], ...]


@cache
def purposes() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Ids of bindings by context and purpose."""
    return tomllib.loads(files("tui.settings").joinpath("help.toml").read_text("utf-8"))


def key_parts(
    keymap: Keymap,
    own: Context | None,
    intents: Sequence[Intent],
    hidden: frozenset[str] = frozenset(),
) -> list[KeyPart]:
    """All keys but the ``hidden`` ones by purpose, those of the screen beneath first."""
    contexts = [own, *(c for c in CONTEXTS if c is not own)] if own is not None else [*CONTEXTS]
    parts: list[KeyPart] = []
    for context in contexts:
        if context is own and intents:
            rows = tuple((keymap.letter(i.key), _told(i)) for i in intents)
            parts.append(KeyPart("Here", rows))
        listed = {str(binding.id): binding for binding in context.bindings}
        if compass := tuple(_compass(keymap, listed)):
            parts.append(KeyPart("Move the cursor", compass))
        shown_ids = [i for i in listed if i not in hidden and i not in _directions()]
        groups = purposes().get(context.name) if context is own else None
        for title, ids in (groups or {context.title: shown_ids}).items():
            rows = tuple(_row(keymap, listed[i]) for i in ids if i in shown_ids)
            parts += [KeyPart(title, rows)] if rows else []
    return parts


def _told(intent: Intent) -> str:
    return f"{intent.label} ({intent.reason.rstrip('.')})" if intent.reason else intent.label


def _row(keymap: Keymap, binding: Binding) -> tuple[str, str]:
    """The first keys of a binding, as many as there is room for, and what they do."""
    text = ""
    for key in map(shown, keymap.of(binding)):
        if text and len(text) + 2 + len(key) > _KEYS - 1:
            break
        text += f"{', ' if text else ''}{key}"
    return text, binding.description


def _directions() -> frozenset[str]:
    return frozenset(name for row in _COMPASS for name in row if name)


def _compass(keymap: Keymap, listed: Mapping[str, Binding]) -> Iterator[tuple[str, str]]:
    """Rows of the directions around the cursor: letters, then digits, as far as all have them."""
    if not _directions() <= listed.keys():
        return
    keys = {name: [*map(shown, keymap.of(listed[name]))] for name in _directions()}
    roses = []
    for fits in (str.isalpha, str.isdigit):
        found = {name: [k for k in own if len(k) == 1 and fits(k)] for name, own in keys.items()}
        if all(found.values()):
            roses.append({name: own[0] for name, own in found.items()})
    arrows = {keys[name][0] for row in _COMPASS for name in row if keys.get(name)}
    for row in _COMPASS:
        drawn = ["   ".join(rose.get(name, "+") for name in row) for rose in roses]
        yield "", "      ".join(drawn)
    if arrows & {"Up", "↑"}:
        yield "", "or the arrow keys"


def key_lines(parts: Sequence[KeyPart], width: int) -> list[Line]:
    """Parts below each other, in two columns where there is room: headings on the same rows."""
    if width < _TWO:
        rows = (row for part in parts for row in (*_column(part, width), ("", False)))
        return [Line(text, Tone.TITLE if heading else Tone.NORMAL) for text, heading in rows]
    column = min((width - _GAP) // 2, _WIDEST)
    lines: list[Line] = []
    for left, right in zip_longest(parts[::2], parts[1::2]):
        one = _column(left, column)
        other = _column(right, column) if right is not None else []
        for (text, heading), (beside, _) in zip_longest(one, other, fillvalue=("", False)):
            joined = f"{text:<{column + _GAP}}{beside}".rstrip()
            lines.append(Line(joined, Tone.TITLE if heading else Tone.NORMAL))
        lines.append(Line(""))
    return lines


def _column(part: KeyPart, width: int) -> list[tuple[str, bool]]:
    """Rows of a part, and True for its heading."""
    rows = [(part.title.upper(), True)]
    for key, words in part.rows:
        wrapped = textwrap.wrap(words, max(8, width - _KEYS)) if key else [words]
        for number, text in enumerate(wrapped or [""]):
            rows.append((f"{'' if number else key:<{_KEYS}}{text}", False))
    return rows


def rule_lines(manual: Iterable[Chapter]) -> list[Line]:
    """The rule book; each rule's line carries its id."""
    lines: list[Line] = []
    for chapter in manual:
        lines.append(Line(chapter.title, Tone.TITLE))
        lines += [Line(words, Tone.QUIET) for words in chapter.words]
        lines += [Line(f"{rule.id}  {rule.text}", rule=rule.id) for rule in chapter.rules]
        lines.append(Line(""))
    return lines
