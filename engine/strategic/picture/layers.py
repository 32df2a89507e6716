"""What can be laid over the whole map: danger, sight, owners, vectors, turns, prices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.core.record import replace
from engine.kit.fields import FAR, Ground, distances
from engine.kit.grid import Place
from engine.kit.memo import recent
from engine.strategic import costs
from engine.strategic import costs as groups
from engine.strategic.picture import marks
from engine.strategic.picture.holding import group_at, held, is_enemy
from engine.strategic.picture.scene import Scene
from engine.strategic.pieces import NOBODY, Army
from engine.strategic.world import city_at, flies
from engine.tabletop.board import Layer, Mark
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Sign

Counts = npt.NDArray[Any]
Stacks = Mapping[Place, tuple[Army, ...]]

LAYERS: Final = (
    Layer("danger", "stacks of others that can come here in their next turn"),
    Layer("mine", "own stacks that can come here with all their points"),
    Layer("sight", "what is in sight now"),
    Layer("owners", "whose cities"),
    Layer("vectors", "where cities send their armies"),
    Layer("turns", "turns until the stack is there", of_piece=True),
    Layer("prices", "what a step costs the stack", of_piece=True),
)
"""The last two are about the stack that is held or under the cursor."""

_MOST: Final = 9


def layer(scene: Scene, focus: Focus, name: str) -> tuple[Mark, ...]:
    """The marks of one of ``LAYERS``.

    Raises:
        ValueError: there is no such layer.
    """
    if name not in _MAKERS:
        raise ValueError(f"there is no layer {name!r}")
    return _MAKERS[name](scene, focus)


# -- who can come where ----------------------------------------------------------------------------


@recent
def danger(scene: Scene) -> Counts:
    """How many stacks of enemies that are seen could come to each tile in their next turn.

    They are taken to have full points, and those in their way to stay. Rules: W2-6.2, W2-6.3.
    """
    return _threat(scene, _of_enemies(scene))


def _of_enemies(scene: Scene) -> Stacks:
    return {at: stack for at, stack in scene.stacks.items() if _threatens(scene, stack[0].owner)}


def _threatens(scene: Scene, owner: int) -> bool:
    return owner != NOBODY and is_enemy(scene, owner)


@recent
def _mine(scene: Scene) -> Counts:
    return _threat(scene, _of_viewer(scene))


def _of_viewer(scene: Scene) -> Stacks:
    return {at: stack for at, stack in scene.stacks.items() if stack[0].owner == scene.viewer}


def _threat(scene: Scene, listed: Stacks) -> Counts:
    total = np.zeros(scene.world.terrain.cells.shape, dtype=np.int16)
    for stack in listed.values():
        found = _spent(scene, _fastest(scene, stack))
        if found is not None:
            total += found
    return total


def _fastest(scene: Scene, stack: tuple[Army, ...]) -> tuple[Army, ...]:
    """The army of a stack that comes farthest, rested."""
    quick = max(stack, key=lambda army: (flies(scene.world, army), army.max_move))
    return (replace(quick, points=max(quick.max_move, quick.points)),)


def _spent(scene: Scene, group: tuple[Army, ...]) -> npt.NDArray[np.int16] | None:
    """1 on each tile that a group can come to with its points, armies of its own side aside."""
    world, book = scene.world, scene.book
    who = groups.mover(world, book.moving, group)
    if who is None:
        return None
    points, (x, y) = groups.points(group), group[0].at
    rows = slice(max(0, y - points), y + points + 1)
    columns = slice(max(0, x - points), x + points + 1)
    steps = costs.prices(world, book, who).steps[rows, columns].astype(np.int16)
    blocked = steps == 0
    lie = Ground(np.zeros_like(steps), steps, blocked, 8)
    start = x - columns.start, y - rows.start
    reached = distances(lie, [start], limit=points) <= points
    found = np.zeros(world.terrain.cells.shape, dtype=np.int16)
    found[rows, columns] = reached
    return found


# -- the stack that is meant -----------------------------------------------------------------------


def meant(scene: Scene, focus: Focus) -> tuple[Army, ...]:
    """The group that is held, or the stack under the cursor, whoever it belongs to."""
    at = focus.x, focus.y
    return held(scene, focus) or group_at(scene, at) or scene.stacks.get(at, ())


def _turns(scene: Scene, focus: Focus) -> tuple[Mark, ...]:
    """In which turn a stack could be on each tile, by points alone. Rules: W2-6.2, W2-6.3."""
    group = meant(scene, focus)
    who = groups.mover(scene.world, scene.book.moving, group) if group else None
    if who is None:
        return ()
    known = costs.prices(scene.world, scene.book, who)
    steps = known.steps.astype(np.int16)
    toll = scene.book.moving.zone_toll
    lie = Ground(np.zeros_like(steps), steps, known.shut | (steps == 0), 8, None, known.zone, toll)
    spent = distances(lie, [group[0].at]).astype(np.int64)
    first, full = groups.points(group), max(1, min(army.max_move for army in group))
    turns = np.where(spent <= first, 1, 1 + -(-(spent - first) // full))
    rows, columns = np.nonzero((spent < FAR) & (spent > 0))
    found = turns[rows, columns].tolist()
    cells = zip(columns.tolist(), rows.tolist(), found, strict=True)
    return tuple(Mark(x, y, Sign.REACH, marks.price(turn), turn - 1) for x, y, turn in cells)


def _prices(scene: Scene, focus: Focus) -> tuple[Mark, ...]:
    """What entering each tile costs a stack. Rules: W2-4.1, W2-4.4, W2-5.2."""
    group = meant(scene, focus)
    who = groups.mover(scene.world, scene.book.moving, group) if group else None
    if who is None:
        return ()
    steps = costs.prices(scene.world, scene.book, who).steps
    rows, columns = np.nonzero(steps)
    found = zip(columns.tolist(), rows.tolist(), steps[rows, columns].tolist(), strict=True)
    return tuple(Mark(x, y, Sign.REACH, str(cost)) for x, y, cost in found)


# -- helpers ---------------------------------------------------------------------------------------


def _counted(counts: Counts, sign: Sign, counted: Iterable[Place]) -> tuple[Mark, ...]:
    """The counts with a sign; where the stacks that are counted stand there is no number."""
    numbers = np.array(["", *map(str, range(1, _MOST + 1)), "+"])[counts.clip(0, _MOST + 1)]
    for x, y in counted:
        numbers[y, x] = ""
    rows, columns = np.nonzero(counts)
    texts = numbers[rows, columns].tolist()
    cells = zip(columns.tolist(), rows.tolist(), texts, strict=True)
    return tuple(Mark(x, y, sign, text) for x, y, text in cells)


def _cells(mask: npt.NDArray[np.bool_], sign: Sign) -> tuple[Mark, ...]:
    rows, columns = np.nonzero(mask)
    return tuple(Mark(x, y, sign) for x, y in zip(columns.tolist(), rows.tolist(), strict=True))


def _owners(scene: Scene) -> Iterator[Mark]:
    """The tiles around cities: own ones, enemies', those of who is at peace. Rules: W2-12.1."""
    world = scene.world
    for city in world.cities.values():
        if city.razed or city.owner == NOBODY:
            continue
        sign = Sign.REACH
        if city.owner != scene.viewer:
            sign = Sign.DANGER if is_enemy(scene, city.owner) else Sign.STRIKE
        for x in range(city.x - 1, city.x + 3):
            for y in range(city.y - 1, city.y + 3):
                if world.terrain.has(x, y) and city_at(world, (x, y)) is not city:
                    yield Mark(x, y, sign, str(city.owner + 1))


def _vectors(scene: Scene) -> tuple[Mark, ...]:
    return tuple(mark for city in scene.own_cities for mark in marks.vector_line(scene, city))


_MAKERS: Final[Mapping[str, Callable[[Scene, Focus], tuple[Mark, ...]]]] = {
    "danger": lambda scene, _: _counted(danger(scene), Sign.DANGER, _of_enemies(scene)),
    "mine": lambda scene, _: _counted(_mine(scene), Sign.STRIKE, _of_viewer(scene)),
    "sight": lambda scene, _: _cells(scene.visible.cells != 0, Sign.REACH),
    "owners": lambda scene, _: tuple(_owners(scene)),
    "vectors": lambda scene, _: _vectors(scene),
    "turns": _turns,
    "prices": _prices,
}
