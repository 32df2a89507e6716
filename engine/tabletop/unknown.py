"""Events that a presenter does not know, such as those of a later version."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, get_args

from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

UNKNOWN_EVENT: Final = (Line("Something happened that this version does not know.", Tone.QUIET),)
"""Sentence for such an event; it has no facts and no losses."""


def is_known(event: object, union: Any) -> bool:
    """True if an event is of one of the types in a union."""
    return type(event) in _kinds(union)


@cache
def _kinds(union: Any) -> frozenset[type[Any]]:
    return frozenset(get_args(union))
