"""The reports of a position: their owner, their contents, and what remains hidden."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from engine.core.containers import Roster
from engine.core.ids import PUBLIC, REFEREE
from engine.core.record import replace
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import State
from engine.strategic.pieces import Deeds, Quest, Transit
from engine.tabletop.report import Report, ReportCell
from engine.tabletop.roles import Tone
from tests.strategic import ground
from tests.strategic.picture.sentence_cases import ARCHERS, FOE, LAND, LOADED, land
from tests.strategic.picture.stage import PICTURE, shown

BUSY: State = replace(
    LAND,
    cities=LAND.cities.put(replace(LAND.cities[1], making=0, left=2, vector=2)),
    transits=Roster([Transit(7, replace(ARCHERS, id=7, home=1), 2, 3)]),
    armies=LAND.armies.put(replace(LAND.armies[2], goal=(8, 0), upkeep=3)),
)


def report(state: State, name: str, viewer: int = 0) -> Report:
    found = {each.name: each for each in PICTURE.reports(shown(state, viewer))}
    return found[name]


def rows(state: State, name: str, viewer: int = 0) -> list[tuple[ReportCell, ...]]:
    return [row.cells for row in report(state, name, viewer).rows]


def cell(state: State, name: str, row: int, heading: str, viewer: int = 0) -> ReportCell:
    """Return the cell of a report below a heading."""
    found = report(state, name, viewer)
    at = [column.heading for column in found.columns].index(heading)
    return found.rows[row].cells[at]


@pytest.mark.rule("W2-9.1", "W2-9.3", "W2-9.5")
def test_city_report_shows_income_production_and_vector() -> None:
    assert rows(BUSY, "cities") == [
        ("Marthos", "0,0", 20, 1, "Light Infantry", 2, "Gorm", 0),
        ("Gorm", "0,4", 20, 1, "nothing", "", "", 0),
    ]
    found = report(BUSY, "cities")
    assert [row.at for row in found.rows] == [(0, 0), (0, 4)]
    assert [row.tone for row in found.rows] == [Tone.NORMAL, Tone.BAD]
    assert found.notes == ("2 cities.", "1 city makes nothing.")


def test_a_garrison_is_counted_on_all_four_tiles() -> None:
    inside = [replace(ARCHERS, id=20 + n, x=n % 2, y=n // 2) for n in range(4)]
    state = replace(LAND, armies=LAND.armies.put(*inside))
    assert cell(state, "cities", 0, "Garrison") == 4


@pytest.mark.rule("W2-7", "W2-9.5", "W2-9.6")
def test_army_report_counts_by_type_with_armies_in_transit() -> None:
    assert rows(BUSY, "armies") == [
        ("Archers", 2, ARCHERS.strength, ARCHERS.max_move, 1, 3, 0, 1),
        ("Hero", 1, 5, 14, 1, 0, 0, 0),
    ]


def test_army_report_shows_minimum_and_maximum_strength() -> None:
    better = replace(ARCHERS, id=30, strength=ARCHERS.strength + 2, points=0)
    state = replace(LAND, armies=LAND.armies.put(better))
    assert cell(state, "armies", 0, "Strength") == f"{ARCHERS.strength}-{ARCHERS.strength + 2}"
    assert cell(state, "armies", 0, "Ready") == 1


@pytest.mark.rule("W2-9.5")
def test_stack_report_shows_goals_outside_cities() -> None:
    found = report(BUSY, "stacks")
    assert [row.cells for row in found.rows] == [
        ("Old Tower", "hero 1 and Archers", 2, 5 + ARCHERS.strength, 12, "Stormheim"),
        ("off the map", "Archers", 1, ARCHERS.strength, "", "Gorm, round 3"),
    ]
    assert [row.at for row in found.rows] == [(4, 3), (0, 4)]


@pytest.mark.rule("W2-9.4", "W2-9.6")
def test_gold_report_shows_balance_and_affordable_types() -> None:
    found = {str(what): gold for what, gold in rows(BUSY, "gold")}
    assert found["In the treasury"] == 100
    assert found["Income of cities, each turn"] == 40
    assert found["Upkeep of armies, each turn"] == -3
    assert (found["Balance, each turn"], found["After the next turn"]) == (37, 137)
    prices = [price for name, price in found.items() if name.startswith("To buy")]
    dearest = sorted(
        (kind.price for kind in ground.TYPES.values() if 0 <= kind.price <= 100), reverse=True
    )
    assert prices == dearest[:5] != []


def test_gold_report_notes_that_no_type_is_affordable() -> None:
    poor = replace(LAND, sides=LAND.sides.put(replace(LAND.sides[0], gold=0)))
    assert report(poor, "gold").notes == ("There is too little for a city to learn anything.",)


@pytest.mark.rule("W2-10.2", "W2-10.3")
def test_hero_and_item_reports_show_bearers_and_places() -> None:
    assert rows(LOADED, "heroes") == [
        ("hero 1", "Hero", 0, 5, "14/14", "Old Tower", "Banner and Sword")
    ]
    assert [(name, at) for name, _, at in rows(LAND, "items")] == [
        ("Banner", "carried by hero 1, Old Tower"),
        ("Sword", "lies at Old Tower"),
    ]


@pytest.mark.rule("W2-10.6")
def test_quest_report_shows_task_progress_and_place() -> None:
    side = replace(LAND.sides[0], quest=Quest("keep-city", 1, 1, 3, "Stormheim"))
    state = replace(LAND, sides=LAND.sides.put(side))
    (row,) = report(state, "quests").rows
    assert row.cells == ("hero 1", "Take Stormheim and hold it", "not yet")
    assert row.at == (8, 0)
    many = replace(LAND.sides[0], quest=Quest("kill-armies", 1, 1, count=5, done=2))
    (row,) = report(replace(LAND, sides=LAND.sides.put(many)), "quests").rows
    assert (row.cells[2], row.at) == ("2 of 5", FOE.at)


@pytest.mark.rule("W2-10.4")
def test_site_report_shows_only_known_contents() -> None:
    assert rows(LAND, "sites") == [("Old Tower", "4,3", "not searched yet", "?", "?")]
    told = replace(LAND, sites=LAND.sites.put(replace(LAND.sites[1], known_to=1, guardian=1)))
    assert rows(told, "sites") == [("Old Tower", "4,3", "holds gold", "Dragon", 8)]
    assert rows(told, "sites", 1) == [("Old Tower", "4,3", "not searched yet", "?", "?")]


@pytest.mark.rule("W2-11", "W2-13.3")
def test_winner_report_ranks_sides_and_hides_foreign_purses() -> None:
    assert rows(LAND, "winners") == [
        (1, "Red", 2, 2, 5 + ARCHERS.strength, 1, 100, "person", "in play"),
        (2, "Blue", 1, 1, FOE.strength, 0, "?", "person", "in play"),
    ]
    assert [row[6] for row in rows(LAND, "winners", 1)] == ["?", 100]
    assert [row[6] for row in rows(LAND, "winners", REFEREE)] == [100, 100]
    assert [row[6] for row in rows(LAND, "winners", PUBLIC)] == ["?", "?"]


def test_winner_report_ends_with_the_viewers_deeds() -> None:
    done = replace(LAND.sides[0], deeds=Deeds(1, 7, 4, 2, 3))
    notes = report(replace(LAND, sides=LAND.sides.put(done)), "winners").notes
    assert notes[-1] == (
        "Yours so far: 4 battles, 2 won without loss, 7 armies and 1 hero destroyed,"
        " 3 cities taken."
    )


def test_reports_show_everything_after_the_end() -> None:
    over = replace(BUSY, winners=(1,), reason="conquest")
    assert [row[0] for row in rows(over, "cities")] == ["Red", "Red", "Blue"]
    assert rows(over, "gold")[1][:2] == ("Blue", 100)
    assert all(None not in values for values in PICTURE.numbers(shown(over)).values())


def test_winner_report_lists_the_winner_first() -> None:
    over = replace(LAND, winners=(1,), reason="conquest")
    assert [(row[1], row[-1]) for row in rows(over, "winners")] == [
        ("Blue", "winner"),
        ("Red", "in play"),
    ]


@pytest.mark.rule("W2-12.1", "W2-12.3")
def test_treaty_report_shows_only_the_viewers_own_stances() -> None:
    state = land(options=Options(diplomacy="on"), peace=True)
    state = replace(state, sides=state.sides.put(replace(state.sides[0], stances=(0, 2))))
    assert [column.heading for column in report(state, "treaties").columns] == [
        "Side",
        "Reputation",
        "With you",
        "You want",
        "At war with",
    ]
    ((_, _, *found),) = rows(state, "treaties")
    assert found == ["at peace", "war", "nobody"]
    ((_, _, *theirs),) = rows(state, "treaties", 1)
    assert theirs == ["at peace", "peace", "nobody"]
    assert "treaties" not in {each.name for each in PICTURE.reports(shown(LAND))}


# -- hidden data -----------------------------------------------------------------------------------


def hidden(columns: Iterable[tuple[int | None, ...]], side: int) -> list[bool]:
    return [values[side] is None for values in columns]


@pytest.mark.rule("W2-11")
def test_open_map_hides_only_foreign_gold() -> None:
    found = PICTURE.numbers(shown(LAND))
    assert found["cities"] == (2, 1)
    assert found["armies"] == (2, 1)
    assert found["strength"] == (5 + ARCHERS.strength, FOE.strength)
    assert found["heroes"] == (1, 0)
    assert found["gold"] == (100, None)


@pytest.mark.rule("W2-11")
def test_fog_hides_all_numbers_of_other_sides() -> None:
    state = ground.world(
        ["." * 20] * 9,
        armies=[ARCHERS, replace(FOE, x=18, y=7)],
        cities=[ground.city(1, 0, 0, 0), ground.city(2, 17, 5, 1)],
        hidden=True,
    )
    found = PICTURE.numbers(shown(state))
    assert hidden(found.values(), 1) == [True] * 5
    assert hidden(found.values(), 0) == [False] * 5
    assert rows(state, "winners")[1][2:7] == (0, "?", "?", "?", "?")
    public = PICTURE.numbers(shown(state, PUBLIC))
    assert all(value is None for values in public.values() for value in values)


def test_watcher_sees_public_data_of_all_sides() -> None:
    found = report(BUSY, "cities", PUBLIC)
    assert found.columns[0].heading == "Side"
    assert [row.cells[0] for row in found.rows] == ["Red", "Red", "Blue"]
    assert {row.cells[5] for row in found.rows} == {"?"}
    assert "gold" not in {each.name for each in PICTURE.reports(shown(BUSY, PUBLIC))}
    assert rows(BUSY, "gold", REFEREE)[0] == ("Red", 100, 40, -3, 37)
    assert len(rows(BUSY, "stacks", PUBLIC)) == 2
    assert len(rows(BUSY, "stacks", REFEREE)) == 3
