"""``ssh HOST debug GAME VERB``: the debugger's verbs for players and spectators of a game.

While a game is in progress, a seat gets answers from its own feed only, as the line is built from
its views. When the game is over, everything may be asked. No verb reads another file, starts a
process or writes anything.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from typing import Final

from engine.core.ids import REFEREE
from host.ssh.calls import Call, CallDenied, not_yours, viewer_told
from host.ssh.text import lines_from
from study.debug.debugger import Answer, Debugger
from study.debug.verbs import REMOTE, answers, help_text, split, take_options
from tui.console.commands import HelpRequest
from tui.console.exits import Exit, Wrong

_LONGEST: Final = 1_000
"""Maximum characters of a line of input."""

_MOST: Final = 20_000
"""Maximum lines of an answer."""


async def debug(call: Call) -> Exit:
    """``debug``: answer verbs of the debugger, one, or one per line of input."""
    take_options(call.args)
    call.out.only_ascii = call.args.ascii
    hosted = await call.hosted()
    with call.place(hosted) as place:
        viewer = REFEREE
        if not place.is_over or call.args.seat is not None:
            viewer = await viewer_told(call, hosted, place)
        try:
            if viewer != REFEREE:
                await hosted.prepare(viewer)
            recorded = place.chronicle(viewer).recorded()
        except PermissionError:
            raise CallDenied(not_yours(hosted, viewer)) from None
        is_running = not place.is_over
    bench = await asyncio.to_thread(Debugger, recorded, viewer, is_running=is_running)
    bench.ascii_only = call.out.only_ascii
    if call.args.verb:
        await _answered(call, bench, call.args.verb)
        return Exit.OK
    return await _asked(call, bench)


async def _asked(call: Call, bench: Debugger) -> Exit:
    """Answer lines of input until they end or a line is ``quit``."""
    code = Exit.OK
    async for line in lines_from(call.process.stdin, _LONGEST):
        await call.paced()
        at = bench.at
        try:
            words = split(line or "")
            if words[:1] in (["quit"], ["q"]):
                break
            if words:
                await _answered(call, bench, words)
        except Wrong as wrong:
            bench.at, code = at, Exit.REFUSED
            await call.err.say(str(wrong))
    return code


async def _answered(call: Call, bench: Debugger, words: Sequence[str]) -> None:
    """Send the answers of a verb, which are computed in a thread.

    Raises:
        Wrong: it cannot be read or answered.
    """
    as_json = call.args.json or "--json" in words
    words = [word for word in words if word != "--json"]
    if words[:1] == ["help"]:
        await call.out.write(help_text(words[1:], REMOTE))
        return
    if words and words[0] not in REMOTE:
        raise Wrong(f"{shlex.quote(words[0][:30])} is no verb of a host; see debug GAME help")
    try:
        found = await asyncio.to_thread(_found, bench, words)
    except HelpRequest as told:
        await call.out.write(str(told))
        return
    lines = [answer.json() if as_json else answer.text for answer in found]
    await call.out.say_all(lines, as_json=as_json)


def _found(bench: Debugger, words: Sequence[str]) -> list[Answer]:
    out: list[Answer] = []
    for answer in answers(bench, words):
        out.append(answer)
        if len(out) == _MOST:
            out.append(Answer(f"... and more; only {_MOST} lines are sent"))
            break
    return out
