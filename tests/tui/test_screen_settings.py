"""Every screen uses only the wanted colours and signs, in windows of any size.

The walks of ``test_snapshots`` check the colours of each screen in the depths that they show it
in. This walk changes the settings while screens are shown, in the remaining depths.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.piloted_app import desk
from tests.tui.scenes import RUNS, Run
from tests.tui.screen_captures import not_of
from tests.tui.test_small_windows import SIZES, bears
from tui.settings.settings import Settings
from tui.terminal.capabilities import USUAL

DRESSES = (
    Settings(colours="16", glyphs="rich", animation="off"),
    Settings(colours="8", glyphs="ascii", animation="off"),
)
"""Settings in which the scenes are shown in turn."""


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
async def test_every_screen_keeps_to_its_colours_signs_and_size(tmp_path: Path, run: Run) -> None:
    wrong: set[str] = set()
    wanted = await run.begin(tmp_path)
    async with desk(tmp_path, USUAL, **wanted) as at:
        at.app._wanted_glyphs = None
        for number, scene in enumerate(run.scenes):
            dress = DRESSES[number % len(DRESSES)]
            at.app.change(dress)
            await at.press(*scene.keys)
            strips = at.strips()
            text = "\n".join(strip.text for strip in strips)
            if dress.glyphs == "ascii":
                assert all(" " <= sign <= "~" for sign in text.replace("\n", "")), text
            found = not_of(strips, at.app.depth)
            wrong |= {f"{scene.name}: {fault}" for fault in found}
            await bears(at, scene.name, SIZES[number % len(SIZES)])
    assert not wrong, "\n".join(sorted(wrong))
