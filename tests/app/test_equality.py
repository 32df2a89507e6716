"""Both ways of output leave the same cells in tmux, also after resizes."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from time import monotonic, sleep

import pytest

from engine.core.archive import SeatPlayer
from saves.archive import Folder
from tests.app.window import Window, banneret
from tests.patience import PATIENCE
from tests.programs import needs_tmux
from tui.console.faults import keep
from tui.play.setup import NewGame, begin

pytestmark = needs_tmux

PEOPLE = (SeatPlayer(0, "Eldoin 漢字"), SeatPlayer(1, "Dailor"))
KEYS = ("Up", "Down", "Left", "Right", "Tab", "x", "v", "f", "Space", "p", "D", "T", "M", "w")


def player(folder: Path, output: str) -> Path:
    """Fill a player's folder with a game on the large map and an output setting; return it."""
    start = NewGame("weltendaemmerung", "thainfal", players=PEOPLE, seed=b"1", name="game")
    begin(Folder(folder / "banneret" / "saves"), start, keep).close()
    settings = folder / "banneret" / "settings.toml"
    settings.write_text(f'output = "{output}"\nanimation = "off"\n', encoding="ascii")
    return folder


def is_filled(columns: int, rows: int, text: str) -> bool:
    """Return whether the picture fills the window. No key may be pressed before that."""
    lines = text.splitlines()
    return len(lines) == rows and "leave" in lines[-1] and max(map(len, lines)) > columns - 8


def agree(one: Window, other: Window) -> None:
    """Wait until both windows show the same cells; fail if they never do."""
    end = monotonic() + PATIENCE
    while (here := one.coloured) != (there := other.coloured) and monotonic() < end:
        sleep(0.05)
    assert here == there


def walk(one: Window, other: Window, chance: random.Random, steps: int) -> None:
    """Press the same keys in both windows. The help then shows that all of them were handled."""
    keys = [chance.choice(KEYS) for _ in range(steps)]
    for window in (one, other):
        window.press(*keys, "?")
        window.wait("[Keys]")
    agree(one, other)
    for window in (one, other):
        window.press("Escape")
        window.gone("[Keys]")
    agree(one, other)


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3, 4))])
def test_both_ways_of_output_look_the_same_in_tmux(tmp_path: Path, seed: int) -> None:
    folders = [tmp_path / name for name in ("cells", "textual")]
    for folder in folders:
        folder.mkdir()
        player(folder, folder.name)
    chance = random.Random(seed)  # noqa: S311 - keys to press
    with banneret(folders[0], "play", "game") as one, banneret(folders[1], "play", "game") as other:
        for window in (one, other):
            window.wait(" MOVE ", "commander")
        agree(one, other)
        for size in ((80, 24), (100, 30), (80, 24)):
            for window in (one, other):
                window.resize(*size)
                window.until(partial(is_filled, *size), size)
            walk(one, other, chance, 0)
            walk(one, other, chance, 25)
