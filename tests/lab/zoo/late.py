"""Answers after its time limit."""

import time

from manners import REST, play, say


def dawdle() -> None:
    """Answer after more than the limit of the tests."""
    time.sleep(2.5)
    say(REST)


play(dawdle)
