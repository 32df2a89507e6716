"""Commands as bots: programs in their own processes that speak the bot protocol.

A program is read only while its seat owes an answer. So its input and its timing depend on the game
and not on the clock, and a deterministic program gives a deterministic game.
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
from study.lab.bot_code import program_of
from study.lab.bots import BotFault, BotSpec, PlanMoment
from study.lab.plans import GameLimits
from study.lab.processes import BotProcess, ProcessFault
from tui.console.exits import Wrong
from tui.headless.bot_protocol import Act, MessageLine, Talk

MOST_GARBAGE: Final = 20
"""Maximum consecutive lines without a valid command; an accepted command resets the count."""

STARTING: Final = 10.0
"""Minimum seconds that a program gets for ``ready``, even if answers must be faster."""

_GARBAGE: Final = frozenset({"TOO_LONG", "NO_JSON", "BAD_NOTATION"})
"""Codes of errors that mark a line as garbage."""


class LabTalk(Talk):
    """Talk that counts the garbage it receives."""

    garbage = 0
    """Number of lines of garbage since the last accepted command."""
    problem = ""
    """Text of the error that answered the last line of garbage."""

    def refuse(self, request: Any, code: str, text: str, rule: str = "") -> None:
        """Send ``error``, and count it if the line was garbage."""
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
            Wrong: the program is missing or cannot be started, or the user did not ask for it.
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
        """Return the program's next command, alone.

        Raises:
            BotFault: the program gave none.
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
        """Forward a feed item of the seat to the program."""
        self._view = item.view
        self.talk.hear(replace(item, count=self._count))
        self._count += 1

    def accepted(self) -> None:
        """Confirm the last command to the program."""
        if self._act is not None:
            self.talk.answer(self._act, Reply(ok=True))
        self._act, self._is_told = None, False
        self.talk.garbage, self._refusal = 0, ""

    def refused(self, refusal: Refused) -> None:
        """Report the refusal of the last command to the program."""
        request = self._act.request if self._act is not None else None
        self._act = None
        self._refusal = f"{refusal.code}: {refusal.text}"
        self.talk.refuse(request, str(refusal.code), refusal.text, refusal.rule)

    def over(self, outcome: Outcome | None) -> None:
        """Send the outcome to the program, and let it end on its own."""
        if self.talk.is_done:
            return
        if outcome is None:
            self.talk.leave("the game is given up")
        else:
            self.talk.over(outcome)
        self.process.end_by_itself()

    def close(self) -> None:
        """Kill the program and everything it has started."""
        self.process.close()

    def answer(self) -> Command:
        """Return the program's next valid command; refuse invalid ones.

        Raises:
            ProcessFault: the program gave none.
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
        """Send a message to the program."""
        self.process.send(message().encode() + b"\n")

    # -- inside ----------------------------------------------------------------------------------

    def _greet(self) -> None:
        """Wait until the program is ready."""
        self.process.begin_wait(max(STARTING, self._limits.answer))
        while not self.talk.is_ready:
            self._take()

    def _take(self) -> Act | None:
        """Answer the next line; return its act, or None if it asks for none.

        Raises:
            ProcessFault: no line came, too much of it was garbage, or the program left.
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
        """Raise the reason why the program gets no further turn."""
        if self._refusal:
            raise ProcessFault("refused", f"only refused commands; {self._refusal}")
        raise ProcessFault("refused", "it does not end its turn")
