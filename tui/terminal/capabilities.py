"""Capabilities of a terminal, detected from its environment. Knows no widgets, asks nothing.

A player's settings and the command line go before all of this.
"""

from __future__ import annotations

import locale
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple, TextIO, TypeAlias

from engine.tabletop.board import GlyphSet

Depth: TypeAlias = Literal["truecolor", "256", "16", "8", "none"]
Terminfo: TypeAlias = Callable[[str], int | None]
"""Number of colours in the terminal database for a name in ``TERM``; None: it is not there."""

SMALLEST: Final = (40, 16)
"""Columns and rows below which nothing sensible can be drawn."""

USUAL: Final = (80, 24)
"""Columns and rows that everything is made for first."""

WIDE: Final = 120
"""Columns from which on there is room for more than one thing beside another."""

_FORCED: Final[dict[str, Depth]] = {"0": "none", "false": "none", "2": "256", "3": "truecolor"}

_ANY_COLOUR: Final = {
    "alacritty",
    "contour",
    "foot",
    "foot-extra",
    "ghostty",
    "wezterm",
    "xterm-ghostty",
    "xterm-kitty",
}
"""Names in ``TERM`` that only terminals with any colour have."""

_PROGRAMS: Final[dict[str, Depth]] = {
    "Apple_Terminal": "256",
    "ghostty": "truecolor",
    "Hyper": "truecolor",
    "iTerm.app": "truecolor",
    "vscode": "truecolor",
    "WezTerm": "truecolor",
}
"""Names in ``TERM_PROGRAM``."""

_SIXTEEN: Final = ("linux", "xterm", "rxvt", "konsole", "putty", "cygwin")
"""Terminals whose entry in the database says eight although they have bright colours too."""

_UTF8: Final = {"utf8", "utf8mb4"}


class Terminal(NamedTuple):
    """Capabilities that a terminal is trusted with, and what told so."""

    name: str
    """As in ``TERM``."""
    depth: Depth
    depth_from: str
    glyphs: GlyphSet
    glyphs_from: str
    multiplexer: Literal["", "tmux", "screen"]
    """Multiplexer between the program and the terminal a person sees."""
    usable: bool
    """True if the cursor can be placed; else only playing by lines is possible."""
    is_remote: bool = False
    """True if it is reached over a network, where every byte may take its time."""


def detect(environ: Mapping[str, str], terminfo: Terminfo, encoding: str) -> Terminal:
    """Find out what a terminal can show.

    Args:
        environ: environment of the program that writes to it.
        terminfo: how many colours the terminal database knows of.
        encoding: of texts, as the language settings say.
    """
    name = environ.get("TERM", "")
    multiplexer = _multiplexer(environ, name)
    depth, depth_from = _depth(environ, name, multiplexer, terminfo)
    glyphs, glyphs_from = _glyphs(name, encoding)
    return Terminal(
        name=name,
        depth=depth,
        depth_from=depth_from,
        glyphs=glyphs,
        glyphs_from=glyphs_from,
        multiplexer=multiplexer,
        usable=name != "dumb",
        is_remote=bool(environ.get("SSH_CONNECTION") or environ.get("SSH_TTY")),
    )


def here() -> Terminal:
    """The terminal this program runs in."""
    return detect(os.environ, terminfo_colours, encoding_here())


def encoding_here() -> str:
    """Encoding of texts by the locale and the stream they are written to; UTF-8 if both agree.

    Python uses UTF-8 in the locale C, whatever the terminal takes. Without any locale that is a
    good guess; where C was asked for it is not.
    """
    asked = os.environ.get("LC_ALL") or os.environ.get("LANG")
    if sys.flags.utf8_mode and asked in {"C", "POSIX"}:
        return "ascii"
    by_locale, stream = locale.getencoding(), terminal_stream()
    return stream.encoding if stream is not None and _is_utf8(by_locale) else by_locale


def terminal_stream() -> TextIO | None:
    """Standard stream that the screen is written to: the first that leads to a terminal."""
    streams = [stream for stream in (sys.__stderr__, sys.__stdout__) if stream is not None]
    return next((stream for stream in streams if stream.isatty()), streams[0] if streams else None)


def _is_utf8(encoding: str) -> bool:
    return encoding.lower().replace("-", "") in _UTF8


def measure_the_window() -> None:
    """Let the size be what the terminal says, now and whenever it changes.

    A shell that exports ``COLUMNS`` and ``LINES`` would fix the size for good: they come first
    wherever Python is asked for the size of a terminal.
    """
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)


def terminfo_colours(name: str) -> int | None:
    """Ask the terminal database of this machine; None if it does not know the name.

    Asked through ``tput``: the curses module answers for the first name a process asks for only.
    """
    tput = shutil.which("tput")
    if tput is None or not name or name.startswith("-"):
        return None
    told = subprocess.run([tput, "-T", name, "colors"], capture_output=True, text=True, check=False)  # noqa: S603 - a fixed program, and a name
    number = told.stdout.strip()
    if told.returncode or not number.lstrip("-").isdecimal():
        return None
    return max(0, int(number))


def too_small(width: int, height: int) -> str:
    """The note in a window that is too small."""
    return (
        f"This window has {width} x {height} cells. Please make it larger: "
        f"{USUAL[0]} x {USUAL[1]} is good, {SMALLEST[0]} x {SMALLEST[1]} the least."
    )


# -- colours ---------------------------------------------------------------------------------------


def _depth(
    environ: Mapping[str, str], name: str, multiplexer: str, terminfo: Terminfo
) -> tuple[Depth, str]:
    """Colour depth, and the sign that decided it: the first that says so."""
    if environ.get("NO_COLOR"):
        return "none", "NO_COLOR is set"
    forced = environ.get("FORCE_COLOR", "")
    if forced in _FORCED:
        return _FORCED[forced], f"FORCE_COLOR is {forced}"
    told = _told(environ, name, multiplexer)
    if told is None:
        told = _looked_up(name, multiplexer, terminfo)
    if forced and told[0] == "none":
        return "16", "FORCE_COLOR is set"
    return told


def _told(environ: Mapping[str, str], name: str, multiplexer: str) -> tuple[Depth, str] | None:
    """Colour depth by the environment alone.

    Within tmux and screen the name of the program outside says nothing, and screen knows no more
    than 256 colours whatever the terminal outside does.
    """
    if name in {"", "dumb", "unknown"}:
        return "none", f"TERM is {name or 'not set'}"
    if environ.get("COLORTERM", "").lower() in {"truecolor", "24bit"} and multiplexer != "screen":
        return "truecolor", f"COLORTERM is {environ['COLORTERM']}"
    if name in _ANY_COLOUR or name.endswith("-direct"):
        return "truecolor", f"TERM is {name}"
    program = environ.get("TERM_PROGRAM", "")
    if program in _PROGRAMS and not multiplexer:
        return _PROGRAMS[program], f"TERM_PROGRAM is {program}"
    if environ.get("WT_SESSION") and not multiplexer:
        return "truecolor", "WT_SESSION is set"
    return ("256", f"TERM is {name}") if "256col" in name else None


def _looked_up(name: str, multiplexer: str, terminfo: Terminfo) -> tuple[Depth, str]:
    """Colour depth by the database, put right where that is known to be too modest."""
    count = terminfo(name)
    bright = name.partition("-")[0] in _SIXTEEN or multiplexer == "tmux"
    if bright and (count is None or 8 <= count <= 16) and not _is_grey(name):
        return "16", f"TERM is {name}"
    if count is None:
        return "none", f"TERM is {name}, which is not in the terminal database"
    why = f"the terminal database has {count} colours for {name}"
    steps: tuple[tuple[int, Depth], ...] = (
        (1 << 24, "truecolor"),
        (256, "256"),
        (16, "16"),
        (8, "8"),
    )
    return next((depth for least, depth in steps if count >= least), "none"), why


def _is_grey(name: str) -> bool:
    """True if a name says that colours are not wanted, as ``xterm-mono`` does."""
    return name.endswith(("-m", "-mono"))


# -- signs and what is between ---------------------------------------------------------------------


def _glyphs(name: str, encoding: str) -> tuple[GlyphSet, str]:
    if not _is_utf8(encoding):
        return "ascii", f"texts are written in {encoding}"
    if name == "linux":
        return "box", "the font of TERM=linux has few signs"
    return "rich", f"texts are written in {encoding}"


def _multiplexer(environ: Mapping[str, str], name: str) -> Literal["", "tmux", "screen"]:
    if environ.get("TMUX") or name.startswith("tmux"):
        return "tmux"
    if environ.get("STY") or name.startswith("screen"):
        return "screen"
    return ""
