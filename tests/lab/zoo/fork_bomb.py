"""Starts two hundred processes that end after five seconds."""

import os
import time

from manners import play


def fork() -> None:
    """Fork two hundred processes and wait."""
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(5)
            os._exit(0)
    time.sleep(5)


play(fork)
