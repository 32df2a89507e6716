"""Colours of roles, signs, tones and seats, for every colour depth and kind of colour vision."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final, NamedTuple

from rich.color import Color, ColorSystem
from rich.color_triplet import ColorTriplet
from rich.style import Style

from engine.core.ids import Seat
from engine.tabletop.roles import MarkSign, Role, Tone
from tui.terminal.capabilities import Depth

THEMES: Final = ("usual", "deuteranopia", "protanopia", "tritanopia", "contrast")
"""Names of the palettes."""

_ANSI: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


AREAS: Final = frozenset({MarkSign.REACH, MarkSign.STRIKE, MarkSign.DANGER})
"""Signs of areas: they tint the ground and are outlined where tiles are large."""

TINTS: Final[Mapping[Depth, float]] = {"truecolor": 0.36, "256": 0.8}
"""Share of an area's colour in the ground under it; with few colours a small one is invisible."""

_LIGHTER: Final = 9.0
"""Lightness (CIE L*) that reach adds to bare ground, so that it is visible in grey."""

_AREAS_APART: Final = 6.0
"""Lightness that another area adds to ground in reach."""


class Livery(NamedTuple):
    """Colours of a seat's pieces: sign and background.

    ``idle_ink`` and ``idle_back`` are for pieces that can still act.
    """

    ink: str
    back: str
    idle_ink: str
    idle_back: str


@dataclass(frozen=True, eq=False)
class Palette:
    """Colours by meaning. Anything shown by colour is also shown by a sign or a word."""

    theme: str
    depth: Depth
    ground: Mapping[Role, tuple[str, str]]
    """Colours of the sign and of its background."""
    seats: tuple[Livery, ...]
    signs: Mapping[MarkSign, tuple[str, str]]
    """Colours of a marked cell: its sign when the cell is empty, and the background."""
    tones: Mapping[Tone, str]
    cursor: str
    text: str
    back: str
    bar: str
    pane: str
    frame: str
    _styles: dict[Any, Style] = field(default_factory=dict)

    def cell(self, role: Role, piece: Role | None, owner: Seat, sign: MarkSign | None) -> Style:
        """Return the style of a board cell from its ground, piece, owner (-1 for none) and mark.

        Equal arguments return the same object. Seats are underlined, italic or both in turn, so
        that the sides are distinct without colours.
        """
        key = role, piece, owner, sign
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._cell(*key)
        return style

    def _cell(self, role: Role, piece: Role | None, owner: Seat, sign: MarkSign | None) -> Style:
        ink, back = self.ground.get(role, self.ground[Role.PLAIN])
        style = Style()
        if piece is None and owner >= 0:
            land = self.livery(owner)
            back = land.idle_back if sign is MarkSign.IDLE else land.back
            ink = land.idle_back if self.is_rich else land.ink
        if piece is not None:
            livery = self.livery(owner)
            idle = sign is MarkSign.IDLE
            under = back if (piece is Role.WRITING or owner < 0) and self.is_rich else ""
            ink, back = livery[2:] if idle else livery[:2]
            back = back or under
            if owner < 0 and piece in self.ground:  # ownerless building: stone, not a hole
                ink, back = self.ground[piece]
            style = Style(
                bold=piece is not Role.SPENT and not (idle and self.is_low),
                dim=piece is Role.SPENT,
                underline=owner >= 0 and bool(owner & 1),
                italic=owner >= 0 and bool(owner & 2),
                reverse=idle and not back,
            )
        is_land = owner < 0 and piece in {None, Role.WRITING}
        if sign is not None and sign in AREAS and is_land and self.is_rich:
            return style + self._tinted(ink, back, sign)
        if sign is not None and sign is not MarkSign.IDLE:
            marked_ink, marked_back = self.signs[sign]
            back = marked_back or back
            ink = (marked_ink or ink) if piece is None or self.is_low else ink
            if self.is_rich:
                ink = legible(ink, back, self.text, self._black)
            style += self._signed(sign, bare=piece is None)
        return style + Style(color=ink or None, bgcolor=back or None)

    def _tinted(self, ink: str, back: str, sign: MarkSign) -> Style:
        """Return the style of ground in an area: its colour with the least tint visible in grey."""
        tint = self._tint(back, sign)
        inks = [self.mixed(ink, self.text, part) for part in (0.0, 0.3, 0.6)]
        seen = next((ink for ink in inks if contrast(ink, tint) >= LEAST), self.text)
        return Style(color=legible(seen, tint, self.text, self._black), bgcolor=tint)

    def _tint(self, back: str, sign: MarkSign) -> str:
        """Return the background of ground in an area."""
        wanted = lightness(back) + _LIGHTER
        if sign is not MarkSign.REACH:
            wanted = lightness(self._tint(back, MarkSign.REACH)) + _AREAS_APART
        parts = (TINTS[self.depth], 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
        tints = [self.mixed(back, self.signs[sign][1], part) for part in parts]
        return next((tint for tint in tints if lightness(tint) >= wanted), tints[-1])

    def _signed(self, sign: MarkSign, *, bare: bool) -> Style:
        """Return the style of a sign that must be visible without colours.

        On bare ground any attribute may show it, on a piece only weight and reversal: underline and
        slant show the owner of a piece.
        """
        if self.depth != "none":
            is_loud = sign in {MarkSign.TARGET, MarkSign.HELD, MarkSign.PATH}
            return Style(bold=is_loud) if bare or is_loud else Style()
        if not bare:
            return Style(
                reverse=sign is not MarkSign.PATH,
                bold=sign is MarkSign.HELD,
                dim=sign in {MarkSign.REACH, MarkSign.STRIKE, MarkSign.DANGER},
            )
        return Style(
            reverse=sign in {MarkSign.TARGET, MarkSign.REACH, MarkSign.PATH},
            bold=sign in {MarkSign.TARGET, MarkSign.HELD},
            dim=sign is MarkSign.REACH,
            underline=sign in {MarkSign.STRIKE, MarkSign.DANGER, MarkSign.HELD},
        )

    def caption(self, under: Style | None, seat: Seat) -> Style:
        """Return the style of a name drawn over a cell of the board, in the colour of its owner."""
        key = "caption", under, seat
        style = self._styles.get(key)
        if style is None:
            ink = self.livery(seat).idle_ink if seat >= 0 else self.text
            plain = Style(bold=True, underline=False, italic=False, dim=False)
            own = Style(color=ink or None) if self.is_rich else Style()
            style = self._styles[key] = (under or Style()) + plain + own
        return style

    def pen(self, ink: str, back: str, *, bold: bool = False) -> Style:
        """Return a style of two colours; equal arguments return the same object."""
        key = "pen", ink, back, bold
        style = self._styles.get(key)
        if style is None:
            style = Style(color=ink or None, bgcolor=back or None, bold=bold)
            self._styles[key] = style
        return style

    def mixed(self, one: str, other: str, part: float) -> str:
        """Mix ``one`` with a share ``part`` (0 to 1) of ``other``, at this palette's depth."""
        return _mixed(one, other, part, self.depth)

    def goal(self, under: Style | None) -> Style:
        """Return the style of bare ground that a lesson points at; ``under`` is its usual style."""
        key = "goal", under
        style = self._styles.get(key)
        if style is None:
            own = Style(reverse=True) if self.depth == "none" else self.lit
            style = self._styles[key] = (under or Style()) + own + Style(bold=True, dim=False)
        return style

    def goal_frame(self, under: Style | None, *, lit: bool) -> Style:
        """Return the style of the frame around a lesson's goal, bright (``lit``) or less bright."""
        key = "goal frame", under, lit
        style = self._styles.get(key)
        if style is None:
            back = under.bgcolor.name if under is not None and under.bgcolor is not None else ""
            ink = self.tones[Tone.TITLE]
            if self.is_rich:
                ink = legible(ink, back or self.back, self._black, self.text)
                ink = ink if lit else self.mixed(ink, back or self.back, 0.4)
            elif back == self.cursor and back:
                ink = "color(0)"
            plain = Style(bold=True, dim=False, underline=False, italic=False)
            own = Style(color=ink or None)
            style = self._styles[key] = (under or Style()) + plain + own
        return style

    @property
    def gauge_colors(self) -> tuple[str, str, str]:
        """Colours of a bar that is nearly empty, half full, and full."""
        return self.tones[Tone.BAD], self.tones[Tone.TITLE], self.tones[Tone.GOOD]

    @property
    def strong(self) -> str:
        """Colour of the most important text."""
        return self.tones[Tone.STRONG]

    def struck(self, style: Style) -> Style:
        """Return a style with its text struck through; equal styles return the same object."""
        key = "struck", style
        found = self._styles.get(key)
        if found is None:
            found = self._styles[key] = style + Style(strike=True)
        return found

    @property
    def is_low(self) -> bool:
        """True if a piece's colour may be invisible on a mark's colour, as colours are few."""
        return self.depth in {"16", "8"}

    @property
    def is_rich(self) -> bool:
        """True if the terminal shows colours as defined; users can change the first sixteen."""
        return self.depth in {"truecolor", "256"}

    @property
    def _black(self) -> str:
        return "#000000" if self.depth == "truecolor" else "color(16)"

    def livery(self, seat: Seat) -> Livery:
        """Return the colours of a seat's pieces."""
        if seat < 0:
            return Livery(self.text, "", self.text, "")
        return self.seats[seat % len(self.seats)]

    def seat(self, seat: Seat) -> tuple[str, str]:
        """Return (colour of a seat's pieces, their background)."""
        return self.livery(seat)[:2]

    def line(self, tone: Tone, seat: Seat) -> Style:
        """Return the style of a line of text about a seat (-1 for none)."""
        key = tone, seat
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._line(tone, seat)
        return style

    def _line(self, tone: Tone, seat: Seat) -> Style:
        ink = self.tones[tone]
        if seat >= 0 and tone in {Tone.NORMAL, Tone.STRONG, Tone.TITLE}:
            ink = self.livery(seat).ink
        return Style(
            color=ink or None,
            bgcolor=self.back or None,
            bold=tone in {Tone.STRONG, Tone.TITLE, Tone.HEADING}
            or (self.depth == "8" and tone is Tone.BAD),
            dim=tone is Tone.QUIET and not self.is_rich,
            underline=tone in {Tone.BAD, Tone.TITLE} and self.depth == "none",
            italic=tone is Tone.GOOD and self.depth == "none",
        )

    def under_cursor(self, style: Style, *, holding: bool) -> Style:
        """Return a cell's style with the cursor on it: white, or the colour for a held piece.

        With few colours underline and slant are inverted.
        """
        if not self.is_rich:
            style += Style(underline=not style.underline, italic=not style.italic)
        if self.depth == "none":
            return style + Style(reverse=True, bold=True, dim=False)
        back = self.signs[MarkSign.HELD][1] if holding else self.cursor
        ink = "color(0)" if self.is_low else self._black
        return style + Style(color=ink, bgcolor=back, bold=True, dim=False)

    @cached_property
    def heading(self) -> Style:
        """Style of the bars at the top and at the bottom."""
        if self.depth == "none":
            return Style(reverse=True)
        return Style(color=self.text, bgcolor=self.bar, bold=True)

    @cached_property
    def key(self) -> Style:
        """Style of a key or a title in the bars."""
        if self.depth == "none":
            return Style(reverse=True, bold=True)
        ink = clear(self.tones[Tone.TITLE], self.bar, self.text)
        return Style(color=ink, bgcolor=self.bar, bold=True)

    @cached_property
    def faint(self) -> Style:
        """Style of less important words in the bars."""
        if self.depth == "none":
            return Style(reverse=True)
        ink = clear(self.tones[Tone.QUIET], self.bar, self.text) if self.is_rich else self.text
        return Style(color=ink, bgcolor=self.bar)

    @cached_property
    def lit(self) -> Style:
        """Style of the current one of several words in the bars."""
        if self.depth == "none":
            return Style(bold=True)
        back = self.tones[Tone.TITLE]
        ink = clear(self.back, back, "color(0)" if self.is_low else self._black)
        return Style(color=ink, bgcolor=back, bold=True)

    def on_bar(self, seat: Seat) -> Style:
        """Return the style of a side's name in the bars."""
        if self.depth == "none":
            return Style(reverse=True, bold=True)
        return Style(
            color=clear(self.livery(seat).ink, self.bar, self.text), bgcolor=self.bar, bold=True
        )

    @property
    def label(self) -> Style:
        """Style of a jump label."""
        style = self._styles.get("label")
        if style is None:
            style = self._styles["label"] = self.under_cursor(Style(), holding=True)
        return style

    @cached_property
    def blank(self) -> Style:
        """Style of empty space."""
        return Style(bgcolor=self.back or None)

    @cached_property
    def plain(self) -> Style:
        """Style of ordinary text."""
        return Style(color=self.text or None, bgcolor=self.back or None)

    @property
    def variables(self) -> dict[str, str]:
        """Style sheet variables and their colours."""
        none = self.depth == "none"
        return {
            "b-text": _css(self.text),
            "b-back": _css(self.back),
            "b-bar": _css(self.bar),
            "b-pane": _css(self.pane),
            "b-frame": _css(self.frame),
            "b-quiet": _css(self.tones[Tone.QUIET]),
            "b-bad": _css(self.tones[Tone.BAD]),
            "b-title": _css(self.tones[Tone.TITLE]),
            "b-cursor-text": _css("" if none else self.back),
            "b-cursor-back": _css("" if none else self.cursor),
            "b-cursor-style": "reverse" if none else "bold",
            "b-chosen-text": _css(self.text if self.is_rich else self.cursor),
            "b-chosen-back": _css(self.bar),
            "b-chosen-style": "reverse" if none else "bold",
        }


def _css(color: str) -> str:
    """Return a colour in the notation of style sheets."""
    if not color:
        return "ansi_default"
    parsed = Color.parse(color)
    if parsed.number is not None and parsed.number < 16:
        bright = "bright_" if parsed.number > 7 else ""
        return f"ansi_{bright}{_ANSI[parsed.number % 8]}"
    return parsed.get_truecolor().hex


# -- reading ---------------------------------------------------------------------------------------


@cache
def _tables() -> Mapping[str, Any]:
    text = files("tui.style").joinpath("palettes.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _table(theme: str, depth: str) -> dict[str, Any]:
    """Return a palette's table, completed from its base."""
    own: dict[str, Any] = _tables()[theme][depth]
    base = _table(*own["base"].split(".")) if "base" in own else {}
    merged = {**base, **own}
    for part in ("ground", "signs", "tones"):
        merged[part] = {**base.get(part, {}), **own.get(part, {})}
    return merged


@cache
def chosen(depth: Depth, theme: str = THEMES[0]) -> Palette:
    """Return the palette of a theme for a colour depth; the usual one if the name is unknown."""
    name = theme if theme in THEMES and depth != "none" else THEMES[0]
    table = _table(name, depth)
    tones = {Tone[key]: ink for key, ink in table["tones"].items()}
    tones.setdefault(Tone.HEADING, tones[Tone.TITLE])
    return Palette(
        theme=name,
        depth=depth,
        ground={Role[key]: (pair[0], pair[1]) for key, pair in table["ground"].items()},
        seats=tuple(Livery(*row) for row in table["seats"]),
        signs={MarkSign[key]: (pair[0], pair[1]) for key, pair in table["signs"].items()},
        tones=tones,
        **{key: table[key] for key in ("cursor", "text", "back", "bar", "pane", "frame")},
    )


FULL: Final = chosen("truecolor")
"""Palette for terminals that show any colour."""


# -- contrast --------------------------------------------------------------------------------------


LEAST: Final = 3.0
"""Minimum contrast of a sign with its background."""

READABLE: Final = 4.5
"""Minimum contrast of text with its background."""


@cache
def _mixed(one: str, other: str, part: float, depth: Depth) -> str:
    if part <= 0 or not other or not one:
        return one
    mixed = ColorTriplet(
        *(
            round(a + (b - a) * min(part, 1.0))
            for a, b in zip(
                Color.parse(one).get_truecolor(), Color.parse(other).get_truecolor(), strict=True
            )
        )
    )
    if depth == "truecolor":
        return mixed.hex
    return f"color({Color.from_triplet(mixed).downgrade(ColorSystem.EIGHT_BIT).number})"


@cache
def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21; names as in palettes.

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(name: str) -> float:
    red, green, blue = (_linear(part / 255) for part in Color.parse(name).get_truecolor())
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lightness(name: str) -> float:
    """Return the lightness of a colour (CIE L*): 0 for black to 100 for white.

    >>> round(lightness("#777777"))
    50
    """
    luminance = _luminance(name)
    return 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def clear(ink: str, back: str, other: str) -> str:
    """Return ``ink`` if text in it is readable on ``back``, or else ``other``."""
    return ink if contrast(ink, back) >= READABLE else other


def legible(ink: str, back: str, *others: str) -> str:
    """Return ``ink`` if a sign in it is visible on ``back``, or else the best of ``others``."""
    if contrast(ink, back) >= LEAST:
        return ink
    return max(others, key=lambda other: contrast(other, back))
