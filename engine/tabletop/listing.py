"""Lists of orders as text: what a player pastes, loads from a file, or copies out."""

from __future__ import annotations

from engine.core.record import Record


class ListLine(Record, frozen=True):
    """A line of a text that says something: a line of notation, or why it is none.

    Whether the rules allow it is answered when the notation is submitted.
    """

    number: int
    """Of the line in the text, from 1."""
    text: str
    line: str = ""
    """The notation; empty if the text could not be read."""
    fault: str = ""
    """Why it could not, in one line."""
