"""Why a command is refused."""

from __future__ import annotations

from enum import StrEnum
from typing import NoReturn

from engine.core.refused import Refused


class Refusal(StrEnum):
    """Reasons, for programs."""

    GAME_OVER = "GAME_OVER"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    ANSWER_FIRST = "ANSWER_FIRST"
    NO_QUESTION = "NO_QUESTION"
    NO_SUCH_ARMY = "NO_SUCH_ARMY"
    NO_SUCH_CITY = "NO_SUCH_CITY"
    NO_SUCH_ITEM = "NO_SUCH_ITEM"
    NO_SUCH_SIDE = "NO_SUCH_SIDE"
    NO_SUCH_TYPE = "NO_SUCH_TYPE"
    NO_SUCH_SLOT = "NO_SUCH_SLOT"
    NO_SUCH_TILE = "NO_SUCH_TILE"
    NOT_TOGETHER = "NOT_TOGETHER"
    MIXED_GROUP = "MIXED_GROUP"
    NO_WAY = "NO_WAY"
    NO_POINTS = "NO_POINTS"
    NO_ROOM = "NO_ROOM"
    NOT_BESIDE = "NOT_BESIDE"
    TREACHERY = "TREACHERY"
    NOT_A_HERO = "NOT_A_HERO"
    NO_SITE = "NO_SITE"
    NOTHING_TO_DO = "NOTHING_TO_DO"
    NOT_FOR_SALE = "NOT_FOR_SALE"
    NO_MONEY = "NO_MONEY"
    NOT_ALLOWED = "NOT_ALLOWED"
    TOO_MANY = "TOO_MANY"
    BAD_ORDER = "BAD_ORDER"
    BAD_NAME = "BAD_NAME"
    NOT_SURE = "NOT_SURE"
    TURN_RUNS = "TURN_RUNS"


def refuse(code: Refusal, text: str, rule: str) -> NoReturn:
    """Refuse a command.

    Raises:
        Refused: always.
    """
    raise Refused(code, text, rule)
