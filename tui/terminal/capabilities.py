"""Capabilities of a terminal, detected from its environment, without widgets or queries.

A player's settings and the command line override all of this.
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
from tui.console.printing import is_ascii_asked

Depth: TypeAlias = Literal["truecolor", "256", "16", "8", "none"]
Terminfo: TypeAlias = Callable[[str], int | None]
"""Returns the number of colours in the terminal database for a name in ``TERM``, or None."""

SMALLEST: Final = (40, 16)
"""Minimum columns and rows of a usable window."""

USUAL: Final = (80, 24)
"""Columns and rows for which everything is designed first."""

WIDE: Final = 120
"""Minimum columns of a window with several things side by side."""

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
"""Names in ``TERM`` that only terminals with direct colour have."""

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
"""Terminals whose database entry says eight colours although they have bright ones too."""

_POOR: Final = {"", "dumb", "unknown"}
"""Names in ``TERM`` of terminals that can only write rows."""

_UTF8: Final = {"utf8", "utf8mb4"}


class Terminal(NamedTuple):
    """Detected capabilities of a terminal, and the reasons for them."""

    name: str
    """Name as in ``TERM``."""
    depth: Depth
    depth_from: str
    glyphs: GlyphSet
    glyphs_from: str
    multiplexer: Literal["", "tmux", "screen"]
    """Multiplexer between the program and the terminal that a person sees."""
    usable: bool
    """True if the cursor can be placed; if not, only play by lines is possible."""
    is_remote: bool = False
    """True if it is reached over a network, where every byte may take time."""


def detect(environ: Mapping[str, str], terminfo: Terminfo, encoding: str) -> Terminal:
    """Detect the capabilities of a terminal.

    Args:
        environ: environment of the program that writes to it.
        terminfo: looks up the number of colours in the terminal database.
        encoding: encoding of texts by the locale.
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
    """Return the capabilities of this program's terminal."""
    return detect(os.environ, terminfo_colours, encoding_here())


def encoding_here() -> str:
    """Return the encoding of text: UTF-8 if the locale and the output stream both use it.

    Python uses UTF-8 in the locale C, regardless of the terminal. Without any locale that is a good
    guess; if C was requested, it is not.
    """
    if is_ascii_asked():
        return "ascii"
    by_locale, stream = locale.getencoding(), terminal_stream()
    return stream.encoding if stream is not None and _is_utf8(by_locale) else by_locale


def terminal_stream() -> TextIO | None:
    """Return the standard stream to draw on: the first that is a terminal, or None."""
    streams = [stream for stream in (sys.__stderr__, sys.__stdout__) if stream is not None]
    return next((stream for stream in streams if stream.isatty()), streams[0] if streams else None)


def _is_utf8(encoding: str) -> bool:
    return encoding.lower().replace("-", "") in _UTF8


def is_poor() -> bool:
    """Return whether the terminal can only write rows, as its name says."""
    return os.environ.get("TERM", "") in _POOR


def measure_the_window() -> None:
    """Take the window's size from the terminal, now and whenever it changes.

    A shell that exports ``COLUMNS`` and ``LINES`` would fix the size permanently: Python uses them
    first whenever it is asked for the size of a terminal.
    """
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)


def terminfo_colours(name: str) -> int | None:
    """Look up a name in the terminal database of this machine; None if it is unknown.

    This uses ``tput``: the curses module only answers for the first name of a process.
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
    """Return the note to show in a window that is too small."""
    return (
        f"This window has {width} x {height} cells. Please make it larger: "
        f"{USUAL[0]} x {USUAL[1]} is good, {SMALLEST[0]} x {SMALLEST[1]} the least."
    )


# -- colours ---------------------------------------------------------------------------------------


def _depth(
    environ: Mapping[str, str], name: str, multiplexer: str, terminfo: Terminfo
) -> tuple[Depth, str]:
    """Return the colour depth, and the first sign that decided it."""
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
    """Return the colour depth by the environment alone.

    Within tmux and screen, the name of the outer program means nothing, and screen has at most 256
    colours, regardless of the outer terminal.
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
    """Return the colour depth by the database, corrected where it is known to be too low."""
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
    """Return whether a name asks for no colours, as ``xterm-mono`` does."""
    return name.endswith(("-m", "-mono"))


# -- glyphs and multiplexers -----------------------------------------------------------------------


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
