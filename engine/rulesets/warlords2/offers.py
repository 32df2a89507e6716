"""Commands that are possible now, for random play and for those who look for ideas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.dice import Seeded
from engine.core.refused import Refused
from engine.rulesets.warlords2.book import book_of
from engine.rulesets.warlords2.state import State, View
from engine.rulesets.warlords2.view import imagine
from engine.strategic.commands import AnyCommand
from engine.strategic.decision import Decision
from engine.strategic.dispatch import decide, owes
from engine.strategic.evolve import evolve
from engine.strategic.offers import candidates, is_plain_step
from engine.strategic.settings import RuleSettings

_TRIAL: Final = b"offers"


def offers(seen: View, about: int | None = None) -> Iterator[AnyCommand]:
    """Commands that will not be refused: each is tried on a position that looks like this one."""
    if seen.viewer not in owes(seen):
        return
    state = imagine(seen, Seeded(_TRIAL, 0, "imagine"))
    book = book_of(state.options)
    for command in candidates(seen, seen.viewer, about):
        if is_plain_step(state, book, command) or _is_possible(state, book, seen.viewer, command):
            yield command


def _is_possible(state: State, book: RuleSettings, side: int, command: AnyCommand) -> bool:
    work: Decision = Decision(state, evolve, Seeded(_TRIAL, 0, "decide"))
    try:
        decide(work, book, side, command)
    except Refused:
        return False
    return True
