"""The scratch pad of a decision, and small records."""

from __future__ import annotations

import pytest

from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.core.record import Command, Event, tag
from engine.core.refused import Denied, Refused


def test_emitted_events_apply_at_once_and_keep_their_order() -> None:
    decision: BaseDecision[int, int] = BaseDecision(
        10, lambda state, event: state - event, Scripted([4])
    )
    decision.emit(3)
    assert decision.state == 7
    decision.emit(decision.dice.roll(6))
    assert decision.state == 3
    assert decision.events == (3, 4)


class Shout(Command, frozen=True, tag="shout-loud"):
    """A command."""

    text: str


class Shouted(Event, frozen=True, tag="shouted"):
    """An event."""

    text: str


def test_messages_know_their_tags() -> None:
    assert tag(Shout) == tag(Shout("x")) == "shout-loud"
    assert tag(Shouted) == "shouted"
    assert not Shouted.irreversible
    assert not Shouted.ends_phase


def test_records_are_frozen() -> None:
    with pytest.raises(AttributeError):
        Shout("x").text = "y"  # type: ignore[misc]  # the point of the test


def test_a_refusal_carries_a_code_a_text_and_a_rule() -> None:
    refused = Refused(Denied.NO_UNDO, "No.", "X-1")
    assert (refused.code, refused.text, refused.rule, str(refused)) == (
        Denied.NO_UNDO,
        "No.",
        "X-1",
        "No.",
    )
