"""Every screen in windows that are too small, and made small while it is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.desk import Desk, desk
from tests.tui.scenes import RUNS, Run
from tui.room import SMALLEST, USUAL

SIZES = ((79, 23), (40, 16), (40, 15), (20, 5), (1, 1))
"""Each scene is made as small as two of these, and the next scene as small as the next two."""


async def resized(at: Desk, size: tuple[int, int]) -> None:
    """Another size, and everything that follows."""
    await at.pilot.resize_terminal(*size)
    await at.rest()


def squeezed(text: str) -> str:
    """A text without breaks of lines."""
    return " ".join(text.split())


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
async def test_every_screen_bears_every_size(tmp_path: Path, run: Run) -> None:
    wanted = await run.begin(tmp_path)
    async with desk(tmp_path, USUAL, **wanted) as at:
        for number, scene in enumerate(run.scenes):
            await at.press(*scene.keys)
            for size in (SIZES[(2 * number + by) % len(SIZES)] for by in (0, 1)):
                await resized(at, size)
                rows = at.rows()
                assert len(rows) == size[1]
                assert all(len(row) <= size[0] for row in rows)
                if size == (40, 15):
                    said = squeezed(at.text)
                    assert "40 x 15" in said, f"{scene.name} at {size}:\n{at.text}"
                    assert f"{SMALLEST[0]} x {SMALLEST[1]}" in said
                    assert f"{USUAL[0]} x {USUAL[1]}" in said
            await resized(at, USUAL)
            assert "Please make it larger" not in squeezed(at.text), scene.name
            assert sum(map(bool, at.rows())) >= 3, f"{scene.name} after it was small:\n{at.text}"
