"""Viewers of a saved game: as whom it may be watched, and their names."""

from __future__ import annotations

from engine.core.archive import Opened
from engine.core.ids import HOUSE, PUBLIC, REFEREE, Viewer
from engine.core.replay import fold
from engine.core.ruleset import AnyRuleset


def is_secret(rules: AnyRuleset, opened: Opened) -> bool:
    """Return whether a save is a game with secrets that is still in progress.

    Raises:
        BrokenLog: an event of the log cannot be applied.
    """
    if not rules.traits.hidden:
        return False
    return rules.outcome(fold(rules, opened.log.line())) is None


def viewers_of(opened: Opened, *, secret: bool) -> tuple[Viewer, ...]:
    """Return the viewers as whom a game may be watched, the default one first.

    While a game with secrets is in progress, these are only the public and a person who plays alone
    against computers.
    """
    if not secret:
        return (REFEREE, *(player.seat for player in opened.header.players))
    people = [player.seat for player in opened.header.players if not player.bot]
    return (people[0], PUBLIC) if len(people) == 1 else (PUBLIC,)


def viewer_name(viewer: Viewer, seats: tuple[str, ...]) -> str:
    """Return the name of a viewer."""
    special = {REFEREE: "all-seeing", PUBLIC: "what everybody sees", HOUSE: "the house"}
    if viewer in special:
        return special[viewer]
    return seats[viewer] if viewer < len(seats) else f"seat {viewer}"
