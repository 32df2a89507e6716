"""Closes its standard output and keeps running."""

import os
import time

from manners import play


def close() -> None:
    """Close standard output and sleep."""
    os.close(1)
    time.sleep(1000)


play(close)
