"""Foresight: whether a seat learnt more from its own order than its view already told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from engine.core.dice import Scripted, Seeded, WrongThrow
from engine.core.ids import Viewer
from engine.core.log import AnyEntry
from engine.core.record import Event
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset

Answer: TypeAlias = tuple[tuple[Event, ...], Any]
"""The events as they are told to a viewer, and the view after them."""

_SEED: Final = b"foresight"
"""Whatever is imagined here decides nothing that is kept."""


def told(rules: AnyRuleset, before: Any, events: Sequence[Event], viewer: Viewer) -> Answer:
    """The redacted events, and the view after them, of events that happen one after the other."""
    state, feed = before, []
    for event in events:
        after = rules.evolve(state, event)
        known = rules.redact(event, state, after, viewer)
        if known is not None:
            feed.append(known)
        state = after
    return tuple(feed), rules.view(state, viewer)


def is_foreseen(rules: AnyRuleset, before: Any, entry: AnyEntry) -> bool:
    """Whether all that an entry told its seat follows from the view the seat had before it.

    The order is decided once more on a state imagined from that view. Where the seat would have
    been told anything else, or dice or a refusal would have come of it, something hidden took part,
    and taking the order back would make the discovery free.
    """
    seat = entry.seat
    imagined = rules.imagine(rules.view(before, seat), Seeded(_SEED, entry.seq, "imagine"))
    try:
        events = rules.decide(imagined, seat, entry.command, Scripted())
    except (Refused, WrongThrow):
        return False
    return told(rules, imagined, events, seat) == told(rules, before, entry.events, seat)
