"""Place of the terminal's own cursor, which braille displays and magnifiers follow."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from textual.screen import Screen
from textual.widgets import Input, OptionList

Spot = tuple[int, int]
"""A column and a row of the terminal."""


@runtime_checkable
class HasCaret(Protocol):
    """A screen with a cursor of its own."""

    @property
    def caret(self) -> Spot | None:
        """Column and row of the cursor; None if it is not to be seen."""
        ...


def caret(screen: Screen[Any]) -> Spot | None:
    """On the map cursor, in the text that is typed, or before the row that is chosen."""
    focused = screen.focused
    if isinstance(focused, Input):
        at = screen.app.cursor_position
        return at.x, at.y
    if isinstance(focused, OptionList):
        return _row(focused)
    return screen.caret if isinstance(screen, HasCaret) else None


def _row(choices: OptionList) -> Spot | None:
    if choices.highlighted is None:
        return None
    area = choices.content_region
    row = choices._index_to_line.get(choices.highlighted, 0)  # noqa: SLF001 - not told otherwise
    y = area.y + row - choices.scroll_offset.y
    return (area.x, y) if area.y <= y < area.bottom else None
