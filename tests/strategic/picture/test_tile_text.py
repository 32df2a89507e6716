"""Tiles in the panel and in sentences."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from engine.rulesets.warlords2.state import State
from engine.strategic.pieces import Quest
from engine.tabletop.focus import Focus
from tests.strategic import ground
from tests.strategic.picture.sentence_cases import BUSY, LAND, land
from tests.strategic.picture.stage import PICTURE, shown, texts


def panel(state: State, x: int, y: int, viewer: int = 0) -> list[str]:
    return texts(PICTURE.overlay(shown(state, viewer), Focus(x, y)).panel)


def look(state: State, x: int, y: int, viewer: int = 0) -> list[str]:
    return texts(PICTURE.look(shown(state, viewer), x, y))


@pytest.mark.rule("W2-9.1")
def test_panel_of_an_own_city() -> None:
    assert panel(BUSY, 1, 1) == [
        "City",
        "Marthos",
        "Red, defence 1",
        "income 20, 0 armies",
        "> Light Infantry: 2 turns",
        "to Gorm",
        "Gold 100: +40 -3",
    ]


@pytest.mark.rule("W2-9.5")
def test_panel_of_a_city_shows_armies_in_transit_to_it() -> None:
    assert "Archers come in 2 turns" in panel(BUSY, 0, 4)
    assert "makes nothing" in panel(BUSY, 0, 4)


def test_panel_hides_the_production_of_foreign_cities() -> None:
    assert panel(BUSY, 1, 1, 1)[1:5] == [
        "Marthos",
        "Red, defence 1",
        "income 20, 0 armies",
        "can make Light Infantry",
    ]


@pytest.mark.rule("W2-7")
def test_panel_of_a_stack_lists_its_armies() -> None:
    assert panel(BUSY, 4, 3) == [
        "Plains",
        "Tower, defence 1",
        "Old Tower",
        "not searched yet",
        "Red: 2 armies",
        "hero 1 5, 14/14",
        " Hero, 0 xp",
        " Banner: command +1, rally flag",
        "Archers 3 *, 12/12",
        "on the way to Stormheim",
        "here: Sword, battle +2",
        "If you stop here",
        "1 enemy stack can come",
        "strongest: 1 army of Blue",
        "Holds against it 99 %",
        "Gold 100: +40 -3",
    ]


def test_a_signpost_is_read_in_one_line() -> None:
    assert "Sign: To the sea" in panel(BUSY, 5, 5)
    assert "A signpost says: To the sea." in look(BUSY, 5, 5)


def test_panel_shows_the_quest_to_its_own_side_only() -> None:
    quest = Quest("kill-armies", 1, 1, count=5, done=2)
    state = land(sides=[replace(LAND.sides[0], quest=quest), LAND.sides[1]])
    wanted = "Quest: destroy 5 armies of Blue (2 so far)"
    assert wanted in panel(state, 9, 6)
    assert wanted not in panel(state, 9, 6, 1)


@pytest.mark.rule("W2-3.1")
def test_look_describes_a_tile() -> None:
    assert look(BUSY, 4, 3) == [
        "4,3: plains, 2 moves on foot.",
        "Old Tower: nobody of yours has searched it.",
        "If a guardian is here, hero 1 survives with 81 %.",
        "A tower of Red, defence 1.",
        "2 armies of Red.",
        (
            "Hero 1: strength 5, Hero, 14 of 14 moves, upkeep 0, 0 experience, a hero,"
            " Banner (command +1, rally flag)."
        ),
        "Archers: strength 3, 12 of 12 moves, upkeep 3, 1 medal, woods-wise, own +1 woods.",
        "Archers head for Stormheim.",
        "Sword (battle +2) lies here.",
    ]


def test_look_describes_a_city() -> None:
    assert look(BUSY, 0, 0) == [
        "0,0: city, 1 move on foot.",
        "Marthos, a city of Red: defence 1, income 20.",
        "It can make Light Infantry.",
        "It makes Light Infantry, done in 2 turns.",
        "Its armies go to Gorm.",
        "Old walls.",
    ]


@pytest.mark.parametrize(
    ("sign", "text"),
    [("~", "0,0: ocean, for ships and flyers."), (" ", "0,0 has not been discovered.")],
)
def test_look_describes_ocean_and_undiscovered_tiles(sign: str, text: str) -> None:
    assert look(ground.world([sign]), 0, 0) == [text]


@pytest.mark.rule("W2-11.2")
def test_land_out_of_sight_is_marked_as_such() -> None:
    state = ground.world(["....."], armies=[ground.army(1, 0, 0)], hidden=True)
    known = state.discovered.edit()
    known[0, :4] = 1
    state = replace(state, discovered=type(state.discovered)(known))
    assert "It is not in sight now: others could be there." in look(state, 3, 0)
    assert look(state, 4, 0) == ["4,0 has not been discovered."]
    assert panel(state, 3, 0)[1] == "not in sight now"
    assert panel(state, 4, 0)[0] == "Unknown land"


@pytest.mark.rule("W2-10.5", "W2-11")
def test_revealed_site_is_described_on_undiscovered_land() -> None:
    tower = replace(ground.site(9, 4, 0, "gold", known_to=1), name="Old Tower")
    state = ground.world(["....."], armies=[ground.army(1, 0, 0)], hidden=True, sites=[tower])
    first, second, *_ = look(state, 4, 0)
    assert first == "4,0 has not been discovered."
    assert second.startswith("Old Tower: ")
