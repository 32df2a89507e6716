"""Finding anything by a few of its letters: units, places, rules, actions, settings.

Matching is Textual's own fuzzy matcher: it is there already and likes the first letters of words.
Knows no widgets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from textual.fuzzy import FuzzySearch

from engine.tabletop.ask import Intent
from engine.tabletop.board import Find
from engine.tabletop.manual import Chapter
from tui.settings.keymap import Keymap, shown
from tui.settings.keys import Context
from tui.settings.settings import About

Kind: TypeAlias = Literal["place", "rule", "action", "setting", "letter"]

_MOST = 60
"""Entries that are listed."""


class Found(NamedTuple):
    """Something that can be found: what it is, its words, and what choosing it needs."""

    kind: Kind
    text: str
    label: str
    """A word for its kind."""
    target: str
    """A rule's or setting's name, an action, ``x,y``."""
    key: str = ""
    about: str = ""
    reason: str = ""
    """Why it cannot be chosen now."""


def places(finds: Iterable[Find]) -> list[Found]:
    """Pieces and places on the board."""
    return [Found("place", f.text, f.kind, f"{f.at[0]},{f.at[1]}") for f in finds]


def rules(manual: Iterable[Chapter]) -> list[Found]:
    """The rules of the book."""
    return [
        Found("rule", f"{rule.id} {rule.text}", "rule", rule.id, about=chapter.title)
        for chapter in manual
        for rule in chapter.rules
    ]


def settings(known: Iterable[tuple[str, About]]) -> list[Found]:
    """All settings."""
    return [Found("setting", a.label, "setting", name, about=a.text) for name, a in known]


def letters(intents: Iterable[Intent], keymap: Keymap) -> list[Found]:
    """Suggestions of the ruleset at the cursor."""
    return [
        Found("letter", i.label, "game", i.name, keymap.letter(i.key), "", i.reason)
        for i in intents
    ]


def once(entries: Iterable[Found]) -> list[Found]:
    """The entries without those that read like an earlier one of their kind.

    Keys for the same thing on several screens are such: the first is that of the screen beneath.
    """
    found: dict[tuple[Kind, str], Found] = {}
    for entry in entries:
        found.setdefault((entry.kind, entry.text.casefold()), entry)
    return list(found.values())


def actions(contexts: Sequence[Context], keymap: Keymap, possible: frozenset[str]) -> list[Found]:
    """What keys do in some contexts; what is not ``possible`` now has a reason."""
    found = []
    for context in contexts:
        for binding in sorted(context.bindings, key=lambda one: not one.show):
            keys = "  ".join(shown(key) for key in keymap.of(binding)[:2])
            reason = "" if binding.id in possible else f"only {context.title.lower()}"
            found.append(
                Found(
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


def search(entries: Sequence[Found], wanted: str) -> list[Found]:
    """The entries that fit, best first; all in their order if nothing is wanted."""
    wanted = wanted.strip()
    if not wanted:
        return list(entries[:_MOST])
    matcher = FuzzySearch()
    scored = []
    for number, entry in enumerate(entries):
        score, _ = matcher.match(wanted, f"{entry.text} {entry.label}")
        if score > 0:
            text, letters = entry.text.casefold(), wanted.casefold()
            rank = (letters not in text, bool(entry.reason), letters != text, -score, number)
            scored.append((*rank, entry))
    ranked = sorted(scored, key=lambda row: row[:5])
    exact_ones = [row for row in ranked if not row[0]]
    return [entry for *_, entry in (exact_ones or ranked)[:_MOST]]
