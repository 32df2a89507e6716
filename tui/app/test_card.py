"""The test card of ``banneret doctor --card``, which shows the abilities of a terminal.

Also the features that would be used here, for ``banneret doctor``.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import Final

from rich.color import ColorSystem
from rich.style import Style

from engine.core.codec import encode_json
from engine.tabletop.board import GlyphSet
from engine.tabletop.roles import MarkSign, Role, Tone
from tui.console.exits import Exit
from tui.console.printing import raw
from tui.headless.doctor import facts
from tui.settings.preferences import Preferences
from tui.style.palette import Palette, chosen
from tui.terminal.ascii_fallback import in_ascii
from tui.terminal.capabilities import Terminal, here

_GROUND: Final = {
    Role.PLAIN: ".",
    Role.FOREST: "&",
    Role.WATER: "~",
    Role.SWAMP: '"',
    Role.MOUNTAIN: "^",
    Role.ROAD: ":",
    Role.WALL: "#",
    Role.GATE: "+",
    Role.GOAL: "*",
}

_SIGNS: Final[dict[str, str]] = {
    "ASCII": "+-|#^&~",
    "box": "┌─┬═║█░♠≈←↑→↓",
    "rich": "▀▄⠤⣿♔♘†ψ∩◊▽»",
}

_WIDTHS: Final = (("one", "aé♠≈█♔↑…"), ("two", "漢字"))
"""Signs about whose width terminals disagree, and the width that is needed here."""

_ATTRIBUTES: Final = ("bold", "dim", "italic", "underline", "reverse")


def drawn_with(terminal: Terminal, preferences: Preferences) -> tuple[Palette, GlyphSet]:
    """Return the palette and the signs that would be used in a terminal."""
    wanted = preferences.settings
    depth = terminal.depth if wanted.colours == "auto" else wanted.colours
    glyphs = terminal.glyphs if wanted.glyphs == "auto" else wanted.glyphs
    return chosen(depth, wanted.palette), glyphs


def used(terminal: Terminal, preferences: Preferences) -> dict[str, str]:
    """Return the features that would be used in a terminal: name to value with its reason."""
    wanted = preferences.settings
    palette, glyphs = drawn_with(terminal, preferences)
    mine = "set by you"
    between = {"": "nothing", "tmux": "tmux", "screen": "GNU screen"}[terminal.multiplexer]
    screen = "yes" if terminal.usable else "no: TERM is dumb; play by lines (play --plain)"
    why_depth = terminal.depth_from if wanted.colours == "auto" else mine
    why_glyphs = terminal.glyphs_from if wanted.glyphs == "auto" else mine
    return {
        "full screen": screen,
        "colours": f"{palette.depth} ({why_depth})",
        "palette": palette.theme,
        "signs": f"{glyphs} ({why_glyphs})",
        "tiles": wanted.tiles,
        "output": wanted.output,
        "mouse": wanted.mouse,
        "keys": wanted.keys,
        "in between": between,
        "settings wrong": "; ".join(preferences.faults) or "nothing",
    }


def card(palette: Palette, glyphs: GlyphSet) -> str:
    """Return the test card as text with escape sequences."""
    rows = [
        f"Drawn with: colours {palette.depth}, palette {palette.theme}, signs {glyphs}.",
        "Each row says what should be seen. Where it is not so, change the setting.",
        "",
        *_colours(palette),
        "",
        *_map(palette),
        "",
        *_letters(glyphs),
    ]
    return "\n".join(rows) + "\n"


def _painted(text: str, style: Style) -> str:
    """Return a text with exactly the colours of its style, for any depth."""
    return style.render(text, color_system=ColorSystem.TRUECOLOR)


def _colours(palette: Palette) -> Iterator[str]:
    """Yield rows of colours for each depth, up to that of the palette."""
    order = ("none", "8", "16", "256", "truecolor")
    shown = order[: order.index(palette.depth) + 1]
    rows = {
        "none": (
            "five styles that differ",
            [(f" {name} ", Style.parse(name)) for name in _ATTRIBUTES],
        ),
        "8": ("eight colours, then bold", [_block(f"color({n})") for n in range(8)] + _bold()),
        "16": ("eight more, brighter", [_block(f"color({n})") for n in range(8, 16)]),
        "256": ("a ramp of greys", [_block(f"color({n})") for n in range(232, 256)]),
        "truecolor": ("a ramp without steps", [_block(_ramp(n)) for n in range(0, 256, 8)]),
    }
    for depth in shown:
        told, parts = rows[depth]
        yield f"{depth:<10} {''.join(_painted(*part) for part in parts)}  {told}"


def _block(color: str) -> tuple[str, Style]:
    return " ", Style(bgcolor=color)


def _bold() -> list[tuple[str, Style]]:
    return [("X", Style(color=f"color({n})", bold=True)) for n in range(8)]


def _ramp(at: int) -> str:
    return f"#{at:02x}{(at * 3 // 4):02x}{255 - at:02x}"


def _map(palette: Palette) -> Iterator[str]:
    """Yield land, pieces, marks and words as a game shows them."""
    land = (
        _painted(sign * 3, palette.cell(role, None, -1, None)) for role, sign in _GROUND.items()
    )
    yield f"{'land':<10} {''.join(land)}  quiet, each kind of its own"
    for name, sign in (("pieces", None), ("can act", MarkSign.IDLE)):
        cells = (
            _painted("A", palette.cell(Role.PLAIN, Role.PIECE, seat, sign)) for seat in range(13)
        )
        yield f"{name:<10} {' '.join(cells)}  sides 1 to 13, some lined or slanted"
    marks = (
        _painted(f" {sign.name.lower()} ", palette.cell(Role.PLAIN, None, -1, sign))
        for sign in MarkSign
        if sign is not MarkSign.IDLE
    )
    cursor = _painted(" cursor ", palette.under_cursor(palette.blank, holding=False))
    yield f"{'marks':<10} {' '.join(marks)} {cursor}"
    tones = (_painted(f" {tone.name.lower()} ", palette.line(tone, -1)) for tone in Tone)
    yield f"{'words':<10} {''.join(tones)} {_painted(' bar ', palette.heading)}"


def _letters(glyphs: GlyphSet) -> Iterator[str]:
    """Yield the signs that should be visible, and their expected widths."""
    if glyphs == "ascii":
        yield f"{'signs':<10} {_SIGNS['ASCII']}  only these are used"
        return
    for name, signs in _SIGNS.items():
        yield f"{name:<10} {signs}  a picture each, no boxes with numbers"
    for name, signs in _WIDTHS:
        told = "column before each bar" if name == "one" else "columns before each bar"
        yield f"{name:<10} {''.join(f'{sign}|' for sign in signs)}  {name} {told}"
    yield f"{'in ASCII':<10} {in_ascii(''.join(_SIGNS.values()))}  what stands for them"


def doctor(args: Namespace, host_facts: Callable[[], dict[str, str]]) -> Exit:
    """Print the test card with ``--card``, else facts about this system and the host on it."""
    preferences, terminal = Preferences(), here()
    preferences.read()
    if args.card:
        raw(sys.stdout).write(card(*drawn_with(terminal, preferences)))
        return Exit.OK
    found = facts() | used(terminal, preferences) | host_facts()
    if args.json:
        sys.stdout.write(encode_json(found).decode() + "\n")
        return Exit.OK
    width = max(map(len, found))
    for name, value in found.items():
        sys.stdout.write(f"{name.ljust(width)}  {value}\n")
    return Exit.OK
