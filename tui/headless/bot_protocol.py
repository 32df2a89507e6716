"""Bot protocol: a program plays a seat, one JSON object per line in both directions.

``docs/protocol.md`` describes it. ``Talk`` answers what it can by itself and passes anything that
changes the game to its driver: ``BotServer`` plays at a table of its own (``banneret bot``),
``BotVisitor`` plays in a game that others host.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Final, Protocol, TextIO

import msgspec

from engine.core.archive import Archive, SaveFault
from engine.core.codec import encode_json, plain, plain_json
from engine.core.documents import check_nesting
from engine.core.ids import Seat
from engine.core.link import FeedItem, Reply
from engine.core.options import OptionFault, parse_options
from engine.core.printable import BYTE_ORDER_MARK, escaped_json
from engine.core.record import Record
from engine.core.ruleset import AnyRuleset, Outcome, ScenarioFault
from tui.console.exits import Exit, Stuck, Wrong
from tui.play.players import PlanLimits, carry_out
from tui.play.scenarios import find_rules, resolve_scenario, with_seats
from tui.play.seats import header_of, players_of, seat_name, seat_named, seats_for
from tui.play.table import OnBug, Table, save_at

PROTOCOL: Final = 1
LONGEST: Final = 65_536
"""Maximum characters of a line from the program; a longer one is refused."""

MessageLine = Callable[[], str]
"""Returns a line of JSON. Its content is fixed; only the encoding is deferred."""

_decoder = msgspec.json.Decoder(dict[str, Any])


class Act(Record, frozen=True):
    """Request of the program to execute a line of notation."""

    request: Any
    line: str


class Talk:
    """Protocol state of one program at one seat."""

    def __init__(
        self,
        rules: AnyRuleset,
        seat: Seat,
        names: Sequence[str],
        view: Callable[[], Any],
        send: Callable[[MessageLine], None],
    ) -> None:
        """Begin a talk.

        ``view`` returns the seat's current view, ``send`` gets messages in order.
        """
        self.rules = rules
        self.seat = seat
        self.is_ready = False
        self.is_done = False
        """True after ``bye``."""
        self._names = tuple(names)
        self._view = view
        self._out = send
        self._answers: dict[str, Callable[[dict[str, Any], Any], None]] = {
            "ready": self._on_ready,
            "state": self._on_state,
            "offers": self._on_offers,
            "bye": self._on_bye,
        }

    def hello(self) -> None:
        """Send ``hello`` with the ruleset, its schema number and the seats."""
        self._send(
            "hello",
            protocol=PROTOCOL,
            ruleset=self.rules.name,
            schema=self.rules.schema,
            seat=self.seat,
            seats=list(self._names),
        )

    def take(self, line: str | None) -> Act | None:
        """Answer a line from the program; None means that the line was too long.

        Return the act that the driver must carry out, if any; ``answer`` reports its result.
        """
        if line is None:
            self.refuse(None, "TOO_LONG", f"A line may have {LONGEST} characters.")
            return None
        if not line.strip():
            return None
        try:
            line.encode()
        except UnicodeEncodeError:
            self.refuse(None, "NO_JSON", "One JSON object a line, in UTF-8.")
            return None
        try:
            message = check_nesting(_decoder.decode(line))
        except (ValueError, RecursionError) as problem:
            self.refuse(None, "NO_JSON", f"One JSON object a line: {problem}")
            return None
        kind, request = str(message.get("type")), message.get("id")
        if kind == "act":
            return self._wanted(message, request)
        handler = self._answers.get(kind)
        if handler is not None:
            handler(message, request)
        return None

    def answer(self, act: Act, reply: Reply) -> None:
        """Send the program the reply to its act."""
        if reply.ok:
            self._send("done", act.request)
        else:
            self.refuse(act.request, reply.code, reply.text, reply.rule)

    def refuse(self, request: Any, code: str, text: str, rule: str = "") -> None:
        """Send ``error`` for a request that was not executed."""
        self._send("error", request, code=code, text=text, rule=rule)

    def hear(self, news: FeedItem) -> None:
        """Send the events of a feed item, if the program has said that it is ready."""
        if not self.is_ready:
            return
        if news.change == "rewound":
            self._send_view(news.view)
        else:
            self._later("events", lambda: _events(news))

    def turn(self) -> None:
        """Send ``turn``: the seat owes an answer."""
        self._send("turn", seat=self.seat)

    def over(self, outcome: Outcome) -> None:
        """Send ``bye`` with the outcome."""
        won = self.seat in outcome.winners
        self._send("bye", reason=outcome.reason, winners=list(outcome.winners), won=won)
        self.is_done = True

    def leave(self, reason: str, request: Any = None) -> None:
        """Send ``bye`` before the end of the game."""
        self._send("bye", request, reason=reason)
        self.is_done = True

    # -- internals -------------------------------------------------------------------------------

    def _on_ready(self, _message: dict[str, Any], request: Any) -> None:
        if not self.is_ready:
            self.is_ready = True
            self._send_view(self._view(), request)

    def _on_state(self, _message: dict[str, Any], request: Any) -> None:
        self._send_view(self._view(), request)

    def _on_offers(self, message: dict[str, Any], request: Any) -> None:
        about = message.get("about")
        if about is not None and not isinstance(about, int):
            self.refuse(request, "BAD_ABOUT", "'about' is the number of a piece.")
            return
        view, rules = self._view(), self.rules
        self._later(
            "offers",
            lambda: {"commands": [plain(command) for command in rules.offers(view, about)]},
            request,
        )

    def _wanted(self, message: dict[str, Any], request: Any) -> Act | None:
        if not self.is_ready:
            self.refuse(request, "NOT_READY", "Say ready first.")
            return None
        wanted = message.get("command")
        line = wanted if isinstance(wanted, str) else msgspec.json.encode(wanted).decode()
        return Act(request, line)

    def _on_bye(self, _message: dict[str, Any], request: Any) -> None:
        self.leave("you left", request)

    def _send_view(self, view: Any, request: Any = None) -> None:
        self._later("state", lambda: {"view": msgspec.Raw(encode_json(view))}, request)

    def _send(self, kind: str, request: Any = None, **fields: Any) -> None:
        self._later(kind, lambda: fields, request)

    def _later(self, kind: str, fields: Callable[[], dict[str, Any]], request: Any = None) -> None:
        told = {"type": kind} if request is None else {"type": kind, "id": request}
        self._out(lambda: escaped_json(msgspec.json.encode({**told, **fields()})).decode())


class Seated(Protocol):
    """Seat in a shared game, as ``BotVisitor`` needs it."""

    @property
    def owes(self) -> bool:
        """True if the game waits for the seat."""

    @property
    def is_over(self) -> bool:
        """True if the game is over."""

    @property
    def lost(self) -> str:
        """Reason why the program has lost the seat; empty while it has it."""

    async def submit(self, line: str) -> Reply:
        """Execute a line of notation; its events are sent before this returns the reply."""

    async def outcome(self) -> Outcome | None:
        """Return the outcome of the game; None if it is not over, or the host cannot be asked."""


class BotVisitor:
    """Driver of a talk in a game where others can act at any time."""

    def __init__(self, talk: Talk, seated: Seated) -> None:
        """Drive a talk at a seat; call ``news`` and ``changed`` in the event loop of ``serve``."""
        self.talk = talk
        self._seated = seated
        self._is_told = False
        """True while the program has an unanswered ``turn``."""
        self._acts = asyncio.Lock()

    async def serve(self, lines: AsyncIterator[str | None]) -> None:
        """Talk until the program leaves or its lines end."""
        self.talk.hello()
        async for line in lines:
            act = self.talk.take(line)
            if act is not None:
                async with self._acts:
                    await self._carry_out(act)
            self.changed()
            if self.talk.is_done:
                return

    def news(self, news: FeedItem) -> None:
        """Forward a feed item."""
        self.talk.hear(news)
        self.changed()

    def changed(self) -> None:
        """Send ``turn`` if the seat owes an answer and no ``turn`` was sent for it."""
        talk, seated = self.talk, self._seated
        if talk.is_done or not talk.is_ready or self._acts.locked():
            return
        if seated.lost:
            talk.leave(seated.lost)
        elif not seated.owes or seated.is_over:
            self._is_told = False
        elif not self._is_told:
            self._is_told = True
            talk.turn()

    async def end(self) -> None:
        """Send ``bye`` with the outcome, once a running act has its reply."""
        outcome = await self._seated.outcome()
        async with self._acts:
            if self.talk.is_done:
                return
            if outcome is None:
                self.talk.leave("over")
            else:
                self.talk.over(outcome)

    async def _carry_out(self, act: Act) -> None:
        """Carry out an act; ``turn`` follows the reply."""
        reply = await self._seated.submit(act.line)
        self.talk.answer(act, reply)
        if reply.ok:
            self._is_told = False


def _events(news: FeedItem) -> dict[str, Any]:
    return {"count": news.count, "events": [plain_json(event) for event in news.events]}


# -- banneret bot ----------------------------------------------------------------------------------


def main(args: argparse.Namespace, archive: Archive, on_bug: OnBug) -> Exit:
    """Play one game with the program on standard input and output.

    Raises:
        Wrong: the arguments are wrong.
        SaveFault: the save cannot be written.
    """
    rules = find_rules(args.ruleset)
    scenario = resolve_scenario(rules, args.scenario)
    count, names = seats_for(rules, scenario, args.seats), rules.seat_names(scenario)
    seat = 0 if args.seat is None else seat_named(names[: args.seats], args.seat)
    level = (args.opponent or next(iter(rules.bots))).removeprefix("bot:")
    others = [names[other] for other in range(max(count, 1 + seat)) if other != seat]
    words = [f"{other}=bot:{level}" for other in others]
    players = players_of(rules, scenario, words, args.seats)
    scenario = with_seats(rules, scenario, players)
    header = header_of(rules, scenario, players, args.seed)
    try:
        options = parse_options(args.option)
        with save_at(archive, args.output, header) as file:
            table = Table.begin(rules, scenario, options, header, file=file, on_bug=on_bug)
            server = BotServer(table, seat, sys.stdout)
            return server.serve(lines_of(_forgiving(sys.stdin)))
    except (OptionFault, ScenarioFault) as fault:
        raise Wrong(str(fault)) from None


def _forgiving(stream: TextIO) -> TextIO:
    """Return the stream decoded as UTF-8; invalid bytes become surrogates, not errors."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    return stream


def lines_of(stream: TextIO) -> Iterator[str | None]:
    """Yield the lines of a stream; yield None in place of a line longer than ``LONGEST``."""
    while line := stream.readline(LONGEST + 1):
        if len(line) <= LONGEST:
            yield line.removeprefix(BYTE_ORDER_MARK)
            continue
        while line and not line.endswith("\n"):
            line = stream.readline(LONGEST)
        yield None


class BotServer:
    """Driver of a talk at a table of its own; computer players have the other seats."""

    def __init__(self, table: Table, seat: Seat, out: TextIO) -> None:
        """Play at a table; messages to the program are written to ``out``."""
        self.table = table
        self.seat = seat
        self.out = out
        self.link = table.link(seat)
        names = [seat_name(table.seat_names, player.seat) for player in table.players]
        self.talk = Talk(table.rules, seat, names, lambda: self.link.view, self._send)
        self._began = False

    def serve(self, lines: Iterator[str | None]) -> Exit:
        """Answer the program's lines until it leaves; return the exit code.

        Raises:
            SaveFault: a computer player's command cannot be saved; ``bye`` was sent.
        """
        stop = self.link.feed(self.talk.hear)
        self.talk.hello()
        try:
            for line in lines:
                self._take(line)
                if self.talk.is_done:
                    break
        except SaveFault as fault:
            self.talk.leave(str(fault))
            raise
        finally:
            stop()
        return Exit.OK

    def _take(self, line: str | None) -> None:
        act = self.talk.take(line)
        if act is not None:
            reply = self.link.answer(act.line)
            self.talk.answer(act, reply)
            if reply.ok:
                self._go_on()
        elif self.talk.is_ready and not self._began:
            self._began = True
            self._go_on()

    def _go_on(self) -> None:
        """Let computer players play; then send ``turn``, or ``bye`` if the game is over."""
        limits = PlanLimits()
        try:
            while (seat := self._other_to_act()) is not None:
                carry_out(self.table, seat, limits, self.table.carry_out)
        except Stuck as stuck:
            self.talk.leave(str(stuck))
            return
        outcome = self.table.outcome()
        if outcome is not None:
            self.talk.over(outcome)
        elif self.seat in self.table.owes:
            self.talk.turn()

    def _other_to_act(self) -> Seat | None:
        owes = self.table.owes
        return min(owes, default=None) if self.seat not in owes else None

    def _send(self, message: MessageLine) -> None:
        self.out.write(message() + "\n")
        self.out.flush()
