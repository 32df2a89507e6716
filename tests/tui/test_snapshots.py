"""Every screen of every game as text: what it shows, and how each cell is written.

Regenerate with ``--regenerate`` and read the diff. What must hold of every screen cannot be
regenerated away.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core import registry
from tests.tui.desk import Desk, desk
from tests.tui.scenes import LARGE, REGIONS, RUNS, STACKS, TOY, Run, Scene
from tests.tui.shots import faults, map_faults, shot, written
from tui.settings.settings import config_folder
from tui.terminal.capabilities import Depth

GOLDEN = Path(__file__).parent / "golden"
SIZES = ((80, 24), (160, 50))
MODES: dict[str, Depth] = {"256": "256", "16": "16", "ascii": "none"}
SIGNS = {"256": "rich", "16": "box", "ascii": "ascii"}
WIDE_MODES = ("256", "ascii")
"""What 16 colours do to a screen does not depend on its size."""
Golden = Callable[[Path, str], None]


class Today(datetime.datetime):
    """A day that does not pass."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Today:
        """Noon of that day."""
        return cls(2026, 1, 2, 12, 0, 0, tzinfo=tz)


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dates on the screen are the same every day."""
    monkeypatch.setattr(datetime, "datetime", Today)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


def test_every_ruleset_has_screens_here() -> None:
    shown = {LARGE.ruleset, TOY.ruleset, REGIONS.ruleset, STACKS.ruleset}
    assert shown == {*registry.names()}


def test_scenes_have_names_of_their_own() -> None:
    names = [scene.name for run in RUNS for scene in run.scenes]
    assert len(names) == len({*names})


@pytest.mark.parametrize(
    ("size", "mode"),
    [(SIZES[0], mode) for mode in MODES] + [(SIZES[1], mode) for mode in WIDE_MODES],
    ids=lambda value: f"{value[0]}x{value[1]}" if isinstance(value, tuple) else value,
)
@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
async def test_screens(
    tmp_path: Path, golden: Golden, run: Run, size: tuple[int, int], mode: str
) -> None:
    settings = config_folder() / "settings.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(f'colours = "{MODES[mode]}"\nanimation = "off"\n', encoding="ascii")
    wrong: list[str] = []
    wanted = await run.begin(tmp_path)
    async with desk(tmp_path, size, glyphs=SIGNS[mode], **wanted) as at:
        for scene in run.scenes:
            await at.press(*scene.keys)
            found = check(at, scene, mode, golden)
            wrong += [f"{scene.name}: {fault}" for fault in found]
    assert not wrong, "\n".join(wrong)


def check(at: Desk, scene: Scene, mode: str, golden: Golden) -> list[str]:
    """What is wrong with a scene."""
    taken = shot(at, MODES[mode])
    size = at.app.size
    found = faults(taken, (size.width, size.height), mode)
    if scene.text not in at.text:
        found.append(f"{scene.text!r} is not shown:\n{at.text}")
    if scene.board:
        found += map_faults(at, taken)
    try:
        golden(GOLDEN / f"{scene.name}-{size.width}x{size.height}-{mode}.txt", written(taken))
    except AssertionError as differs:
        found.append(str(differs).partition("\n")[0])
    return found
