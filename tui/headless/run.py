"""``banneret run``: play a script and answer in JSON lines."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final, TextIO

from engine.core.archive import Archive
from engine.core.codec import encode_json, plain, plain_json
from engine.core.feed import changes
from engine.core.game import Bug
from engine.core.ids import HOUSE, Seat, viewer_name
from engine.core.link import Reply
from engine.core.options import OptionFault, parse_options
from engine.core.printable import BYTE_ORDER_MARK, harmless
from engine.core.ruleset import ScenarioFault
from tui.console.exits import Exit, Wrong
from tui.console.files import opened, unusable
from tui.play.players import LONGEST, PlanLimits, carry_out
from tui.play.scenarios import find_rules, resolve_scenario, with_seats
from tui.play.seats import (
    acting_seat,
    header_of,
    left_out,
    players_of,
    seat_name,
    seat_named,
    who_played,
)
from tui.play.table import OnBug, Table, save_at
from tui.replay.query import BadQuery
from tui.replay.stops import PostMortem, Stops, StopWatch, never, stops_of

HOUSE_WORD = viewer_name(HOUSE)
"""Prefix of a line that acts for the house, unless a seat has this name."""

_ALWAYS_SAID: Final = frozenset({"refused", "stopped", "never", "bundle"})

_JOINTS: Final = re.compile(r"[\s_-]+")
"""Characters between the words of a name."""

Say = Callable[[dict[str, Any]], None]


class Stopped(Exception):
    """A query of ``--stop-when`` or ``--always`` ended the game."""


def main(
    args: argparse.Namespace, archive: Archive, on_bug: OnBug, post_mortem: PostMortem
) -> Exit:
    """Play a script; ``post_mortem`` saves a bundle of the game if a promise was broken.

    With ``--post-mortem`` a fault of the rules saves a bundle too.

    Raises:
        Wrong: the input is wrong.
        Stuck: computer players do not bring the game to its end.
        SaveFault: the save cannot be written.
    """
    rules = find_rules(args.ruleset)
    scenario = resolve_scenario(rules, args.scenario)
    players = players_of(rules, scenario, args.seat, args.seats)
    if remark := left_out(rules, scenario, len(players)):
        sys.stderr.write(f"banneret run: {harmless(remark)}\n")
    scenario = with_seats(rules, scenario, players)
    header = header_of(rules, scenario, players, args.seed)
    script = sys.stdin if args.script == "-" else _opened(args.script)
    try:
        options = parse_options(args.option)
        with save_at(archive, args.output, header) as file:
            if file is not None:
                file.patient = True
            faults: list[Bug] = []

            def told(bug: Bug) -> None:
                on_bug(bug)
                faults.append(bug)

            table = Table.begin(rules, scenario, options, header, file=file, on_bug=told)
            run = ScriptRun(table, _sayer(sys.stdout, quiet=args.quiet), args.longest)
            watch = run.watch(stops_of(args))
            ended = run.play(script, keep_going=args.keep_going)
            broken = watch is not None and watch.found is not None and watch.found.is_broken
            if broken or (faults and args.post_mortem):
                run.say({"bundle": post_mortem(header, table.game.log)})
            if args.state:
                sys.stdout.write(encode_json(rules.position(table.game.state)).decode() + "\n")
    except (OptionFault, ScenarioFault) as fault:
        raise Wrong(str(fault)) from None
    except UnicodeDecodeError:
        raise Wrong(f"{args.script}: no UTF-8 text") from None
    finally:
        if script is not sys.stdin:
            script.close()
    if len(args.seat) < len(players):
        sys.stderr.write(f"banneret run: {harmless(who_played(players))}\n")
    return ended


def _opened(path: str) -> TextIO:
    try:
        return TextIOWrapper(opened(Path(path)), encoding="utf-8-sig")
    except (OSError, ValueError) as problem:
        raise unusable(path, problem) from None


def _sayer(out: TextIO, *, quiet: bool) -> Say:
    def say(told: dict[str, Any]) -> None:
        if not quiet or told.keys() & _ALWAYS_SAID:
            out.write(encode_json(told).decode() + "\n")

    return say


class ScriptRun:
    """A script in play at a table; computer players act automatically."""

    def __init__(self, table: Table, say: Say, longest: int = LONGEST) -> None:
        """Play at a table.

        ``say`` gets one JSON object per answer, ``longest`` is as in ``PlanLimits``.
        """
        self.table = table
        self.say = say
        self.longest = longest
        self._watch: StopWatch | None = None

    def watch(self, stops: Stops) -> StopWatch | None:
        """Watch the game for stops from its beginning; return None if ``stops`` has no query.

        Raises:
            Wrong: a query cannot be parsed.
        """
        if stops.is_empty:
            return None
        game = self.table.game
        try:
            self._watch = watch = StopWatch(game.rules, self.table.seat_names, stops)
        except BadQuery as bad:
            raise Wrong(str(bad)) from None
        for change in changes(game.rules, game.log.line()):
            watch.take(change)
        game.listen(watch.take)
        return watch

    def play(self, script: Iterable[str], *, keep_going: bool = False) -> Exit:
        """Execute every line of a script, and let computer players act before and after each.

        Stop at the first refused line unless ``keep_going`` is set; return the exit code.
        """
        try:
            ended = self._played(script, keep_going=keep_going)
        except Stopped:
            ended = self._stop()
        if self._watch is not None:
            self.say({"never": never(self._watch.stops, self._watch.seen)})
        outcome = self.table.rules.outcome(self.table.game.state)
        if outcome is not None:
            winners = [seat_name(self.table.seat_names, seat) for seat in outcome.winners]
            self.say({"over": {"reason": outcome.reason, "winners": winners}})
        self._sync()
        return ended

    def _played(self, script: Iterable[str], *, keep_going: bool) -> Exit:
        ended = Exit.OK
        self._computers()
        for number, seat, line in self._lines(script):
            if not self._answer(seat, line, {"line": number}).ok:
                ended = Exit.REFUSED
                if not keep_going:
                    break
            self._computers()
        return ended

    def _stop(self) -> Exit:
        """Report the stop that was reached; a broken promise is a failure."""
        assert self._watch is not None  # noqa: S101 - it raised
        found = self._watch.found
        assert found is not None  # noqa: S101 - it is reached
        self.say({"stopped": plain(found)})
        return Exit.REFUSED if found.is_broken else Exit.OK

    def _lines(self, script: Iterable[str]) -> Iterator[tuple[int, Seat, str]]:
        """Yield (line number, seat, command) for each command.

        The seat is the seat or house that the line names, or else the seat that owes an answer.
        """
        for number, text in enumerate(script, 1):
            line = text.removeprefix(BYTE_ORDER_MARK).strip()
            if not line or line.startswith("#"):
                continue
            name, colon, rest = line.partition(":")
            try:
                if colon and self._may_be_seat(name.strip()):
                    yield number, self._named(name.strip()), rest.strip()
                else:
                    acting = acting_seat(self._names, self.table.owes)
                    yield number, acting or 0, line
            except Wrong as wrong:
                raise Wrong(f"line {number}: {wrong}") from None

    def _named(self, name: str) -> Seat:
        """Return the number of a seat or the house.

        Raises:
            Wrong: there is none with that name.
        """
        names = self._names
        if name.casefold() == HOUSE_WORD and HOUSE_WORD not in map(str.casefold, names):
            return HOUSE
        return seat_named(names, name)

    @property
    def _names(self) -> tuple[str, ...]:
        """Names of the seats that have a player."""
        return self.table.seat_names[: 1 + max(player.seat for player in self.table.players)]

    def _may_be_seat(self, name: str) -> bool:
        """Return whether a word before a colon can be a seat; a command in JSON has colons too."""
        known = {one.casefold() for one in self.table.seat_names}
        is_name = all(part.isalnum() for part in _JOINTS.split(name))
        return is_name or name.casefold() in known

    def _answer(self, seat: Seat, line: str, head: dict[str, Any]) -> Reply:
        game = self.table.game
        if self._watch is not None and self._watch.found is not None:
            raise Stopped
        known = len(game.log)
        reply = self.table.carry_out(seat, line)
        told: dict[str, Any] = {**head, "seat": seat_name(self.table.seat_names, seat)}
        if not reply.ok:
            refused = {"code": reply.code, "text": reply.text, "rule": reply.rule}
            self.say({**told, "refused": refused})
            return reply
        if len(game.log) > known:
            entry = game.log[known]
            told.update(
                entry=entry.seq, command=plain(entry.command), events=plain_json(entry.events)
            )
        else:
            told.update(head=game.head)
        self.say(told)
        return reply

    def _computers(self) -> None:
        """Let computer players play while one of them owes an answer."""
        limits, played = PlanLimits(self.longest), False
        while (seat := self._computer_to_act()) is not None:
            played = True
            carry_out(self.table, seat, limits, self._computed)
        if played:
            self._sync()

    def _computed(self, seat: Seat, line: str) -> Reply:
        return self._answer(seat, line, {"bot": self.table.player(seat).bot})

    def _computer_to_act(self) -> Seat | None:
        if self._watch is not None and self._watch.found is not None:
            raise Stopped
        owing = sorted(self.table.rules.owes(self.table.game.state))
        return next((seat for seat in owing if self.table.player(seat).bot), None)

    def _sync(self) -> None:
        if self.table.file is not None:
            self.table.file.sync()
