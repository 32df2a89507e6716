"""The Event Phase. Rules: KA-6.1, KA-11."""

from __future__ import annotations

from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.board import Decision


def answer(decision: Decision, seat: int, command: do.AnswerEvent) -> None:
    """Choose an option of the event card. Rules: KA-11.1."""
    raise NotImplementedError
