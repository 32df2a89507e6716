"""The table of numbers, compared with tables 2.1, 12.1 and 12.5 of the rule book."""

from __future__ import annotations

from itertools import product

import pytest

from engine.rulesets.gd6.fights import TOOLS, forecast_invasion, forecast_skirmish, needed
from engine.rulesets.gd6.numbers import numbers, unit_rows, units_in_line

BOOK = {
    "spawn_base": 2,
    "spawn_per_territories": 3,
    "hq_min_distance": 3,
    "hq_max_rounds": 5,
    "crop_minimum": 5,
    "crop_supply_price": 30,
    "dynamite_price": 20,
    "toxic_waste_price": 20,
    "mine_price": 5,
    "watchtower_cost": 20,
    "bivouac_cost": 30,
    "bivouac_surcharge": 10,
    "library_cost": 10,
    "library_surcharge": 10,
    "invasion_penalty": 2,
    "watchtower_strength": 2,
    "bivouac_yield": 1,
    "ip_per_territory": 1,
    "ip_per_hq": 6,
    "ip_per_library": 2,
    "armies_per_ip": 10,
    "domination_percent": 60,
    "turn_limit": 30,
    "most_seats": 13,
    "fewest_seats": 2,
}
UNITS = {
    "army": ("A", 1, 2, 1, 0, 0),
    "cavalry": ("C", 1, 4, 1, 3, 0),
    "heavy": ("H", 2, 1, 1, 3, 0),
    "spy": ("S", 0, 1, 0, 30, 2),
}


@pytest.mark.rule("GD-NUM-1")
@pytest.mark.parametrize("name", BOOK)
def test_numbers_match_the_book_and_name_their_source(name: str) -> None:
    row = getattr(numbers(), name)
    assert row.value == BOOK[name]
    assert row.source


@pytest.mark.rule("GD-UNIT-1")
@pytest.mark.parametrize("name", UNITS)
def test_units_match_the_book(name: str) -> None:
    row = unit_rows()[name]
    fields = (row.letter, row.health, row.speed, row.damage, row.cost, row.loyalty)
    assert fields == UNITS[name]
    assert row.source


@pytest.mark.rule("GD-UNIT-2")
def test_defenders_line_up_by_type() -> None:
    assert units_in_line() == ("spy", "heavy", "army", "cavalry")


@pytest.mark.rule("GD-INVADE-5")
@pytest.mark.parametrize("tower", [False, True])
def test_forecast_matches_the_table_of_the_book(tower: bool) -> None:
    for attackers, defenders in product(range(41), repeat=2):
        price = 4 if tower else 2
        left = attackers - price
        done = forecast_invasion(attackers, defenders, tower=tower)
        assert done.defenders_lost == max(0, min(left, defenders))
        assert done.landed == max(0, left - defenders)
        assert done.tower_destroyed == (tower and attackers >= 4)
        assert done.attackers_lost + done.landed == attackers
        aims = needed(defenders, tower=tower)
        assert (attackers >= aims.take) == (done.landed > 0)
        assert (attackers >= aims.neutralise) == done.neutralised
        assert aims.tower == (4 if tower else None)


@pytest.mark.rule("GD-INVADE-5")
def test_undefended_land_is_taken_and_not_neutralised() -> None:
    tool = next(tool for tool in TOOLS if tool.name == "invasion")
    told = [tool.run(None, {"attackers": "6", "defenders": there}) for there in ("0", "4")]
    assert told[0].remarks == ("3 armies take the land.",)
    assert told[1].remarks == ("7 armies take the land, 6 make it neutral.",)


@pytest.mark.rule("GD-SKIRMISH-2")
@pytest.mark.parametrize(
    ("armies", "left"),
    [((4, 3), (1, 0)), ((7, 2, 3), (4, 0, 0)), ((5, 5, 1), (0, 0, 0)), ((3,), (3,)), ((), ())],
)
def test_skirmish_costs_each_side_the_second_largest_force(
    armies: tuple[int, ...], left: tuple[int, ...]
) -> None:
    assert forecast_skirmish(armies) == left


AIMS = (
    ("break the watchtower", "tower", lambda there, tower: 4),
    ("make it neutral", "held", lambda there, tower: 2 + 2 * tower + there),
    ("armies take the land", "any", lambda there, tower: 2 + 2 * tower + there + 1),
)
"""The first table of 8.6 as ``calc`` shows it; without defenders, neutralising equals taking."""


@pytest.mark.rule("GD-INVADE-5")
@pytest.mark.parametrize("tower", [0, 1])
@pytest.mark.parametrize("there", range(41))
def test_calc_gives_the_units_needed_for_each_aim(there: int, tower: int) -> None:
    words = {"attackers": "1", "defenders": str(there), "tower": str(tower)}
    remarks = " ".join(TOOLS[0].run(None, words).remarks)
    for text, when, takes in AIMS:
        fits = {"any": True, "tower": bool(tower), "held": bool(there)}[when]
        assert (f"{takes(there, tower)} {text}" in remarks) == fits


@pytest.mark.rule("GD-INVADE-5")
@pytest.mark.parametrize("tower", [0, 1])
@pytest.mark.parametrize("sent", range(41))
def test_calc_gives_the_result_of_an_invasion(sent: int, tower: int) -> None:
    for there in range(41):
        words = {"attackers": str(sent), "defenders": str(there), "tower": str(tower)}
        left = sent - 2 - 2 * tower
        fallen = min(left, there) if left > 0 else 0
        landed = left - there if left > there else 0
        report = TOOLS[0].run(None, words)
        assert report.rows == ((sent, there, sent - landed, fallen, landed),)


@pytest.mark.rule("GD-SKIRMISH-2")
@pytest.mark.parametrize("first", range(8))
def test_calc_gives_the_result_of_a_skirmish(first: int) -> None:
    for second, third in product(range(8), repeat=2):
        words = {"first": str(first), "second": str(second), "third": str(third)}
        lost = sorted((first, second, third))[1]
        assert TOOLS[1].run(None, words).rows == tuple(
            (name, sent, sent - min(sent, lost))
            for name, sent in zip(words, (first, second, third), strict=True)
        )


def test_tools_answer_in_tables_and_refuse_bad_numbers() -> None:
    tools = {tool.name: tool for tool in TOOLS}
    report = tools["invasion"].run(None, {"attackers": "6", "defenders": "1", "tower": "1"})
    assert report.rows == ((6, 1, 5, 1, 1),)
    assert report.remarks == (
        "6 armies take the land, 5 make it neutral.",
        "4 break the watchtower.",
    )
    rows = tools["skirmish"].run(None, {"first": "4", "second": "3"}).rows
    assert [row[2] for row in rows] == [1, 0, 0]
    for bad in ("x", "-1", "99999999999", ""):
        with pytest.raises(ValueError, match="attackers"):
            tools["invasion"].run(None, {"attackers": bad, "defenders": "1"})
