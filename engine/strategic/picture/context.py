"""Context of a picture: a view in words, facts derived from it, and the registries for events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

from engine.core.ids import REFEREE
from engine.core.record import replace
from engine.kit.grid import Place
from engine.kit.identity_cache import identity_cache
from engine.strategic import cities, diplomacy
from engine.strategic.picture.acting import bound_groups, can_go, march_of
from engine.strategic.picture.words import KnownWorld
from engine.strategic.pieces import NOBODY, NONE, Army, City, Question, Side
from engine.strategic.world import armies_of, cities_of, city_at, stacks, treaty
from engine.tabletop.narration import Narration
from engine.tabletop.report import UNKNOWN, ReportCell


class PictureContext(KnownWorld):
    """The world as a viewer knows it, and facts derived from it."""

    @cached_property
    def is_player(self) -> bool:
        """True if the viewer is a side of the game."""
        return self.viewer in self.world.sides

    @cached_property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.world.reason is not None

    @cached_property
    def question(self) -> Question | None:
        """Question that the viewer must answer before any other command, or None."""
        asked = self.world.question
        return asked if asked is not None and asked.side == self.viewer else None

    @cached_property
    def actor(self) -> int:
        """Side that must act: the one with an open question, else the one whose turn it is."""
        asked = self.world.question
        return asked.side if asked is not None else self.world.current

    @cached_property
    def may_order(self) -> bool:
        """True if the viewer can give orders now and no question is open."""
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
        """The viewer's cities that are not razed."""
        return cities_of(self.world, self.viewer) if self.is_player else ()

    @property
    def own_side(self) -> Side:
        """The viewer's side; the viewer must be a player."""
        return self.world.sides[self.viewer]

    @cached_property
    def other_sides(self) -> tuple[Side, ...]:
        """Living sides except the viewer's."""
        sides = self.world.sides.values()
        return tuple(side for side in sides if side.alive and side.id != self.viewer)

    @cached_property
    def movers(self) -> Mapping[Place, tuple[Army, ...]]:
        """The viewer's armies with points left, by tile; empty if it cannot give orders."""
        if not self.may_order:
            return {}
        found: dict[Place, list[Army]] = {}
        for army in self.own_armies:
            if army.points > 0:
                found.setdefault(army.at, []).append(army)
        return {at: tuple(group) for at, group in found.items()}

    @cached_property
    def idle_stacks(self) -> tuple[Place, ...]:
        """Tiles with an own army that can go somewhere, does not defend and has no goal."""
        waiting = ((at, tuple(filter(self._waits, group))) for at, group in self.movers.items())
        return tuple(
            at for at, group in waiting if group and can_go(self.world, self.settings, group)
        )

    @cached_property
    def goes_on(self) -> bool:
        """True if the command to go on would move armies with a goal, or take goals from them.

        Armies that cannot step anyway are not asked whether a way leads to their goal.
        """
        world, settings, side = self.world, self.settings, self.viewer
        return self.may_order and any(
            can_go(world, settings, group) and march_of(world, settings, side, group) != "waits"
            for group in bound_groups(world, side)
        )

    def _waits(self, army: Army) -> bool:
        aimed = army.defends or army.goal is not None or army.to_flag
        return not aimed and not self.style.parked(self, army)

    @cached_property
    def idle_cities(self) -> tuple[City, ...]:
        """Own cities that are idle although they have a type to produce."""
        return tuple(city for city in self.own_cities if city.making == NONE and city.slots)

    @cached_property
    def sees_all(self) -> bool:
        """True if the viewer sees the whole map now."""
        return bool(self.visible.cells.all())

    def is_open(self, side: int) -> bool:
        """Return whether the viewer knows a side's private affairs: its gold, plans and points."""
        return self.viewer in (side, REFEREE) or self.is_over

    def money_per_turn(self, side: int) -> tuple[int, int]:
        """Return a side's income and upkeep, in gold per turn."""
        return cities.income(self.world, side), cities.upkeep(self.world, self.settings, side)

    def sees(self, at: Place) -> bool:
        """Return whether the viewer sees now which armies are on a tile."""
        return bool(self.visible[at[1], at[0]])

    def knows(self, at: Place) -> bool:
        """Return whether the viewer has discovered a tile; undiscovered tiles have terrain 0."""
        return bool(self.world.terrain[at[1], at[0]])

    def is_attack(self, at: Place) -> bool:
        """Return whether entering a tile means an attack on visible armies or on a foreign city."""
        stack, city = self.stacks.get(at), city_at(self.world, at)
        if stack is not None and stack[0].owner != self.viewer:
            return True
        return city is not None and city.owner != self.viewer

    def has_forecast(self, at: Place) -> bool:
        """Return whether entering a tile means an attack that can be forecast: it is known."""
        return self.is_attack(at) and self.knows(at)

    def enemy_of(self, at: Place) -> int:
        """Return the side that an attack on a tile would be directed at; NOBODY for neutrals."""
        stack, city = self.stacks.get(at), city_at(self.world, at)
        if city is not None and city.owner != self.viewer:
            return city.owner
        return stack[0].owner if stack is not None else NOBODY

    def is_betrayal(self, at: Place) -> bool:
        """Return whether a treaty forbids an attack on a tile."""
        return self.is_attack(at) and not diplomacy.may_attack(
            self.world, self.settings, self.viewer, at
        )

    def is_enemy(self, owner: int) -> bool:
        """Return whether an owner is hostile to the viewer; to an observer, all owners are."""
        return owner != self.viewer and (
            not self.is_player or treaty(self.world, self.viewer, owner) > 0
        )

    @property
    def reports_own_side(self) -> bool:
        """True if reports cover only the viewer's side: it plays, and the game is not over."""
        return self.is_player and not self.is_over

    @property
    def reported_sides(self) -> tuple[int, ...]:
        """Sides that the viewer's reports cover."""
        return (self.viewer,) if self.reports_own_side else tuple(self.world.sides)

    def if_open(self, side: int, cell: ReportCell) -> ReportCell:
        """Return the cell if the viewer knows the side's private affairs, else ``UNKNOWN``."""
        return cell if self.is_open(side) else UNKNOWN


def context_cache(make: Callable[[Any], PictureContext]) -> Callable[[Any], PictureContext]:
    """Return ``make`` with a cache of its contexts, in which each lives as long as its view."""
    # The context gets a copy of the view. If it held the view itself, neither would ever be freed.
    return identity_cache(lambda view: make(replace(view)))


NARRATION: Final = Narration[PictureContext, PictureContext, PictureContext]()
"""Sentences from the context after an event; facts and losses from the contexts around it."""

tells, facts, losses, fact = NARRATION.tells, NARRATION.facts, NARRATION.losses, NARRATION.fact
