"""A position in mid-step in which every event can happen, and random games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from engine.core.containers import Roster
from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.core.game import Game
from engine.core.ids import PUBLIC, REFEREE, Viewer
from engine.core.record import replace
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import Unit
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.state import Squad, State, View
from engine.rulesets.gd6.territories import Decision
from engine.rulesets.gd6.turns import close
from tests.contract.walks import numbers, walk
from tests.rulesets.gd6.table import Play, begin

BLUE, RED, GREEN = 0, 1, 2

MIDDLE: Final = """
borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 8], [8, 9], [3, 9]]
options = { variant = "advanced" }
players = [
  { id = 0, name = "blue", ip = 60, crop = 1, dynamite = 2, orders = ["spawn at=2 count=1"] },
  { id = 1, name = "red", ip = 40 },
  { id = 2, ip = 7 },
]
territories = [
  { id = 1, owner = 0, army = 4, spy = 1, loyalty = 3, hq = 0, construct = "library" },
  { id = 2, owner = 0, army = 2, heavy = 1, loyalty = 1 },
  { id = 4, owner = 1, army = 3, cavalry = 1, loyalty = 2, hq = 1, construct = "watchtower" },
  { id = 5, owner = 1, army = 1, construct = "bivouac", mines = 2, laid = [[1, 2]] },
  { id = 7, owner = 2, army = 5, hq = 2, wasteland = true },
]
"""


def squad(number: int, seat: int, count: int, *path: int, unit: Unit = "army") -> Squad:
    """Return a squad in transit."""
    return Squad(number, seat, number, unit, count, path, flying=True)


def middle(*squads: Squad) -> State:
    """Return the position, in step 1 of the movement if there are squads."""
    state = begin(MIDDLE).state
    return replace(state, squads=Roster(squads), step=1, phase="movement") if squads else state


class Told(NamedTuple):
    """Event as one viewer sees it, with the views around it."""

    viewer: Viewer
    event: ev.AnyEvent
    before: View
    after: View


def told(game: Play, viewers: tuple[Viewer, ...]) -> Iterator[Told]:
    """Yield the events of a whole game as viewers see them."""
    events = [event for entry in game.log.line() for event in entry.events]
    yield from _told(RULES.empty(), events, viewers)


def told_of_turn(state: State, viewers: tuple[Viewer, ...]) -> Iterator[Told]:
    """Yield the events as viewers see them while the lists of a position are executed."""
    decision: Decision = BaseDecision(state, evolve, Scripted())
    close(decision)
    yield from _told(state, decision.events, viewers)


def _told(
    state: State, events: Iterable[ev.AnyEvent], viewers: tuple[Viewer, ...]
) -> Iterator[Told]:
    for event in events:
        after = RULES.evolve(state, event)
        for viewer in viewers:
            seen = RULES.redact(event, state, after, viewer)
            if seen is not None:
                yield Told(viewer, seen, RULES.view(state, viewer), RULES.view(after, viewer))
        state = after


def walked(name: str, length: int, seed: str = "words") -> Play:
    """Play a shipped scenario at random."""
    game: Play = Game.begin(RULES, RULES.scenarios()[name], {}, b"words")
    list(walk(game, list(numbers(seed, length))))
    return game


EVERYBODY: Final[tuple[Viewer, ...]] = (0, 1, PUBLIC, REFEREE)
