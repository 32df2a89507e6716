"""The main screens as text; regenerate with ``--regenerate`` and read the diff."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core.archive import Player
from tests.tui.desk import FORD, desk
from tests.tui.test_game import middle
from tui.setup import NewGame

GOLDEN = Path(__file__).parent / "golden"
SIZES = [(80, 24), (160, 50)]
Golden = Callable[[Path, str], None]


def named(what: str, size: tuple[int, int]) -> Path:
    return GOLDEN / f"{what}-{size[0]}x{size[1]}.txt"


@pytest.mark.parametrize("size", SIZES)
async def test_title(tmp_path: Path, golden: Golden, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size) as at:
        golden(named("title", size), at.text)


@pytest.mark.parametrize("size", SIZES)
async def test_new_game(tmp_path: Path, golden: Golden, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size) as at:
        await at.press("enter", "down", "down")
        golden(named("new-game", size), at.text)


@pytest.mark.parametrize("size", SIZES)
async def test_large_game(tmp_path: Path, golden: Golden, size: tuple[int, int]) -> None:
    people = (Player(0, "Eldoin"), Player(1, "Dailor"))
    start = NewGame("weltendaemmerung", players=people, seed=b"1", name="game")
    async with desk(tmp_path, size, start=start) as at:
        golden(named("large", size), at.text)


@pytest.mark.parametrize("size", SIZES)
async def test_small_game_in_the_attack(
    tmp_path: Path, golden: Golden, size: tuple[int, int]
) -> None:
    async with desk(tmp_path, size, start=middle()) as at:
        await at.press("space", "right", "right", "space", "e", "enter", "e", "enter")
        await at.press("tab", "space", "x")
        golden(named("attack", size), at.text)


@pytest.mark.parametrize("size", SIZES)
async def test_end_of_phase(tmp_path: Path, golden: Golden, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size, start=FORD) as at:
        await at.press("e")
        golden(named("end-phase", size), at.text)


@pytest.mark.parametrize("size", SIZES)
async def test_replay(tmp_path: Path, golden: Golden, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size, start=FORD) as at:
        await at.press("space", "right", "down", "space", "e", "enter", "q")
    async with desk(tmp_path, size, replay_name="game") as at:
        await at.press("right", "right")
        golden(named("replay", size), at.text)


@pytest.mark.parametrize("size", SIZES)
async def test_result(tmp_path: Path, golden: Golden, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size, start=middle()) as at:
        for _ in range(12):
            await at.press("e", "enter")
        golden(named("result", size), at.text)


async def test_game_in_a_narrow_window(tmp_path: Path, golden: Golden) -> None:
    async with desk(tmp_path, (60, 22), start=FORD) as at:
        golden(named("narrow", (60, 22)), at.text)
