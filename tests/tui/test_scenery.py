"""Scenes in half blocks: their contents, their animation, their cost."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from rich.color import Color

from tui.style.scene import (
    NAME,
    STEPS,
    Canvas,
    Paint,
    colours,
    field_of,
    room_of,
    spelt_out,
    title,
    word_fits,
)
from tui.terminal.capabilities import Depth

SIZES = [(40, 15), (60, 19), (80, 23), (120, 39), (160, 49), (200, 59), (300, 90)]


@pytest.mark.parametrize("tall", [1, 2])
@pytest.mark.parametrize(("width", "rows"), SIZES)
def test_title_has_its_name_a_castle_and_a_banner_at_every_size(
    width: int, rows: int, tall: int
) -> None:
    canvas = Canvas(width, rows, tall)
    banner = title(canvas)
    found = set(np.unique(canvas.pixels).tolist())
    assert {Paint.SKY, Paint.FAR, Paint.CASTLE, Paint.GROUND} <= found
    letters = canvas.pixels >= Paint.LETTER
    assert letters.any() == (width >= 60)
    if letters.any():
        assert int(np.argwhere(letters)[:, 1].max()) >= room_of(NAME, 1)
    assert banner is not None
    assert banner.x + banner.length < width


@pytest.mark.parametrize(("width", "rows"), SIZES)
def test_step_of_the_wave_changes_few_cells_of_the_banner_only(width: int, rows: int) -> None:
    ground = Canvas(width, rows)
    banner = title(ground)
    assert banner is not None
    shown = []
    for step in range(STEPS + 1):
        canvas = Canvas(width, rows)
        title(canvas)
        banner.fly(canvas, step)
        shown.append(canvas.pixels)
    assert (shown[0] == shown[STEPS]).all()
    for before, after in pairwise(shown):
        differ = (before != after).reshape(rows, 2, width).any(axis=1)
        assert differ.sum() <= banner.length * 2
        assert not differ[:, : banner.x].any()
        assert not differ[:, banner.x + banner.length :].any()
    assert any((one != shown[0]).any() for one in shown)


@pytest.mark.parametrize("depth", ["truecolor", "256", "16", "8"])
@pytest.mark.parametrize("sky", ["dusk", "dawn", "embers"])
def test_sky_row_has_one_colour_and_every_paint_a_distinct_one(depth: Depth, sky: str) -> None:
    found = colours(depth, sky, 24)  # type: ignore[arg-type]  # the parameter has the skies' names
    assert len(found.sky) == 24
    assert len(set(found.sky)) > 1
    assert all(found.paints[1:])
    assert all(shade not in found.sky[:8] for shade in found.paints[Paint.LETTER :])
    if depth != "truecolor":
        numbers = {Color.parse(shade).number for shade in (*found.sky, *found.paints[1:])}
        assert all(number is not None and number < int(depth) for number in numbers)


def test_most_of_a_scene_is_long_runs() -> None:
    canvas = Canvas(200, 60)
    title(canvas)
    pairs = canvas.pixels.reshape(60, 2, 200).astype(int)
    cells = pairs[:, 0] * 32 + pairs[:, 1]
    runs = (np.diff(cells, axis=1) != 0).sum() + 60
    assert runs < 60 * 22


def test_word_is_spelt_in_big_letters_without_its_accents() -> None:
    assert spelt_out("Örrin") == "ORRIN"
    assert spelt_out("O'Neill 2") == "O'NEILL 2"
    assert spelt_out("Ярослав") == ""


def test_result_has_its_word_if_it_fits_with_a_banner_beside_it() -> None:
    assert word_fits("VICTORY", 80, 5, 2)
    assert not word_fits("VICTORY", 80, 5, 1)
    assert not word_fits("BARTHOLOMEW THE LONG", 80, 5, 2)
    canvas = Canvas(80, 5)
    banner = field_of("DEFEAT", canvas)
    assert banner is not None
    assert (canvas.pixels[:, banner.x :] < Paint.LETTER).all()
