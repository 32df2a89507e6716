"""Annals: the notable events of a game by round, with moves only counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.core.ids import Seat
from engine.core.record import replace
from engine.tabletop.board import NOBODY, Line, concerns, condensed
from engine.tabletop.english import many
from engine.tabletop.fact import Fact
from engine.tabletop.roles import Tone
from tui.play.playback import HEADINGS

_MOST: Final = 400
"""Maximum number of tellings that are kept."""


class Telling(NamedTuple):
    """Lines of one event with its round; ``moves``: seat and piece of each march in it.

    The piece is empty if the event does not say which pieces march.
    """

    round: int
    lines: tuple[Line, ...]
    moves: tuple[tuple[Seat, str], ...] = ()
    entry: int = -1


def telling(
    round_: int, lines: Sequence[Line], facts: Sequence[Fact], entry: int = -1
) -> Telling | None:
    """Return the telling of an event: notable lines, or moves to count; None if it has neither.

    Quiet lines are details; in an event without facts, only highlighted lines are notable.
    """
    kinds = {fact.kind for fact in facts}
    moved = [fact for fact in facts if fact.kind == "move"]
    if moved and kinds <= {"move", *HEADINGS}:
        group = next((line.group for line in lines if line.group), "")
        moves = tuple((fact.seat, group) for fact in moved)
        return Telling(round_, (), moves, entry)
    if kinds and kinds <= HEADINGS:
        return None
    plain = (Tone.QUIET,) if kinds else (Tone.QUIET, Tone.NORMAL)
    said = tuple(line for line in lines if line.tone not in plain)
    return Telling(round_, said, entry=entry) if said else None


class Annals:
    """Tellings as they arrive, and as lines with the newest round first."""

    def __init__(self, word: str = "round") -> None:
        """Start without tellings; ``word`` is the game's word for a round."""
        self._word = word.capitalize()
        self.tellings: list[Telling] = []
        self._round = 0

    def begin(self, round_: int) -> None:
        """Set the round in which the next events happen."""
        self._round = round_

    def hear(
        self, lines: Sequence[Line], facts: Sequence[Fact], round_after: int, entry: int
    ) -> None:
        """Add an event of an entry; ``round_after`` is the round in play after it."""
        if any(fact.kind == "round" for fact in facts):
            self._round = round_after
        self.add([telling(self._round, lines, facts, entry)])

    def add(self, tellings: Iterable[Telling | None]) -> None:
        """Add tellings, oldest first; None is skipped."""
        self.tellings += [told for told in tellings if told is not None]
        del self.tellings[:-_MOST]

    def rewind(self, entry: int) -> None:
        """Forget the tellings of later entries."""
        self.tellings = [told for told in self.tellings if told.entry <= entry]

    def lines(self, names: Sequence[str], viewer: Seat, most: int) -> list[Line]:
        """Return headings of rounds with lines below them, newest first.

        At most about ``most`` lines.

        Lines that concern the viewer keep their side's colour, others are quiet.
        """
        found: list[Line] = []
        counted: dict[Seat, list[str]] = {}
        before: int | None = None
        for told in reversed(self.tellings):
            if told.round != before:
                if len(found) >= most:
                    break
                found += _moved(counted, names, viewer)
                counted, before = {}, told.round
                found.append(Line(f"{self._word} {told.round}", Tone.STRONG))
            for seat, piece in told.moves:
                counted.setdefault(seat, []).append(piece)
            found += [_dyed(line, viewer) for line in reversed(condensed(told.lines))]
        return found + _moved(counted, names, viewer)


def _dyed(line: Line, viewer: Seat) -> Line:
    if viewer < 0 or concerns(line, viewer):
        return line
    return replace(line, tone=Tone.QUIET, seat=NOBODY)


def _moved(counted: dict[Seat, list[str]], names: Sequence[str], viewer: Seat) -> list[Line]:
    """Return counted moves in words: ``Dailor: 6 units moved``, or ``Dailor: 6 moves``."""
    lines = []
    for seat, pieces in sorted(counted.items()):
        # Without names the same piece may have moved several times.
        units = f"{many(len({*pieces}), 'unit')} moved"
        text = units if all(pieces) else many(len(pieces), "move")
        name = names[seat] if 0 <= seat < len(names) else "Neutrals"
        tone = Tone.NORMAL if seat == viewer else Tone.QUIET
        lines.append(Line(f"{name}: {text}", tone, seat))
    return lines
