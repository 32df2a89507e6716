"""The reports of a position: whose they are, what stands in them, what stays hidden."""

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
    """Cell of a report below a heading."""
    found = report(state, name, viewer)
    at = [column.heading for column in found.columns].index(heading)
    return found.rows[row].cells[at]


@pytest.mark.rule("W2-9.1", "W2-9.3", "W2-9.5")
def test_cities_tell_what_they_bring_and_make_for_whom() -> None:
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
def test_armies_are_counted_by_type_with_those_that_are_off_the_map() -> None:
    assert rows(BUSY, "armies") == [
        ("Archers", 2, ARCHERS.strength, ARCHERS.max_move, 1, 3, 0, 1),
        ("Hero", 1, 5, 14, 1, 0, 0, 0),
    ]


def test_the_strength_of_armies_of_a_type_goes_from_the_least_to_the_most() -> None:
    better = replace(ARCHERS, id=30, strength=ARCHERS.strength + 2, points=0)
    state = replace(LAND, armies=LAND.armies.put(better))
    assert cell(state, "armies", 0, "Strength") == f"{ARCHERS.strength}-{ARCHERS.strength + 2}"
    assert cell(state, "armies", 0, "Ready") == 1


@pytest.mark.rule("W2-9.5")
def test_stacks_outside_cities_tell_where_they_go() -> None:
    found = report(BUSY, "stacks")
    assert [row.cells for row in found.rows] == [
        ("Old Tower", "hero 1 and Archers", 2, 5 + ARCHERS.strength, 12, "Stormheim"),
        ("off the map", "Archers", 1, ARCHERS.strength, "", "Gorm, round 3"),
    ]
    assert [row.at for row in found.rows] == [(4, 3), (0, 4)]


@pytest.mark.rule("W2-9.4", "W2-9.6")
def test_gold_tells_the_balance_and_the_dearest_that_can_be_bought() -> None:
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


def test_who_can_buy_nothing_is_told_so() -> None:
    poor = replace(LAND, sides=LAND.sides.put(replace(LAND.sides[0], gold=0)))
    assert report(poor, "gold").notes == ("There is too little for a city to learn anything.",)


@pytest.mark.rule("W2-10.2", "W2-10.3")
def test_heroes_and_items_tell_who_carries_what_and_what_lies_where() -> None:
    assert rows(LOADED, "heroes") == [
        ("hero 1", "Hero", 0, 5, "14/14", "Old Tower", "Banner and Sword")
    ]
    assert [(name, at) for name, _, at in rows(LAND, "items")] == [
        ("Banner", "carried by hero 1, Old Tower"),
        ("Sword", "lies at Old Tower"),
    ]


@pytest.mark.rule("W2-10.6")
def test_a_quest_tells_its_task_and_leads_to_its_place() -> None:
    side = replace(LAND.sides[0], quest=Quest("keep-city", 1, 1, 3, "Stormheim"))
    state = replace(LAND, sides=LAND.sides.put(side))
    (row,) = report(state, "quests").rows
    assert row.cells == ("hero 1", "Take Stormheim and hold it", "not yet")
    assert row.at == (8, 0)
    many = replace(LAND.sides[0], quest=Quest("kill-armies", 1, 1, count=5, done=2))
    (row,) = report(replace(LAND, sides=LAND.sides.put(many)), "quests").rows
    assert (row.cells[2], row.at) == ("2 of 5", FOE.at)


@pytest.mark.rule("W2-10.4")
def test_sites_tell_only_what_is_known_of_them() -> None:
    assert rows(LAND, "sites") == [("Old Tower", "4,3", "not searched yet", "?", "?")]
    told = replace(LAND, sites=LAND.sites.put(replace(LAND.sites[1], known_to=1, guardian=1)))
    assert rows(told, "sites") == [("Old Tower", "4,3", "holds gold", "Dragon", 8)]
    assert rows(told, "sites", 1) == [("Old Tower", "4,3", "not searched yet", "?", "?")]


@pytest.mark.rule("W2-11", "W2-13.3")
def test_winners_are_ranked_and_keep_the_purses_of_others() -> None:
    assert rows(LAND, "winners") == [
        (1, "Red", 2, 2, 5 + ARCHERS.strength, 1, 100, "person", "in play"),
        (2, "Blue", 1, 1, FOE.strength, 0, "?", "person", "in play"),
    ]
    assert [row[6] for row in rows(LAND, "winners", 1)] == ["?", 100]
    assert [row[6] for row in rows(LAND, "winners", REFEREE)] == [100, 100]
    assert [row[6] for row in rows(LAND, "winners", PUBLIC)] == ["?", "?"]


def test_the_deeds_of_the_viewer_stand_below_the_winners() -> None:
    done = replace(LAND.sides[0], deeds=Deeds(1, 7, 4, 2, 3))
    notes = report(replace(LAND, sides=LAND.sides.put(done)), "winners").notes
    assert notes[-1] == (
        "Yours so far: 4 battles, 2 won without loss, 7 armies and 1 hero destroyed,"
        " 3 cities taken."
    )


def test_when_all_is_over_everything_of_everybody_is_told() -> None:
    over = replace(BUSY, winners=(1,), reason="conquest")
    assert [row[0] for row in rows(over, "cities")] == ["Red", "Red", "Blue"]
    assert rows(over, "gold")[1][:2] == ("Blue", 100)
    assert all(None not in values for values in PICTURE.numbers(shown(over)).values())


def test_who_has_won_stands_first() -> None:
    over = replace(LAND, winners=(1,), reason="conquest")
    assert [(row[1], row[-1]) for row in rows(over, "winners")] == [
        ("Blue", "winner"),
        ("Red", "in play"),
    ]


@pytest.mark.rule("W2-12.1", "W2-12.3")
def test_diplomacy_tells_treaties_and_only_ones_own_stances() -> None:
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


# -- what stays hidden -----------------------------------------------------------------------------


def hidden(columns: Iterable[tuple[int | None, ...]], side: int) -> list[bool]:
    return [values[side] is None for values in columns]


@pytest.mark.rule("W2-11")
def test_on_an_open_map_all_but_gold_is_counted() -> None:
    found = PICTURE.numbers(shown(LAND))
    assert found["cities"] == (2, 1)
    assert found["armies"] == (2, 1)
    assert found["strength"] == (5 + ARCHERS.strength, FOE.strength)
    assert found["heroes"] == (1, 0)
    assert found["gold"] == (100, None)


@pytest.mark.rule("W2-11")
def test_in_fog_nothing_of_others_is_counted() -> None:
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


def test_whoever_watches_is_told_of_all_sides_what_everybody_may_know() -> None:
    found = report(BUSY, "cities", PUBLIC)
    assert found.columns[0].heading == "Side"
    assert [row.cells[0] for row in found.rows] == ["Red", "Red", "Blue"]
    assert {row.cells[5] for row in found.rows} == {"?"}
    assert "gold" not in {each.name for each in PICTURE.reports(shown(BUSY, PUBLIC))}
    assert rows(BUSY, "gold", REFEREE)[0] == ("Red", 100, 40, -3, 37)
    assert len(rows(BUSY, "stacks", PUBLIC)) == 2
    assert len(rows(BUSY, "stacks", REFEREE)) == 3
