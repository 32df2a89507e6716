"""Loops forever when it should answer."""

from manners import play


def spin() -> None:
    """Loop forever."""
    while True:
        pass


play(spin)
