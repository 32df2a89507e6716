"""Texts for players: no rule ids, no code names, no signs that speech cannot read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import pytest

from engine.core.ids import PUBLIC, Viewer
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.tabletop.ask import AnyAsk, AskConfirm, AskPlace
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus
from engine.tabletop.presenter import AnyPresenter, presenter_of
from tests.contract.aids import is_large
from tests.contract.plans import whole_game
from tests.contract.test_pictures import answer
from tui.play.speech import speakable

CODE: Final = re.compile(r"\b[a-z]+_[a-z]|\b[a-z_]+=[\w({]")
"""Matches names from the code, and arguments of notation."""

SIGNS: Final = re.compile(r"[\N{LEFTWARDS ARROW}-\N{RIGHTWARDS ARROW}\u2500-\u25ff\u2800-\u28ff·•]")
"""Matches signs that speech would spell out."""

LONG: Final = 60
"""Maximum columns of an ordinary line of the log."""

EVERY: Final = 9
"""Turns between two checks of all dialogues."""


class Telling(NamedTuple):
    """A line of the log, the state after its event, and the viewer."""

    line: Line
    state: Any
    viewer: Viewer


@cache
def views_of(name: str) -> list[Any]:
    """Return some views of the acting seats in the ruleset's whole game of computer players."""
    return [find(name).view(state, seat) for seat, state in whole_game(name, 0).turns[::EVERY]]


@cache
def told(name: str) -> list[Telling]:
    """Return the log lines of the ruleset's whole game, for the first seat and for the public."""
    rules, (game, _) = find(name), whole_game(name, 0)
    presenter, state, lines = presenter_of(rules), rules.empty(), list[Telling]()
    for entry in game.log.line():
        for event in entry.events:
            after = rules.evolve(state, event)
            for viewer in (0, PUBLIC):
                seen = rules.redact(event, state, after, viewer)
                if seen is not None:
                    heard = presenter.tell(seen, rules.view(after, viewer))
                    lines += (Telling(line, after, viewer) for line in heard)
            state = after
    assert state == game.state
    return lines


def plain(presenter: AnyPresenter, text: str) -> str:
    """Return the fault of a text that is not plain words for players, or an empty text."""
    book = presenter.manual
    ids = {rule.id for chapter in book for rule in chapter.rules} | {one.id for one in book}
    found = [name for name in re.findall(r"[A-Z][A-Z0-9]+-[A-Z0-9][\w.-]*", text) if name in ids]
    code = CODE.search(text)
    return ", ".join([*found, *([code[0]] if code else [])])


def test_the_log_of_a_whole_game_has_no_ids_and_no_names_of_code(rules: AnyRuleset) -> None:
    presenter = presenter_of(rules)
    texts = {telling.line.text for telling in told(rules.name)}
    assert len(texts) > 5
    assert {text: plain(presenter, text) for text in texts if plain(presenter, text)} == {}
    assert [text for text in texts if SIGNS.search(speakable(text))] == []


def test_most_lines_of_the_log_are_short(rules: AnyRuleset) -> None:
    texts = [telling.line.text for telling in told(rules.name)]
    long = [text for text in texts if len(text) > LONG]
    assert 4 * len(long) < len(texts), sorted(set(long), key=len)[-20:]


def test_places_with_a_name_are_called_by_it(rules: AnyRuleset) -> None:
    presenter = presenter_of(rules)
    seen: set[str] = set()
    for line, state, viewer in told(rules.name):
        if line.at is None or line.text in seen or f"{line.at[0]},{line.at[1]}" not in line.text:
            continue
        seen.add(line.text)
        finds = presenter.finds(rules.view(state, viewer))
        named = {f.at for f in finds if f.kind in {"city", "site", "territory"}}
        assert line.at not in named, line.text


def test_dialogues_hints_and_summaries_have_no_ids_and_no_names_of_code(rules: AnyRuleset) -> None:
    presenter = presenter_of(rules)
    texts = {text for view in views_of(rules.name) for text in shown(presenter, view)}
    assert len(texts) > (20 if is_large(rules) else 5)
    assert {text: plain(presenter, text) for text in texts if plain(presenter, text)} == {}
    assert [text for text in texts if SIGNS.search(speakable(text))] == []


def shown(presenter: AnyPresenter, view: Any) -> Iterator[str]:
    """Yield the texts that a view may show: status, summary, reports, intents and questions."""
    yield presenter.status(view).text
    yield from (line.text for line in presenter.summary(view))
    for report in presenter.reports(view):
        yield from (report.title, *report.notes, *(column.heading for column in report.columns))
    start = presenter.start(view)
    kinds = ("idle", "enemy", "site")
    cells = [cell for kind in kinds for cell in presenter.jumps(view, start, kind)[:4]]
    for focus in dict.fromkeys([start, *(Focus(*cell) for cell in cells)]):
        yield presenter.fire(view, focus).note
        overlay = presenter.overlay(view, focus)
        yield overlay.hint
        yield from (line.text for line in (*overlay.panel, *presenter.look(view, focus.x, focus.y)))
        for intent in presenter.intents(view, focus):
            yield intent.label
            yield intent.reason
            if not intent.reason:
                yield from _asked(presenter, view, focus, intent.name)


def _asked(presenter: AnyPresenter, view: Any, focus: Focus, intent: str) -> Iterator[str]:
    """Yield the texts of an intent's questions."""
    answers: list[str] = []
    for _ in range(8):
        try:
            question = presenter.ask(view, focus, intent, answers)
        except ValueError as fault:
            yield str(fault)
            return
        if isinstance(question, str):
            return
        yield from _words(question)
        if isinstance(question, AskPlace) and not question.cells:
            return
        answers.append(answer(question))


def _words(question: AnyAsk) -> Iterator[str]:
    yield question.title
    yield from (line.text for line in getattr(question, "lines", ()))
    yield from getattr(question, "hints", ())
    for choice in getattr(question, "choices", ()):
        yield choice.label
        yield choice.reason
    if isinstance(question, AskConfirm):
        yield from (question.yes, question.no)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Income +32, upkeep \N{MINUS SIGN}2", "Income +32, upkeep minus 2"),
        ("Eldoin · Movement · round 1", "Eldoin, Movement, round 1"),
        ("A\N{RIGHTWARDS ARROW}B ███░░ 5", "A to B 5"),
    ],
)
def test_a_voice_gets_words_in_place_of_signs(written: str, said: str) -> None:
    assert speakable(written) == said


ONE_OF_MANY: Final = re.compile(r"(?<![\w.,:/+-])(?<!Player )(?<!band )1 (?!headquarters\b)\w+s\b")
"""Matches the number one before a plural; numbers after "Player" and "band" are names."""


def test_one_of_a_thing_is_never_told_in_the_plural(rules: AnyRuleset) -> None:
    presenter = presenter_of(rules)
    texts = {telling.line.text for telling in told(rules.name)}
    texts |= {text for view in views_of(rules.name) for text in shown(presenter, view)}
    texts |= {presenter.status(view).left for view in views_of(rules.name)}
    wrong = sorted(text for text in texts if ONE_OF_MANY.search(text))
    assert "\n".join(wrong) == ""
