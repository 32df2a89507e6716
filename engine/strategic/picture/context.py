"""Context of a picture: a view with its rule settings and symbols, and facts derived from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.core.containers import Plane
from engine.core.ids import REFEREE
from engine.core.record import replace
from engine.kit.grid import Place
from engine.kit.memo import recent
from engine.strategic.book import Book
from engine.strategic.picture.style import PictureStyle, SymbolTable, Topic
from engine.strategic.pieces import NOBODY, NONE, Army, City, Question
from engine.strategic.world import World, armies_of, cities_of, stacks
from engine.tabletop.board import NOBODY as NO_SEAT


@dataclass(frozen=True, eq=False)
class PictureContext:
    """What ``viewer`` knows of a world. ``visible`` is 1 where it sees now who stands there."""

    world: World
    viewer: int
    visible: Plane
    book: Book
    style: PictureStyle
    symbols: SymbolTable

    @cached_property
    def is_player(self) -> bool:
        """Whether a side of the game looks."""
        return self.viewer in self.world.sides

    @cached_property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.world.reason is not None

    @cached_property
    def question(self) -> Question | None:
        """What the viewer itself must answer before anything else."""
        asked = self.world.question
        return asked if asked is not None and asked.side == self.viewer else None

    @cached_property
    def actor(self) -> int:
        """Who is to act: whoever must answer, or whose turn it is."""
        asked = self.world.question
        return asked.side if asked is not None else self.world.current

    @cached_property
    def may_order(self) -> bool:
        """Whether the viewer can give orders now, no question standing open."""
        return (
            self.is_player
            and not self.is_over
            and self.world.question is None
            and self.world.current == self.viewer
        )

    @cached_property
    def stacks(self) -> Mapping[Place, tuple[Army, ...]]:
        """Armies by tile."""
        return stacks(self.world.armies)

    @cached_property
    def own_armies(self) -> tuple[Army, ...]:
        """The viewer's armies on the map."""
        return armies_of(self.world, self.viewer) if self.is_player else ()

    @cached_property
    def own_cities(self) -> tuple[City, ...]:
        """The viewer's standing cities."""
        return cities_of(self.world, self.viewer) if self.is_player else ()

    @cached_property
    def movers(self) -> Mapping[Place, tuple[Army, ...]]:
        """The viewer's armies that have points left, by tile, while it may give orders."""
        if not self.may_order:
            return {}
        found: dict[Place, list[Army]] = {}
        for army in self.own_armies:
            if army.points > 0:
                found.setdefault(army.at, []).append(army)
        return {at: tuple(group) for at, group in found.items()}

    @cached_property
    def idle_stacks(self) -> tuple[Place, ...]:
        """Tiles with own armies that can move, neither defend nor have a goal."""
        return tuple(
            at
            for at, group in self.movers.items()
            if any(not a.defends and a.goal is None and not a.to_flag for a in group)
        )

    @cached_property
    def idle_cities(self) -> tuple[City, ...]:
        """The viewer's cities that could make something and make nothing."""
        return tuple(city for city in self.own_cities if city.making == NONE and city.slots)

    @cached_property
    def sees_all(self) -> bool:
        """Whether nothing on the map is out of the viewer's sight."""
        return bool(self.visible.cells.all())

    def is_open(self, side: int) -> bool:
        """Whether the viewer knows a side's own business: its purse, plans and points."""
        return self.viewer in (side, REFEREE) or self.is_over

    def rule(self, topic: Topic) -> str:
        """The id of the rule on a topic."""
        return self.style.rules[topic]

    def sees(self, at: Place) -> bool:
        """Whether the viewer sees now who stands on a tile."""
        return bool(self.visible[at[1], at[0]])

    def knows(self, at: Place) -> bool:
        """Whether the viewer knows what a tile is like: what is unknown is terrain 0."""
        return bool(self.world.terrain[at[1], at[0]])


def seat_of(owner: int) -> int:
    """The owner as clients count seats: nobody is -1."""
    return NO_SEAT if owner == NOBODY else owner


def context_cache(make: Callable[[Any], PictureContext]) -> Callable[[Any], PictureContext]:
    """The function that makes contexts, remembering that of each view for as long as it exists."""
    # The context gets a copy of the view: if it held the view, neither would ever be released.
    return recent(lambda view: make(replace(view)))
