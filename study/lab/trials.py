"""Trials of a command: games in which it is treated in rare but permitted ways, and watched."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from engine.core.ids import Seat
from engine.core.record import Command
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset
from study.lab.bots import BotFault, BotSpec, PlanMoment
from study.lab.command_bots import CommandPlayer
from study.lab.plans import GameLimits
from study.lab.processes import ProcessFault
from tui.headless.bot_protocol import MessageLine

LONG_LINE: Final = 1_000_000
"""Characters of the long line that a program must read."""

MANY_LINES: Final = 1_000

_LATE: Final = 0.2
"""Seconds by which replies are late, but at most a quarter of the program's time."""

_LATE_REPLIES: Final = 5
_LONGER: Final = 10.0
"""Extra seconds for a late bot, to tell it from one that never answers."""

_STRANGE: Final = '{"type":"weather","wind":[3,null,{"from":"north"}],"id":"\\u00fc"}'
_STRANGE_FIELD: Final = ',"novelty":{"of":[1,"x",null]}}'


class TrialRefusal(StrEnum):
    """Reason of refusal in a trial."""

    NOT_NOW = "NOT_NOW"


class TrialNotes:
    """Notes on a command in all its games."""

    def __init__(self) -> None:
        self.slowest = 0.0
        """Maximum seconds for an answer."""
        self.longest = self.largest = self.left_behind = self.replies = 0
        """Maximum line length, bytes of memory and processes left; number of replies."""
        self.has_left = True
        """False if it did not end after ``bye``."""


class WatchedCommand(CommandPlayer):
    """A command that is watched but treated normally."""

    def __init__(
        self,
        notes: TrialNotes,
        rules: AnyRuleset,
        bot: BotSpec,
        seat: Seat,
        names: Sequence[str],
        limits: GameLimits,
    ) -> None:
        """Start the program.

        Raises:
            Wrong: it is missing.
        """
        self.notes, self._patience = notes, limits.answer
        super().__init__(rules, bot, seat, names, limits)

    def plan(self, moment: PlanMoment) -> Sequence[Command]:
        """Return the next command of the program, alone.

        Raises:
            BotFault: it gave none; the text says how late an answer came.
        """
        begun = time.monotonic()
        try:
            plan = super().plan(moment)
        except BotFault as fault:
            if fault.kind == "hang" and self._answers_late():
                waited = time.monotonic() - begun
                fault.text = f"it answered after {waited:.1f} s; {self._patience:g} s are allowed"
            raise
        self.notes.slowest = max(self.notes.slowest, time.monotonic() - begun)
        return plan

    def close(self) -> None:
        """Kill the program and everything it has started, and note its use of resources."""
        super().close()
        notes, process = self.notes, self.process
        notes.longest = max(notes.longest, process.longest)
        notes.largest = max(notes.largest, process.largest)
        notes.left_behind = max(notes.left_behind, process.left_behind)

    def _answers_late(self) -> bool:
        """Wait longer; return whether the program writes a line after all."""
        try:
            self.process.begin_wait(min(_LONGER, 2 * self._patience))
            self.process.next_line()
        except ProcessFault:
            return False
        return True


class StrangeMessages(WatchedCommand):
    """A command that gets messages of unknown types, and unknown fields in all others."""

    def send(self, message: MessageLine) -> None:
        """Send a message with an unknown field, after a message of an unknown type."""
        line = message()
        super().send(lambda: _STRANGE)
        super().send(lambda: line[:-1] + _STRANGE_FIELD)


class LateReplies(WatchedCommand):
    """A command that waits for the replies to its first questions."""

    def send(self, message: MessageLine) -> None:
        """Send a message; delay it if it is one of the first replies to a question."""
        line = message()
        if line.startswith(('{"type":"offers"', '{"type":"state"')):
            self.notes.replies += 1
            if self.notes.replies <= _LATE_REPLIES:
                time.sleep(min(_LATE, self._patience / 4))
        super().send(lambda: line)


class LongLines(WatchedCommand):
    """A command that gets a very long line and many short ones before its first turn."""

    def __init__(
        self,
        notes: TrialNotes,
        rules: AnyRuleset,
        bot: BotSpec,
        seat: Seat,
        names: Sequence[str],
        limits: GameLimits,
    ) -> None:
        """Start the program and send the lines.

        Raises:
            Wrong: it is missing.
        """
        super().__init__(notes, rules, bot, seat, names, limits)
        self.process.send(b'{"type":"weather","text":"%s"}\n' % (b"x" * LONG_LINE))
        for number in range(MANY_LINES):
            self.process.send(b'{"type":"weather","number":%d}\n' % number)


class RefusedActs(WatchedCommand):
    """A command whose acts are each refused once."""

    def answer(self) -> Command:
        """Return the second of two commands; the first is answered by an error.

        Raises:
            ProcessFault: the program gave none.
        """
        super().answer()
        self.refused(Refused(TrialRefusal.NOT_NOW, "Refused once, on trial. The same will do."))
        return super().answer()
