"""``ssh HOST COMMAND``: what a host does without a screen."""

from __future__ import annotations

import asyncio
import contextlib
from argparse import Namespace
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

import asyncssh

from engine.core.archive import SaveFault
from engine.core.replay import BrokenLog
from tui.console.commands import HelpRequest
from tui.console.exits import Exit, Wrong
from tui.host.people import Person
from tui.host.ports import House, Ports
from tui.ssh import doing, telling
from tui.ssh.bots import bot
from tui.ssh.calls import Around, Call, No, Process
from tui.ssh.grammar import parse
from tui.ssh.lines import play
from tui.ssh.text import Gone, Teller, TooSlow

_SLOW = "you read too slowly, so this ends here"
_CLOSING: Final = 5.0
"""Seconds that the other end has to take the last of what it was told."""

HANDLERS: Final[dict[str, Callable[[Call], Awaitable[Exit]]]] = {
    "help": telling.about,
    "status": telling.status,
    "whoami": telling.whoami,
    "games": telling.games,
    "new": doing.new,
    "sit": doing.sit,
    "stand": doing.stand,
    "say": doing.say,
    "clock": doing.clock,
    "play": play,
    "bot": bot,
    "watch": telling.watch,
    "dump": telling.dump,
    "save": telling.save,
    "admin": doing.admin,
}


async def run(
    command: str, person: Person, house: House, ports: Ports, process: Process, around: Around
) -> int:
    """Carry out a command; its exit code, as in ``tui.console.exits``.

    Whatever the command says, this does not raise: what is wrong is one line on the error stream.
    """
    has_terminal = process.get_terminal_type() is not None
    out, err = (
        Teller(stream, has_terminal=has_terminal) for stream in (process.stdout, process.stderr)
    )
    call = Call(Namespace(), person, house, ports, process, around, out, err)
    try:
        return int(await _carried_out(command, call))
    except Gone:
        return int(Exit.INTERRUPTED)
    except TooSlow:
        around.note("slow-reader", " ".join(command.split()[:2])[:80])
        return _cut_off(process)
    except Exception as problem:  # noqa: BLE001 - a fault here must not reach the other end
        text, code = _told(problem, around)
        with contextlib.suppress(Gone, TooSlow):
            await err.say(f"banneret: {' '.join(text.split())}")
        return int(code)


async def serve(
    command: str, person: Person, house: House, ports: Ports, process: Process, around: Around
) -> None:
    """Carry out a command and end its channel, also where the other end reads nothing."""
    code = await run(command, person, house, ports, process, around)
    process.exit(code)
    try:
        async with asyncio.timeout(_CLOSING):
            await process.channel.wait_closed()
    except TimeoutError:
        process.channel.abort()


async def _carried_out(command: str, call: Call) -> Exit:
    try:
        args = parse(command)
    except HelpRequest as told:
        await call.out.write(str(told))
        return Exit.OK
    call.out.only_ascii = getattr(args, "ascii", False)
    return await HANDLERS[args.command](replace(call, args=args))


def _told(problem: Exception, around: Around) -> tuple[str, Exit]:
    """What is said of a problem, and the exit code; what is wrong inside is kept, not said."""
    match problem:
        case Wrong():
            return str(problem), Exit.USAGE
        case No():
            return str(problem), Exit.REFUSED
        case SaveFault() | BrokenLog():
            around.fault(problem)
            text = "the save of that game cannot be read or written; the operator is told"
            return text, Exit.DAMAGED
        case _:
            around.fault(problem)
            return "a fault of this host; the operator is told", Exit.REFUSED


def _cut_off(process: Process) -> int:
    """Say why it ends without waiting for whoever reads nothing."""
    with contextlib.suppress(OSError, asyncssh.Error):
        process.stderr.write(f"\r\nbanneret: {_SLOW}\r\n".encode())
    return int(Exit.REFUSED)
