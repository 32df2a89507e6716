"""The first minutes of a newcomer in each game, and the page that shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core import registry
from tests.tui import tours
from tests.tui.piloted_app import Desk
from tests.tui.tours import Step, Tour

TOURS = tours.tours()


@pytest.mark.parametrize("tour", TOURS, ids=[tour.ruleset for tour in TOURS])
async def test_every_step_of_a_tour_shows_its_texts(
    tour: Tour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tours.same_seed(monkeypatch)

    def look(number: int, step: Step, at: Desk) -> None:
        assert not tours.missing(step, at), f"step {number}\n{at.text}"

    await tours.walk(tour, tmp_path, look)


def test_every_game_has_a_tour() -> None:
    assert {tour.ruleset for tour in TOURS} == set(registry.names()) - {"toy"}


def test_page_of_the_tours_is_up_to_date() -> None:
    assert tours.PAGE.read_text("utf-8") == tours.page()


def test_every_picture_of_the_page_exists() -> None:
    for tour in TOURS:
        for number in range(1, len(tour.steps) + 1):
            assert tour.picture(number).is_file()
