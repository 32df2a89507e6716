"""State of a run as a block of lines for a terminal, and as a sentence."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.core.printable import clipped, harmless
from engine.core.record import Record
from study.lab.progress import BotStatus, RunStatus, SprtStatus
from tui.terminal.capabilities import Terminal

WIDEST: Final = 112
"""Maximum columns of a block; on wider lines the eye would lose its place."""

_LEAST_BAR: Final = 8
_NAME: Final = (8, 26)
"""Minimum and maximum columns of the name of a bot."""

_NUMBERS: Final = 55
"""Columns of the numbers of a bot."""

StyledText = tuple[str, str]
"""Text, and the name of its style."""

StyledLine = tuple[StyledText, ...]

STYLES: Final = {
    "": "",
    "title": "1",
    "head": "2",
    "faint": "2",
    "bar": "36",
    "good": "32",
    "bad": "31",
    "warn": "33",
    "key": "33",
}
"""SGR parameters by the name of a style, for 16 colours."""


class BlockSigns(NamedTuple):
    """Signs that a terminal can show."""

    full: str
    half: str
    """Half of the last cell of a bar; empty if the terminal has none."""
    rest: str
    rule: str
    left: str
    right: str
    middle: str
    point: str
    dot: str


RICH: Final = BlockSigns("━", "╸", "─", "─", "├", "┤", "┼", "◆", "·")
_BOX: Final = BlockSigns("█", "", "─", "─", "├", "┤", "┼", "█", "·")
_ASCII: Final = BlockSigns("#", "", "-", "-", "|", "|", "+", "o", "-")


class BlockStyle(Record, frozen=True):
    """Size and signs of a block."""

    columns: int
    rows: int
    signs: BlockSigns = _ASCII
    has_colours: bool = False


def style_for(terminal: Terminal, columns: int, rows: int) -> BlockStyle:
    """Return the style of a block in a terminal window; the last column and row stay empty."""
    signs = {"rich": RICH, "box": _BOX}.get(terminal.glyphs, _ASCII)
    return BlockStyle(
        max(1, min(columns - 1, WIDEST)), max(1, rows - 1), signs, terminal.depth != "none"
    )


# -- cells -------------------------------------------------------------------------------------


BlockCell = tuple[str, str]
"""A sign and the name of its style. The sign is empty in the second cell of a wide sign."""


def cells_of(line: StyledLine, columns: int) -> list[BlockCell]:
    """Return the cells of a line, cut to ``columns``."""
    found: list[BlockCell] = []
    for text, style in line:
        for sign in harmless(text):
            if unicodedata.combining(sign):
                continue
            found.append((sign, style))
            if unicodedata.east_asian_width(sign) in "WF":
                found.append(("", style))
    if len(found) > columns:
        del found[columns:]
        if found and unicodedata.east_asian_width(found[-1][0] or " ") in "WF":
            found[-1] = (" ", found[-1][1])
    return found


def _width(text: str) -> int:
    return len(cells_of(((text, ""),), 1 << 16))


def _padded(text: str, width: int) -> str:
    """Pad or cut a text to exactly ``width`` columns."""
    cells = cells_of(((text, ""),), width)
    return "".join(sign for sign, _ in cells) + " " * (width - len(cells))


# -- words -------------------------------------------------------------------------------------


def span_words(seconds: float) -> str:
    """Format a time for a screen.

    >>> span_words(7.2), span_words(3725), span_words(200_000)
    ('0:07', '1:02:05', '2 d 7 h')
    """
    whole = int(seconds)
    if whole >= 86_400:
        return f"{whole // 86_400} d {whole % 86_400 // 3600} h"
    hours, rest = divmod(whole, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _spoken(seconds: float) -> str:
    """Format a time in words.

    >>> _spoken(7.2), _spoken(95), _spoken(3725)
    ('7 seconds', '2 minutes', '1 hour 2 minutes')
    """
    if seconds < 90:
        return f"{round(seconds)} seconds"
    minutes = round(seconds / 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24} days"
    parts = (f"{hours} hour{'s' * (hours != 1)}" if hours else "", f"{minutes} minutes")
    return " ".join(filter(None, parts if minutes else parts[:1]))


def _pace(rate: float) -> str:
    if rate >= 1:
        return f"{rate:.1f} games a second"
    return f"{rate * 60:.1f} games a minute" if rate * 60 >= 1 else f"{rate * 3600:.1f} an hour"


def _milliseconds(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    number = seconds * 1000
    return (
        f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 1 else f"{number:.2f}"
    )


def sentence(status: RunStatus) -> str:
    """Return the state of a run in one line, for speech or Braille output."""
    parts = [_counted(status)]
    if status.rate:
        parts.append(_pace(status.rate))
    if status.left is not None and status.state == "running":
        parts.append(f"{_spoken(status.left)} left")
    text = f"{status.state}: {', '.join(parts)}"
    if status.test is not None:
        text += f"; {_test_sentence(status.test)}"
    elif len(status.bots) > 1 and status.done:
        best = sorted(status.bots, key=lambda bot: -bot.share)[:4]
        text += f"; {', '.join(f'{bot.bot} {bot.share:.1%}' for bot in best)}"
    if status.faults:
        text += f"; {status.faults} broken off"
    return text


def _counted(status: RunStatus) -> str:
    if status.test is not None:
        return f"{status.done} games"
    return f"{status.done} of {status.total} games"


def _test_sentence(test: SprtStatus) -> str:
    left = f", about {test.left:.0f} pairs left" if test.left else ""
    bounds = f"{test.lower:.2f} to {test.upper:.2f}"
    return f"LLR {test.llr:.2f} of {bounds} after {test.pairs} pairs{left}"


# -- the block ---------------------------------------------------------------------------------


def block(
    status: RunStatus, style: BlockStyle, keys: Sequence[StyledText] = ()
) -> list[StyledLine]:
    """Return the state of a run as lines that fit into a window.

    Args:
        status: the state.
        style: size of the window, and signs.
        keys: the line at the bottom.
    """
    head = [*_heading(status, style), _games_line(status, style)]
    tail: list[StyledLine] = []
    if status.test is not None:
        tail += [(), *_test_lines(status.test, style)]
    if status.fault is not None:
        tail += [(), *_fault_lines(status, style)]
    if keys:
        tail += [(), tuple(keys)]
    room = style.rows - len(head) - len(tail) - 2
    table = [(), *_table(status.bots, style, room)] if status.bots and room > 0 else []
    lines = [*head, *table, *tail]
    if len(lines) > style.rows:
        lines = [*lines[: style.rows - 1], tuple(keys)]
    return list(map(_in_ascii, lines)) if style.signs is _ASCII else lines


def _in_ascii(line: StyledLine) -> StyledLine:
    """Return a line in ASCII: letters lose their accents, other signs become ``?``."""
    return tuple(("".join(map(_plain_sign, text)), style) for text, style in line)


def _plain_sign(sign: str) -> str:
    first = unicodedata.normalize("NFD", sign)[0]
    return first if first.isascii() else "?"


def _heading(status: RunStatus, style: BlockStyle) -> list[StyledLine]:
    colour = {"running": "good", "over": "good", "stopped": "bad"}.get(status.state, "warn")
    after = f"  {span_words(status.elapsed)}" if status.elapsed is not None else ""
    room = style.columns - len(status.state) - len(after) - 2
    name = clipped(status.run, max(8, room // 2))
    bots = f"{len(status.bots)} bots"
    words = [status.ruleset, "test" if status.test is not None else status.format]
    about = "  " + f" {style.signs.dot} ".join([*words, bots] if len(status.bots) > 2 else words)
    rest = _padded(about, max(0, room - _width(name) + 2))
    first = ((name, "title"), (rest, "faint"), (status.state, colour), (after, ""))
    return [first, ((style.signs.rule * style.columns, "faint"),)]


def _games_line(status: RunStatus, style: BlockStyle) -> StyledLine:
    pace = _pace(status.rate) if status.rate else ""
    left = f"{span_words(status.left)} left" if status.left is not None else ""
    if status.state in {"paused", "stopped", "over"}:
        left = ""
    if status.test is not None:
        most = f"  of at most {status.total:,}"
        words = ", ".join(filter(None, (pace, f"about {left}" if left else "")))
        return (("games  ", "faint"), (f"{status.done:,}", ""), (most, "faint"), (f"  {words}", ""))
    share = status.done / status.total if status.total else 1.0
    counted = f"{status.done:,} of {status.total:,}"
    after = f" {share:4.0%}  {pace}" + (f"  {left}" if left else "")
    room = style.columns - 7 - len(counted) - 2 - max(len(after), 38)
    bar = _bar(share, max(_LEAST_BAR, room), style.signs, "bar")
    return (("games  ", "faint"), (counted, ""), ("  ", ""), *bar, (after, ""))


def _bar(share: float, width: int, signs: BlockSigns, colour: str) -> StyledLine:
    """Return a bar that is filled to ``share``."""
    halves = round(min(max(share, 0.0), 1.0) * width * 2)
    done = signs.full * (halves // 2) + (signs.half if halves % 2 else "")
    return ((done, colour), (signs.rest * (width - len(done)), "faint"))


def _table(bots: Sequence[BotStatus], style: BlockStyle, room: int) -> list[StyledLine]:
    least, most = _NAME
    name = min(most, max(least, *(_width(bot.bot) for bot in bots)) + 1)
    bar = max(0, style.columns - name - _NUMBERS)
    bar = bar if bar >= _LEAST_BAR else 0
    shown = list(bots)
    if len(bots) > room:
        shown = sorted(bots, key=lambda bot: -bot.share)[: max(0, room - 1)]
    lines: list[StyledLine] = [
        (
            (_padded("bot", name), "head"),
            (f"{'games':>7}{'points':>10}{'share':>8}", "head"),
            ("  " + " " * max(0, bar - 1) if bar else "", "head"),
            (f"{'ms a plan':>11}{'longest':>9}{'faults':>8}"[: style.columns], "head"),
        )
    ]
    lines += (_bot_line(bot, name, bar, style.signs) for bot in shown)
    if len(shown) < len(bots):
        lines.append(((f"and {len(bots) - len(shown)} more with fewer points", "faint"),))
    return lines


def _bot_line(bot: BotStatus, name: int, bar: int, signs: BlockSigns) -> StyledLine:
    points = f"{bot.points:,.1f}" if bot.points % 0.5 == 0 else f"{bot.points:,.2f}"
    share = f"{bot.share:.1%}" if bot.games else "-"
    return (
        (_padded(bot.bot, name), "title"),
        (f"{bot.games:>7,}{points:>10}{share:>8}", ""),
        *((("  ", ""), *_bar(bot.share, bar - 1, signs, "bar")) if bar else ()),
        (f"{_milliseconds(bot.plan):>11}{_milliseconds(bot.longest):>9}", "faint"),
        (f"{bot.faults:>8,}", "bad" if bot.faults else "faint"),
    )


def _test_lines(test: SprtStatus, style: BlockStyle) -> list[StyledLine]:
    lower, upper = f"{test.lower:+.2f} ", f" {test.upper:+.2f}"
    width = max(_LEAST_BAR, style.columns - len("LLR    ") - len(lower) - len(upper) - 9)
    colour = "good" if test.llr > 0 else "bad"
    bar = ((lower, "faint"), *_llr_bar(test, width, style.signs), (upper, "faint"))
    left = f"  about {test.left:,.0f} left" if test.left else ""
    asked = f"  H0 {test.elo0:g}, H1 {test.elo1:g} Elo, {test.model}"
    counted = f"  of at most {test.most:,}"
    pairs = (("pairs  ", "faint"), (f"{test.pairs:,}", ""), (counted, "faint"), (left, ""))
    return [
        (("LLR    ", "faint"), *bar, ("  ", ""), (f"{test.llr:+.2f}", colour)),
        (*pairs, (asked, "faint")),
    ]


def _llr_bar(test: SprtStatus, width: int, signs: BlockSigns) -> StyledLine:
    """Return a bar for the ratio between its bounds, drawn from 0 on."""
    last = width - 3
    span = test.upper - test.lower

    def place(value: float) -> int:
        return min(max(round((value - test.lower) / span * last), 0), last)

    middle, now = place(0), place(test.llr)
    colour = "good" if test.llr > 0 else "bad"
    spans: list[StyledText] = [(signs.left, "faint")]
    for at in range(last + 1):
        if at == now:
            spans.append((signs.point, colour))
        elif at == middle:
            spans.append((signs.middle, "faint"))
        elif min(middle, now) < at < max(middle, now):
            spans.append((signs.full, colour))
        else:
            spans.append((signs.rest, "faint"))
    return (*spans, (signs.right, "faint"))


def _fault_lines(status: RunStatus, style: BlockStyle) -> list[StyledLine]:
    fault = status.fault
    assert fault is not None  # noqa: S101 - for the type checker
    where = f" at entry {fault.place}" if fault.place else ""
    who = f"{fault.bot}: " if fault.bot else ""
    first = f"{status.faults:,} broken off, the last one game {fault.game}{where}"
    lines: list[StyledLine] = [(("faults ", "faint"), (first, "bad"))]
    text = harmless(f"{who}{fault.kind}, {fault.text}")
    wrapped = textwrap.wrap(text, max(20, style.columns - 7), max_lines=2, placeholder=" ...")
    lines += ((("       ", ""), (line, "")) for line in wrapped)
    if fault.log:
        lines.append((("       ", ""), (fault.log, "faint")))
    return lines
