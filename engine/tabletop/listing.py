"""Lists of orders as text, which a player pastes, loads from a file or copies out."""

from __future__ import annotations

from engine.core.record import Record


class ListLine(Record, frozen=True):
    """Line of such a text, as a line of notation or with its fault.

    The rules decide on it when the notation is submitted.
    """

    number: int
    """Number of the line in the text, from 1."""
    text: str
    line: str = ""
    """Line of notation; empty if the text is invalid."""
    fault: str = ""
    """Reason why the text is invalid, in one line."""
