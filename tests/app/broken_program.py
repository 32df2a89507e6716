"""Run the program with planted faults: ``python -m tests.app.broken_program game|title|input``."""

from __future__ import annotations

import sys

from app import main
from tests.tui import planted
from tui.screens import game, title
from tui.terminal import driver


def plant(where: str) -> None:
    """Plant faults in the game, the title, or the reading of keys."""
    if where == "game":
        vars(game)["GameScreen"] = planted.BrokenGame
    elif where == "input":
        vars(driver)["Keyboard"] = planted.BrokenKeyboard
    else:
        vars(title)["TitleScreen"] = planted.BrokenTitle


if __name__ == "__main__":
    plant(sys.argv[1])
    sys.exit(main(sys.argv[2:]))
