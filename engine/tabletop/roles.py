"""Closed lists of roles, tones and signs, by which the client chooses colours and fills."""

from __future__ import annotations

from enum import IntEnum


class Role(IntEnum):
    """Visual role of a thing on the board. Planes contain the numbers, so they never change."""

    BLANK = 0
    PLAIN = 1
    FOREST = 2
    WATER = 3
    SWAMP = 4
    MOUNTAIN = 5
    ROAD = 6
    WALL = 7
    HARD_WALL = 8
    GATE = 9
    GOAL = 10
    UNKNOWN = 11
    PIECE = 12
    LEADER = 13
    FLYER = 14
    SHIP = 15
    SIEGE = 16
    SITE = 17
    SPENT = 18
    WRITING = 19
    """Character of a name or a number on the board."""


class Tone(IntEnum):
    """Tone of a line of text."""

    NORMAL = 0
    QUIET = 1
    STRONG = 2
    GOOD = 3
    BAD = 4
    TITLE = 5
    HEADING = 6
    """Heading of a part of a panel; clients may draw a rule beside it."""


class MarkSign(IntEnum):
    """Meaning of a mark on a cell."""

    REACH = 0
    STRIKE = 1
    TARGET = 2
    PATH = 3
    HELD = 4
    DANGER = 5
    IDLE = 6
