"""Reasons for which this game refuses a command."""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """Kinds of refusals; the list is closed."""

    GAME_OVER = "GAME_OVER"
    NOT_NOW = "NOT_NOW"
    NOT_YOURS = "NOT_YOURS"
    NO_SUCH_BAND = "NO_SUCH_BAND"
    NO_WAY = "NO_WAY"
    NO_ORDER = "NO_ORDER"
    BAD_RANKS = "BAD_RANKS"
    BAD_CRY = "BAD_CRY"
    BAD_STAKE = "BAD_STAKE"
