"""Leaves a child behind, in a session of its own and with an orphan of its own."""

import os
import time

from manners import REST, play, say


def leave_child() -> None:
    """Start a child and go on as if nothing were."""
    if os.fork() == 0:
        os.setsid()
        os.fork()
        os.closerange(0, 3)
        time.sleep(1000)
        os._exit(0)
    say(REST)


play(leave_child)
