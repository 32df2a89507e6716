"""The reports of a world of cities, stacks and heroes, and the numbers behind its charts.

A player's reports are of what is its own; whoever watches has those of all sides. They are made of
a view, so what is not in it cannot be told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.strategic.picture import report_armies, report_cities, report_heroes, report_sides
from engine.strategic.picture.scene import Scene
from engine.strategic.world import statistics
from engine.tabletop.report import Numbers, Report

_REPORTS: Final[tuple[Callable[[Scene], Iterator[Report]], ...]] = (
    report_cities.cities,
    report_armies.armies,
    report_armies.stacks,
    report_cities.gold,
    report_heroes.heroes,
    report_heroes.items,
    report_heroes.quests,
    report_heroes.sites,
    report_sides.winners,
    report_sides.diplomacy,
)


def reports(scene: Scene) -> tuple[Report, ...]:
    """All reports that this viewer has in this game."""
    return tuple(report for make in _REPORTS for report in make(scene))


def numbers(scene: Scene) -> Numbers:
    """The statistics of the sides as far as the viewer knows them.

    Of others cities, armies and heroes can be counted where nothing is out of sight; a purse is
    its owner's secret. Rules: W2-11.
    """
    counted = statistics(scene.world)
    sides = list(scene.world.sides)
    return {
        name: tuple(
            value if scene.is_open(side) or (name != "gold" and scene.sees_all) else None
            for side, value in zip(sides, values, strict=True)
        )
        for name, values in counted.items()
    }
