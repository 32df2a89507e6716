"""Words of line mode about the rule book: chapters, and the rule behind what was said."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from engine.tabletop.english import many
from engine.tabletop.manual import Chapter, Rule
from tui.linemode.line_session import LineSession

_STEM: Final = 3
"""Minimum number of letters that make words akin."""


def why(session: LineSession, rest: str) -> None:
    """Print the rule or chapter that ``rest`` names, or the rule behind the last line."""
    chapters = _book(session)
    rules = {rule.id.casefold(): rule for one in chapters for rule in one.rules}
    parts = {one.id.casefold(): one for one in chapters if one.id}
    name = rest or session.voice.answered_rule
    session.voice.rule = session.voice.answered_rule
    if not name:
        session.voice.say("There is no rule behind what was said last.")
    elif rule := rules.get(name.casefold()):
        _tell_rule(session, rule)
    elif chapter := parts.get(name.casefold()):
        if rest:
            _tell_chapter(session, chapter)
        else:
            _sum_up(session, chapter)
    else:
        session.voice.say(f"There is no rule {name[:40]!r} in the book.")


def book(session: LineSession, rest: str) -> None:
    """List the chapters of the rule book, or read one."""
    chapters = _book(session)
    if not rest:
        for number, chapter in enumerate(chapters, 1):
            session.voice.say(f"{number}. {chapter.title} ({many(len(chapter.rules), 'rule')})")
        session.voice.say("rules and a number or a word reads one.")
        return
    if rest.isdecimal():
        number = int(rest[:4])
        found = list(chapters[number - 1 : number]) if number else []
    else:
        found = [one for one in chapters if rest.casefold() in one.title.casefold()][:1]
        found = found or _akin(chapters, rest.casefold())
    if not found:
        session.voice.say("There is no such chapter.")
        return
    _tell_chapter(session, found[0])


def _book(session: LineSession) -> tuple[Chapter, ...]:
    return session.client.presenter.manual


def _akin(chapters: Sequence[Chapter], wanted: str) -> list[Chapter]:
    """Return the chapter with the title word that begins most like ``wanted``, or none.

    They must share half of the word, and at least three letters: "movement" finds "Moving".
    """

    def shared(word: str) -> int:
        pairs = zip(word, wanted, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        return same if 2 * same >= len(word) and same >= _STEM else 0

    likeness = [max(map(shared, one.title.casefold().split())) for one in chapters]
    best = max(likeness, default=0)
    return [chapters[likeness.index(best)]] if best else []


def _tell_chapter(session: LineSession, chapter: Chapter) -> None:
    for text in (chapter.title, *chapter.words):
        session.voice.say(text)
    for rule in chapter.rules:
        _tell_rule(session, rule)


def _sum_up(session: LineSession, chapter: Chapter) -> None:
    """Say what a chapter is about, and how to read its rules."""
    for text in (chapter.title, *chapter.words):
        session.voice.say(text)
    session.voice.say(f"why {chapter.id} reads its {many(len(chapter.rules), 'rule')}.")


def _tell_rule(session: LineSession, rule: Rule) -> None:
    session.voice.say(f"{rule.id}: {rule.text}")
