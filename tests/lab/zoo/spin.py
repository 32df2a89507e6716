"""Works for ever when it should answer."""

from manners import play


def spin() -> None:
    """Work for ever."""
    while True:
        pass


play(spin)
