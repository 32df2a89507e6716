"""Run the program with a game whose screen can hang: ``python -m tests.app.stuck_host``.

The game is the toy ruleset. Its presenter loops forever when the cursor steps down.
"""

from __future__ import annotations

import sys
import time

from app import main
from engine.core import registry
from engine.tabletop.focus import Direction, Focus, Push
from tests.app.patient_host import be_patient
from tests.toy import RULES
from tests.toy.picture import Picture
from tests.toy.state import View


class StuckPicture(Picture):
    """A presenter with a planted endless loop."""

    def step(self, view: View, focus: Focus, direction: Direction) -> Push:
        """Step as usual, but loop forever on the way down."""
        while direction == "down":
            time.sleep(0.01)  # a loop that lets others use the processor is as stuck
        return super().step(view, focus, direction)


RULES.presenter = StuckPicture()
registry.register(RULES)

if __name__ == "__main__":
    be_patient()
    sys.exit(main())
