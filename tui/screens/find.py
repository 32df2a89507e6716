"""Find anything by a few of its letters: pieces, places, rules, actions, settings.

``Finder`` is the part of a screen with a board that offers it, ``FindScreen`` its window. Entries
that contain the letters side by side are ranked by Textual's matcher, which prefers the first
letters of words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.fuzzy import FuzzySearch
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from engine.tabletop.ask import Intent
from engine.tabletop.board import Find
from engine.tabletop.manual import Chapter
from engine.tabletop.roles import Tone
from tui.screens.dialog import ChoiceList, Dialog
from tui.screens.map import MapScreen
from tui.settings import keys
from tui.settings.keymap import Keymap, shown
from tui.settings.keys import CONTEXTS, Context
from tui.settings.settings import About

FoundKind: TypeAlias = Literal["place", "rule", "action", "setting", "letter"]

_MOST_LISTED = 60
"""Maximum number of entries listed."""

_LOOSEST = 0.4
"""Minimum share of the typed letters in the stretch of text that they span."""

_WIDTH = 65
"""Columns of a row, if they fit."""

_KEY = 12
"""Columns at the right for its key or kind; narrow windows use only what the text needs."""

_FRAME = 4
"""Columns of the window around a row."""


# -- entries -------------------------------------------------------------------------------------


class FinderEntry(NamedTuple):
    """Something that the find window lists."""

    kind: FoundKind
    text: str
    label: str
    """Word for its kind, shown at the right."""
    target: str
    """Name of a rule, a setting or an action, or ``x,y``."""
    key: str = ""
    about: str = ""
    reason: str = ""
    """Why it cannot be chosen now; empty if it can."""


def places(finds: Iterable[Find]) -> list[FinderEntry]:
    """Return entries for pieces and places on the board."""
    return [FinderEntry("place", f.text, f.kind, f"{f.at[0]},{f.at[1]}") for f in finds]


def rules(manual: Iterable[Chapter]) -> list[FinderEntry]:
    """Return entries for the rules of the rule book, and for chapters with an id."""
    found = []
    for chapter in manual:
        if chapter.id:
            found.append(FinderEntry("rule", f"{chapter.id} {chapter.title}", "rule", chapter.id))
        found += [
            FinderEntry("rule", f"{rule.id} {rule.text}", "rule", rule.id, about=chapter.title)
            for rule in chapter.rules
        ]
    return found


def settings(known: Iterable[tuple[str, About]]) -> list[FinderEntry]:
    """Return entries for settings; ``known`` are their names with descriptions."""
    return [FinderEntry("setting", a.label, "setting", name, about=a.text) for name, a in known]


def letters(intents: Iterable[Intent], keymap: Keymap) -> list[FinderEntry]:
    """Return entries for the ruleset's intents at the cursor."""
    return [
        FinderEntry("letter", i.label, "game", i.name, keymap.way_to(i.key), "", i.reason)
        for i in intents
    ]


def once(entries: Iterable[FinderEntry]) -> list[FinderEntry]:
    """Return the entries without later ones of the same text and kind.

    Several screens may bind a key for the same thing; the screen beneath comes first.
    """
    found: dict[tuple[FoundKind, str], FinderEntry] = {}
    for entry in entries:
        found.setdefault((entry.kind, entry.text.casefold()), entry)
    return list(found.values())


def actions(
    contexts: Sequence[Context], keymap: Keymap, possible: frozenset[str]
) -> list[FinderEntry]:
    """Return entries for the keys of some contexts.

    An action that is not in ``possible`` gets the reason that it is not possible now.
    """
    found = []
    for context in contexts:
        for binding in sorted(context.bindings, key=lambda one: not one.show):
            keys = "  ".join(shown(key) for key in keymap.of(binding)[:2])
            reason = "" if binding.id in possible else f"only {context.title.lower()}"
            found.append(
                FinderEntry(
                    "action",
                    binding.description,
                    "key",
                    binding.action,
                    keys,
                    f"{context.title}: {binding.id}",
                    reason,
                )
            )
    return found


def search(entries: Sequence[FinderEntry], wanted: str) -> list[FinderEntry]:
    """Return up to 60 matching entries, best first; the first 60 if ``wanted`` is blank."""
    wanted = wanted.strip()
    if not wanted:
        return list(entries[:_MOST_LISTED])
    letters, matcher, scored = wanted.casefold(), FuzzySearch(), []
    exact_ones = [entry for entry in entries if letters in entry.text.casefold()]
    for number, entry in enumerate(exact_ones or entries):
        words = f"{entry.text} {entry.label}"
        # Textual's matcher tries every way to pick the letters, so use it only where they are
        # adjacent.
        together = letters in words.casefold()
        score = matcher.match(wanted, words)[0] if together else _closeness(letters, words)
        if score > 0:
            rank = (bool(entry.reason), letters != entry.text.casefold(), -score, number)
            scored.append((rank, entry))
    return [entry for _, entry in sorted(scored, key=lambda row: row[0])[:_MOST_LISTED]]


def _closeness(letters: str, words: str) -> float:
    """Return how close together letters come in this order: 1 if adjacent, 0 if too far apart."""
    text, best = words.casefold(), 0.0
    first = text.find(letters[0])
    while first >= 0:
        at = first
        for letter in letters[1:]:
            at = text.find(letter, at + 1)
            if at < 0:
                return best if best >= _LOOSEST else 0.0
        best = max(best, len(letters) / (at - first + 1))
        first = text.find(letters[0], first + 1)
    return best if best >= _LOOSEST else 0.0


# -- the window ----------------------------------------------------------------------------------


class FindScreen(Dialog[FinderEntry]):
    """Window to find something. It closes with the chosen entry."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("find")
    keys_text = "Type some of its letters   Up, down: choose   Enter: go   Esc: back"

    def __init__(self, title: str, entries: Sequence[FinderEntry], wanted: str = "") -> None:
        super().__init__(title)
        self._entries = tuple(entries)
        self._wanted = wanted
        self._found: list[FinderEntry] = []

    def body(self) -> ComposeResult:
        """Yield the entry, the list of matches, and a note on the row under the cursor."""
        yield Input(self._wanted, id="wanted", compact=True)
        yield ChoiceList(id="found")
        yield Static("", id="about")

    def on_mount(self) -> None:
        """Focus the entry, and list the matches."""
        self.query_one(ChoiceList).can_focus = False
        self.query_one(Input).focus()
        self._fill(self._wanted)

    def dress(self) -> None:
        """Apply the chosen colours, to the rows too."""
        super().dress()
        at = self.query_one(ChoiceList).highlighted
        self._fill(self.query_one(Input).value)
        self.query_one(ChoiceList).highlighted = at
        self._explain()

    def on_input_changed(self, event: Input.Changed) -> None:
        """List the matches for the changed text."""
        self._fill(event.value)

    def _fill(self, wanted: str) -> None:
        self._found = search(self._entries, wanted)
        choices = self.query_one(ChoiceList)
        choices.clear_options()
        quiet = self.shell.palette.line(Tone.QUIET, -1).color
        grey = quiet.name if quiet is not None else ""
        choices.add_options([Option(_row(found, grey, self._width)) for found in self._found])
        possible = (n for n, found in enumerate(self._found) if not found.reason)
        choices.highlighted = next(possible, 0 if self._found else None)
        self._explain()

    def _explain(self) -> None:
        at = self.query_one(ChoiceList).highlighted
        about = self.query_one("#about", Static)
        if at is None:
            about.update("Nothing fits.")
            return
        found = self._found[at]
        text = f"Not now: {found.reason}." if found.reason else found.about
        about.update(Text(text[: self._width]))

    @property
    def _width(self) -> int:
        """Columns of a row; 0 in a window that is no wider than the frame."""
        return max(0, min(_WIDTH, self.app.size.width - _FRAME))

    def on_resize(self) -> None:
        """Fit the rows to the new width."""
        self.call_after_refresh(self.dress)

    def action_turn(self, by: int) -> None:
        """Move to the next entry or the previous one."""
        choices = self.query_one(ChoiceList)
        if by > 0:
            choices.action_cursor_down()
        else:
            choices.action_cursor_up()
        self._explain()

    def on_input_submitted(self) -> None:
        """Close with the entry under the cursor."""
        at = self.query_one(ChoiceList).highlighted
        if at is not None:
            self._take(at)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the clicked entry, or show why it cannot be chosen now."""
        self._take(event.option_index)

    def _take(self, at: int) -> None:
        """Close with an entry, or show why it cannot be chosen now."""
        if self._found[at].reason:
            self._explain()
        else:
            self.dismiss(self._found[at])


def _row(found: FinderEntry, grey: str, width: int) -> Text:
    key = (found.key or found.label).rjust(_KEY if width == _WIDTH else 0)
    room = max(0, width - len(key) - 1)
    text = Text(f"{found.text[:room]:<{room}} {key}")
    if found.reason:
        text.stylize(f"italic {grey}".strip())
    return text


# -- the screen's part ---------------------------------------------------------------------------


class Finder:
    """The part of a screen that opens the find window and goes to the chosen entry."""

    def __init__(self, screen: MapScreen[Any]) -> None:
        """Find things for a screen with a board."""
        self._screen = screen

    def offer_actions(self) -> None:
        """Open the find window with actions only."""
        self._offer("What now?", self._actions())

    def offer(self, found: Iterable[Find], *, actions_first: bool = False) -> None:
        """Open the find window with ``found`` things of the board, actions, rules and settings."""
        screen = self._screen
        board, possible = places(found), self._actions()
        entries = [
            *(possible + board if actions_first else board + possible),
            *rules(screen.telling.manual),
            *settings(screen.shell.preferences.about.items()),
        ]
        self._offer("What now?" if actions_first else "Find", entries)

    def _actions(self) -> list[FinderEntry]:
        """Return the actions: first those possible here, resigning after them, then all others."""
        screen = self._screen
        keymap = screen.shell.keymap
        here = frozenset(str(active.binding.id) for active in screen.active_bindings.values())
        own, rest = self._contexts()
        kept = [intent for intent in screen.wanted_here() if intent.ends != "game"]
        given_up = [intent for intent in screen.wanted_here() if intent.ends == "game"]
        return [
            *letters(kept, keymap),
            *actions(own, keymap, here),
            *letters(given_up, keymap),
            *actions(rest, keymap, frozenset()),
        ]

    def _contexts(self) -> tuple[list[Context], list[Context]]:
        """Return the contexts in which this screen binds keys, and all others.

        A screen also listens to the keys of the screens that it is derived from.
        """
        tables = [kind.__dict__.get("BINDINGS") for kind in type(self._screen).__mro__]
        own = [context for context in CONTEXTS if context.bindings in tables]
        own += [context for context in CONTEXTS if context.name == "everywhere"]
        return own, [context for context in CONTEXTS if context not in own]

    def _offer(self, title: str, entries: Sequence[FinderEntry]) -> None:
        self._screen.app.push_screen(FindScreen(title, once(entries)), self._go)

    async def _go(self, found: FinderEntry | None) -> None:
        if found is None:
            return
        screen = self._screen
        match found.kind:
            case "place":
                x, y = map(int, found.target.split(","))
                screen.go_to(x, y)
            case "rule":
                screen.show_help(found.target)
            case "setting":
                screen.shell.show_settings(found.target)
            case "letter":
                screen.want(found.target, "")
            case "action":
                await screen.run_action(found.target)
