"""Movement: costs of tiles, bonuses of stacks, boarding and landing."""

from __future__ import annotations

from typing import Any, Final

import pytest

from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.core.refused import Refused
from engine.kit.grid import Place
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.items import stock
from engine.rulesets.lordsawar.land import land_of, sign_rows
from engine.rulesets.lordsawar.moving import combined_bonus, lifts
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import State
from engine.strategic import costs, turns
from engine.strategic.commands import Walk
from engine.strategic.costs import Mode
from engine.strategic.item_records import carried
from engine.strategic.refusal import Refusal
from tests.rulesets.lordsawar.fields import army, bearing, city, field, played

PLAIN: Final = "minotaurs"
"""A type without a move bonus."""


def price(state: State, ids: tuple[int, ...], there: Place) -> int:
    """Return the cost of a step of a stack; 0 if the tile is closed."""
    settings = settings_in(state)
    group = tuple(state.armies[number] for number in ids)
    who = costs.mover(state, settings.moving, group)
    return 0 if who is None else costs.step(state, settings, who, group[0].at, there)


# -- 12.1 ------------------------------------------------------------------------------------------

RESTED: Final = [
    # points left, items, aboard, points afterwards
    (0, 0, False, 12),
    (1, 0, False, 13),
    (2, 0, False, 14),
    (9, 0, False, 14),
    (0, 1, False, 24),
    (2, 1, False, 28),
    (0, 3, False, 96),
    (5, 12, False, 14 * 1024),
    (5, 2, True, 18),
]


@pytest.mark.rule("LW-12.1", "LW-11.1")
@pytest.mark.parametrize(("left", "items", "aboard", "points"), RESTED)
def test_upkeep_phase_refills_points(left: int, items: int, points: int, *, aboard: bool) -> None:
    armies = army(1, 0, 0, PLAIN, points=left, aboard=aboard), army(2, 0, 0, "hero")
    carried = [bearing(number, 2, "speed") for number in range(items)]
    state = field(("..", ".."), *armies, army(3, 1, 1, owner=1), items=carried)
    decision: BaseDecision[Any, Any] = BaseDecision(state, evolve, Scripted(()))
    turns.refill_points(decision, settings_in(state), 0)
    assert decision.state.armies[1].points == points


# -- 12.2 ------------------------------------------------------------------------------------------

ON_FOOT: Final = {".": 2, "f": 3, "h": 4, "s": 8, "m": 0, "=": 1, "p": 2}


@pytest.mark.rule("LW-12.2")
@pytest.mark.parametrize(("sign", "cost"), ON_FOOT.items())
def test_costs_of_tiles_on_foot(sign: str, cost: int) -> None:
    assert price(field((f".{sign}.", "..."), army(1, 0, 0, PLAIN)), (1,), (1, 0)) == cost


@pytest.mark.rule("LW-12.2", "LW-12.3")
@pytest.mark.parametrize(("sign", "cost"), [(".", 2), ("f", 2), ("s", 2), ("m", 2), ("=", 1)])
def test_costs_of_tiles_in_flight(sign: str, cost: int) -> None:
    assert price(field((f".{sign}.", "..."), army(1, 0, 0, "pegasi")), (1,), (1, 0)) == cost


@pytest.mark.rule("LW-12.2")
@pytest.mark.parametrize("key", [PLAIN, "pegasi"])
@pytest.mark.parametrize("sign", ".fhms")
def test_road_costs_one_even_in_flight(key: str, sign: str) -> None:
    state = field((f".{sign}.", "..."), army(1, 0, 0, key), roads=[(1, 0)])
    assert price(state, (1,), (1, 0)) == 1


@pytest.mark.rule("LW-12.2")
def test_city_costs_one_even_if_razed() -> None:
    for razed in (False, True):
        state = field(
            ("....", "...."), army(1, 0, 0, PLAIN), cities=[city(0, 1, 0, 0, razed=razed)]
        )
        assert price(state, (1,), (1, 0)) == 1


@pytest.mark.rule("LW-12.2")
def test_open_sea_costs_one_and_coastal_water_two() -> None:
    rows = ("......", ".wwww.", ".wwww.", ".wwww.", "......")
    ship = army(1, 1, 1, PLAIN, aboard=True, points=18)
    state = field(rows, ship)
    assert (price(state, (1,), (2, 2)), price(state, (1,), (2, 1))) == (1, 2)
    bats = field(rows, army(1, 1, 1, "giant_bats"))
    assert (price(bats, (1,), (2, 2)), price(bats, (1,), (2, 1))) == (1, 2)


@pytest.mark.rule("LW-12.2")
def test_port_costs_as_much_as_its_water() -> None:
    rows = ("......", ".wwww.", ".wpww.", ".wwww.", ".pww..")
    for key, aboard in ((PLAIN, True), ("giant_bats", False)):
        ship = army(1, 1, 3, key, aboard=aboard, points=18)
        assert (price(field(rows, ship), (1,), (2, 2)), price(field(rows, ship), (1,), (1, 4))) == (
            1,
            2,
        )
    again = field(rows).terrain
    assert land_of(Map("sea", "Sea", "", rows=sign_rows(again))).terrain == again


@pytest.mark.rule("LW-12.2")
def test_water_at_the_edge_of_the_map_can_be_open_sea() -> None:
    state = field(("www", "www", "www", "..."), army(1, 0, 0, PLAIN, aboard=True, points=18))
    assert (price(state, (1,), (1, 0)), price(state, (1,), (0, 1))) == (1, 1)


@pytest.mark.rule("LW-12.2", "LW-19.4")
def test_terrain_costs_may_come_from_a_tile_set() -> None:
    rows, costs = (".fhs", "....", "pwww", "wwww", "wwww"), (3, 4, 5, 6, 7, 8)

    def paid(key: str, here: Place, there: Place, *, aboard: bool = False) -> int:
        walker = army(1, *here, key, aboard=aboard, points=18)
        return price(field(rows, walker, ground_costs=costs), (1,), there)

    assert [paid(PLAIN, (x, 1), (x, 0)) for x in range(4)] == [3, 5, 6, 8]
    assert [paid("pegasi", (x, 1), (x, 0)) for x in range(4)] == [2, 2, 2, 2]
    assert (paid("archers", (1, 1), (1, 0)), paid(PLAIN, (1, 1), (0, 2))) == (2, 4)
    assert paid(PLAIN, (1, 3), (1, 2), aboard=True) == 4
    assert paid(PLAIN, (0, 4), (1, 4), aboard=True) == 1


@pytest.mark.rule("LW-12.2")
def test_a_diagonal_step_costs_the_same() -> None:
    state = field(("..", ".h"), army(1, 0, 0, PLAIN))
    assert price(state, (1,), (1, 1)) == 4


EASED: Final = [
    ("scouts", "f", 2),
    ("scouts", "h", 2),
    ("scouts", "s", 8),
    ("archers", "f", 2),
    ("archers", "h", 4),
    ("dwarves", "h", 2),
    ("dwarves", "f", 3),
    ("giants", "h", 2),
    ("orcish_mob", "f", 2),
]


@pytest.mark.rule("LW-12.2", "LW-9.3")
@pytest.mark.parametrize(("key", "sign", "cost"), EASED)
def test_move_bonus_lowers_the_cost_of_its_terrain(key: str, sign: str, cost: int) -> None:
    assert price(field((f".{sign}", ".."), army(1, 0, 0, key)), (1,), (1, 0)) == cost


@pytest.mark.rule("LW-12.2")
def test_each_army_pays_the_stacks_cost_less_its_own_bonus() -> None:
    state = field((".h", ".."), army(1, 0, 0, "dwarves"), army(2, 0, 0, "light_cavalry"))
    after, _ = played(state, (0, Walk((1, 2), ((1, 0),))))
    assert (after.armies[1].points, after.armies[2].points) == (8 - 2, 20 - 4)


@pytest.mark.rule("LW-12.2")
def test_lowest_points_in_the_stack_must_cover_its_cost() -> None:
    dwarves = army(1, 0, 0, "dwarves", points=3)
    state = field((".h", ".."), dwarves, army(2, 0, 0, "light_cavalry"))
    assert played(state, (0, Walk((1, 2), ((1, 0),))))[0].armies[1].at == (0, 0)
    assert played(state, (0, Walk((1,), ((1, 0),))))[0].armies[1].at == (1, 0)


# -- 12.3 ------------------------------------------------------------------------------------------

BONUSES: Final = [
    (("dwarves",), {"hills"}),
    (("dwarves", "giants"), {"hills"}),
    (("dwarves", "archers"), set[str]()),
    (("dwarves", PLAIN), set[str]()),
    (("scouts", PLAIN), {"woods", "hills"}),
    (("scouts", "pegasi", PLAIN, "hero"), {"woods", "hills"}),
    (("dwarves", "pegasi"), {"hills"}),
    (("pegasi", PLAIN), set[str]()),
]


@pytest.mark.rule("LW-12.3")
@pytest.mark.parametrize(("keys", "bonus"), BONUSES)
def test_the_bonus_of_a_stack(keys: tuple[str, ...], bonus: set[str]) -> None:
    armies = [army(number, 0, 0, key) for number, key in enumerate(keys, 1)]
    assert combined_bonus(field(("..", ".."), *armies), armies) == bonus


FLIGHT: Final = [
    (("pegasi",), None, True),
    (("pegasi", "giant_bats"), None, True),
    (("pegasi", "hero"), None, True),
    (("pegasi", "hero", "hero"), None, False),
    (("pegasi", "dragons", "hero", "hero"), None, True),
    (("pegasi", PLAIN), None, False),
    (("hero",), None, False),
    (("hero",), 1, True),
    (("hero", PLAIN, "elephants"), 1, True),
    (("hero", "hero", PLAIN), 2, True),
]


@pytest.mark.rule("LW-12.3", "LW-11.1")
@pytest.mark.parametrize(("keys", "bearer", "flies"), FLIGHT)
def test_stack_flies_if_its_members_or_items_allow_it(
    keys: tuple[str, ...], bearer: int | None, *, flies: bool
) -> None:
    armies = [army(number, 0, 0, key) for number, key in enumerate(keys, 1)]
    items = [] if bearer is None else [bearing(1, bearer, "flight")]
    state = field(("..", ".."), *armies, items=items)
    assert lifts(state, armies) == flies
    who = costs.mover(state, settings_in(state).moving, tuple(armies))
    assert who is not None
    assert (who.mode is Mode.AIR) == flies


@pytest.mark.rule("LW-12.3", "LW-11.1")
def test_an_item_of_the_table_lifts_the_whole_stack() -> None:
    armies = [army(1, 0, 0, "hero"), army(2, 0, 0, "elephants"), army(3, 0, 0, PLAIN)]
    (broom,) = (one for one in stock() if one.name == "Witch's Broom")
    assert lifts(field(("..", ".."), *armies, items=[carried(broom, 1)]), armies)


# -- 12.4 ------------------------------------------------------------------------------------------


@pytest.mark.rule("LW-12.4")
def test_mountains_are_closed_both_ways_except_on_a_road() -> None:
    row = (".mm.",)
    walker = army(1, 0, 0, PLAIN)
    assert price(field((*row, "...."), walker), (1,), (1, 0)) == 0
    assert price(field((*row, "...."), walker, roads=[(1, 0)]), (1,), (1, 0)) == 1
    within = army(1, 1, 0, PLAIN)
    assert price(field((*row, "...."), within), (1,), (0, 0)) == 0
    assert price(field((*row, "...."), within, roads=[(2, 0)]), (1,), (2, 0)) == 0
    on_road = field((*row, "...."), within, roads=[(1, 0)])
    assert (price(on_road, (1,), (0, 0)), price(on_road, (1,), (2, 0))) == (2, 0)
    with pytest.raises(Refused) as refused:
        played(field((*row, "...."), within), (0, Walk((1,), ((0, 0),))))
    assert refused.value.code == Refusal.MIXED_GROUP


WAYS: Final = [
    # rows, roads, from, to, aboard before; afterwards: aboard, points left of 16 (None: closed)
    ("city to port", "ccp", False, (True, 0)),
    ("city to water", "ccw", False, (True, 0)),
    ("city to bridge", "cc=", False, (False, 15)),
    ("land to port", "..p", False, (False, 14)),
    ("land to bridge", "..=", False, (False, 15)),
    ("land to water", "..w", False, None),
    ("port on foot to water", ".pw", False, (True, 0)),
    ("bridge on foot to water", ".=w", False, (True, 0)),
    ("port on foot to bridge", ".p=", False, (False, 15)),
    ("bridge on foot to port", ".=p", False, (False, 14)),
    ("port on foot to land", "wp.", False, (False, 14)),
    ("bridge on foot to city", "w=c", False, (False, 15)),
    ("water to port", ".wp", True, (True, 14)),
    ("water to bridge", ".w=", True, (True, 15)),
    ("port aboard to water", ".pw", True, (True, 14)),
    ("bridge aboard to water", ".=w", True, (True, 14)),
    ("port aboard to bridge", ".p=", True, (True, 15)),
    ("port aboard to land", ".p.", True, (False, 0)),
    ("bridge aboard to land", ".=.", True, (False, 0)),
    ("water to city", ".wc", True, (False, 0)),
    ("port aboard to city", ".pc", True, (False, 0)),
    ("bridge aboard to city", ".=c", True, (False, 0)),
    ("water to land", ".w.", True, None),
]
"""Steps from the middle tile to the last: boarding, landing, and closed ones."""


@pytest.mark.rule("LW-12.4")
@pytest.mark.parametrize("razed", [False, True])
@pytest.mark.parametrize(("name", "row", "aboard", "then"), WAYS, ids=[way[0] for way in WAYS])
def test_boarding_and_landing_follow_the_table(
    name: str, row: str, then: tuple[bool, int] | None, *, aboard: bool, razed: bool
) -> None:
    del name
    rows = (".....", f".{row.replace('c', '.')}.", ".....")
    towns = [city(0, 1 + row.index("c"), 1, 0, razed=razed)] if "c" in row else []
    walker = army(1, 2, 1, "giants", aboard=aboard)
    state = field(rows, walker, cities=towns)
    order = Walk((1,), ((3, 1),))
    if then is None:
        with pytest.raises(Refused) as refused:
            played(state, (0, order))
        assert refused.value.code == Refusal.NO_WAY
        return
    after = played(state, (0, order))[0].armies[1]
    assert after.at == (3, 1)
    assert (after.aboard, after.points) == then
