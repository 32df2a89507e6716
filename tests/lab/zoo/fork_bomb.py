"""Starts two hundred processes, which end by themselves after some seconds."""

import os
import time

from manners import play


def fork() -> None:
    """Start them."""
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(5)
            os._exit(0)
    time.sleep(5)


play(fork)
