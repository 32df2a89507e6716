"""Every screen: no colour and no sign that is not wanted, and in windows of any size."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from rich.color import Color, ColorSystem, ColorType
from rich.style import Style

from tests.tui.desk import Desk, desk
from tests.tui.scenes import RUNS, Run
from tests.tui.test_small_windows import SIZES, bears
from tui.settings.settings import Settings
from tui.terminal.capabilities import USUAL, Depth

DEPTHS: tuple[Depth, ...] = ("256", "16", "8", "none")
"""Each scene is shown with two of these, in ASCII with the first; the next with the next two."""


def styles(at: Desk) -> Iterator[tuple[str, Style]]:
    """Every text on the screen with its style."""
    for strip in at.app.screen._compositor.render_strips():
        for text, style, _ in strip:
            if style is not None:
                yield text, style


@cache
def is_of(color: Color, depth: Depth) -> bool:
    """True if a colour is sent as it is at a depth."""
    if color.type is ColorType.DEFAULT:
        return True
    if depth == "256":
        rounded = color.downgrade(ColorSystem.EIGHT_BIT)
        return rounded.get_truecolor() == color.get_truecolor() and (rounded.number or 0) >= 16
    return depth != "none" and color.number is not None and color.number < int(depth)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
async def test_every_screen_keeps_to_the_palette_and_to_ascii_and_bears_every_size(
    tmp_path: Path, run: Run
) -> None:
    wrong: set[str] = set()
    wanted = await run.begin(tmp_path)
    async with desk(tmp_path, USUAL, **wanted) as at:
        for number, scene in enumerate(run.scenes):
            first, second = (DEPTHS[(2 * number + by) % len(DEPTHS)] for by in (0, 1))
            at.app._wanted_glyphs = None
            at.app.change(Settings(colours=first, glyphs="ascii", animation="off"))
            await at.press(*scene.keys)
            await at.rest()
            assert at.text.isascii(), f"{scene.name}:\n{at.text}"
            assert all(" " <= sign <= "~" for sign in at.text.replace("\n", ""))
            wrong |= not_of(at, first, scene.name)
            at.app.change(Settings(colours=second, glyphs="rich", animation="off"))
            await at.rest()
            wrong |= not_of(at, second, scene.name)
            await bears(at, scene.name, SIZES[number % len(SIZES)])
    assert not wrong, "\n".join(sorted(wrong))


def not_of(at: Desk, depth: Depth, scene: str) -> set[str]:
    """Faults of colours that a depth does not have."""
    return {
        f"{scene}, {depth}: {color.name} in {text.strip()[:30]!r}"
        for text, style in styles(at)
        for color in (style.color, style.bgcolor)
        if color is not None and not is_of(color, depth)
    }
