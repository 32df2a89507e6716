"""``python -m tests.app.stuck_host``: the program with a game whose screen can get stuck.

The game is the toy ruleset; whoever steps down with the cursor has its presenter compute for ever.
"""

from __future__ import annotations

import sys
import time

from app import main
from engine.core import registry
from engine.tabletop.focus import Direction, Focus, Push
from tests.toy import RULES
from tests.toy.picture import Picture
from tests.toy.state import View


class StuckPicture(Picture):
    """A presenter with a fault."""

    def step(self, view: View, focus: Focus, direction: Direction) -> Push:
        """No way leads down, and it never finds that out."""
        while direction == "down":
            time.sleep(0.01)  # a loop that lets others use the processor is as stuck
        return super().step(view, focus, direction)


RULES.presenter = StuckPicture()
registry.register(RULES)

if __name__ == "__main__":
    sys.exit(main())
