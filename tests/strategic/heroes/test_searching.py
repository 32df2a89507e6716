"""Searches of sites, sages and temples (section 10.5)."""

from __future__ import annotations

from dataclasses import replace as _replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.dice import Scripted, Throw
from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.warlords2.heroes import guardians
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.state import State
from engine.strategic import sites
from engine.strategic.commands import AskSage, Bless, Search
from engine.strategic.events import (
    ArmiesGrew,
    ArmiesPlaced,
    ArmiesRemoved,
    Asked,
    GoldChanged,
    ItemsMoved,
    SiteKnown,
    SiteSearched,
    TilesFound,
)
from engine.strategic.heroes import room_beside
from engine.strategic.pieces import NONE, Army, Item, Question, Site, Wish
from engine.strategic.refusal import Refusal
from tests.strategic.ground import DRAGONS, ELEPHANTS, HERO, army, city, desk, side, site, world
from tests.strategic.heroes.deeds import BOOK, carried, of_kind, unused_dice

ROWS = ["....", ".x..", "...."]
AT = (1, 1)
SEARCH = Search(army=1)


def place(where: Site, *armies: Army, **more: Any) -> State:
    """Return a position with a hero of side 0 at (1, 1)."""
    more.setdefault("guardians", guardians())
    heroes = armies or (army(1, *AT, HERO),)
    return world(more.pop("rows", ROWS), armies=heroes, sites=[where], **more)


# -- guardians ---------------------------------------------------------------------------------


@pytest.mark.rule("W2-10.5")
@pytest.mark.parametrize(
    ("guardian", "strength", "weapon", "company", "most"),
    [
        (1, 5, 0, 1, 90 + 0 + 3),
        (5, 5, 0, 1, 90 - 15 + 3),
        (5, 6, 2, 1, 90 - 0 + 3),
        (4, 5, 0, 8, 90 + 10 + 24),
        (9, 5, 1, 2, 90 - 5 + 6),
    ],
)
@pytest.mark.parametrize("above", [False, True])
def test_guardian_kills_if_the_die_is_above_the_chance(
    guardian: int, strength: int, weapon: int, company: int, most: int, above: bool
) -> None:
    hero = army(1, *AT, HERO, strength=strength)
    others = [army(1 + n, *AT) for n in range(1, company)]
    state = place(
        site(1, *AT, "gold", guardian=guardian),
        hero,
        *others,
        items=[carried(0, "weapon", 1, weapon)],
    )
    assert sites.chance(state, BOOK, hero, state.sites[1]) == most
    die = most + above
    if die > 100:
        return
    work = desk(state, [(100, die), 1, 1, 1])
    sites.search(work, BOOK, 0, SEARCH)
    (told,) = of_kind(work, SiteSearched)
    assert (told.guardian, told.roll, told.chance, told.died) == (guardian, die, most, above)
    assert (1 in work.state.armies) != above
    after = work.state.sites[1]
    assert (after.searched, after.guardian) == ((False, guardian) if above else (True, 0))


@pytest.mark.rule("W2-10.5", "W2-8.6")
def test_items_of_a_killed_hero_lie_at_the_site() -> None:
    state = place(site(1, *AT, "gold", guardian=5), items=[carried(0, "command", 1)])
    work = desk(state, [(100, 100)])
    sites.search(work, BOOK, 0, SEARCH)
    assert of_kind(work, ArmiesRemoved) == [ArmiesRemoved((1,), "guardian")]
    thing = work.state.items[0]
    assert (thing.where, thing.x, thing.y) == ("ground", *AT)
    assert not of_kind(work, GoldChanged)


@pytest.mark.rule("W2-10.4")
def test_guardians_have_the_books_strengths() -> None:
    assert [(one.name, one.strength) for one in guardians()] == [
        ("Troll", 5),
        ("Giant", 7),
        ("Wolf", 4),
        ("Goblin", 3),
        ("Dragon", 8),
        ("Demon", 8),
        ("Devil", 8),
        ("Wizard", 8),
        ("Ghost", 7),
    ]


# -- finds -------------------------------------------------------------------------------------


@pytest.mark.rule("W2-10.2", "W2-10.5")
def test_surviving_searcher_gains_experience_and_keeps_its_points() -> None:
    work = desk(place(site(1, *AT, "gold")), [1, 1, 1])
    sites.search(work, BOOK, 0, SEARCH)
    assert of_kind(work, ArmiesGrew)[0].reason == "experience"
    hero = work.state.armies[1]
    assert (hero.xp, hero.points) == (3, 14)


@pytest.mark.rule("W2-10.5")
@pytest.mark.parametrize(
    ("rich", "dice", "gold"),
    [
        (False, [(500, 1), (500, 2), (500, 3)], 506),
        (False, [(500, 500)] * 3, 2000),
        (True, [(1000, 1)] * 3, 1003),
        (True, [(1000, 1000)] * 3, 4000),
    ],
)
def test_gold_is_found_at_a_site(rich: bool, dice: list[Throw], gold: int) -> None:
    work = desk(place(site(1, *AT, "gold", rich=rich)), dice)
    sites.search(work, BOOK, 0, SEARCH)
    assert of_kind(work, GoldChanged) == [GoldChanged(0, gold, 100 + gold, "site")]


@pytest.mark.rule("W2-1.4")
def test_a_purse_holds_no_more_than_thirty_thousand() -> None:
    state = place(site(1, *AT, "gold"), sides=[side(0, gold=29900), side(1)])
    work = desk(state, [(500, 1)] * 3)
    sites.search(work, BOOK, 0, SEARCH)
    assert of_kind(work, GoldChanged) == [GoldChanged(0, 100, 30000, "site")]


@pytest.mark.rule("W2-10.5", "W2-6.4")
def test_hero_picks_up_the_relic() -> None:
    thing = Item(0, "speed", 0, "Boots", "site", holder=1)
    work = desk(place(site(1, *AT, "relic", guardian=1), items=[thing]), [(100, 1)])
    sites.search(work, BOOK, 0, SEARCH)
    (moved,) = of_kind(work, ItemsMoved)
    assert moved.reason == "found"
    assert (work.state.items[0].where, work.state.items[0].holder) == ("carried", 1)


@pytest.mark.rule("W2-10.5", "W2-9.3")
@pytest.mark.parametrize(
    ("rich", "die", "count"), [(False, 1, 1), (False, 2, 2), (True, 1, 3), (True, 2, 4)]
)
def test_allies_join_rested_and_without_upkeep(rich: bool, die: int, count: int) -> None:
    work = desk(place(site(1, *AT, "allies", ally=DRAGONS, rich=rich)), [(2, die)])
    sites.search(work, BOOK, 0, SEARCH)
    (placed,) = of_kind(work, ArmiesPlaced)
    assert placed.reason == "allies"
    assert [(ally.type, ally.owner, ally.at) for ally in placed.armies] == [(25, 0, AT)] * count
    assert {(ally.points, ally.max_move, ally.upkeep) for ally in placed.armies} == {(22, 22, 0)}


@pytest.mark.rule("W2-10.5")
def test_allies_without_room_on_the_tile_are_placed_beside_it() -> None:
    group = [army(1, *AT, HERO), *(army(n, *AT) for n in range(2, 8))]
    foe = army(20, 1, 0, owner=1)
    friends = [army(30 + n, 2, 0) for n in range(7)]
    state = place(site(1, *AT, "allies", ally=ELEPHANTS, rich=True), *group, foe, *friends)
    work = desk(state, [(2, 2)])
    sites.search(work, BOOK, 0, SEARCH)
    (placed,) = of_kind(work, ArmiesPlaced)
    assert [ally.at for ally in placed.armies] == [AT, (2, 0), (2, 1), (2, 1)]


@pytest.mark.rule("W2-10.5")
def test_allies_are_placed_only_on_tiles_they_can_enter() -> None:
    rows = ["~ m", ".x.", "cc."]
    towns = [city(1, 0, 2, 1)]
    group = [army(n, *AT) for n in range(2, 9)]
    state = place(site(1, *AT), army(1, *AT, HERO), *group, rows=[*rows, "cc."], cities=towns)
    walkers = room_beside(state, BOOK, 0, AT, state.types[ELEPHANTS])
    assert set(walkers) == {(2, 0), (2, 1), (2, 2), (0, 1)}
    fliers = room_beside(state, BOOK, 0, AT, state.types[DRAGONS])
    assert set(fliers) == {(0, 0), (2, 0), (2, 1), (2, 2), (0, 1)}


@pytest.mark.rule("W2-1.8")
def test_no_allies_join_at_the_limit_of_armies() -> None:
    many = [army(100 + n, 3, 2) for n in range(999)]
    state = place(site(1, *AT, "allies", ally=DRAGONS), army(1, *AT, HERO), *many)
    work = desk(state, [(2, 2)])
    sites.search(work, BOOK, 0, SEARCH)
    assert not of_kind(work, ArmiesPlaced)
    assert work.state.sites[1].searched


# -- refusals ----------------------------------------------------------------------------------


@pytest.mark.rule("W2-10.4", "W2-10.5")
@pytest.mark.parametrize(
    ("where", "hero", "code"),
    [
        (site(1, 0, 0), army(1, *AT, HERO), Refusal.NO_SITE),
        (site(1, *AT, "temple"), army(1, *AT, HERO), Refusal.NO_SITE),
        (site(1, *AT, hidden=True), army(1, *AT, HERO), Refusal.NO_SITE),
        (site(1, *AT, searched=True), army(1, *AT, HERO), Refusal.NOTHING_TO_DO),
        (site(1, *AT), army(1, *AT, HERO, points=0), Refusal.NO_POINTS),
        (site(1, *AT), army(1, *AT), Refusal.NOT_A_HERO),
        (site(1, *AT), army(1, *AT, HERO, owner=1), Refusal.NO_SUCH_ARMY),
    ],
)
def test_a_search_is_refused(where: Site, hero: Army, code: Refusal) -> None:
    work = desk(place(where, hero))
    with pytest.raises(Refused) as caught:
        sites.search(work, BOOK, 0, SEARCH)
    assert caught.value.code == code
    assert work.events == ()


@pytest.mark.rule("W2-10.4")
def test_hidden_site_is_refused_like_no_site_until_known() -> None:
    refusals = []
    for where in (site(1, *AT, hidden=True), site(1, 0, 0)):
        with pytest.raises(Refused) as caught:
            sites.search(desk(place(where)), BOOK, 0, SEARCH)
        refusals.append(str(caught.value))
    assert refusals[0] == refusals[1]
    work = desk(place(site(1, *AT, hidden=True, known_to=1)), [1, 1, 1])
    sites.search(work, BOOK, 0, SEARCH)
    assert (work.state.sites[1].searched, work.state.sites[1].hidden) == (True, False)


# -- sages -------------------------------------------------------------------------------------


def sage(*others: Site, **more: Any) -> State:
    """Return a position with a hero at a sage's site, and other sites."""
    state = place(site(1, *AT, "sage"), **more)
    return world(
        more.get("rows", ROWS),
        armies=state.armies.rows(),
        sites=[site(1, *AT, "sage"), *others],
        items=more.get("items", ()),
        hidden=more.get("hidden", False),
    )


@pytest.mark.rule("W2-10.5")
def test_sage_offers_only_wishes_with_unknown_answers() -> None:
    thing = Item(0, "speed", 0, "Boots", "site", holder=2)
    relic = site(2, 3, 0, "relic")
    cases: list[tuple[dict[str, Any], tuple[Wish, ...]]] = [
        ({}, ("gold",)),
        ({"items": [thing]}, ("items", "gold")),
        ({"hidden": True}, ("gold", "maps")),
    ]
    for more, wishes in cases:
        work = desk(sage(relic, **more))
        sites.search(work, BOOK, 0, SEARCH)
        (asked,) = of_kind(work, Asked)
        assert asked.question == Question("sage", 0, site=1, army=1, wishes=wishes)


@pytest.mark.rule("W2-10.5")
def test_sage_reveals_where_items_are() -> None:
    things = [
        Item(0, "speed", 0, "Boots", "site", holder=2),
        Item(1, "speed", 0, "Shoes", "site", holder=3),
    ]
    others = [site(2, 3, 0, "relic"), site(3, 3, 1, "relic", known_to=2), site(4, 3, 2, "gold")]
    work = desk(sage(*others, items=things))
    sites.search(work, BOOK, 0, SEARCH)
    sites.ask_sage(work, BOOK, 0, AskSage("items"))
    (known,) = of_kind(work, SiteKnown)
    assert [(one.id, one.known_to) for one in known.sites] == [(2, 1), (3, 3)]
    assert work.state.question is None


@pytest.mark.rule("W2-10.5", "W2-11")
def test_revealed_site_and_its_item_are_visible_in_undiscovered_land() -> None:
    thing = Item(0, "speed", 0, "Boots", "site", holder=2)
    state = sage(site(2, 3, 0, "relic"), items=[thing], hidden=True)
    assert (list(RULES.view(state, 0).sites), list(RULES.view(state, 0).items)) == ([], [])
    told = replace(state, sites=state.sites.put(site(2, 3, 0, "relic", known_to=1)))
    seen = RULES.view(told, 0)
    assert (seen.sites[2].kind, list(seen.items)) == ("relic", [0])
    assert seen.terrain[0, 3] == 0
    assert not seen.discovered[0, 3]
    again = RULES.imagine(seen, Scripted([]))
    assert RULES.view(again, 0) == seen
    assert list(RULES.view(told, 1).sites) == []
    assert list(RULES.offers(seen))


@pytest.mark.rule("W2-10.5")
def test_a_sage_gives_gold() -> None:
    work = desk(sage(), [(500, 10), (500, 20), (500, 30)])
    sites.search(work, BOOK, 0, SEARCH)
    sites.ask_sage(work, BOOK, 0, AskSage("gold"))
    assert of_kind(work, GoldChanged) == [GoldChanged(0, 560, 660, "sage")]


@pytest.mark.rule("W2-10.5", "W2-11")
def test_a_sage_shows_a_box_of_the_map() -> None:
    rows = ["." * 40] * 40
    state = world(rows, armies=[army(1, 20, 5, HERO)], sites=[site(1, 20, 5, "sage")], hidden=True)
    work = desk(state, [(5, 1), (5, 5), (10, 1), (10, 10)])
    sites.search(work, BOOK, 0, SEARCH)
    sites.ask_sage(work, BOOK, 0, AskSage("maps"))
    (found,) = of_kind(work, TilesFound)
    left, top, width, height = 20 - 9, 5 - 13, 16, 25
    box = {y * 40 + x for y in range(max(top, 0), top + height) for x in range(left, left + width)}
    assert (found.side, set(found.tiles), len(found.tiles)) == (0, box, len(box))


@pytest.mark.rule("W2-10.5")
def test_sage_refuses_a_second_wish_and_known_answers() -> None:
    work = desk(sage(), [1, 1, 1])
    sites.search(work, BOOK, 0, SEARCH)
    known: tuple[Wish, ...] = ("items", "maps")
    for wish in known:
        with pytest.raises(Refused) as caught:
            sites.ask_sage(work, BOOK, 0, AskSage(wish))
        assert caught.value.code == Refusal.NOTHING_TO_DO
    sites.ask_sage(work, BOOK, 0, AskSage("gold"))
    with pytest.raises(Refused) as caught:
        sites.ask_sage(work, BOOK, 0, AskSage("gold"))
    assert caught.value.code == Refusal.NO_QUESTION


# -- temples -----------------------------------------------------------------------------------


@pytest.mark.rule("W2-10.5", "W2-10.2")
def test_temple_blesses_each_army_once_and_heroes_gain_experience() -> None:
    temple = site(7, *AT, "temple")
    group = [
        army(1, *AT, strength=2),
        army(2, *AT, HERO, strength=9, xp=4),
        army(3, *AT, blessed=(7,)),
        army(4, *AT, DRAGONS, blessed=(3,), points=0),
    ]
    work = desk(place(temple, *group))
    sites.bless(work, BOOK, 0, Bless((1, 2, 3, 4)))
    (grown,) = of_kind(work, ArmiesGrew)
    assert grown.reason == "blessing"
    assert [(one.id, one.strength, one.xp, one.blessed) for one in grown.armies] == [
        (1, 3, 0, (7,)),
        (2, 9, 5, (7,)),
        (4, 9, 0, (3, 7)),
    ]
    with pytest.raises(Refused) as caught:
        sites.bless(work, BOOK, 0, Bless((1, 2, 3, 4)))
    assert caught.value.code == Refusal.NOTHING_TO_DO
    assert not work.state.sites[7].searched


@pytest.mark.rule("W2-10.5")
@pytest.mark.parametrize(
    ("group", "code"),
    [
        ((), Refusal.NO_SUCH_ARMY),
        ((1, 1), Refusal.NO_SUCH_ARMY),
        ((9,), Refusal.NO_SUCH_ARMY),
        ((3,), Refusal.NO_SUCH_ARMY),
        ((1, 2), Refusal.NOT_TOGETHER),
        ((2,), Refusal.NO_SITE),
    ],
)
def test_a_blessing_is_refused(group: tuple[int, ...], code: Refusal) -> None:
    armies = [army(1, *AT), army(2, 0, 0), army(3, 3, 0, owner=1)]
    with pytest.raises(Refused) as caught:
        sites.bless(desk(place(site(1, *AT, "temple"), *armies)), BOOK, 0, Bless(group))
    assert caught.value.code == code


# -- in general --------------------------------------------------------------------------------


@pytest.mark.rule("W2-10.5", "W2-10.4")
@given(
    kind=st.sampled_from(["relic", "gold", "allies", "sage"]),
    rich=st.booleans(),
    guardian=st.integers(0, 9),
    die=st.integers(1, 100),
)
def test_search_uses_its_dice_and_marks_the_site_or_kills_the_hero(
    kind: Any, rich: bool, guardian: int, die: int
) -> None:
    kept = guardian if kind in ("relic", "gold") else 0
    where = site(1, *AT, kind, rich=rich, guardian=kept, ally=DRAGONS if kind == "allies" else NONE)
    thing = Item(0, "weapon", 1, "Axe", "site", holder=1)
    state = place(where, items=[thing] if kind == "relic" else [])
    hero = state.armies[1]
    lives = not kept or die <= sites.chance(state, BOOK, hero, where)
    after = {"gold": [1, 1, 1], "allies": [2]}.get(kind, [])
    work = desk(state, [*([die] if kept else []), *(after if lives else [])])
    sites.search(work, BOOK, 0, SEARCH)
    assert (1 in work.state.armies) == work.state.sites[1].searched == lives
    assert unused_dice(work) == 0


def test_hero_without_a_chance_needs_a_roll_of_0() -> None:
    search = _replace(BOOK.heroes.search, survives=lambda *_: -1)
    rules = _replace(BOOK, heroes=_replace(BOOK.heroes, search=search))
    state = place(site(1, *AT, "gold", guardian=9), army(1, *AT, HERO, strength=1))
    assert sites.chance(state, rules, state.armies[1], state.sites[1]) == 0
