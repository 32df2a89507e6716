"""``banneret bot``: a game served to a program on standard input and output.

One JSON object a line, both ways. ``docs/protocol.md`` is the full description.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator
from typing import TextIO

from engine.core.archive import Archive, SaveFault
from engine.core.ids import Seat
from engine.core.options import OptionFault, parse_options
from engine.core.ruleset import ScenarioFault
from tui.console.exits import Exit, Stuck, Wrong
from tui.headless.bot_messages import LONGEST, Message, Talk
from tui.play.players import PlanLimits, carry_out
from tui.play.scenarios import find_rules, resolve_scenario, seated
from tui.play.seats import header_of, players_of, seat_name, seat_named
from tui.play.table import OnBug, Table, save_at


def main(args: argparse.Namespace, archive: Archive, on_bug: OnBug) -> Exit:
    """Serve a game to the program at the other end.

    Raises:
        Wrong: the arguments are wrong.
        SaveFault: the save cannot be written.
    """
    rules = find_rules(args.ruleset)
    scenario = resolve_scenario(rules, args.scenario)
    seat = seat_named(rules.seat_names(scenario), args.seat) if args.seat else 0
    opponent = args.opponent or f"bot:{next(iter(rules.bots))}"
    others = [other for other in range(rules.room(scenario)[0]) if other != seat]
    players = players_of(rules, scenario, [f"{other}={opponent}" for other in others])
    scenario = seated(rules, scenario, players)
    header = header_of(rules, scenario, players, args.seed)
    try:
        options = parse_options(args.option)
        with save_at(archive, args.save, header) as file:
            table = Table.begin(rules, scenario, options, header, file=file, on_bug=on_bug)
            server = Server(table, seat, sys.stdout)
            return server.serve(lines_of(_forgiving(sys.stdin)))
    except (OptionFault, ScenarioFault) as fault:
        raise Wrong(str(fault)) from None


def _forgiving(stream: TextIO) -> TextIO:
    """A stream of UTF-8 that marks bytes which are none, rather than end over them."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    return stream


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
        names = [seat_name(table.seat_names, player.seat) for player in table.players]
        self.talk = Talk(table.rules, seat, names, lambda: self.link.view, self._send)
        self._began = False

    def serve(self, lines: Iterator[str | None]) -> Exit:
        """Talk until the game is over and the program leaves, or it just leaves.

        Raises:
            SaveFault: what a computer player does cannot be kept. Goodbye was said.
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
        """Let the others play, then say whose turn it is, or that the game is over."""
        limits = PlanLimits()
        try:
            while (seat := self._other_to_act()) is not None:
                carry_out(self.table, seat, limits, self.table.carry_out)
        except Stuck as stuck:
            self.talk.leave(str(stuck))
            return
        outcome = self.table.rules.outcome(self.table.game.state)
        if outcome is not None:
            self.talk.over(outcome)
        elif self.seat in self._owing():
            self.talk.turn()

    def _other_to_act(self) -> Seat | None:
        owing = sorted(self._owing() - {self.seat})
        return owing[0] if owing and self.seat not in self._owing() else None

    def _owing(self) -> frozenset[Seat]:
        return self.table.rules.owes(self.table.game.state)

    def _send(self, message: Message) -> None:
        self.out.write(message() + "\n")
        self.out.flush()
