"""Marks whose text is not clear when a voice reads it out."""

from __future__ import annotations

from engine.tabletop.board import BoardMark


class SpokenMark(BoardMark, frozen=True):
    """Mark on a cell with its text in words, such as a chance in percent."""

    words: str = ""
