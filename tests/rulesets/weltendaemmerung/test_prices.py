"""Entry and cost for every unit type on every terrain."""

from __future__ import annotations

from typing import Final

import pytest

from engine.core.refused import Refused
from engine.rulesets.weltendaemmerung.state import Options, State
from engine.rulesets.weltendaemmerung.tables import terrain_table, units_table
from tests.rulesets.weltendaemmerung.small import played, state, unit

GROUND: Final = ("meadow", "meadow_2", "river", "forest", "end", "swamp", "pavement")
FLYERS: Final = ("eagle", "blood")

# The tables of sections 2 and 3 as printed; zeros of the ship mean that it cannot enter.
KEYS: Final = (
    *("sword", "bow_e", "eagle", "spear", "ship", "horse", "lord_e", "bow_d"),
    *("catapult", "blood", "axe", "lord_d", "wyrm", "ram", "wagon", "wolf"),
)
PRINTED: Final = {
    "river": "4 4 1 4 1 4 4 2 4 1 2 2 4 4 5 2",
    "forest": "2 2 1 3 0 4 2 2 4 1 2 2 1 3 7 2",
    "swamp": "3 3 1 3 0 4 3 3 4 1 3 3 1 4 7 4",
}
EVERY: Final = [(key, row.key) for key in KEYS for row in terrain_table()]


def may_enter(key: str, terrain: str) -> bool:
    """Return whether a type may enter a terrain, by the text of section 3."""
    if key in FLYERS:
        return True
    return terrain == "river" if key == "ship" else terrain in GROUND


def price(key: str, terrain: str) -> int:
    """Return the cost of a terrain, by the numbers of section 3."""
    return int(PRINTED[terrain].split()[KEYS.index(key)]) if terrain in PRINTED else 1


def beside(key: str, here: str, there: str, options: Options) -> State:
    """Return a position with a unit on one terrain and another terrain to its right."""
    signs = {row.key: row.sign for row in terrain_table()}
    player = units_table()[KEYS.index(key)].side
    placed = unit(0, key, 1, 0, b=9, b_max=9)
    return state((f"#{signs[here]}{signs[there]}",), placed, player=player, options=options)


@pytest.mark.rule("WD-TERR-1", "WD-TERR-3", "WD-TERR-4")
@pytest.mark.parametrize(("key", "terrain"), EVERY)
def test_type_enters_the_terrains_of_its_class(key: str, terrain: str) -> None:
    position = beside(key, "river", terrain, Options())
    if may_enter(key, terrain):
        assert played(position, "step unit=0 direction=right").units[0].x == 2
    else:
        with pytest.raises(Refused) as refused:
            played(position, "step unit=0 direction=right")
        assert refused.value.code == "BLOCKED"


@pytest.mark.rule("WD-TERR-1", "WD-TERR-2", "WD-MOVE-2")
@pytest.mark.parametrize(("key", "terrain"), [pair for pair in EVERY if may_enter(*pair)])
def test_step_costs_as_much_as_the_tile_it_leaves(key: str, terrain: str) -> None:
    after = played(beside(key, terrain, "river", Options()), "step unit=0 direction=right")
    assert after.units[0].b == 9 - price(key, terrain)


@pytest.mark.rule("WD-TERR-2", "WD-MOVE-8")
@pytest.mark.parametrize(("key", "terrain"), [pair for pair in EVERY if may_enter(*pair)])
def test_option_makes_a_step_cost_the_tile_it_enters(key: str, terrain: str) -> None:
    options = Options(price_tile="destination")
    after = played(beside(key, "river", terrain, options), "step unit=0 direction=right")
    assert after.units[0].b == 9 - price(key, terrain)


@pytest.mark.rule("WD-TERR-3")
def test_a_ship_has_no_price_for_forest_and_swamp() -> None:
    ship = units_table()[KEYS.index("ship")]
    assert (ship.river, ship.forest, ship.swamp) == (1, None, None)
