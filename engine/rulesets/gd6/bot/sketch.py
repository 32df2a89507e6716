"""A list in the making, and how it becomes orders that the rules accept."""

from __future__ import annotations

from engine.core.notation import write
from engine.rulesets.gd6.commands import AnyCommand, SealList, WriteList
from engine.rulesets.gd6.drafting import project, with_list
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.orders import (
    UNITS,
    AnyOrder,
    Move,
    Spawn,
)
from engine.rulesets.gd6.state import View

Going = tuple[tuple[int, ...], int, int]
"""A path, the type of unit by its place in UNITS, and how many go."""


class Sketch:
    """What a seat means to do: works in order, spawns by territory, moves by priority."""

    __slots__ = ("moves", "spawns", "works")

    def __init__(self) -> None:
        self.works: list[AnyOrder] = []
        """Everything that is neither a spawn nor a move."""
        self.spawns: dict[int, int] = {}
        self.moves: list[Going] = []

    def copy(self) -> Sketch:
        """One that can be changed by itself."""
        other = Sketch()
        other.works, other.spawns = self.works.copy(), self.spawns.copy()
        other.moves = self.moves.copy()
        return other

    def orders(self) -> tuple[AnyOrder, ...]:
        """The list."""
        spawns = (Spawn(at, count) for at, count in sorted(self.spawns.items()) if count > 0)
        moves = (Move(path, count, UNITS[unit]) for path, unit, count in self.moves if count > 0)
        return (*self.works, *spawns, *moves)


def sealed(view: View, orders: tuple[AnyOrder, ...]) -> tuple[AnyCommand, ...]:
    """Write the list and seal it; lines that would be refused are struck first.

    Rules: GD-CHECK-1, GD-CHECK-2. Striking lines can take the ground from under others, so this is
    done until nothing is refused; an empty list never is.
    """
    orders = orders[: numbers().longest_list.value]
    while orders:
        refused = set(project(with_list(view, orders)).refused)
        if not refused:
            break
        orders = tuple(order for place, order in enumerate(orders) if place not in refused)
    if orders == view.players[view.viewer].orders:
        return (SealList(),)
    return WriteList(tuple(write(order) for order in orders)), SealList()
