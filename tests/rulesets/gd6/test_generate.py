"""Generated maps: reproducible, connected, with room for the seats."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.codec import decoder, digest, encode
from engine.core.containers import Plane
from engine.core.dice import Scripted, Seeded
from engine.core.ruleset import ScenarioFault
from engine.kit.noise import swell
from engine.rulesets.gd6 import generate as new
from engine.rulesets.gd6 import raster, world
from engine.rulesets.gd6.generate import join_parts, largest_part
from engine.rulesets.gd6.state import World
from engine.rulesets.gd6.world import check_world


@pytest.mark.rule("GD-NEWMAP-1")
def test_seed_gives_the_same_map_on_every_machine() -> None:
    made = new.generate("abc", 12, 3)
    assert made == new.generate("abc", 12, 3)
    drawn = [(land.name, land.neighbours, land.polygon) for land in made.lands]
    assert digest(drawn).hex() == "77f045cbd88f7de71390fb1100141423"


@pytest.mark.rule("GD-NEWMAP-1")
def test_other_seeds_numbers_and_seats_give_other_maps() -> None:
    maps = [
        new.generate(*wish) for wish in (("a", 12, 3), ("b", 12, 3), ("a", 13, 3), ("a", 12, 2))
    ]
    assert len({digest(made.lands) for made in maps}) == 4


@pytest.mark.rule(
    "GD-NEWMAP-1", "GD-NEWMAP-3", "GD-NEWMAP-4", "GD-NEWMAP-5", "GD-NEWMAP-6", "GD-MAP-2"
)
@settings(max_examples=25, deadline=None)
@given(st.text(max_size=8), st.integers(14, 40), st.integers(2, 3))
def test_generated_maps_are_connected_and_have_room(
    seed: str, territories: int, seats: int
) -> None:
    made = new.generate(seed, territories, seats)
    check_world(made)
    assert len(made.lands) == territories
    assert world.distances(made).cells[1:, 1:].min() == 0, "all hang together"
    assert len(made.sites) >= seats
    assert min(world.distance(made, *pair) for pair in combinations(made.sites, 2)) >= 3
    assert len({land.name for land in made.lands}) == territories
    assert decoder(World).decode(encode(made)) == made
    drawn = raster.cells(made, raster.FULL)
    assert np.bincount(drawn.cells.ravel(), minlength=territories + 1)[1:].min() >= 20
    _borders_are_shared_edges(made, drawn)


def _borders_are_shared_edges(made: World, drawn: Plane) -> None:
    shared = raster.contacts(drawn)
    for pair, edges in shared.items():
        assert (pair in made.seams) or pair[1] in made.lands[pair[0] - 1].neighbours
        assert edges < 2 or pair not in made.seams
    for land in made.lands:
        for other in land.neighbours:
            pair = (min(land.id, other), max(land.id, other))
            assert (pair in shared) is (pair not in made.sea_routes)


@pytest.mark.rule("GD-NEWMAP-1")
@pytest.mark.parametrize(
    ("territories", "seats", "said"),
    [
        (3, 2, "4 to 128 territories, not 3"),
        (129, 2, "4 to 128 territories, not 129"),
        (16, 1, "2 to 13 seats, not 1"),
        (16, 14, "2 to 13 seats, not 14"),
    ],
)
def test_numbers_out_of_bounds_are_refused(territories: int, seats: int, said: str) -> None:
    with pytest.raises(ScenarioFault, match=said):
        new.generate("x", territories, seats)


@pytest.mark.rule("GD-NEWMAP-6")
def test_search_for_room_ends() -> None:
    said = "40 maps of 6 territories had no room for 13 headquarters; more territories or fewer"
    with pytest.raises(ScenarioFault, match=said):
        new.generate("x", 6, 13)


@pytest.mark.rule("GD-NEWMAP-2")
def test_noise_is_smooth_and_meets_its_lattice_points() -> None:
    heights = swell(Scripted([1, 101, 51, 9, *[201] * 4, *[1] * 4]), (3, 5), (2, 2)) / 4096
    assert heights[0].tolist() == [0, 50, 100, 75, 50]
    assert heights[:, 0].tolist() == [0, 100, 200]


@pytest.mark.rule("GD-NEWMAP-2")
def test_fixed_share_of_cells_is_sea_starting_at_the_rim() -> None:
    land = new.coast(Seeded(b"x", 0, "map"), 24)
    assert land.size - land.sum() == land.size * 35 // 100
    assert not land[0].any()
    assert not land[:, -1].any()


@pytest.mark.rule("GD-NEWMAP-3")
def test_sites_keep_apart_and_claim_the_nearest_land() -> None:
    land = np.ones((6, 20), dtype=bool)
    land[:, 9] = False
    sites = new.scatter(Seeded(b"x", 0, "map"), land, 4)
    assert len(sites) == 4
    apart = [(a - c) ** 2 * 4 + (b - d) ** 2 for (a, b), (c, d) in combinations(sites, 2)]
    assert min(apart) >= 30
    claimed = new.claim(land, ((0, 0), (0, 8), (4, 8)))
    assert claimed[0].tolist() == [1] * 5 + [2] * 4 + [0] + [2] * 10
    assert claimed[3, 8] == 3


@pytest.mark.rule("GD-NEWMAP-3")
def test_more_sites_than_cells_find_no_room() -> None:
    assert new.scatter(Seeded(b"x", 0, "map"), np.ones((1, 2), dtype=bool), 3) == ()


@pytest.mark.rule("GD-NEWMAP-3")
def test_small_territories_and_cut_off_cells_become_sea() -> None:
    claimed = np.zeros((8, 12), dtype=np.int64)
    claimed[:3, :8] = 1
    claimed[4:, :4] = 2
    claimed[:, 10:] = 3
    claimed[7, 8] = 3
    kept = new.trim(claimed).cells
    assert (kept[:3, :8] == 1).all()
    assert (kept[4:, :4] == 0).all(), "16 cells are too few"
    assert (kept[:, 10:] == 0).all(), "16 cells are too few"


@pytest.mark.rule("GD-NEWMAP-3")
def test_largest_part_is_connected_over_edges() -> None:
    mask = np.array([[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]], dtype=bool)
    assert largest_part(mask).sum() == 3
    assert not largest_part(mask)[0].any()


@pytest.mark.rule("GD-NEWMAP-4")
def test_parts_are_joined_by_the_shortest_routes() -> None:
    drawn = Plane(np.array([[1, 1, 0, 2, 0, 0, 0, 3, 3], [0] * 9, [4] * 9]))
    assert join_parts(drawn, ()) == ((1, 2), (1, 4), (2, 3))
    assert join_parts(drawn, ((1, 4), (3, 4))) == ((1, 2),)
    assert join_parts(drawn, ((1, 2), (2, 3), (3, 4))) == ()
