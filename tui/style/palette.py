"""What roles, signs, tones and seats look like: full colours, sixteen colours, none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from rich.style import Style

from engine.core.ids import Seat
from engine.tabletop.roles import Role, Sign, Tone

PaletteName = Literal["full", "sixteen", "mono"]


@dataclass(frozen=True)
class Palette:
    """Colours by meaning. Everything that colour tells is told by a sign or a word as well."""

    name: PaletteName
    ground: Mapping[Role, tuple[str, str]]
    """Colour of the sign and of what is behind it."""
    seats: tuple[tuple[str, str], ...]
    signs: Mapping[Sign, str]
    """What is behind a marked cell."""
    tones: Mapping[Tone, str]
    cursor: str
    text: str
    back: str
    bar: str

    def __hash__(self) -> int:
        return hash(self.name)

    @lru_cache(maxsize=4096)  # noqa: B019 - there are three palettes, for ever
    def cell(self, role: Role, piece: Role | None, owner: Seat, sign: Sign | None) -> Style:
        """A cell of the board: what lies there, what stands there, whose it is, how it is marked.

        Odd seats are underlined, so that sides can be told without colours. What can still act
        is shown in the seat's colours the other way round.
        """
        ink, back = self.ground.get(role, self.ground[Role.PLAIN])
        style = Style()
        if piece is not None:
            ink, back = self.seat(owner)
            if sign is Sign.IDLE:
                ink, back = back, ink
            odd = owner >= 0 and owner % 2 == 1
            style = Style(bold=True, underline=odd, dim=piece is Role.SPENT)
        if sign is not None:
            back = self.signs[sign] or back
            style += self._signed(sign)
        return style + Style(color=ink or None, bgcolor=back or None)

    def _signed(self, sign: Sign) -> Style:
        """Signs that must be seen without colours."""
        if self.name != "mono":
            return Style(bold=sign in {Sign.TARGET, Sign.HELD})
        return Style(
            reverse=sign in {Sign.TARGET, Sign.REACH, Sign.PATH},
            bold=sign in {Sign.TARGET, Sign.IDLE},
            italic=sign in {Sign.STRIKE, Sign.DANGER},
        )

    def seat(self, seat: Seat) -> tuple[str, str]:
        """Colour of a seat's pieces, and what is behind them."""
        return self.seats[seat % len(self.seats)] if seat >= 0 else (self.text, "")

    @lru_cache(maxsize=256)  # noqa: B019 - there are three palettes, for ever
    def line(self, tone: Tone, seat: Seat) -> Style:
        """A line of text."""
        ink = self.tones[tone]
        if seat >= 0 and tone in {Tone.NORMAL, Tone.STRONG, Tone.TITLE}:
            ink = self.seat(seat)[0]
        return Style(
            color=ink or None,
            bgcolor=self.back or None,
            bold=tone in {Tone.STRONG, Tone.TITLE},
            dim=tone is Tone.QUIET and self.name == "mono",
        )

    def under_cursor(self, style: Style, *, holding: bool) -> Style:
        """The cursor's cell: white when free, else in the colour of what it holds."""
        if self.name == "mono":
            return style + Style(reverse=True, bold=True)
        back = self.signs[Sign.HELD] if holding else self.cursor
        return style + Style(color="#000000", bgcolor=back, bold=True)

    @property
    def heading(self) -> Style:
        """The bars at the top and at the bottom."""
        if self.name == "mono":
            return Style(reverse=True)
        return Style(color=self.text, bgcolor=self.bar, bold=True)

    @property
    def blank(self) -> Style:
        """Where nothing is."""
        return Style(bgcolor=self.back or None)

    @property
    def plain(self) -> Style:
        """Ordinary text."""
        return Style(color=self.text or None, bgcolor=self.back or None)


FULL: Final = Palette(
    name="full",
    ground={
        Role.BLANK: ("#6c7086", "#11131a"),
        Role.PLAIN: ("#5f8a4a", "#223420"),
        Role.FOREST: ("#6fae5a", "#1a3a1c"),
        Role.WATER: ("#7fb2e5", "#183a5c"),
        Role.SWAMP: ("#9a9a5a", "#2f3a24"),
        Role.MOUNTAIN: ("#b0a79a", "#45403a"),
        Role.ROAD: ("#b5a68a", "#4a4235"),
        Role.WALL: ("#9a9a9a", "#4c4c50"),
        Role.HARD_WALL: ("#75757a", "#4c4c50"),
        Role.GATE: ("#f0c060", "#5c4320"),
        Role.GOAL: ("#f5f5f5", "#2b4a2b"),
        Role.UNKNOWN: ("#6c7086", "#1a1c24"),
        Role.SITE: ("#f0c060", "#4a4235"),
    },
    seats=(
        ("#ffe066", "#5a4700"),
        ("#ffb3ad", "#6b1220"),
        ("#a9d1ff", "#123a78"),
        ("#c9ffb8", "#1c5a1c"),
        ("#f3c6ff", "#5a1c6b"),
        ("#d8f7f5", "#0f5a58"),
    ),
    signs={
        Sign.REACH: "#3c5f8c",
        Sign.STRIKE: "#6b3a3a",
        Sign.TARGET: "#c0392b",
        Sign.PATH: "#2f7f9f",
        Sign.HELD: "#ff9f43",
        Sign.DANGER: "#7a2f2f",
        Sign.IDLE: "",
    },
    tones={
        Tone.NORMAL: "#d8dee9",
        Tone.QUIET: "#8a93a6",
        Tone.STRONG: "#ffffff",
        Tone.GOOD: "#8fd694",
        Tone.BAD: "#ff8b7f",
        Tone.TITLE: "#ffd75f",
    },
    cursor="#ffffff",
    text="#d8dee9",
    back="#11131a",
    bar="#2b3350",
)
"""For terminals with 256 colours or more."""

_BLACK, _RED, _GREEN, _YELLOW = "#000000", "#aa0000", "#00aa00", "#aa5500"
_BLUE, _MAGENTA, _CYAN, _GREY = "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa"
_BRIGHT_RED, _BRIGHT_GREEN, _BRIGHT_YELLOW = "#ff5555", "#55ff55", "#ffff55"
_BRIGHT_BLUE, _BRIGHT_CYAN, _WHITE, _DARK = "#5555ff", "#55ffff", "#ffffff", "#555555"

SIXTEEN: Final = Palette(
    name="sixteen",
    ground={
        Role.BLANK: (_DARK, _BLACK),
        Role.PLAIN: (_GREEN, _BLACK),
        Role.FOREST: (_BRIGHT_GREEN, _BLACK),
        Role.WATER: (_BRIGHT_BLUE, _BLACK),
        Role.SWAMP: (_CYAN, _BLACK),
        Role.MOUNTAIN: (_YELLOW, _BLACK),
        Role.ROAD: (_GREY, _BLACK),
        Role.WALL: (_GREY, _BLACK),
        Role.HARD_WALL: (_GREY, _BLACK),
        Role.GATE: (_BRIGHT_YELLOW, _BLACK),
        Role.GOAL: (_WHITE, _BLACK),
        Role.UNKNOWN: (_DARK, _BLACK),
        Role.SITE: (_BRIGHT_YELLOW, _BLACK),
    },
    seats=(
        (_BRIGHT_YELLOW, _BLACK),
        (_BRIGHT_RED, _BLACK),
        (_BRIGHT_CYAN, _BLACK),
        (_WHITE, _BLACK),
        (_MAGENTA, _BLACK),
        (_BRIGHT_GREEN, _BLACK),
    ),
    signs={
        Sign.REACH: _BLUE,
        Sign.STRIKE: _DARK,
        Sign.TARGET: _RED,
        Sign.PATH: _BLUE,
        Sign.HELD: _YELLOW,
        Sign.DANGER: _DARK,
        Sign.IDLE: "",
    },
    tones={
        Tone.NORMAL: _GREY,
        Tone.QUIET: _GREY,
        Tone.STRONG: _WHITE,
        Tone.GOOD: _BRIGHT_GREEN,
        Tone.BAD: _BRIGHT_RED,
        Tone.TITLE: _BRIGHT_YELLOW,
    },
    cursor=_WHITE,
    text=_GREY,
    back=_BLACK,
    bar=_BLUE,
)
"""For terminals with the usual sixteen: exactly these, so nothing is rounded to a neighbour."""

_NONE: Final = dict.fromkeys(Role, ("", ""))

MONO: Final = Palette(
    name="mono",
    ground=_NONE,
    seats=(("", ""),),
    signs=dict.fromkeys(Sign, ""),
    tones=dict.fromkeys(Tone, ""),
    cursor="",
    text="",
    back="",
    bar="",
)
"""Where NO_COLOR is set: only bold, reverse, underlined and italic."""

PALETTES: Final[Mapping[str, Palette]] = {
    palette.name: palette for palette in (FULL, SIXTEEN, MONO)
}


def fitting(color_system: str | None, *, no_color: bool) -> Palette:
    """The palette for what a terminal can show."""
    if no_color or color_system is None:
        return MONO
    return SIXTEEN if color_system in {"standard", "windows"} else FULL
