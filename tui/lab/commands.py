"""Commands as bots: a program of its own process that speaks the bot protocol.

A program is read only while its seat owes an answer. So what it sees and when it is heard depends
on the game and not on the clock, and a deterministic program gives a deterministic game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

from engine.core.ids import Seat
from engine.core.link import FeedItem, Reply
from engine.core.notation import BadNotation, read
from engine.core.record import Command, replace
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset, Outcome
from tui.console.exits import Wrong
from tui.headless.bot_protocol import Act, MessageLine, Talk
from tui.lab.bot_code import program_of
from tui.lab.bots import BotFault, BotSpec, PlanMoment
from tui.lab.plans import GameLimits
from tui.lab.processes import BotProcess, ProcessFault

MOST_GARBAGE: Final = 20
"""Lines in a row that are no message or no command, without an accepted one between them."""

STARTING: Final = 10.0
"""Seconds that a program may take for ``ready``, if it may not take longer for any answer."""

_GARBAGE: Final = frozenset({"TOO_LONG", "NO_JSON", "BAD_NOTATION"})
"""Codes of errors that say of a line that it is garbage."""


class LabTalk(Talk):
    """Talk that counts the garbage it hears."""

    garbage = 0
    """Such lines since the last accepted command."""
    problem = ""
    """The error that the last of them was answered by."""

    def refuse(self, request: Any, code: str, text: str, rule: str = "") -> None:
        """Send ``error``: nothing was done."""
        if code in _GARBAGE:
            self.garbage += 1
            self.problem = f"{code}: {text}"
        super().refuse(request, code, text, rule)


class CommandPlayer:
    """A program on a seat. It is started with the game and ended with it."""

    wants_feed = True

    def __init__(
        self, rules: AnyRuleset, bot: BotSpec, seat: Seat, names: Sequence[str], limits: GameLimits
    ) -> None:
        """Start the program.

        Raises:
            Wrong: it is not there, or the user did not ask for it.
        """
        self._rules, self._seat, self._limits = rules, seat, limits
        self._view: Any = None
        self._count = 0
        self._act: Act | None = None
        self._is_told = False
        """True while the program has an unanswered ``turn``."""
        self._refusal = ""
        try:
            words = program_of(bot)
            self.process = BotProcess(words, memory=limits.memory, processes=limits.processes)
        except OSError as problem:
            raise Wrong(f"{bot}: it cannot be started: {problem.strerror}") from None
        self.talk = LabTalk(rules, seat, names, lambda: self._view, self.send)
        self.talk.hello()

    def plan(self, moment: PlanMoment) -> Sequence[Command]:
        """The next command of the program.

        Raises:
            BotFault: it has none.
        """
        self._view = moment.view
        try:
            if moment.rests:
                self._give_up()
            if not self.talk.is_ready:
                self._greet()
            return (self.answer(),)
        except ProcessFault as fault:
            raise BotFault(self._seat, fault.kind, fault.text, self.process.said) from None

    def told(self, item: FeedItem) -> None:
        """Send it what its seat is told."""
        self._view = item.view
        self.talk.hear(replace(item, count=self._count))
        self._count += 1

    def accepted(self) -> None:
        """Tell it that its command was carried out."""
        if self._act is not None:
            self.talk.answer(self._act, Reply(ok=True))
        self._act, self._is_told = None, False
        self.talk.garbage, self._refusal = 0, ""

    def refused(self, refusal: Refused) -> None:
        """Tell it that its command was refused."""
        request = self._act.request if self._act is not None else None
        self._act = None
        self._refusal = f"{refusal.code}: {refusal.text}"
        self.talk.refuse(request, str(refusal.code), refusal.text, refusal.rule)

    def over(self, outcome: Outcome | None) -> None:
        """Tell it how the game ended, and let it end by itself."""
        if self.talk.is_done:
            return
        if outcome is None:
            self.talk.leave("the game is given up")
        else:
            self.talk.over(outcome)
        self.process.end_by_itself()

    def close(self) -> None:
        """End it and whatever it has started."""
        self.process.close()

    def answer(self) -> Command:
        """The command of the next act that is one.

        Raises:
            ProcessFault: there is none.
        """
        if not self._is_told:
            self._is_told = True
            self.talk.turn()
        self.process.begin_wait(self._limits.answer)
        while True:
            act = self._take()
            if act is None:
                continue
            try:
                command = read(act.line, self._rules.command_type)
            except BadNotation as bad:
                self.talk.refuse(act.request, str(bad.code), bad.text)
            else:
                self._act = act
                return command

    def send(self, message: MessageLine) -> None:
        """Send it a message."""
        self.process.send(message().encode() + b"\n")

    # -- inside ----------------------------------------------------------------------------------

    def _greet(self) -> None:
        """Wait until the program is ready."""
        self.process.begin_wait(max(STARTING, self._limits.answer))
        while not self.talk.is_ready:
            self._take()

    def _take(self) -> Act | None:
        """Answer the next line; the act that it asks for, if any.

        Raises:
            ProcessFault: there is none, it was garbage once too often, or the program left.
        """
        if self.talk.garbage >= MOST_GARBAGE:
            problem = self.talk.problem.rstrip(".")
            text = f"{self.talk.garbage} lines in a row that are no command; {problem}"
            raise ProcessFault("garbage", text)
        act = self.talk.take(self.process.next_line())
        if self.talk.is_done:
            raise ProcessFault("exit", "it said bye")
        return act

    def _give_up(self) -> NoReturn:
        """Say why the program is not asked any more."""
        if self._refusal:
            raise ProcessFault("refused", f"only refused commands; {self._refusal}")
        raise ProcessFault("refused", "it does not end its turn")
