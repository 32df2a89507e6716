"""Leaves behind a child in another session, with an orphan of the child."""

import os
import time

from manners import REST, play, say


def leave_child() -> None:
    """Start a child, then answer as usual."""
    if os.fork() == 0:
        os.setsid()
        os.fork()
        os.closerange(0, 3)
        time.sleep(1000)
        os._exit(0)
    say(REST)


play(leave_child)
