"""New maps: checks of a request, the fairest of several attempts, and the human seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from engine.core.containers import Plane
from engine.core.dice import Dice, Seeded
from engine.core.record import Record, replace
from engine.core.ruleset import ScenarioFault
from engine.core.scenarios import check_ranges
from engine.kit.grid import Place
from engine.strategic.generate import settlements
from engine.strategic.scenario_checks import SceneChecks, Span

M = TypeVar("M", bound=Record)


class LandPlan(Record, frozen=True):
    """A map in progress: terrain, roads, top left tiles of cities, sites."""

    terrain: Plane
    roads: Plane
    cities: tuple[Place, ...]
    sites: tuple[Place, ...]


def check_request(checks: SceneChecks, new: Any, least: int, most: Span, rule: str) -> None:
    """Refuse a request for a new map with a number out of bounds.

    ``least`` is the minimum width and height, ``most`` the maximum (width, height), and ``rule``
    their rule id.

    Raises:
        ScenarioFault: Carries the path of the first fault.
    """
    check_ranges(new, "new")
    fits = not new.people or len(new.people) == new.sides
    checks.demand(fits, "new.people", f"must be {new.sides}", "side")
    width, height = most
    if not (least <= new.width <= width and least <= new.height <= height):
        bounds = f"from {least} x {least} to {width} x {height} are possible"
        raise ScenarioFault("new", f"{new.width} x {new.height}: {bounds}", rule)
    if new.drawn:
        checks.secret("new.drawn", new.drawn)


def fairest(
    new: Any,
    tries: int,
    spread: int,
    attempt: Callable[[Dice, Any], tuple[M, int] | None],
    rule: str,
) -> M:
    """Return the first map that is fair enough, else the fairest of those tried.

    Raises:
        ScenarioFault: No attempt gave a playable map; the fault names ``rule``.
    """
    scene = settlements.fairest(
        tries,
        spread,
        lambda number: attempt(Seeded(f"{new.seed}{new.drawn}".encode(), number, "map"), new),
    )
    if scene is None:
        text = f"{tries} maps had no room for {new.sides} sides; try a larger one"
        raise ScenarioFault("new", text, rule)
    return scene


def seated(scene: Any, new: Any, made: M) -> M:
    """Return a new map with the texts and options of its scenario, and its human seats marked."""
    map_: Any = made
    people = new.people or (True,) * new.sides
    rows = zip(map_.sides, people, strict=True)
    sides = tuple(replace(side, human=human) for side, human in rows)
    told = {name: getattr(scene, name) for name in ("name", "title", "about", "options")}
    return replace(made, sides=sides, **told)


def measure(reach: Sequence[Sequence[int]], chosen: Sequence[int], incomes: Sequence[int]) -> int:
    """Return the value of the best start in percent of the worst.

    The value of a start is the income of all cities that light infantry can reach from the capital
    in four turns, the capital included.
    """
    worth = settlements.worths(reach, incomes)
    return settlements.spread([worth[city].income for city in chosen])
