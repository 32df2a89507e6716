"""Help in pages: the keys by purpose, this game's rules, and the legend of its map."""

from __future__ import annotations

import textwrap
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding
from textual.screen import Screen
from textual.strip import Strip

from engine.tabletop.ask import Intent
from engine.tabletop.board import NOBODY, Board, GlyphSet, Line, Symbol
from engine.tabletop.english import capital
from engine.tabletop.manual import Chapter
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import Role, Tone
from tui.console.files import shipped
from tui.screens.pages import Page, PagesScreen
from tui.settings.keymap import Keymap, shown
from tui.settings.keys import CONTEXTS, FOR_PLAYERS, Context
from tui.style.palette import Palette
from tui.widgets.panels import Pager

_TWO: Final = 76
"""Minimum columns for which the keys are set in two columns."""

_WIDEST: Final = 60
"""Maximum width of one of the two columns of keys."""

_KEYS: Final = 12
"""Columns for the keys, to the left of their descriptions."""

_GAP: Final = 2

_COMPASS: Final = (
    ("move.up-left", "move.up", "move.up-right"),
    ("move.left", "", "move.right"),
    ("move.down-left", "move.down", "move.down-right"),
)
"""Ids of the directions, arranged as around the cursor."""


class SeenMap(NamedTuple):
    """The map beneath the help: its view and board, for the legend."""

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
        """Open at the keys, or at the rule with the id ``rule``."""
        super().__init__()
        self._colourful = Colourful()
        self.pager = self._colourful
        self._below = below
        self._presenter = presenter
        self._intents = tuple(intents)
        self._rule = rule
        self._seen = seen
        self._width = 0
        """Width of the screen for which the pages were written."""
        self._spans: dict[str, Mapping[int, Sequence[StyleSpan]]] = {}

    def on_mount(self) -> None:
        """Write the pages, and turn to the wanted rule."""
        self._write()
        if self._rule and self._presenter is not None:
            self.page = 1
            found = [n for n, line in enumerate(self.pages[1].lines) if line.rule == self._rule]
            self._at = found[0] if found else 0
        super().on_mount()

    def dress(self) -> None:
        """Apply the chosen signs and colours, also in the legend."""
        self._write()
        super().dress()

    def on_resize(self) -> None:
        """Write the pages again if the width has changed."""
        super().on_resize()
        if self.pages and self.app.size.width != self._width:
            self._write()
            self.show(self.page, self.pager.at)

    def _write(self) -> None:
        self._width = self.app.size.width
        shell = self.shell
        own = next((c for c in CONTEXTS if c.bindings == list(self._below.BINDINGS)), None)
        hidden = FOR_PLAYERS if getattr(self._below, "watches", False) else frozenset[str]()
        named: Mapping[str, str] = {}
        if self._presenter is not None:
            site = self._presenter.site_words()
            named = {"jump.site": f"Next {site}", "jump.site-back": f"Previous {site}"}
            hidden |= frozenset() if self._presenter.listing else {"game.lists"}
        parts = key_parts(shell.keymap, own, self._intents, hidden, named)
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
    """Keys with one purpose: a heading, and rows of keys and descriptions, or plain rows."""

    title: str
    rows: tuple[tuple[str, str], ...]


@cache
def purposes() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return the ids of bindings by context and purpose."""
    return shipped("tui.settings", "help.toml")


def key_parts(
    keymap: Keymap,
    own: Context | None,
    intents: Sequence[Intent],
    hidden: frozenset[str] = frozenset(),
    named: Mapping[str, str] = MappingProxyType({}),
) -> list[KeyPart]:
    """Return all keys except the ``hidden`` ones, grouped by purpose.

    The keys of ``own``, the screen beneath, come first. ``named`` are descriptions by id that
    replace the usual ones.
    """
    contexts = [own, *(c for c in CONTEXTS if c is not own)] if own is not None else [*CONTEXTS]
    parts: list[KeyPart] = []
    for context in contexts:
        if context is own and intents:
            rows = tuple((keymap.way_to(i.key), _told(i)) for i in intents)
            parts.append(KeyPart("Here", rows))
        listed = {str(binding.id): binding for binding in context.bindings}
        if compass := tuple(_compass(keymap, listed)):
            parts.append(KeyPart("Move the cursor", compass))
        shown_ids = [i for i in listed if i not in hidden and i not in _directions()]
        groups = purposes().get(context.name) if context is own else None
        for title, ids in (groups or {context.title: shown_ids}).items():
            rows = tuple(_row(keymap, listed[i], named) for i in ids if i in shown_ids)
            parts += [KeyPart(title, rows)] if rows else []
    return parts


def _told(intent: Intent) -> str:
    return f"{intent.label} ({intent.reason.rstrip('.')})" if intent.reason else intent.label


def _row(keymap: Keymap, binding: Binding, named: Mapping[str, str]) -> tuple[str, str]:
    """Return as many keys of a binding as fit, and its description."""
    text = ""
    for key in map(shown, keymap.of(binding)):
        if text and len(text) + 2 + len(key) > _KEYS - 1:
            break
        text += f"{', ' if text else ''}{key}"
    return text, named.get(str(binding.id), binding.description)


def _directions() -> frozenset[str]:
    return frozenset(name for row in _COMPASS for name in row if name)


def _compass(keymap: Keymap, listed: Mapping[str, Binding]) -> Iterator[tuple[str, str]]:
    """Yield rows with the directions around the cursor, as letters and digits if all have them."""
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
    """Return groups of keys as lines, in two columns if they fit into ``width``."""
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
    """Return the rows of a part, with True for its heading."""
    rows = [(part.title.upper(), True)]
    for key, words in part.rows:
        wrapped = textwrap.wrap(words, max(8, width - _KEYS)) if key else [words]
        for number, text in enumerate(wrapped or [""]):
            rows.append((f"{'' if number else key:<{_KEYS}}{text}", False))
    return rows


def rule_lines(manual: Iterable[Chapter]) -> list[Line]:
    """Return the rule book as lines; lines of rules, and of chapters with an id, have that id."""
    lines: list[Line] = []
    for chapter in manual:
        lines.append(Line(chapter.title, Tone.TITLE, rule=chapter.id))
        lines += [Line(words, Tone.QUIET) for words in chapter.words]
        lines += [Line(f"{rule.id}  {rule.text}", rule=rule.id) for rule in chapter.rules]
        lines.append(Line(""))
    return lines


# -- legend of the map -----------------------------------------------------------------------------


_SIGNS: Final = 10
"""Columns before the text, for the signs of up to three sides."""

_MOST: Final = 3
"""Maximum number of signs before a text."""


def _is_thing(symbol: Symbol) -> bool:
    """Return whether a symbol is a thing on the map, and no line or letter of a text."""
    is_letter = symbol.role is Role.WRITING and symbol.name.startswith("written ")
    return symbol.role is not Role.BLANK and not is_letter


class StyleSpan(NamedTuple):
    """Part of a line with its own style."""

    start: int
    stop: int
    style: Style


class Colourful(Pager):
    """A pager whose lines may contain parts with their own styles."""

    spans: Mapping[int, Sequence[StyleSpan]] = {}
    """Styled parts by line number; they are on the first row of a line that is wrapped."""

    def render_line(self, y: int) -> Strip:
        """Render one row of the screen."""
        strip = super().render_line(y)
        row = self.top + y
        number = bisect_right(self._starts, row) - 1
        if number < 0 or self._starts[number] != row or number not in self.spans:
            return strip
        parts: list[Segment] = []
        at = 0
        for start, stop, style in self.spans[number]:
            parts += strip.crop(at, start + 1)
            parts.append(Segment(strip.crop(start + 1, stop + 1).text, style))
            at = stop + 1
        parts += strip.crop(at, strip.cell_length)
        return Strip(parts)


def legend(
    presenter: AnyPresenter, view: Any, board: Board, glyphs: GlyphSet, palette: Palette
) -> tuple[list[Line], dict[int, list[StyleSpan]]]:
    """Return (lines, styled parts by line) for the kinds of pieces and land on a board."""
    words = {name.casefold(): text for name, text in presenter.legend(view).items()}
    lines: list[Line] = []
    spans: dict[int, list[StyleSpan]] = {}
    for title, rows in (("Pieces", _pieces(presenter, board)), ("Land", _land(presenter, board))):
        told: dict[str, list[tuple[Symbol, int]]] = {}
        for symbol, seat in rows:
            told.setdefault(_words(symbol, words), []).append((symbol, seat))
        if not told:
            continue
        lines.append(Line(title, Tone.TITLE))
        for text, found in told.items():
            unlike = {(getattr(symbol, glyphs), seat): symbol for symbol, seat in found}
            kinds = [(sign, seat, symbol) for (sign, seat), symbol in unlike.items()][:_MOST]
            spans[len(lines)] = [
                StyleSpan(
                    2 * n + 1, 2 * n + 2, _style(palette, symbol, seat, is_piece=title == "Pieces")
                )
                for n, (_, seat, symbol) in enumerate(kinds)
            ]
            signs = " ".join(str(sign) for sign, _, _ in kinds)
            lines.append(Line(f" {signs:<{_SIGNS - 1}}{text}"))
        lines.append(Line(""))
    lines.append(Line(f"Drawn with the {glyphs} signs.", Tone.QUIET))
    return lines, spans


def _words(symbol: Symbol, words: Mapping[str, str]) -> str:
    """Return the name of a symbol: the ruleset's text, or else the first part of its own name."""
    name = symbol.name.partition(", ")[0]
    told = words.get(symbol.name.casefold()) or words.get(name.casefold())
    text = told or name.replace("_", " ")
    return capital(text)


def _pieces(presenter: AnyPresenter, board: Board) -> list[tuple[Symbol, int]]:
    """Return the symbols of pieces with their owners, each pair once."""
    piece, owner = board.piece.cells.astype(np.int64), board.owner.cells.astype(np.int64)
    pairs = np.unique(np.stack([piece[piece > 0], owner[piece > 0]]), axis=1).T.tolist()
    found = [(presenter.symbols[number], seat) for number, seat in pairs]
    return [(symbol, seat) for symbol, seat in found if _is_thing(symbol)]


def _land(presenter: AnyPresenter, board: Board) -> list[tuple[Symbol, int]]:
    """Return the symbols of the ground, each once."""
    found = [presenter.symbols[number] for number in np.unique(board.ground.cells).tolist()]
    return [(symbol, NOBODY) for symbol in found if _is_thing(symbol)]


def _style(palette: Palette, symbol: Symbol, seat: int, *, is_piece: bool) -> Style:
    if is_piece:
        return palette.cell(Role.PLAIN, symbol.role, seat, None)
    return palette.cell(symbol.role, None, NOBODY, None)
