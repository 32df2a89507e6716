"""Founders: who began each game of a host, and how many games each person may begin."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Final

from engine.core.registry import find
from engine.core.ruleset import Scenario
from host.server.cleaning import clean
from host.server.gamebook import GameRow, StoredGame
from host.server.people import GUEST, Guest, Person
from host.server.rate_limits import HostLimits, network
from tui.play.setup import NewGame

LONGEST_NAME: Final = 60
"""Maximum characters of a game's name."""


class Founders:
    """Founders by game: people by number, guests by network."""

    def __init__(self) -> None:
        self._people: dict[int, int] = {}
        self._networks: dict[int, str] = {}
        """Networks of guests; empty for a guest from before the last start."""

    def note(self, game: int, person: Person) -> None:
        """Note the founder of a new game."""
        self._people[game] = person.number
        if isinstance(person, Guest):
            self._networks[game] = network(person.origin)

    def resume(self, row: GameRow, stored: StoredGame) -> None:
        """Note the founder of a stored game."""
        self._people[row.number] = row.owner
        if stored.by_guest:
            self._networks[row.number] = ""

    def forget(self, game: int) -> None:
        """Forget a deleted game."""
        self._people.pop(game, None)
        self._networks.pop(game, None)

    @property
    def by_guests(self) -> tuple[int, ...]:
        """Numbers of the games that guests began."""
        return tuple(self._networks)

    def is_by(self, game: int, person: Person) -> bool:
        """Return whether ``person`` began a game and has an account."""
        return person.number > GUEST and self._people.get(game) == person.number

    def full(self, person: Person, unfinished: Iterable[int], limits: HostLimits) -> str:
        """Return why a person may begin no further game, or an empty text.

        Only guests are limited by the games of guests.
        """
        numbers = list(unfinished)
        by_guests = [number for number in numbers if number in self._networks]
        if isinstance(person, Guest):
            origin = network(person.origin)
            near = sum(self._networks[number] == origin for number in by_guests)
            return limits.full_guest_games(len(by_guests), near)
        own = sum(self._people.get(number) == person.number for number in numbers)
        others = len(numbers) - len(by_guests)
        return limits.full("games", others) or limits.full("games_a_person", own)


# -- new games of a host ------------------------------------------------------------------------


def refuse_foreign(start: NewGame) -> None:
    """Raise LookupError if the scenario of a new game is not one of the host's own."""
    shipped = find(start.ruleset).scenarios().values()
    if isinstance(start.scenario, Scenario) and start.scenario not in [*shipped]:
        raise LookupError("games on a host begin with the scenarios that it has")


def named(start: NewGame) -> NewGame:
    """Return a new game whose name gives a save inside the host's folder."""
    name = clean(start.name, LONGEST_NAME).replace("/", " ").replace("\\", " ").strip(" .")
    return dataclasses.replace(start, name=name or "game" if start.name else "", seed=b"")
