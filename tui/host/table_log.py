"""What happened at a table besides the game: talk, who took a seat, who had no time left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from engine.core.archive import Notice
from engine.core.ids import Seat
from tui.host.ports import Said

MOST_TALK: Final = 500
"""Lines that are remembered; the save has all of them."""

EXPIRED: Final = "expired"
"""The text of a notice about a clock that has run out."""


class Kept(NamedTuple):
    """What the notices of a save come to."""

    bots: Mapping[Seat, str]
    """Levels of the computer players that stand in for people."""
    left: Mapping[Seat, int]
    """Seconds in the banks of the clocks, as far as they are not full."""


class Minutes:
    """Notices in words, the latest of them."""

    def __init__(self, seat_name: Callable[[Seat], str]) -> None:
        """Nothing has happened yet; ``seat_name`` tells what the ruleset calls a seat."""
        self._seat_name = seat_name
        self._said: list[Said] = []

    def said(self) -> tuple[Said, ...]:
        """What was said and done, earliest first; what nobody said has no name."""
        return tuple(self._said)

    def note(self, notice: Notice) -> None:
        """Something has happened."""
        if words := self._in_words(notice):
            name = notice.name if notice.kind == "talk" else ""
            self._said.append(Said(name, words, notice.when))
            del self._said[:-MOST_TALK]

    def take_up(self, notices: Iterable[Notice]) -> Kept:
        """Note all that a save tells."""
        bots: dict[Seat, str] = {}
        left: dict[Seat, int] = {}
        for notice in notices:
            self.note(notice)
            if notice.kind == "clock" and notice.text != EXPIRED:
                left[notice.seat] = notice.left
            elif notice.kind != "talk" and notice.bot:
                bots[notice.seat] = notice.bot
            elif notice.kind == "seat":
                bots.pop(notice.seat, None)
        return Kept(bots, left)

    def _in_words(self, notice: Notice) -> str:
        if notice.kind == "talk":
            return notice.text
        seat = self._seat_name(notice.seat)
        if notice.kind == "clock":
            if notice.text != EXPIRED:
                return ""
            taken = f" The computer ({notice.bot}) takes over." if notice.bot else ""
            return f"{seat} has no time left.{taken}"
        if notice.bot:
            return f"The computer ({notice.bot}) plays {seat} for now."
        return f"{notice.name} plays {seat}." if notice.name else f"{seat} is free."
