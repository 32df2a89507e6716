"""``python -m tests.app.broken_program game|title``: the program with faults in its screens."""

from __future__ import annotations

import sys

from app import main
from tests.tui import planted
from tui.screens import game, title


def plant(where: str) -> None:
    """Put faults into the game or the title."""
    if where == "game":
        vars(game)["GameScreen"] = planted.BrokenGame
    else:
        vars(title)["TitleScreen"] = planted.BrokenTitle


if __name__ == "__main__":
    plant(sys.argv[1])
    sys.exit(main(sys.argv[2:]))
