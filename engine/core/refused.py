"""Refusals: commands that the rules, or the table, do not allow."""

from __future__ import annotations

from enum import StrEnum


class Denied(StrEnum):
    """Reasons of refusal that do not depend on the game."""

    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    NO_UNDO = "NO_UNDO"
    NO_ENTRY = "NO_ENTRY"
    BAD_NOTATION = "BAD_NOTATION"
    NOT_SAVED = "NOT_SAVED"
    RULES_BUG = "RULES_BUG"


class Refused(Exception):
    """Raised if a command is not allowed: a code for programs, a text for people, a rule id."""

    def __init__(self, code: StrEnum, text: str, rule: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.rule = rule
