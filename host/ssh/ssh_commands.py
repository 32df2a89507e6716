"""``ssh HOST COMMAND``: the commands of a host without a screen."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

import asyncssh

from engine.core.archive import SaveFault
from engine.core.codec import encode_json
from engine.core.ids import REFEREE
from engine.core.link import FeedItem
from engine.core.options import OptionFault, parse_options
from engine.core.printable import composed
from engine.core.refused import Refused
from engine.core.replay import BrokenLog
from engine.core.ruleset import ScenarioFault
from engine.tabletop.new_game import level_of, listed_levels
from engine.tabletop.presenter import presenter_of
from host.server.clocks import Terms, in_words
from host.server.game_server import GameServer
from host.server.hosted import HostedGame, Participant
from host.server.people import Person
from host.server.ports import GameInfo, Ports, SeatInfo
from host.ssh.calls import (
    Call,
    CallDenied,
    CommandContext,
    Process,
    confirmed,
    help_of,
    not_yours,
    overview,
    parse,
    seat_in,
    stands_in,
    viewer_told,
)
from host.ssh.debugging import debug
from host.ssh.seat_commands import bot, play
from host.ssh.text import Backlog, Gone, LineWriter, TooSlow, first_of
from tui.console.commands import HelpRequest
from tui.console.exits import Exit, Wrong
from tui.play.scenarios import find_rules
from tui.play.setup import NewGame, chosen_scenario, wanted_players

_SLOW = "you read too slowly, so this ends here"


async def run(
    command: str,
    person: Person,
    game_server: GameServer,
    ports: Ports,
    process: Process,
    context: CommandContext,
) -> int:
    """Run a command, and return its exit code, as in ``tui.console.exits``.

    Never raises: every fault becomes one line on the error stream.
    """
    has_terminal = process.get_terminal_type() is not None
    out, err = (
        LineWriter(stream, has_terminal=has_terminal) for stream in (process.stdout, process.stderr)
    )
    call = Call(argparse.Namespace(), person, game_server, ports, process, context, out, err)
    try:
        return int(await _carried_out(command, call))
    except Gone:
        return int(Exit.INTERRUPTED)
    except TooSlow:
        context.note("slow-reader", " ".join(command.split()[:2])[:80])
        return _cut_off(process)
    except Exception as problem:  # noqa: BLE001 - a fault here must not reach the other end
        problem.add_note(f"{person.name}: {' '.join(command.split()[:2])[:80]}")
        text, code = _told(problem, context)
        with contextlib.suppress(Gone, TooSlow):
            await err.say(f"banneret: {' '.join(text.split())}")
        return int(code)


async def _carried_out(command: str, call: Call) -> Exit:
    try:
        args = parse(command)
    except HelpRequest as told:
        await call.out.write(str(told))
        return Exit.OK
    call.out.only_ascii = getattr(args, "ascii", False)
    return await HANDLERS[args.command](replace(call, args=args))


def _told(problem: Exception, context: CommandContext) -> tuple[str, Exit]:
    """Return message and exit code of a problem; internal faults are logged, not shown."""
    match problem:
        case Wrong():
            return str(problem), Exit.USAGE
        case CallDenied():
            return str(problem), Exit.REFUSED
        case SaveFault() | BrokenLog():
            context.fault(problem)
            text = "the save of that game cannot be read or written; the operator is told"
            return text, Exit.DAMAGED
        case _:
            context.fault(problem)
            return "a fault of this host; the operator is told", Exit.REFUSED


def _cut_off(process: Process) -> int:
    """Write a slow reader why the command ends, without waiting for it."""
    with contextlib.suppress(OSError, asyncssh.Error):
        process.stderr.write(f"\r\nbanneret: {_SLOW}\r\n".encode())
    return int(Exit.REFUSED)


# -- commands that show ---------------------------------------------------------------------------


async def about(call: Call) -> Exit:
    """``help``: list all commands, or explain one."""
    text = help_of(call.args.about) if call.args.about else overview()
    await call.out.write(text)
    return Exit.OK


async def status(call: Call) -> Exit:
    """``status``: print version, uptime, people, games."""
    found, games = call.context.status(), call.game_server.games()
    stages = [game.stage for game in games]
    counted = {stage: stages.count(stage) for stage in ("open", "running", "finished")}
    if call.args.json:
        told = {
            "version": found.version,
            "uptime": int(found.uptime),
            "sessions": found.sessions,
            "people": list(found.people),
            "games": counted,
        }
        await call.out.say_json(encode_json(told).decode())
        return Exit.OK
    up = datetime.timedelta(seconds=int(found.uptime))
    await call.out.say(
        f"version   {found.version}",
        f"up        {up}",
        f"sessions  {found.sessions}",
        f"here      {', '.join(found.people) or 'nobody'}",
        f"games     {', '.join(f'{count} {stage}' for stage, count in counted.items())}",
    )
    return Exit.OK


async def whoami(call: Call) -> Exit:
    """``whoami``: print account and seats."""
    person, name = call.person, call.game_server.current_name(call.person)
    if person.is_guest:
        may = "" if person.may_play else "; you may only watch"
        await call.out.say(f"{name}: a guest, without an account{may}")
        return Exit.OK
    admin = ", administrator" if person.is_admin else ""
    await call.out.say(f"{name}: account {person.number}{admin}")
    for info in call.game_server.games():
        names = [one.name for one in info.seats if one.seat in call.own_seats(info)]
        if names:
            await call.out.say(f"game {info.number}, {info.name}: {', '.join(names)}")
    return Exit.OK


async def games(call: Call) -> Exit:
    """``games``: list all games, or some of them."""
    found = [info for info in call.game_server.games() if _is_wanted(call, info)]
    if call.args.json:
        await call.out.say_json(encode_json(found).decode())
        return Exit.OK
    if not found:
        await call.out.say("There is none.")
    for info in found:
        await call.out.say(*_listed(info))
    return Exit.OK


def _listed(info: GameInfo) -> Iterator[str]:
    """Yield a game and its seats as lines of a list; nothing is known of a lost game's watchers."""
    title = f": {info.title}" if info.title != info.name else ""
    stage = info.round if info.is_lost else info.stage
    clock = f" {info.clock}." if info.clock else ""
    yield f"{info.number}  {info.name}{title}; {stage}. {_sentence(info)}{clock}"
    watching = "" if info.is_lost else f"{info.watchers} watching"
    if seats := "; ".join(filter(None, (", ".join(map(_seat, info.seats)), watching))):
        yield f"   {seats}"


async def dump(call: Call) -> Exit:
    """``dump``: print the game as the person's seat saw it, or everything once it is over."""
    hosted = await call.hosted()
    with call.place(hosted) as place:
        lines = await _dumped(call, hosted, place)
    await call.out.say_all(lines, as_json=call.args.json)
    return Exit.OK


async def _dumped(call: Call, hosted: HostedGame, place: Participant) -> Iterator[str]:
    ports, as_json = call.ports, call.args.json
    if place.is_over and call.args.seat is None:
        return (ports.dump_json if as_json else ports.dump)(hosted.opened(), REFEREE)
    viewer = await viewer_told(call, hosted, place)
    try:
        chronicle = place.chronicle(viewer)
    except PermissionError:
        raise CallDenied(not_yours(hosted, viewer)) from None
    return chronicle.as_json() if as_json else chronicle.as_text()


async def save(call: Call) -> Exit:
    """``save``: send the file of a finished game."""
    hosted = await call.hosted()
    if call.has_terminal:
        raise CallDenied(f"This is a file: ssh HOST save {hosted.number} > game.bnr (without -t)")
    try:
        opened = await asyncio.to_thread(hosted.opened)
    except PermissionError:
        raise CallDenied(
            f"Game {hosted.number} is still played, and its file holds what nobody may know yet;"
            f" what you may know has: ssh HOST dump {hosted.number}"
        ) from None
    await call.out.write_bytes(await asyncio.to_thread(call.ports.raw, opened.name))
    return Exit.OK


async def watch(call: Call) -> Exit:
    """``watch``: print events of a game until it is over or the watcher leaves."""
    hosted = await call.hosted()
    with call.presence(hosted) as place:
        await _watch(call, hosted, place)
    return Exit.OK


async def _watch(call: Call, hosted: HostedGame, place: Participant) -> None:
    viewer = await viewer_told(call, hosted, place)
    try:
        await hosted.prepare(viewer)
        link = place.link(viewer)
        before = place.chronicle(viewer).as_text() if call.args.from_start else None
    except PermissionError:
        raise CallDenied(not_yours(hosted, viewer)) from None
    news = _Ticker(hosted, call.context.most_waiting)
    stops = link.feed(news.hear), hosted.on_change(news.look_for_pause)
    try:
        await call.out.say(f"{hosted.header.title}. {_sentence(hosted.info)}")
        if before is not None:
            await call.out.say_all(before)
        if place.is_over:
            news.end()
        await first_of(_pump(news.backlog, call.out), news.backlog.overflow(), call.left())
    finally:
        for stop in stops:
            stop()


class _Ticker:
    """Prints the feed of a game as lines of text."""

    def __init__(self, hosted: HostedGame, most: int) -> None:
        self.backlog: Backlog[str] = Backlog(most)
        self._presenter = presenter_of(hosted.rules)
        self._hosted = hosted
        self._paused = hosted.info.paused

    def look_for_pause(self) -> None:
        before, self._paused = self._paused, self._hosted.info.paused
        if self._paused != before:
            self.backlog.put(f"Paused {self._paused}." if self._paused else "The game goes on.")

    def hear(self, news: FeedItem) -> None:
        if news.change == "rewound":
            self.backlog.put("Taken back.")
        for event, _, after in news.steps(None):
            for line in self._presenter.tell(event, after):
                self.backlog.put(line.text)
        if self._presenter.status(news.view).over:
            self.end()

    def end(self) -> None:
        self.backlog.put("The game is over.")
        self.backlog.close()


async def _pump(backlog: Backlog[str], out: LineWriter) -> None:
    while lines := await backlog.get():
        await out.say(*lines)


def _is_wanted(call: Call, info: GameInfo) -> bool:
    if call.args.mine and not call.own_seats(info):
        return False
    return not call.args.open or info.stage == "open"


def _sentence(info: GameInfo) -> str:
    """Return the status of a game, and of its pause if any, in sentences."""
    paused = f" Paused {info.paused}." if info.paused else ""
    return f"{info.status.rstrip('.')}.{paused}"


def _seat(one: SeatInfo) -> str:
    if one.bot:
        who = f"computer, {listed_levels([one.bot])}" + (
            f", for {one.person}" if one.person else ""
        )
    else:
        who = one.person or "free"
    here = ", here" if one.is_here else ""
    left = f", {in_words(one.left)} left" if one.left is not None else ""
    return f"{one.name}: {who}{here}{', to act' if one.owes else ''}{left}"


# -- commands that change something ---------------------------------------------------------------


LONGEST_NAME: Final = 60
"""Maximum characters of a game's name."""

_NO_NAME = re.compile(r"[^\w .+()'-]")


async def new(call: Call) -> Exit:
    """Begin a game, for ``new``."""
    call.check_may_play()
    if call.person.is_guest:
        raise CallDenied("A guest's game goes with the connection; begin it on a screen: ssh -t")
    try:
        start = await asyncio.to_thread(start_of, call.args)
        hosted = await call.game_server.begin(call.person, start, terms_of(call.args))
    except (OptionFault, ScenarioFault, LookupError) as fault:
        raise Wrong(_text(fault)) from None
    except Refused as refused:
        raise CallDenied(refused.text) from None
    info = hosted.info
    own = call.own_seats(info)
    seats = "; ".join(f"{one.name}: {_holder(one, is_own=one.seat in own)}" for one in info.seats)
    await call.out.say(
        f"Game {info.number}, {info.name}: {info.title}; {info.stage}.", f"   {seats}"
    )
    return Exit.OK


def _holder(one: SeatInfo, *, is_own: bool) -> str:
    """Return the holder of a seat of a new game, in words."""
    if one.bot:
        return f"computer, {listed_levels([one.bot])}"
    return "you" if is_own else "open for a person"


async def sit(call: Call) -> Exit:
    """``sit``: take a seat."""
    call.check_may_play()
    hosted = await call.hosted()
    seat = seat_in(hosted.info, " ".join(call.args.seat))
    _check(await hosted.sit(call.person, seat))
    await call.out.say(f"You play {confirmed(hosted.info, seat)} in game {hosted.number}.")
    return Exit.OK


async def stand(call: Call) -> Exit:
    """``stand``: give a seat up, or let a computer play it for now."""
    hosted = await call.hosted()
    seat = seat_in(hosted.info, " ".join(call.args.seat))
    level = _level(call.args.level, hosted.rules.bots)
    _check(await hosted.stand(call.person, seat, level))
    if level:
        one = next(one for one in hosted.info.seats if one.seat == seat)
        await call.out.say(stands_in(hosted, one, level))
    else:
        left = f"{confirmed(hosted.info, seat)} in game {hosted.number}"
        await call.out.say(f"You have left the seat of {left}; whoever comes may take it.")
    if paused := hosted.info.paused:
        await call.out.say(f"Without people the game is paused {paused}.")
    return Exit.OK


async def say(call: Call) -> Exit:
    """``say``: chat in a game."""
    text = " ".join(call.args.text).strip()
    if not text:
        raise Wrong("say what? see help say")
    hosted = await call.hosted()
    _check(call.context.ask("chat"))
    _check(hosted.say(call.person, text))
    return Exit.OK


async def clock(call: Call) -> Exit:
    """``clock``: change the times of a game."""
    call.check_may_play()
    hosted = await call.hosted()
    terms = Terms(call.args.turn, call.args.bank)
    _check(await call.game_server.agree(hosted.number, call.person, terms.turn, terms.bank))
    words = terms.in_words or "no clock"
    await call.out.say(f"Game {hosted.number}, from the next turn of each: {words}.")
    return Exit.OK


async def lab(call: Call) -> Exit:
    """``lab``: print the progress of runs of games between bots on this machine."""
    from study.lab.status import told_status  # noqa: PLC0415 - few hosts are ever asked

    if not call.person.is_admin:
        raise CallDenied("Only administrators may do that.")
    lines = await asyncio.to_thread(told_status, call.args.run, json=call.args.json)
    if call.args.json:
        await call.out.say_json(*lines)
    else:
        await call.out.say(*lines)
    return Exit.OK


async def admin(call: Call) -> Exit:
    """``admin``: run an operator's command."""
    if not call.person.is_admin or call.context.admin is None:
        raise CallDenied("Only administrators may do that.")
    code, lines = await asyncio.to_thread(
        call.context.admin,
        tuple(call.args.words),
        call.game_server.current_name(call.person),
    )
    await (call.out if code == Exit.OK else call.err).say(*lines)
    return code


def start_of(args: argparse.Namespace) -> NewGame:
    """Return the new game that the arguments of ``new`` describe; only shipped scenarios.

    A name is never a path here. Clients cannot choose the seed, or they would know the dice.

    Raises:
        Wrong, OptionFault, LookupError: a parameter is not valid.
    """
    rules = find_rules(args.ruleset)
    scenario = chosen_scenario(rules, args.scenario)
    players = wanted_players(rules, scenario, args.seat, args.seats)
    name = " ".join(_NO_NAME.sub(" ", composed(args.name)).split())[:LONGEST_NAME].strip(" .")
    return NewGame(rules.name, scenario, parse_options(args.option), players, name=name)


def terms_of(args: argparse.Namespace) -> Terms:
    """Return the terms that the arguments of ``new`` describe.

    Raises:
        Wrong: there is no such ruleset, or no such level to replace a player who is late.
    """
    late = _level(args.late, find_rules(args.ruleset).bots)
    return Terms(args.turn, args.bank, late, watched=not args.unwatched)


def _level(word: str, levels: Iterable[str]) -> str:
    """Return the level that a word names; empty for an empty word.

    Raises:
        Wrong: the level does not exist.
    """
    found = level_of(word, levels)
    if word and not found:
        raise Wrong(f"there is no level {word[:30]!r}; known: {listed_levels(levels)}")
    return found


def _check(why_not: str) -> None:
    if why_not:
        raise CallDenied(why_not)


def _text(fault: Exception) -> str:
    """Return the text of a fault, without the quotes of a KeyError."""
    return str(fault.args[0]) if fault.args else str(fault)


HANDLERS: Final[dict[str, Callable[[Call], Awaitable[Exit]]]] = {
    "help": about,
    "status": status,
    "whoami": whoami,
    "games": games,
    "new": new,
    "sit": sit,
    "stand": stand,
    "say": say,
    "clock": clock,
    "play": play,
    "bot": bot,
    "watch": watch,
    "dump": dump,
    "debug": debug,
    "save": save,
    "lab": lab,
    "admin": admin,
}
