"""The canvas: tiles as boxes in rows, at three zooms. Rules: KA-19."""

from __future__ import annotations

from engine.rulesets.kaladan.board import coordinates

STEPS = {"normal": (12, 4), "compact": (8, 3), "large": (16, 6)}
"""Width and height in cells from a box to the next, by zoom; the first is the default."""


def spot(layout: int, tile: int) -> tuple[int, int]:
    """Middle cell of a tile at the default zoom."""
    wide, high = STEPS["normal"]
    row, x = coordinates(layout)[tile - 1]
    return x * wide // 2 + wide // 2, row * high + high // 2
