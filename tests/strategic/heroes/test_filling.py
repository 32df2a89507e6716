"""Items and sites at the start of a game (sections 10.3 and 10.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.dice import Scripted, Seeded
from engine.rulesets.warlords2.heroes import fill_rules, guardians, item_pool, relics
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import State
from engine.strategic import site_contents
from engine.strategic.item_records import is_good
from engine.strategic.pieces import NOBODY, NONE, Guardian, Item, Site
from tests.strategic.ground import side, site, world

ROWS = ["." * 50] * 40
RULES = fill_rules(Options())


def empty(count: int, *, temples: int = 0, sides: int = 2) -> State:
    """Return a position with ``count`` sites, temples first, and all capitals at (0, 0)."""
    sites: Iterable[Site] = (
        site(n, 1 + n % 48, 30 * (n % 2), "temple" if n < temples else "unknown")
        for n in range(count)
    )
    seats = [side(k, capital=(0, 0)) for k in range(sides)]
    return world(ROWS, sites=sites, sides=seats)


def filled(state: State, seed: int, *, quests: bool = False) -> State:
    rules = fill_rules(Options(quests="on" if quests else "off"))
    return site_contents.fill(state, rules, Seeded(b"%d" % seed, 0, "fill"))


@pytest.mark.rule("W2-10.4")
@pytest.mark.parametrize(
    ("sites", "die", "count"),
    [(40, 1, 11), (40, 2, 12), (40, 3, 13), (40, 4, 14), (40, 5, 14), (20, 1, 4), (0, 1, 0)],
)
def test_number_of_sites_with_items_follows_the_die(sites: int, die: int, count: int) -> None:
    assert relics(sites, Scripted([(5, die)])) == count


@pytest.mark.rule("W2-10.4")
def test_creatures_are_ranked_as_allies() -> None:
    best = [kind.name for kind in site_contents.ranked(RULES, empty(0))]
    assert best == [
        "Dragons",
        "Wizards",
        "Archons",
        "Devils",
        "Demons",
        "Ghosts",
        "Elementals",
        "Giant Worms",
    ]
    assert best[RULES.ally_rich] == best[:4]
    assert best[RULES.ally_far] == ["Demons", "Ghosts", "Elementals"]
    assert best[RULES.ally_near] == ["Elementals", "Giant Worms"]


@pytest.mark.rule("W2-1.5", "W2-10.4")
@pytest.mark.parametrize(
    ("x", "y", "far"), [(14, 0, False), (15, 0, True), (10, 11, False), (10, 12, True)]
)
def test_far_is_fifteen_tiles_from_every_capital(x: int, y: int, far: bool) -> None:
    state = world(ROWS, sides=[side(0, capital=(0, 0)), side(1, capital=(40, 39))])
    assert site_contents.is_far(state, RULES, site(1, x, y)) == far


@pytest.mark.rule("W2-10.3")
@given(st.integers(0, 10**6), st.integers(2, 8))
def test_a_game_has_eight_standards_and_fourteen_items_of_the_pool(seed: int, sides: int) -> None:
    items = filled(empty(0, sides=sides), seed).items.rows()
    assert [item.id for item in items] == list(range(22))
    flags, others = items[:8], items[8:]
    assert all(item.kind == "standard" for item in flags)
    assert [item.side for item in flags] == [*range(sides), *[NOBODY] * (8 - sides)]
    pool = {item.name: (item.kind, item.value) for item in item_pool()}
    assert len({item.name for item in others}) == 14
    assert all(pool[item.name] == (item.kind, item.value) for item in others)
    assert {(item.where, item.holder) for item in items} == {("unused", NONE)}


@pytest.mark.rule("W2-10.4", "W2-10.3")
@given(st.integers(0, 10**6), st.integers(0, 40), st.integers(0, 6), st.booleans())
def test_every_site_is_filled_and_every_item_has_a_place(
    seed: int, count: int, temples: int, quests: bool
) -> None:
    state = filled(empty(count, temples=temples), seed, quests=quests)
    sites = state.sites.rows()
    kinds = Counter(one.kind for one in sites)
    rest = [one for one in sites if one.kind != "temple"]
    rich = [one for one in rest if one.rich]
    assert kinds["unknown"] == 0
    assert kinds["temple"] == min(temples, count)
    assert len(rich) == min(3 * count // 10, len(rest))
    assert {one.id for one in sites if one.hidden} == {one.id for one in rich if quests}
    inside = [item for item in state.items.values() if item.where == "site"]
    assert len({item.holder for item in inside}) == len(inside) == kinds["relic"]
    assert {item.holder for item in inside} == {one.id for one in sites if one.kind == "relic"}
    assert len(inside) <= max(0, min(14, count // 3 + 2))
    assert all(item.side == NOBODY for item in inside)
    for one in rest:
        assert (1 <= one.guardian <= 9) == (one.kind in ("relic", "gold"))
        assert (one.ally != NONE) == (one.kind == "allies")


@pytest.mark.rule("W2-10.4")
@given(st.integers(0, 10**6))
def test_good_items_fill_rich_sites_first(seed: int) -> None:
    state = filled(empty(40), seed)
    inside = [item for item in state.items.values() if item.where == "site"]
    rich = sum(one.rich for one in state.sites.values())
    good = [item for item in inside if is_good(item)]
    in_rich = [item for item in good if state.sites[item.holder].rich]
    assert len(in_rich) == min(len(good), rich)


@pytest.mark.rule("W2-10.4")
def test_kinds_and_allies_have_the_expected_frequencies() -> None:
    rich: Counter[str] = Counter()
    far: Counter[str] = Counter()
    near: Counter[str] = Counter()
    allies: dict[str, set[str]] = {"rich": set(), "far": set(), "near": set()}
    for seed in range(60):
        state = filled(empty(40), seed)
        for one in state.sites.values():
            is_far = site_contents.is_far(state, RULES, one)
            sort = "rich" if one.rich else "far" if is_far else "near"
            if one.kind != "relic":
                {"rich": rich, "far": far, "near": near}[sort][one.kind] += 1
            if one.kind == "allies":
                allies[sort].add(state.types[one.ally].name)
    assert set(rich) == {"allies", "gold"}
    assert rich["allies"] / rich.total() == pytest.approx(2 / 3, abs=0.07)
    assert far["sage"] / far.total() == pytest.approx(2 / 5, abs=0.07)
    assert far["gold"] / far.total() == pytest.approx(2 / 5, abs=0.07)
    assert near["sage"] / near.total() == pytest.approx(1 / 3, abs=0.09)
    assert near["gold"] / near.total() == pytest.approx(1 / 3, abs=0.09)
    assert allies == {
        "rich": {"Dragons", "Wizards", "Archons", "Devils"},
        "far": {"Demons", "Ghosts", "Elementals"},
        "near": {"Elementals", "Giant Worms"},
    }


@pytest.mark.rule("W2-10.4")
def test_contents_defined_by_a_scenario_are_kept() -> None:
    told = [
        site(0, 1, 1, "sage"),
        site(1, 2, 1, "gold", guardian=4),
        site(2, 3, 1, "relic"),
        site(3, 4, 1, "unknown"),
        site(4, 5, 1, "allies"),
    ]
    own = [Item(0, "weapon", 9, "Own axe"), Item(1, "purse", 9, "Own purse", "ground", x=0, y=0)]
    keeper = (Guardian("Clerk", 1),)
    state = world(ROWS, sites=told, items=own, sides=[side(0), side(1)], guardians=keeper)
    after = filled(state, 1)
    assert [after.sites[n] for n in range(3)] == told[:3]
    assert after.sites[3].kind != "unknown"
    assert after.sites[4].ally in after.types
    assert (after.items[0].where, after.items[0].holder) == ("site", 2)
    assert after.items[1] == own[1]
    assert after.guardians == keeper
    assert filled(empty(1), 1).guardians == guardians()


@pytest.mark.rule("W2-1.7")
@given(st.integers(0, 10**6))
def test_the_same_dice_fill_sites_the_same_way(seed: int) -> None:
    state = empty(20, temples=2)
    assert filled(state, seed) == filled(state, seed)
