"""What the reports have in common: whose they are, and how rows are written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.kit.grid import Place
from engine.strategic.picture.scene import Scene, seat_of
from engine.strategic.picture.words import side_name
from engine.tabletop.report import UNKNOWN, Cell, Report, ReportRow, columns
from engine.tabletop.roles import Tone


class Entry(NamedTuple):
    """A row before it is known whether it must say whose it is."""

    side: int
    cells: tuple[Cell, ...]
    at: Place | None = None
    tone: Tone = Tone.NORMAL


def is_own(scene: Scene) -> bool:
    """Whether the viewer's reports are of its own side; of all if it plays none or all is over."""
    return scene.is_player and not scene.is_over


def whose(scene: Scene) -> tuple[int, ...]:
    """The sides that the viewer's reports are of."""
    return (scene.viewer,) if is_own(scene) else tuple(scene.world.sides)


def table(
    scene: Scene,
    name: str,
    title: str,
    headings: tuple[str, ...],
    entries: Iterable[Entry],
    notes: Iterable[str] = (),
) -> Report:
    """A report; where it is of several sides, each row says of which."""
    if is_own(scene):
        rows = tuple(ReportRow(row.cells, row.tone, row.at) for row in entries)
        return Report(name, title, columns(*headings), rows, tuple(notes))
    rows = tuple(
        ReportRow((side_name(scene, row.side), *row.cells), row.tone, row.at, seat_of(row.side))
        for row in entries
    )
    return Report(name, title, columns("Side", *headings), rows, tuple(notes))


def if_open(scene: Scene, side: int, cell: Cell) -> Cell:
    """What only those may know who know a side's business."""
    return cell if scene.is_open(side) else UNKNOWN


def spread(values: Iterable[int]) -> Cell:
    """Numbers as one, or from the least to the most: ``3-5``."""
    found = list(values)
    low, high = min(found, default=0), max(found, default=0)
    return low if low == high else f"{low}-{high}"
