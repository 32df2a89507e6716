"""Turns that a computer player has played in place of people, until they know and play on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, NamedTuple

from engine.core.archive import Notice
from engine.core.ids import Seat
from engine.tabletop.english import capital, joined
from engine.tabletop.new_game import full_level

_PLAYED: Final = "played"
"""First word of the text of a notice about a turn that a computer player has played."""

_LATE: Final = "late"
"""Last word of that text if the clock had run out."""

_SEEN: Final = "seen"
"""Text of a notice that the person of a seat plays again, and knows of the turns before."""


class PlayedTurn(NamedTuple):
    """Round in which a computer player acted for a person, its level, and whether for the clock."""

    round: int
    bot: str
    is_late: bool

    @property
    def text(self) -> str:
        """Text of the notice about it."""
        return f"{_PLAYED} {self.round}{f' {_LATE}' if self.is_late else ''}"


class Absences:
    """Turns played in place of people, by seat. ``take_up`` restores them from the notices."""

    def __init__(self, round_word: str) -> None:
        """Start without any; ``round_word`` is the game's word for a round."""
        self._word = round_word
        self._played: dict[Seat, list[PlayedTurn]] = {}

    def note(self, seat: Seat, turn: PlayedTurn) -> str:
        """Note that a computer player acts for a person.

        Returns the text of the notice, or an empty text if that was known.
        """
        played = self._played.setdefault(seat, [])
        if turn in played:
            return ""
        played.append(turn)
        return turn.text

    def forget(self, seat: Seat) -> str:
        """Forget the turns of a seat; return the text of the notice, or an empty text."""
        return _SEEN if self._played.pop(seat, None) else ""

    def take_up(self, notice: Notice) -> bool:
        """Read a notice; return whether it is about such turns."""
        match notice.text.split():
            case [word, number, *late] if word == _PLAYED and number.isdecimal():
                self.note(notice.seat, PlayedTurn(int(number), notice.bot, late == [_LATE]))
            case [word] if word == _SEEN:
                self.forget(notice.seat)
            case _:
                return False
        return True

    def told(self, seat: Seat, name: str = "", *, late_only: bool = False) -> Iterator[str]:
        """Yield sentences about the turns of a seat; they begin with its ``name`` if given."""
        played = self._played.get(seat, ())
        for (bot, is_late), turns in groupby(played, key=lambda turn: (turn.bot, turn.is_late)):
            if late_only and not is_late:
                continue
            when = rounds_in_words(self._word, (turn.round for turn in turns))
            when = f"{name}, {when}" if name else capital(when)
            how = "your time ran out, and the computer" if is_late else "the computer"
            yield f"{when}: {how} ({full_level(bot)}) played {'on ' if is_late else ''}for you."


def rounds_in_words(word: str, rounds: Iterable[int]) -> str:
    """Return rounds in words: ``turn 3``, ``turns 3 to 5 and 8``."""
    known = sorted({max(1, number) for number in rounds})
    runs: list[list[int]] = []
    for number in known:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return f"{word}{'s' if len(known) > 1 else ''} {joined(parts)}"
