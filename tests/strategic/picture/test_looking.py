"""Tiles in sentences and in the panel, the standing, what has a name, layers."""

from __future__ import annotations

import pytest

from engine.core.containers import Roster
from engine.core.record import replace
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import State
from engine.strategic.pieces import Quest, Question, Sign, Tower, Transit
from engine.tabletop.board import NOBODY
from engine.tabletop.focus import Focus
from tests.strategic import ground
from tests.strategic.picture.sentence_cases import ARCHERS, LAND, land
from tests.strategic.picture.stage import PICTURE, shown, texts

BUSY: State = replace(
    LAND,
    cities=LAND.cities.put(replace(LAND.cities[1], making=0, left=2, vector=2, about="Old walls.")),
    towers=Roster([Tower(34, 4, 3, 0)]),
    signs=(Sign(5, 5, "To the\nsea"),),
    transits=Roster([Transit(7, replace(ARCHERS, id=7, home=1), 2, 3)]),
    armies=LAND.armies.put(replace(LAND.armies[2], medals=1, goal=(8, 0), upkeep=3)),
)


def panel(state: State, x: int, y: int, viewer: int = 0) -> list[str]:
    return texts(PICTURE.overlay(shown(state, viewer), Focus(x, y)).panel)


def look(state: State, x: int, y: int, viewer: int = 0) -> list[str]:
    return texts(PICTURE.look(shown(state, viewer), x, y))


@pytest.mark.rule("W2-9.1")
def test_the_panel_of_an_own_city() -> None:
    assert panel(BUSY, 1, 1) == [
        "City 1,1",
        "Marthos",
        "Red, defence 1",
        "income 20, 0 armies",
        "> Light Infantry: 2 turns",
        "to Gorm",
        "Gold 100: +40 -3",
    ]


@pytest.mark.rule("W2-9.5")
def test_the_panel_of_a_city_tells_who_is_on_the_way_to_it() -> None:
    assert "Archers come in 2 turns" in panel(BUSY, 0, 4)
    assert "makes nothing" in panel(BUSY, 0, 4)


def test_others_do_not_see_what_a_city_makes() -> None:
    assert panel(BUSY, 1, 1, 1)[1:5] == [
        "Marthos",
        "Red, defence 1",
        "income 20, 0 armies",
        "can make Light Infantry",
    ]


@pytest.mark.rule("W2-7")
def test_the_panel_of_a_stack_goes_army_by_army() -> None:
    assert panel(BUSY, 4, 3) == [
        "Plains 4,3",
        "Tower, defence 1",
        "Old Tower",
        "not searched yet",
        "Red: 2 armies",
        "hero 1 5, 14/14",
        " Hero, 0 xp",
        " Banner: command +1, rally flag",
        "Archers 3, 12/12 *",
        "on the way to 8,0",
        "here: Sword, battle +2",
        "Gold 100: +40 -3",
    ]


def test_a_signpost_is_read_in_one_line() -> None:
    assert "Sign: To the sea" in panel(BUSY, 5, 5)
    assert "A signpost says: To the sea." in look(BUSY, 5, 5)


def test_a_quest_stands_beside_the_map_of_its_side() -> None:
    quest = Quest("kill-armies", 1, 1, count=5, done=2)
    state = land(sides=[replace(LAND.sides[0], quest=quest), LAND.sides[1]])
    wanted = "Quest: destroy 5 armies of Blue (2 so far)"
    assert wanted in panel(state, 9, 6)
    assert wanted not in panel(state, 9, 6, 1)


@pytest.mark.rule("W2-3.1")
def test_a_tile_in_sentences() -> None:
    assert look(BUSY, 4, 3) == [
        "4,3: plains, 2 points on foot.",
        "Old Tower: nobody of yours has searched it.",
        "A tower of Red, defence 1.",
        "2 armies of Red.",
        (
            "Hero 1: strength 5, Hero, 14 of 14 points, upkeep 0, 0 experience, a hero,"
            " Banner (command +1, rally flag)."
        ),
        "Archers: strength 3, 12 of 12 points, upkeep 3, 1 medal, woods-wise, own +1 woods.",
        "Sword (battle +2) lies here.",
    ]


def test_a_city_in_sentences() -> None:
    assert look(BUSY, 0, 0) == [
        "0,0: city, 1 point on foot.",
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
def test_where_nobody_walks(sign: str, text: str) -> None:
    assert look(ground.world([sign]), 0, 0) == [text]


@pytest.mark.rule("W2-11")
def test_land_out_of_sight_is_told_as_that() -> None:
    state = ground.world(["....."], armies=[ground.army(1, 0, 0)], hidden=True)
    known = state.discovered.edit()
    known[0, :4] = 1
    state = replace(state, discovered=type(state.discovered)(known))
    assert "It is not in sight now: others could be there." in look(state, 3, 0)
    assert look(state, 4, 0) == ["4,0 has not been discovered."]
    assert panel(state, 3, 0)[1] == "not in sight now"
    assert panel(state, 4, 0)[0] == "Unknown 4,0"


@pytest.mark.rule("W2-10.5", "W2-11")
def test_a_place_one_was_told_of_is_told_in_the_dark_too() -> None:
    tower = replace(ground.site(9, 4, 0, "gold", known_to=1), name="Old Tower")
    state = ground.world(["....."], armies=[ground.army(1, 0, 0)], hidden=True, sites=[tower])
    first, second, *_ = look(state, 4, 0)
    assert first == "4,0 has not been discovered."
    assert second.startswith("Old Tower: ")


@pytest.mark.rule("W2-11")
def test_cities_of_others_are_counted_as_far_as_they_are_known() -> None:
    dark = land(hidden=True)
    assert "Blue: no known city." in texts(PICTURE.summary(shown(dark)))
    known = dark.discovered.edit()
    known[0, 8] = 1
    told = replace(dark, discovered=type(dark.discovered)(known))
    assert "Blue: 1 known city." in texts(PICTURE.summary(shown(told)))


# -- the standing ----------------------------------------------------------------------------------


def test_the_status_says_who_is_to_act() -> None:
    status = PICTURE.status(shown(LAND))
    assert (status.round, status.seat, status.todo, status.over) == (1, 0, 1, False)
    assert status.text == "Round 1: Red (100 gold)"
    asked = land(question=Question("hero", 0, city=1))
    assert PICTURE.status(shown(asked)).text == "Round 1: Red (100 gold) decides"
    seen = PICTURE.status(shown(asked, 1))
    assert (seen.seat, seen.text) == (0, "Round 1: Red decides; Blue has 100 gold")
    over = PICTURE.status(shown(land(winners=(1,), reason="conquest")))
    assert (over.seat, over.over, over.text) == (NOBODY, True, "Blue won in round 1")


@pytest.mark.rule("W2-13.3")
def test_the_summary_is_how_the_sides_stand_and_what_one_has() -> None:
    said = texts(PICTURE.summary(shown(BUSY)))
    assert said == [
        "Round 1: Red (100 gold).",
        "Red: 2 cities, 2 armies.",
        "Blue: 1 city.",
        "You have 100 gold; 40 come in and 3 go out each turn.",
        "Marthos: income 20, defence 1, makes Light Infantry, 2 turns, sent to Gorm.",
        "Gorm: income 20, defence 1, makes nothing.",
        "Armies: hero 1 and Archers.",
        "Archers are on the way to Gorm, there in round 3.",
        ("Hero 1, Hero, 0 experience, at Old Tower, carries Banner (command +1, rally flag)."),
    ]


@pytest.mark.rule("W2-12.1")
def test_the_summary_of_a_game_with_treaties_tells_them() -> None:
    state = land(peace=True, options=Options(diplomacy="on"))
    assert "Blue: 1 city, Running Dog, at peace with you." in texts(PICTURE.summary(shown(state)))


def test_the_end_is_summed_up_by_who_has_won() -> None:
    said = texts(PICTURE.summary(shown(land(winners=(1,), reason="surrender"))))
    assert said[:2] == ["The others surrendered.", "Blue has won."]


def test_everything_with_a_name_is_found() -> None:
    found = {find.text: (find.kind, find.at) for find in PICTURE.finds(shown(BUSY))}
    assert found == {
        "Marthos (Red)": ("city", (0, 0)),
        "Gorm (Red)": ("city", (0, 4)),
        "Stormheim (Blue)": ("city", (8, 0)),
        "Old Tower 4,3": ("site", (4, 3)),
        "To the sea 5,5": ("sign", (5, 5)),
        "Banner 1 (command +1, rally flag)": ("item", (4, 3)),
        "Sword 2 (battle +2)": ("item", (4, 3)),
        "hero 1 1 (Red)": ("hero", (4, 3)),
        "Archers 4,3 (Red)": ("stack", (4, 3)),
        "Light Infantry 6,3 (Blue)": ("stack", (6, 3)),
    }


def test_jumps_lead_to_what_waits_to_enemies_and_to_sites() -> None:
    view = shown(LAND)
    assert PICTURE.jumps(view, Focus(0, 0), "idle") == ((4, 3), (0, 0), (0, 4))
    assert PICTURE.jumps(view, Focus(0, 0), "enemy") == ((6, 3), (8, 0))
    assert PICTURE.jumps(view, Focus(0, 0), "site") == ((4, 3),)
    assert PICTURE.jumps(view, Focus(0, 0), "else") == ()


def test_friends_are_no_enemies() -> None:
    view = shown(land(peace=True, options=Options(diplomacy="on")))
    assert PICTURE.jumps(view, Focus(0, 0), "enemy") == ()


def test_the_cursor_begins_at_home() -> None:
    assert PICTURE.start(shown(LAND)) == Focus(0, 0)
    capital = land(sides=[replace(LAND.sides[0], capital=(0, 4)), LAND.sides[1]])
    assert PICTURE.start(shown(capital)) == Focus(0, 4)
    assert PICTURE.start(shown(LAND, -2)) == Focus(5, 3)


# -- layers ----------------------------------------------------------------------------------------


def layer(state: State, name: str, x: int = 0, y: int = 0) -> dict[tuple[int, int], str]:
    return {(m.x, m.y): m.text for m in PICTURE.layer(shown(state), Focus(x, y), name)}


def test_every_layer_can_be_laid() -> None:
    for known in PICTURE.layers:
        assert all(len(text) <= 2 for text in layer(BUSY, known.name, 4, 3).values())
    with pytest.raises(ValueError, match="no layer 'moon'"):
        layer(BUSY, "moon")


@pytest.mark.rule("W2-6.2")
def test_danger_counts_the_stacks_that_can_come() -> None:
    armies = [
        ground.army(1, 0, 0),
        ground.army(2, 9, 0, ground.HEAVY, owner=1),
        ground.army(3, 8, 0, ground.HEAVY, owner=1),
        ground.army(4, 8, 0, ground.SCOUTS, owner=1),
    ]
    state = ground.world(["." * 12], armies=armies, cities=[])
    found = layer(state, "danger")
    assert found[5, 0] == "2"
    assert found[4, 0] == "1"
    assert found[0, 0] == "1"
    assert (0, 0) not in layer(replace(state, armies=state.armies.drop(3, 4)), "danger")


@pytest.mark.rule("W2-4.4")
def test_prices_and_turns_are_those_of_the_stack_under_the_cursor() -> None:
    state = ground.world(["..f#."], armies=[ground.army(1, 0, 0, ground.LIGHT, points=4)])
    assert layer(state, "prices") == {
        (0, 0): "2",
        (1, 0): "2",
        (2, 0): "3",
        (3, 0): "2",
        (4, 0): "2",
    }
    assert layer(state, "turns") == {(1, 0): "1", (2, 0): "2", (3, 0): "2", (4, 0): "2"}
    assert layer(state, "turns", 3, 0) == {}


def test_vectors_and_owners_are_drawn_for_all_cities() -> None:
    assert layer(BUSY, "vectors")[0, 2] == ":"
    owners = layer(BUSY, "owners")
    assert owners[2, 0] == "1"
    assert owners[7, 0] == "2"
