"""The status line, the summary, names to find, and jumps."""

from __future__ import annotations

import pytest

from engine.core.ids import PUBLIC
from engine.core.record import replace
from engine.rulesets.warlords2.options import Options
from engine.strategic.pieces import Army, Question
from engine.tabletop.board import NOBODY
from engine.tabletop.focus import Focus
from tests.strategic import ground
from tests.strategic.picture.sentence_cases import BUSY, LAND, land
from tests.strategic.picture.stage import PICTURE, shown, texts


def test_status_shows_the_side_to_act() -> None:
    status = PICTURE.status(shown(LAND))
    assert (status.round, status.seat, status.todo, status.over) == (1, 0, 1, False)
    assert status.text == "Red · round 1 · 100 gold"
    asked = land(question=Question("hero", 0, city=1))
    assert PICTURE.status(shown(asked)).text == "Red decides · round 1 · 100 gold"
    seen = PICTURE.status(shown(asked, 1))
    assert (seen.seat, seen.text) == (0, "Red decides · round 1 · Blue has 100 gold")
    over = PICTURE.status(shown(land(winners=(1,), reason="conquest")))
    assert (over.seat, over.over, over.text) == (NOBODY, True, "Blue won in round 1")


def test_stock_has_the_name_of_its_owner_while_another_side_acts() -> None:
    assert PICTURE.status(shown(LAND)).stock == "100 gold"
    assert PICTURE.status(shown(LAND, 1)).stock == "Blue has 100 gold"
    assert PICTURE.status(shown(LAND, PUBLIC)).stock == ""


@pytest.mark.rule("W2-13.3")
def test_summary_shows_all_sides_and_the_viewers_property() -> None:
    said = texts(PICTURE.summary(shown(BUSY)))
    assert said == [
        "Red · round 1 · 100 gold.",
        "Red: 2 cities, 2 armies.",
        "Blue: 1 city.",
        "Treasury 100, income +40, upkeep \N{MINUS SIGN}3.",
        "Marthos: income 20, defence 1, makes Light Infantry, 2 turns, sent to Gorm.",
        "Gorm: income 20, defence 1, no production.",
        "Armies: hero 1 and Archers.",
        "Archers march to Gorm (round 3).",
        ("Hero 1, Hero, 0 experience, at Old Tower, carries Banner (command +1, rally flag)."),
    ]


@pytest.mark.rule("W2-12.1")
def test_summary_shows_treaties() -> None:
    state = land(peace=True, options=Options(diplomacy="on"))
    assert "Blue: 1 city, Running Dog, at peace with you." in texts(PICTURE.summary(shown(state)))


def test_summary_of_a_finished_game_names_the_winner() -> None:
    said = texts(PICTURE.summary(shown(land(winners=(1,), reason="surrender"))))
    assert said[:2] == ["The other sides surrender.", "Blue wins the war."]


def test_finds_list_every_named_object() -> None:
    found = {find.text: (find.kind, find.at) for find in PICTURE.finds(shown(BUSY))}
    assert found == {
        "Marthos (Red)": ("city", (0, 0)),
        "Gorm (Red)": ("city", (0, 4)),
        "Stormheim (Blue)": ("city", (8, 0)),
        "Old Tower 4,3": ("site", (4, 3)),
        "signpost 5,5: To the sea": ("sign", (5, 5)),
        "Banner (command +1, rally flag)": ("item", (4, 3)),
        "Sword (battle +2)": ("item", (4, 3)),
        "hero 1 (Red)": ("hero", (4, 3)),
        "Archers 4,3 (Red)": ("stack", (4, 3)),
        "Light Infantry 6,3 (Blue)": ("stack", (6, 3)),
    }


def test_a_city_is_found_where_its_armies_are() -> None:
    def at(*armies: Army) -> tuple[int, int]:
        state = land(armies=armies)
        return next(f.at for f in PICTURE.finds(shown(state)) if f.text.startswith("Gorm"))

    tired, ready = ground.army(1, 1, 4, points=0), ground.army(2, 1, 5)
    assert at() == (0, 4)
    assert at(tired) == (1, 4)
    assert at(tired, ready) == (1, 5)


def test_jumps_lead_to_idle_armies_enemies_and_sites() -> None:
    view = shown(LAND)
    assert PICTURE.jumps(view, Focus(0, 0), "idle") == ((4, 3), (0, 0), (0, 4))
    assert PICTURE.jumps(view, Focus(0, 0), "enemy") == ((6, 3), (8, 0))
    assert PICTURE.jumps(view, Focus(0, 0), "site") == ((4, 3),)
    assert PICTURE.jumps(view, Focus(0, 0), "else") == ()


def test_sides_at_peace_are_no_enemy_jumps() -> None:
    view = shown(land(peace=True, options=Options(diplomacy="on")))
    assert PICTURE.jumps(view, Focus(0, 0), "enemy") == ()


def test_cursor_starts_at_home() -> None:
    assert PICTURE.start(shown(LAND)) == Focus(0, 0)
    capital = land(sides=[replace(LAND.sides[0], capital=(0, 4)), LAND.sides[1]])
    assert PICTURE.start(shown(capital)) == Focus(0, 4)
    assert PICTURE.start(shown(LAND, -2)) == Focus(5, 3)


@pytest.mark.rule("W2-11")
def test_summary_counts_known_cities_of_other_sides() -> None:
    dark = land(hidden=True)
    assert "Blue: no known city." in texts(PICTURE.summary(shown(dark)))
    known = dark.discovered.edit()
    known[0, 8] = 1
    told = replace(dark, discovered=type(dark.discovered)(known))
    assert "Blue: 1 known city." in texts(PICTURE.summary(shown(told)))
