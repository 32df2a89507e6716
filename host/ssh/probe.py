"""Terminal capabilities: the terminal is queried; its name counts only if it does not answer.

Terminals answer queries in bytes that arrive like keys, in the order of the queries. All terminals
answer the last query, so that a person never waits longer than a round trip.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeVar

from engine.tabletop.board import GlyphSet
from host.ssh.wire import Wire, read_typed
from tui.terminal.capabilities import Depth, Terminal, detect, terminfo_colours
from tui.terminal.input_units import UnitReader

WAIT: Final = 2.0
"""Seconds for a terminal to answer, also over a slow line."""

WAIT_FOR_A_PERSON: Final = 60.0
"""Seconds for a person to answer."""

LONGEST_NAME: Final = 64

_MOST_TYPED: Final = 4096
"""Maximum bytes kept of input during the query."""

_QUESTIONS: Final = (
    "\r\xe9\x1b[6n"  # cursor position after one letter of two bytes (UTF-8)
    "\r\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[0m"  # is the background exactly this colour?
    "\x1b[>0q"  # name and version
    "\x1b[c"  # device attributes, which all terminals answer
).encode()

_WIPE: Final = b"\r\x1b[0m\x1b[2K"

ANSWER: Final = re.compile(
    rb"\x1b\[(?P<row>\d{1,5});(?P<column>\d{1,5})R"
    rb"|\x1bP(?P<ok>[01])\$r(?P<pen>[\d;:]{0,64})m?\x1b\\"
    rb"|\x1bP>\|(?P<version>[^\x1b]{0,128})\x1b\\"
    rb"|\x1b\[\?(?P<device>[\d;]{0,64})c"
)

"""Replies of terminals; no key sends anything like them."""

_BEGUN: Final = re.compile(rb"\x1b(?:\[[?\d;]{0,70}|P[^\x1b]{0,140}\x1b?)?\Z")
"""Start of an incomplete reply."""

_COLOUR: Final = re.compile(rb"48[;:]2[;:]{1,2}1[;:]2[;:]3")

_ANY_COLOUR: Final = (
    "alacritty",
    "contour",
    "foot",
    "ghostty",
    "iterm2",
    "kitty",
    "konsole",
    "mintty",
    "wezterm",
)
"""Starts of the version strings of terminals with direct colour."""

_DEPTHS: Final[Mapping[bytes, Depth]] = {b"1": "truecolor", b"2": "256", b"3": "16"}
_SIGNS: Final[Mapping[bytes, GlyphSet]] = {b"1": "rich", b"2": "box", b"3": "ascii"}

_T = TypeVar("_T")


class Remembered(NamedTuple):
    """Earlier answers of a person about a terminal; empty for questions that were not asked."""

    depth: Depth | Literal[""] = ""
    glyphs: GlyphSet | Literal[""] = ""


class TerminalReplies(NamedTuple):
    """Replies of a terminal."""

    is_terminal: bool = False
    """True if it replied at all."""
    is_done: bool = False
    """True after the last reply."""
    is_utf8: bool | None = None
    any_colour: bool | None = None
    version: str = ""


class Probed(NamedTuple):
    """Result of a probe."""

    terminal: Terminal
    remembered: Remembered
    """Answers to store for the next connection."""


async def probe(wire: Wire, name: str, remembered: Remembered | None = None) -> Probed:
    """Query a terminal for its capabilities; keys typed in the meantime are kept.

    Args:
        wire: the connection to it.
        name: its name, as in ``TERM``; used only if the terminal does not answer.
        remembered: earlier answers of its person.
    """
    known = remembered or Remembered()
    name = re.sub(r"[^A-Za-z0-9.+_-]", "", name[:LONGEST_NAME])
    named = await _named(name)
    if name in {"", "dumb", "unknown"}:
        return Probed(named._replace(usable=False), known)
    answers = await _ask_terminal(wire)
    if not answers.is_terminal and named.depth == "none":
        return Probed(named._replace(usable=False), known)
    if answers.is_terminal:
        known = await _ask_person(wire, named, answers, known)
    return Probed(_judged(named, answers, known), known)


async def _named(name: str) -> Terminal:
    """Return the capabilities by the terminal's name alone; runs a program, so in a thread."""
    return await asyncio.to_thread(detect, {"TERM": name}, terminfo_colours, "utf-8")


def _judged(named: Terminal, answers: TerminalReplies, known: Remembered) -> Terminal:
    depth, depth_from = named.depth, named.depth_from
    if known.depth:
        depth, depth_from = known.depth, "you said so"
    elif answers.any_colour:
        depth, depth_from = "truecolor", "the terminal answered so"
    elif answers.any_colour is False and depth == "truecolor":
        depth, depth_from = "256", "the terminal answered so"
    glyphs, glyphs_from = named.glyphs, named.glyphs_from
    if known.glyphs:
        glyphs, glyphs_from = known.glyphs, "you said so"
    elif answers.is_utf8 is False:
        glyphs, glyphs_from = "ascii", "the terminal does not take UTF-8"
    elif answers.is_utf8:
        glyphs_from = "the terminal takes UTF-8"
    return named._replace(
        depth=depth, depth_from=depth_from, glyphs=glyphs, glyphs_from=glyphs_from, usable=True
    )


# -- asking the terminal ---------------------------------------------------------------------------


async def _ask_terminal(wire: Wire) -> TerminalReplies:
    wire.write(_QUESTIONS)
    answers, waiting, typed = TerminalReplies(), b"", b""
    try:
        async with asyncio.timeout(WAIT):
            while not answers.is_done:
                data = await wire.read()
                if not data:
                    break
                answers, keys, waiting = sorted_out(waiting + data, answers)
                typed += keys
    except TimeoutError:
        pass
    wire.write(_WIPE)
    wire.unread((typed + waiting)[:_MOST_TYPED])
    return answers


def sorted_out(data: bytes, answers: TerminalReplies) -> tuple[TerminalReplies, bytes, bytes]:
    """Separate replies of a terminal from typed keys.

    Returns:
        Replies so far, typed bytes, and the start of an incomplete reply.
    """
    typed, at = b"", 0
    for found in ANSWER.finditer(data):
        typed += data[at : found.start()]
        at = found.end()
        answers = _with(answers, found)
    rest = data[at:]
    begun = _BEGUN.search(rest)
    if begun is None:
        return answers, typed + rest, b""
    return answers, typed + rest[: begun.start()], rest[begun.start() :]


def _with(answers: TerminalReplies, found: re.Match[bytes]) -> TerminalReplies:
    """Return the replies with the one that ``found`` matches."""
    answers = answers._replace(is_terminal=True)
    if found["column"] is not None:
        return answers._replace(is_utf8={2: True, 3: False}.get(int(found["column"])))
    if found["ok"] is not None:
        told = bool(_COLOUR.search(found["pen"])) if found["pen"] else None
        return answers._replace(any_colour=told)
    if found["version"] is not None:
        version = found["version"].decode("ascii", "replace").lower()
        if version.startswith(_ANY_COLOUR):
            answers = answers._replace(any_colour=True)
        return answers._replace(version=version)
    return answers._replace(is_done=True)


# -- asking the person -----------------------------------------------------------------------------


async def _ask_person(
    wire: Wire, named: Terminal, answers: TerminalReplies, known: Remembered
) -> Remembered:
    """Ask the person about anything that is still unknown; the default follows from the name."""
    if answers.any_colour is None and not known.depth:
        lines = ("Which of these lines is a smooth ramp from dark to light?", *_ramps())
        known = known._replace(depth=await _choice(wire, lines, _DEPTHS) or named.depth)
    if answers.is_utf8 is None and not known.glyphs:
        lines = ("Which of these lines can you read?", "1  \u265c \u2654 \u2691", *_simple())
        known = known._replace(glyphs=await _choice(wire, lines, _SIGNS) or "ascii")
    return known


def _ramps() -> tuple[str, ...]:
    """Return grey ramps of fewer and fewer colours; the first smooth one is the best depth."""
    many = "".join(f"\x1b[48;2;{n * 8};{n * 8};{n * 8}m " for n in range(32))
    some = "".join(f"\x1b[48;5;{232 + n * 3 // 4}m " for n in range(32))
    few = "".join(f"\x1b[{code}m        " for code in (40, 100, 47, 107))
    return f"1  {many}\x1b[0m", f"2  {some}\x1b[0m", f"3  {few}\x1b[0m"


def _simple() -> tuple[str, ...]:
    return "2  \u2500\u2502\u2588", "3  neither"


async def _choice(wire: Wire, lines: Sequence[str], choices: Mapping[bytes, _T]) -> _T | None:
    """Show lines, read a key and clear them again; return None without a choice."""
    shown = "\r\n".join([*lines, "Press 1, 2 or 3; any other key if you cannot tell: "])
    wire.write(shown.encode())
    answer = None
    try:
        async with asyncio.timeout(WAIT_FOR_A_PERSON):
            typed = (await read_typed(wire, UnitReader())).encode()
            answer = choices.get(typed[:1])
            wire.unread(typed[1:])
    except TimeoutError:
        pass
    wire.write(f"\r\x1b[0m\x1b[{len(lines)}A\x1b[J".encode())
    return answer
