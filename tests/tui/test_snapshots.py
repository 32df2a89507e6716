"""Every screen of every game as text: its contents, and the style of each cell.

Regenerate with ``--regenerate`` and read the diff. The checks for every screen cannot be
regenerated away.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.core import registry
from tests.tui.piloted_app import Desk, desk
from tests.tui.scenes import BOXES, LARGE, REGIONS, RUNS, STACKS, TOY, WOUNDS, Run, Scene
from tests.tui.screen_captures import faults, map_faults, not_of, shot, written
from tui.settings.settings import config_folder
from tui.terminal.capabilities import Depth

GOLDEN = Path(__file__).parent / "golden"
SMALL, WIDE = (80, 24), (160, 50)
MODES: dict[str, Depth] = {"256": "256", "16": "16", "ascii": "none"}
SIGNS = {"256": "rich", "16": "box", "ascii": "ascii"}
ALL = ((SMALL, "16"), (SMALL, "ascii"), (WIDE, "256"))
"""Every size and mode once; the effect of a mode does not depend on the size."""
FEW = ALL[1:]
"""For runs whose windows and signs in 16 colours are covered by other runs."""
SHOWN_ELSEWHERE = ("saved", "large", "ford", "orders")
Golden = Callable[[Path, str], None]


class Today(datetime.datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Today:
        """Return noon of a fixed day."""
        return cls(2026, 1, 2, 12, 0, 0, tzinfo=tz)


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the dates on the screen."""
    monkeypatch.setattr(datetime, "datetime", Today)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


def test_every_ruleset_has_screens_here() -> None:
    games = (LARGE, TOY, REGIONS, STACKS, WOUNDS)
    assert {BOXES, *(game.ruleset for game in games)} == {*registry.names()}


def test_names_of_scenes_are_unique() -> None:
    names = [scene.name for run in RUNS for scene in run.scenes]
    assert len(names) == len({*names})


def sizes_and_modes(run: Run) -> tuple[tuple[tuple[int, int], str], ...]:
    """Return the sizes and modes in which a run is shown."""
    return FEW if run.name in SHOWN_ELSEWHERE else ALL


def cases() -> list[Any]:
    """Return every run with its sizes and modes."""
    return [
        pytest.param(run, size, mode, id=f"{run.name}-{size[0]}x{size[1]}-{mode}")
        for run in RUNS
        for size, mode in sizes_and_modes(run)
    ]


def test_every_golden_screen_is_compared() -> None:
    shown = {
        f"{scene.name}-{size[0]}x{size[1]}-{mode}.txt"
        for run in RUNS
        for size, mode in sizes_and_modes(run)
        for scene in run.scenes
    }
    assert {path.name for path in GOLDEN.glob("*.txt")} == shown


@pytest.mark.parametrize(("run", "size", "mode"), cases())
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
    """Return the faults of a scene."""
    taken = shot(at, MODES[mode])
    size = at.app.size
    found = faults(taken, (size.width, size.height), mode)
    found += not_of(taken.strips, MODES[mode])
    text = "\n".join(taken.lines)
    if scene.text not in text:
        found.append(f"{scene.text!r} is not shown:\n{text}")
    if scene.board:
        found += map_faults(at, taken)
    try:
        golden(GOLDEN / f"{scene.name}-{size.width}x{size.height}-{mode}.txt", written(taken))
    except AssertionError as differs:
        found.append(str(differs).partition("\n")[0])
    return found
