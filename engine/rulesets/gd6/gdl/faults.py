"""What can be wrong with a text in the order language."""

from __future__ import annotations

from enum import StrEnum

from engine.core.record import Record


class Code(StrEnum):
    """The closed list of errors. Rules: GD-GDL-4."""

    UNKNOWN_KEYWORD = "gdl_unknown_keyword"
    SETUP_OUTSIDE_INIT = "gdl_setup_outside_init"
    ORDER_INSIDE_INIT = "gdl_order_inside_init"
    INIT_END_WITHOUT_START = "gdl_init_end_without_start"
    NO_ISSUER = "gdl_no_issuer"
    UNKNOWN_PLAYER = "gdl_unknown_player"
    UNKNOWN_TERRITORY = "gdl_unknown_territory"
    BAD_COLOUR = "gdl_bad_colour"
    BAD_COORDINATES = "gdl_bad_coordinates"
    BAD_ARGUMENT = "gdl_bad_argument"
    BAD_PATH = "gdl_bad_path"
    BAD_NUMBER = "gdl_bad_number"
    UNKNOWN_ITEM = "gdl_unknown_item"
    MISSING_ARGUMENT = "gdl_missing_argument"


class Fault(Record, frozen=True):
    """An error in a line; lines are counted from 1. Rules: GD-GDL-4."""

    code: Code
    line: int
    text: str

    def __str__(self) -> str:
        """One line for people."""
        return f"line {self.line}: {self.code.value}: {self.text}"


class WrongWord(ValueError):
    """Something in the line at hand is wrong."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class WrongText(ValueError):
    """A text has errors, and nothing of it counts; its message is the first. Rules: GD-GDL-4."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(str(faults[0]))
        self.faults = faults
