"""``banneret bot``: a game served to a program on standard input and output.

One JSON object a line, both ways. ``docs/protocol.md`` is the full description.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final, TextIO

import msgspec

from engine.core.archive import Archive, SaveFile
from engine.core.codec import encode_json, plain
from engine.core.ids import Seat
from engine.core.link import News
from engine.core.notation import write
from engine.core.options import OptionFault, parse_options
from engine.core.ruleset import ScenarioFault
from tui.plain.exits import Exit, Wrong
from tui.plain.players import MOST_REFUSALS, think
from tui.plain.scenarios import find_rules, resolve_scenario, seated
from tui.plain.seats import header_of, players_of, seat_name, seat_named
from tui.plain.table import OnBug, Table

PROTOCOL: Final = 1
LONGEST: Final = 65_536
"""Most characters of a line from the program."""

EXAMPLE = """example:
  banneret bot --ruleset weltendaemmerung --scenario ford --seat Eldoin --opponent bot:easy"""

_decoder = msgspec.json.Decoder(dict[str, Any])


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--ruleset", required=True, metavar="NAME", help="which game")
    parser.add_argument("--scenario", metavar="NAME|FILE", help="default: the usual one")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seat", metavar="NAME", help="where the program sits; default: the first")
    parser.add_argument(
        "--opponent", metavar="bot:LEVEL", help="who plays the other seats; default: the weakest"
    )
    parser.add_argument("--seed", type=int, default=1, help="default 1")
    parser.add_argument("--save", metavar="FILE", help="keep the game in this file, which is new")


def main(args: argparse.Namespace, archive: Archive, on_bug: OnBug) -> Exit:
    """Serve a game to the program at the other end.

    Raises:
        Wrong: the arguments are wrong.
        SaveFault: the save cannot be written.
    """
    rules = find_rules(args.ruleset)
    scenario = resolve_scenario(rules, args.scenario)
    seat = seat_named(rules, args.seat) if args.seat else 0
    opponent = args.opponent or f"bot:{next(iter(rules.bots))}"
    others = [other for other in range(rules.room(scenario)[0]) if other != seat]
    players = players_of(rules, scenario, [f"{other}={opponent}" for other in others])
    scenario = seated(rules, scenario, len(players))
    header = header_of(rules, scenario, players, args.seed)
    file: SaveFile | None = None
    try:
        if args.save:
            file = archive.create(args.save, header)
        options = parse_options(args.option)
        table = Table.begin(rules, scenario, options, header, file=file, on_bug=on_bug)
        server = Server(table, seat, sys.stdout)
        return server.serve(lines_of(sys.stdin))
    except (OptionFault, ScenarioFault) as fault:
        raise Wrong(str(fault)) from None
    finally:
        if file is not None:
            file.close()


def lines_of(stream: TextIO) -> Iterator[str | None]:
    """The lines of a stream; None for one that is too long, which is read past."""
    while line := stream.readline(LONGEST + 1):
        if len(line) <= LONGEST:
            yield line
            continue
        while line and not line.endswith("\n"):
            line = stream.readline(LONGEST)
        yield None


class Server:
    """One program at one seat of a table; computer players have the others."""

    def __init__(self, table: Table, seat: Seat, out: TextIO) -> None:
        """Messages go to ``out``."""
        self.table = table
        self.seat = seat
        self.out = out
        self.link = table.link(seat)
        self._ready = False
        self._done = False
        self._answers: dict[str, Callable[[dict[str, Any], Any], None]] = {
            "ready": self._on_ready,
            "state": self._on_state,
            "offers": self._on_offers,
            "act": self._on_act,
            "bye": self._on_bye,
        }

    def serve(self, lines: Iterator[str | None]) -> Exit:
        """Talk until the game is over and the program leaves, or it just leaves."""
        stop = self.link.feed(self._on_news)
        self._hello()
        for line in lines:
            self._take(line)
            if self._done:
                break
        stop()
        return Exit.OK

    def _hello(self) -> None:
        rules = self.table.rules
        self._send(
            "hello",
            protocol=PROTOCOL,
            ruleset=rules.name,
            schema=rules.schema,
            seat=self.seat,
            seats=[seat_name(rules, player.seat) for player in self.table.players],
        )

    def _take(self, line: str | None) -> None:
        if line is None:
            self._error(None, "TOO_LONG", f"A line may have {LONGEST} characters.")
            return
        if not line.strip():
            return
        try:
            message = _decoder.decode(line)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as problem:
            self._error(None, "NO_JSON", f"One JSON object a line: {problem}")
            return
        handler = self._answers.get(str(message.get("type")))
        if handler is not None:
            handler(message, message.get("id"))

    def _on_ready(self, message: dict[str, Any], request: Any) -> None:
        if self._ready:
            return
        self._ready = True
        self._on_state(message, request)
        self._go_on()

    def _on_state(self, _message: dict[str, Any], request: Any) -> None:
        self._send("state", request, view=msgspec.Raw(encode_json(self.link.view)))

    def _on_offers(self, message: dict[str, Any], request: Any) -> None:
        about = message.get("about")
        if about is not None and not isinstance(about, int):
            self._error(request, "BAD_ABOUT", "'about' is the number of a piece.")
            return
        offered = self.table.rules.offers(self.link.view, about)
        self._send("offers", request, commands=[plain(command) for command in offered])

    def _on_act(self, message: dict[str, Any], request: Any) -> None:
        if not self._ready:
            self._error(request, "NOT_READY", "Say ready first.")
            return
        wanted = message.get("command")
        line = wanted if isinstance(wanted, str) else msgspec.json.encode(wanted).decode()
        reply = self.link.answer(line)
        if not reply.ok:
            self._error(request, reply.code, reply.text, reply.rule)
            return
        self._send("done", request)
        self._go_on()

    def _on_bye(self, _message: dict[str, Any], request: Any) -> None:
        self._send("bye", request, reason="you left")
        self._done = True

    def _on_news(self, news: News) -> None:
        if not self._ready:
            return
        if news.change == "rewound":
            self._on_state({}, None)
            return
        events = [plain(event) for event in news.events]
        self._send("events", count=news.count, events=events)

    def _go_on(self) -> None:
        """Let the others play, then say whose turn it is, or that the game is over."""
        refused = 0
        while (seat := self._other_to_act()) is not None:
            refused = 0 if self._plan(seat) else refused + 1
            if refused >= MOST_REFUSALS:
                self._send("bye", reason=f"the computer player of seat {seat} is stuck")
                self._done = True
                return
        outcome = self.table.rules.outcome(self.table.game.state)
        if outcome is not None:
            won = self.seat in outcome.winners
            self._send("bye", reason=outcome.reason, winners=list(outcome.winners), won=won)
            self._done = True
        elif self.seat in self.table.rules.owes(self.table.game.state):
            self._send("turn", seat=self.seat)

    def _other_to_act(self) -> Seat | None:
        owing = sorted(self.table.rules.owes(self.table.game.state) - {self.seat})
        return owing[0] if owing and self.seat not in self._owing() else None

    def _owing(self) -> frozenset[Seat]:
        return self.table.rules.owes(self.table.game.state)

    def _plan(self, seat: Seat) -> bool:
        game, rules = self.table.game, self.table.rules
        level, seed = self.table.player(seat).bot, self.table.header.seed
        accepted = False
        for command in think(rules, level, game.view(seat), seat, seed, len(game.log)):
            if not self.table.submit(seat, write(command)).ok:
                break
            accepted = True
            if seat not in self._owing():
                break
        return accepted

    def _error(self, request: Any, code: str, text: str, rule: str = "") -> None:
        self._send("error", request, code=code, text=text, rule=rule)

    def _send(self, kind: str, request: Any = None, **fields: Any) -> None:
        told: dict[str, Any] = {"type": kind}
        if request is not None:
            told["id"] = request
        self.out.write(msgspec.json.encode({**told, **fields}).decode() + "\n")
        self.out.flush()
