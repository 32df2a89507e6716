"""Bots of the lab: their kinds, their notation, and the player that each becomes.

=================================  ==========================================================
``normal``                         a level of the ruleset
``py:FILE.py:CLASS``               a class of a Python file, or ``py:package.module:CLASS``
``cmd:./mybot --depth 3``          a program that speaks the bot protocol, in any language
``strong=cmd:./mybot --depth 9``   any of these under another name
=================================  ==========================================================

Words after ``?`` are parameters, ``py:bot.py:Bold?courage=0.4``: a class is created with them, and
in a command they replace ``{courage}``.
"""

from __future__ import annotations

import contextlib
import re
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final, Literal, NamedTuple, Protocol

from engine.core.codec import decoder, encode
from engine.core.dice import Seeded
from engine.core.ids import Seat
from engine.core.link import FeedItem
from engine.core.record import Command, Record, field
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset, Outcome
from tui.console.exits import Wrong

BotKind = Literal["level", "python", "command"]

_NAME: Final = re.compile(r"[\w.+-]{1,40}")
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")


class BotSpec(Record, frozen=True):
    """Bot as a plan names it."""

    name: str
    """Name in tables, unique in a plan."""
    kind: BotKind
    code: str
    """The level, ``MODULE:CLASS`` or ``FILE.py:CLASS``, or the command line."""
    parameters: dict[str, int | float | str] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the bot in the notation that ``read_bot`` reads."""
        prefix = {"level": "", "python": "py:", "command": "cmd:"}[self.kind]
        words = "&".join(f"{name}={value}" for name, value in self.parameters.items())
        text = f"{prefix}{self.code}{'?' if words else ''}{words}"
        return text if self.name == _usual_name(self.kind, self.code) else f"{self.name}={text}"


def read_bot(text: str) -> BotSpec:
    """Parse a bot.

    Raises:
        Wrong: the text cannot be read.
    """
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise Wrong(f"{text!r}: a bot is written in UTF-8")
    name, sign, rest = text.partition("=")
    is_named = bool(sign) and _NAME.fullmatch(name) is not None
    written = rest if is_named else text
    code, mark, words = written.partition("?")
    kind: BotKind = "level"
    for prefix, found in (("py:", "python"), ("cmd:", "command"), ("bot:", "level")):
        if code.startswith(prefix):
            kind, code = found, code.removeprefix(prefix)  # type: ignore[assignment]  # of the list
            break
    if not code.strip():
        raise Wrong(f"{text!r} names no bot; write a level, py:FILE.py:CLASS or cmd:COMMAND")
    if kind == "python" and ":" not in code:
        raise Wrong(f"{text!r}: a Python bot is written py:FILE.py:CLASS or py:MODULE:CLASS")
    parameters = _parameters(text, words) if mark else {}
    return BotSpec(name if is_named else _usual_name(kind, code), kind, code, parameters)


def _usual_name(kind: BotKind, code: str) -> str:
    """Return the default name of a bot."""
    if kind == "level":
        return code
    words = code.rpartition(":")[2] if kind == "python" else Path((code.split() or ["bot"])[0]).stem
    return re.sub(r"[^\w.+-]", "-", words)[:40] or "bot"


def _parameters(text: str, words: str) -> dict[str, int | float | str]:
    found: dict[str, int | float | str] = {}
    for word in filter(None, words.split("&")):
        name, sign, value = word.partition("=")
        if not sign or not name.isidentifier():
            raise Wrong(f"{text!r}: a parameter is written NAME=VALUE, not {word!r}")
        found[name] = _value(value)
    return found


def _value(text: str) -> int | float | str:
    if _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text


# -- players -----------------------------------------------------------------------------------

_BUSY: Final = 0.2
"""Share of its time above which a late bot is reported as busy."""

_AGAIN: Final = 0.1
"""Seconds between repeated alarms for a bot that goes on after its time."""

FaultKind = Literal[
    "crash", "exit", "hang", "garbage", "closed", "refused", "memory", "processes", "python"
]
"""Kinds of faults of a bot: killed by a signal, left on its own, late, protocol broken, pipe
closed, only refused commands, too much memory, too many processes, an exception of a Python
class."""


class BotFault(Exception):
    """A bot cannot continue. The game ends, and the plan decides how it is scored."""

    def __init__(self, seat: Seat, kind: FaultKind, text: str, said: str = "") -> None:
        """Create a fault; ``said`` is the end of the bot's standard error."""
        super().__init__(text)
        self.seat, self.kind, self.text, self.said = seat, kind, text, said


class PlanMoment(NamedTuple):
    """Moment of a game in which a bot must plan."""

    view: Any
    seat: Seat
    seed: bytes
    entry: int
    """Number of the next entry of the log."""
    rests: bool
    """True if plans have failed, so that the bot must end its turn."""


class LabPlayer(Protocol):
    """A bot in one game, on one seat. Every method may raise ``BotFault``."""

    wants_feed: bool
    """True if the bot receives its feed and the replies to its commands."""

    def plan(self, moment: PlanMoment) -> Sequence[Command]:
        """Return the bot's next commands."""
        ...

    def told(self, item: FeedItem) -> None:
        """Receive a feed item of the bot's seat."""
        ...

    def accepted(self) -> None:
        """Learn that the last command was accepted; its feed items came before."""
        ...

    def refused(self, refusal: Refused) -> None:
        """Learn that the last command was refused."""
        ...

    def over(self, outcome: Outcome | None) -> None:
        """Learn the outcome; None means that the game was abandoned."""
        ...

    def close(self) -> None:
        """End everything that runs for the bot."""
        ...


class PlanningPlayer:
    """A level or a Python class, which plans in this process and gets no feed."""

    wants_feed = False

    def __init__(
        self,
        rules: AnyRuleset,
        bot: Any,
        name: str,
        *,
        is_foreign: bool,
        answer: float | None = None,
    ) -> None:
        """Play with ``bot``.

        A foreign one has ``answer`` seconds for a plan, and its exceptions are its own faults.
        """
        self._rules, self._bot, self._name, self._is_foreign = rules, bot, name, is_foreign
        self._answer = answer

    def plan(self, moment: PlanMoment) -> Sequence[Command]:
        """Return the bot's next commands.

        Raises:
            BotFault: a foreign bot is late or raises, or its command is invalid.
        """
        if not self._is_foreign:
            return self._planned(moment)
        try:
            with _at_most(self._answer):
                plan = self._planned(moment)
        except (KeyboardInterrupt, BotFault):
            raise
        except _LateAnswer as late:
            raise BotFault(moment.seat, "hang", str(late), _trace(late)) from None
        except MemoryError as problem:
            raise BotFault(
                moment.seat, "memory", "it got no more memory", _trace(problem)
            ) from None
        except BaseException as problem:
            text = f"{type(problem).__name__}: {problem}"
            raise BotFault(moment.seat, "python", text, _trace(problem)) from problem
        return tuple(self._checked(moment.seat, command) for command in plan)

    def _checked(self, seat: Seat, command: object) -> Command:
        """Check a command of a foreign bot, whose fields may have any type, and return it.

        Raises:
            BotFault: it is not a valid command.
        """
        try:
            found: Command = decoder(self._rules.command_type).decode(encode(command))
        except Exception as problem:  # noqa: BLE001 - it may be anything at all
            text = f"{repr(command)[:100]} is no command: {problem}"
            raise BotFault(seat, "python", text) from None
        return found

    def _planned(self, moment: PlanMoment) -> Sequence[Command]:
        def offers(about: int | None = None) -> Iterator[Command]:
            return self._rules.offers(moment.view, about)

        if moment.rests:
            weakest = next(iter(self._rules.bots.values()))
            rest = getattr(self._bot, "rest", weakest.rest)
            return tuple(rest(moment.view, offers))
        dice = Seeded(moment.seed, moment.entry, f"bot:{moment.seat}")
        return tuple(self._bot.plan(moment.view, offers, dice))

    def told(self, item: FeedItem) -> None:
        """Do nothing: a plan depends only on the view."""

    def accepted(self) -> None:
        """Do nothing."""

    def refused(self, refusal: Refused) -> None:
        """Do nothing."""

    def over(self, outcome: Outcome | None) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class _LateAnswer(BaseException):
    """The time of a Python class is over. Not an ``Exception``, so that few bots catch it."""


def _work_of_thread() -> float:
    """Return the seconds that this thread has worked or has waited for a processor."""
    try:
        ran, waited = Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[:2]
    except (OSError, ValueError):
        return time.thread_time()
    return (int(ran) + int(waited)) / 1e9


_LEAVING: Final = (__file__, contextlib.__file__)
"""Files whose code runs after the last code of a limited block, until its alarm is off."""


@contextmanager
def _at_most(seconds: float | None) -> Iterator[None]:
    """Limit a ``with`` block to ``seconds`` of wall-clock time; None means no limit.

    The timer is that of the wall clock, since a farm's limit of processor time uses another. Only
    the main thread is limited.

    Raises:
        _LateAnswer: the time is over.
    """
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    worked = _work_of_thread()

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as handlers are called
        if frame is not None and frame.f_code.co_filename in _LEAVING:
            return  # the block may just end; if not, the next alarm comes soon
        is_busy = _work_of_thread() - worked > seconds * _BUSY
        how = "it worked all the while" if is_busy else "it slept"
        raise _LateAnswer(f"no answer within {seconds:g} s; {how}")

    usual, begun = signal.signal(signal.SIGALRM, end), time.monotonic()
    left, again = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)
        if left:  # an alarm of others, which goes on
            left = max(left - (time.monotonic() - begun), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, left, again)


def _trace(problem: BaseException) -> str:
    """Return the end of an exception's trace, without the folders of this machine."""
    import traceback  # noqa: PLC0415 - only where something is wrong

    frames = traceback.extract_tb(problem.__traceback__)[-6:]
    lines = (f"{Path(at.filename).name}:{at.lineno} in {at.name}: {at.line}" for at in frames)
    return "\n".join((*lines, f"{type(problem).__name__}: {problem}"))
