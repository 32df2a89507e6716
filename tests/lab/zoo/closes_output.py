"""Closes its standard output and lives on."""

import os
import time

from manners import play


def close() -> None:
    """Close it."""
    os.close(1)
    time.sleep(1000)


play(close)
