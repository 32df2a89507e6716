"""Refusals of commands: codes for programs, and topics that rule books map to rule ids."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, NoReturn, TypeAlias

from engine.core.refused import Refused

Topic: TypeAlias = Literal[
    "map",
    "tile",
    "price",
    "step",
    "road",
    "port",
    "zone",
    "way",
    "stack",
    "group",
    "refill",
    "march",
    "attack",
    "goal",
    "aboard",
    "tower",
    "unit",
    "lines",
    "class",
    "strength",
    "order",
    "dice",
    "aftermath",
    "city",
    "capture",
    "produce",
    "buy",
    "vector",
    "economy",
    "neutral",
    "offer",
    "level",
    "item",
    "site",
    "search",
    "quest",
    "fog",
    "treaty",
    "stance",
    "betrayal",
    "round",
    "turn",
    "victory",
    "resign",
    "command",
]
"""Topic of a rule book that a refusal or report line refers to; a ruleset names its rule."""


class Refusal(StrEnum):
    """Codes of the shared refusals; handlers of a ruleset may use another ``StrEnum``."""

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


class RefusedOn(Refused):
    """Refusal that names a topic; the dispatch replaces the topic by the rule id."""

    def __init__(self, code: StrEnum, text: str, topic: Topic) -> None:
        super().__init__(code, text)
        self.topic = topic


def refuse(code: StrEnum, text: str, topic: Topic) -> NoReturn:
    """Raise the refusal of a command for a reason that belongs to a topic of the rule book."""
    raise RefusedOn(code, text, topic)
