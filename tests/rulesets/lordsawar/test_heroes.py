"""Offers of heroes, their levels, searches, rewards, sages, temples and quests."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.record import replace
from engine.rulesets.lordsawar import heroes, quests
from engine.rulesets.lordsawar.commands import ChooseGain, HireAs
from engine.rulesets.lordsawar.heroes import survives
from engine.rulesets.lordsawar.levels import ask_due, usual_choice
from engine.rulesets.lordsawar.lineup import combatant
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.state import (
    MOST_ITEMS,
    Condition,
    HeroQuest,
    NamedHero,
    QuestGoal,
    Reward,
    State,
)
from engine.strategic.battle import slain_by
from engine.strategic.commands import AskSage, Bless, Hire, Search, TakeQuest
from engine.strategic.events.battle import BattleFought, Fighter
from engine.strategic.events.cities import CitySettled
from engine.strategic.heroes import title
from engine.strategic.pieces import NONE, Army, Hero, HitPoints, Item, ItemPowers
from engine.strategic.world import armies_of, hit_points, items_of
from tests.rulesets.lordsawar.hero_positions import (
    GHOSTS,
    HERO,
    WORMS,
    after,
    army,
    decision,
    position,
    refused,
    settings,
)

# -- offers ----------------------------------------------------------------------------------------


def offered(state: State, throws: list[int], side: int = 0) -> State:
    work = decision(state, throws)
    heroes.offer(work, settings(state), side)
    found: State = work.state
    return found


@pytest.mark.rule("LW-10.1")
def test_first_hero_is_free_and_brings_the_standard() -> None:
    asked = offered(position(), [1])
    assert asked.question is not None
    assert (asked.question.price, asked.question.city) == (0, 0)
    hired = after(replace(asked, stage="offer"), HireAs("Wilma", female=True))
    (hero,) = armies_of(hired, 0)
    assert hero.hero is not None
    assert (hero.hero.name, hero.hero.female, hero.level, hero.at) == ("Wilma", True, 1, (1, 1))
    assert [(item.kind, item.side) for item in items_of(hired, hero.id)] == [("standard", 0)]


@pytest.mark.rule("LW-10.4")
def test_free_hero_may_be_declined_and_computers_accept_it() -> None:
    asked = replace(offered(position(), [1]), stage="offer")
    assert armies_of(after(asked, Hire(accept=False)), 0) == ()
    assert refused(asked, HireAs(" ")) == "BAD_NAME"
    assert len(armies_of(offered(position(), [1], side=1), 1)) == 1


@pytest.mark.rule("LW-10.2")
@pytest.mark.parametrize(
    ("gold", "throws", "price"),
    [
        (2000, [500, 1, 1, 1], 1499),
        (1499, [500], None),
        (2000, [1, 2], None),
    ],
)
def test_later_heroes_are_rare_and_must_be_affordable(
    gold: int, throws: list[int], price: int | None
) -> None:
    state = replace(position(army(1, 1, 1, HERO), gold=gold), turn=2)
    asked = offered(state, throws).question
    assert (None if asked is None else asked.price) == price
    if asked is not None:
        assert asked.allies == 3


@pytest.mark.rule("LW-10.2")
@pytest.mark.parametrize(
    ("price", "allies"), [(500, 0), (800, 0), (801, 1), (1001, 2), (1300, 2), (1301, 3)]
)
def test_number_of_allies_depends_on_the_price(price: int, allies: int) -> None:
    assert heroes.companions(decision(position()).dice, price) == allies


@pytest.mark.rule("LW-10.2")
def test_without_a_hero_the_price_is_half() -> None:
    assert heroes.offer_price(decision(position(), [500]).dice, False) == 749


@pytest.mark.rule("LW-1.1", "LW-10.2")
def test_hired_hero_and_allies_have_all_hit_points() -> None:
    state = replace(position(army(9, 1, 1, HERO), gold=2000), turn=2)
    hired = after(replace(offered(state, [500, 1, 1, 1]), stage="offer"), Hire(accept=True))
    new = [one for one in armies_of(hired, 0) if one.id != 9]
    assert len(new) == 4
    for one in new:
        assert hit_points(hired, one) == HitPoints(2 * 2880)
        assert combatant(hired, one).hp == 2 * 2880


AXE = Item(3, "item", 1000, "Axe", powers=ItemPowers(worn=(("weapon", 1),)))
BO = NamedHero("Bo", female=False, side=0, items=(AXE, AXE))


@pytest.mark.rule("LW-10.3", "LW-11")
def test_named_hero_is_offered_first_and_brings_its_items() -> None:
    state = replace(position(), heroes=(BO, NamedHero("Cy", female=True, side=1)))
    asked = replace(offered(state, [1]), stage="offer")
    assert asked.question is not None
    assert (asked.question.name, asked.question.female) == ("Bo", False)
    for order in (Hire(accept=True), HireAs("Wilma", female=True)):
        hired = after(asked, order)
        (hero,) = armies_of(hired, 0)
        brought = items_of(hired, hero.id)
        assert sorted(item.name for item in brought) == ["Axe", "Axe", "Standard of North"]
        assert len({item.id for item in hired.items.values()}) == len(state.items) + 3
        assert combatant(hired, hero).personal == 2


@pytest.mark.rule("LW-10.3")
def test_other_heroes_are_offered_after_the_named_ones() -> None:
    there = replace(army(9, 1, 1, HERO), hero=Hero("Bo"))
    state = replace(position(there, gold=2000), turn=2, heroes=(BO,))
    question = offered(state, [500, 1, 1, 1]).question
    assert question is not None
    assert question.name not in {"Bo", ""}


@pytest.mark.rule("LW-10", "LW-20")
def test_items_of_a_hero_stop_at_the_maximum() -> None:
    items = Roster(replace(AXE, id=number) for number in range(MOST_ITEMS - 2))
    state = replace(position(), heroes=(BO,), items=items)
    hired = after(replace(offered(state, [1]), stage="offer"), Hire(accept=True))
    assert len(hired.items) == MOST_ITEMS


# -- levels ----------------------------------------------------------------------------------------


@pytest.mark.rule("LW-10")
def test_title_of_a_hero_follows_its_level() -> None:
    rules = settings(position()).heroes.levels
    called = [title(rules, army(1, 1, 1, HERO, level=level)) for level in range(6)]
    assert called == ["Hero", "Hero", "Captain", "Marshal", "Warlord", "Warlord"]


def risen(xp: str, **more: int) -> State:
    hero = army(1, 1, 1, HERO, **more)
    state = position(hero)
    work = decision(replace(state, conditions=state.conditions.put(Condition(1, xp=xp))))
    ask_due(work)
    found: State = work.state
    return found


@pytest.mark.rule("LW-10.6")
def test_each_new_level_asks_for_a_gain() -> None:
    state = risen("20")
    assert state.question is not None
    assert (state.question.kind, state.question.army) == ("level", 1)
    once = after(state, ChooseGain("strength"))
    assert once.question is not None
    twice = after(once, ChooseGain("moves"))
    hero = twice.armies[1]
    assert (twice.question, hero.level, hero.strength, hero.max_move) == (None, 3, 6, 18)
    assert Fraction(twice.condition(1).value) == Fraction(72, 5)
    assert twice.condition(1).xp == "20"


@pytest.mark.rule("LW-10.6")
def test_sight_and_hit_points_can_be_gained_but_no_strength_over_9() -> None:
    state = risen("29/2", strength=9)
    assert refused(state, ChooseGain("strength")) == "NOT_ALLOWED"
    assert after(state, ChooseGain("sight")).condition(1).sight == 1
    hp = after(state, ChooseGain("hit_points")).armies[1].hp
    assert hp
    assert (hp.most // 2880, hp.lost // 2880) == (6, 4)


@pytest.mark.rule("LW-10.6", "LW-1.1")
def test_gained_hit_points_start_from_the_heros_type() -> None:
    state = risen("10")
    tough = replace(state.types[HERO], hp=5 * 2880)
    hp = after(replace(state, types=state.types.put(tough)), ChooseGain("hit_points")).armies[1].hp
    assert hp
    assert (hp.most // 2880, hp.lost // 2880) == (9, 4)


@pytest.mark.rule("LW-10.5")
def test_no_gain_is_asked_for_below_the_threshold() -> None:
    assert risen("99/10").question is None
    assert usual_choice(army(1, 1, 1, HERO, strength=7)) == ChooseGain("strength")
    assert usual_choice(army(1, 1, 1, HERO, strength=8)) == ChooseGain("moves")


# -- searches --------------------------------------------------------------------------------------


@pytest.mark.rule("LW-14.1")
@given(st.integers(1, 20), st.integers(1, 9), st.integers(1, 8), st.integers(0, 99))
def test_search_succeeds_exactly_by_the_formula(
    hero: int, keeper: int, armies: int, draw: int
) -> None:
    factor = Fraction(2) if keeper >= 8 else Fraction(1) if keeper >= 6 else Fraction(1, 2)
    fail = Fraction(28, 100) * factor * Fraction(9 - armies, 8) * Fraction(10 - hero, 5)
    assert (draw > 100 * fail) == (100 - draw <= survives(hero, keeper, armies))


def at_ruin(*more: Army, guardian: int = 0, reward: Reward | None = None) -> State:
    state = position(army(1, 4, 0, HERO), *more)
    site = replace(state.sites[1], guardian=guardian)
    rewards = state.rewards.put(reward) if reward is not None else state.rewards
    return replace(state, sites=state.sites.put(site), rewards=rewards)


@pytest.mark.rule("LW-14.1")
def test_search_gives_reward_and_experience_to_the_whole_stack() -> None:
    start = at_ruin(army(2, 4, 0), guardian=GHOSTS + 1, reward=Reward(1, "gold", gold=400))
    found = after(start, Search(1), [1])
    assert found.sites[1].searched
    assert found.sides[0].gold == 1400
    assert [found.condition(one).xp for one in (1, 2)] == ["5", "5"]
    assert [found.condition(one).battles for one in (1, 2)] == [1, 1]
    assert found.rewards == found.rewards.drop()
    assert found.armies[1].points == start.armies[1].points


@pytest.mark.rule("LW-14.1")
def test_failed_search_kills_only_the_hero() -> None:
    start = at_ruin(army(2, 4, 0), guardian=GHOSTS + 1)
    lost = after(start, Search(1), [100])
    assert 1 not in lost.armies
    assert 2 in lost.armies
    assert lost.sites[1] == start.sites[1]
    tired = at_ruin(guardian=1)
    tired = replace(tired, armies=tired.armies.put(army(1, 4, 0, HERO, points=0)))
    assert refused(tired, Search(1)) == "NO_POINTS"


@pytest.mark.rule("LW-14.2")
@pytest.mark.parametrize(
    ("throws", "gold"), [([1, 1], 1310), ([1, 1000], 2309), ([4], 1000), ([3, 1], 1000)]
)
def test_missing_reward_is_drawn(throws: list[int], gold: int) -> None:
    found = after(at_ruin(), Search(1), throws)
    assert found.sides[0].gold == gold
    if throws == [4]:
        assert found.sites[3].known_to == 1
    if throws[0] == 3:
        assert items_of(found, 1)[0].id == 0


@pytest.mark.rule("LW-14.2")
def test_allies_join_without_upkeep_on_and_beside_the_tile() -> None:
    reward = Reward(1, "allies", ally=WORMS, count=8)
    found = after(at_ruin(reward=reward), Search(1))
    worms = [one for one in armies_of(found, 0) if one.type == WORMS]
    assert len(worms) == 8
    assert {one.upkeep for one in worms} == {0}
    assert sum(one.at == (4, 0) for one in worms) == 7


@pytest.mark.rule("LW-14.3")
def test_sage_offers_available_wishes() -> None:
    start = position(army(1, 5, 0, HERO))
    asked = after(start, Search(1))
    assert asked.question is not None
    assert asked.question.wishes == ("gold",)
    assert after(asked, AskSage("gold"), [1500]).sides[0].gold == 1000 + 2099
    kept = replace(start, rewards=start.rewards.put(Reward(3, "allies", ally=WORMS, count=1)))
    asked = after(kept, Search(1))
    assert asked.question is not None
    assert asked.question.wishes == ("gold", "allies")
    assert refused(asked, AskSage("items")) == "NOTHING_TO_DO"
    assert after(asked, AskSage("allies")).sites[3].known_to == 1


@pytest.mark.rule("LW-14.2")
def test_hidden_ruin_is_offered_to_a_side_that_knows_none() -> None:
    start = position(army(1, 5, 0, HERO))
    kept = replace(start, rewards=start.rewards.put(Reward(3, "allies", ally=WORMS, count=1)))
    asked = after(kept, Search(1))
    offered = list(RULES.offers(RULES.view(asked, 0)))
    assert set(offered) == {AskSage("gold"), AskSage("allies")}


@pytest.mark.rule("LW-14.2")
def test_map_reward_uncovers_a_hidden_map() -> None:
    start = at_ruin(reward=Reward(1, "map", x=2, y=2, width=3, height=2))
    start = replace(start, options=replace(start.options, hidden_map="on"))
    cells = start.discovered.edit()
    cells[:] = 0
    start = replace(start, discovered=type(start.discovered)(cells))
    found = after(start, Search(1))
    assert found.discovered.cells[2:4, 2:5].all()


@pytest.mark.rule("LW-14.4")
def test_temple_blesses_once_up_to_nine_armies_with_moves_left() -> None:
    start = position(army(1, 3, 0), army(2, 3, 0, HERO, strength=9), army(3, 3, 0, points=0))
    blessed = after(start, Bless((1, 2)))
    assert [blessed.armies[one].strength for one in (1, 2)] == [3, 9]
    assert refused(blessed, Bless((1, 2))) == "NOTHING_TO_DO"
    assert refused(start, Bless((3,))) == "NO_POINTS"


# -- quests ----------------------------------------------------------------------------------------


def on_quest(kind: QuestGoal, **more: object) -> State:
    state = position(army(1, 6, 1, HERO), army(2, 3, 0, HERO))
    quest = replace(HeroQuest(1, kind), **more)
    return replace(state, quests=state.quests.put(quest))


def followed(before: State, *events: object, now: State | None = None) -> list[object]:
    work = decision(now or before, [1] * 9)
    for event in events:
        work.emit(event)
    count = len(events)
    quests.follow(work, settings(before), before)
    return [getattr(event, "what", type(event).__name__) for event in work.events[count:]]


def battle(foe: Fighter, owner: int = 1) -> BattleFought:
    return BattleFought(
        at=(6, 2),
        start=(6, 1),
        attacker=0,
        defender=owner,
        ground="open",
        attackers=(Fighter(1, HERO, 5),),
        defenders=(foe,),
        duels=(),
        won=True,
    )


@pytest.mark.rule("LW-15.3", "LW-15.5")
@pytest.mark.parametrize(
    ("kind", "more", "foe", "what"),
    [
        ("kill-hero", {"target": 9}, Fighter(9, HERO, 5), "done"),
        ("kill-hero", {"target": 8}, Fighter(9, HERO, 5), "void"),
        ("kill-type", {"target": WORMS}, Fighter(9, WORMS, 7), "done"),
        ("kill-armies", {"side": 1, "count": 1}, Fighter(9, 1, 2), "done"),
        ("kill-armies", {"side": 1, "count": 2}, Fighter(9, 1, 2), "step"),
    ],
)
def test_kills_of_the_heros_stack_count(
    kind: QuestGoal, more: dict[str, int], foe: Fighter, what: str
) -> None:
    steps = followed(on_quest(kind, **more), battle(foe))
    assert steps[0] == what
    assert ("RewardGiven" in steps) == (what == "done")


@pytest.mark.rule("LW-15.3")
def test_only_foes_in_the_sides_own_battles_are_slain() -> None:
    fought = battle(Fighter(9, 1, 2))
    assert [one.army for one in slain_by([fought], 1)] == [9]
    assert list(slain_by([fought], 2)) == []


@pytest.mark.rule("LW-15.4")
@pytest.mark.parametrize(
    ("kind", "side", "fate", "what"),
    [
        ("sack-city", 0, "sack", ["done"]),
        ("sack-city", 0, "occupy", ["void"]),
        ("occupy-city", 0, "occupy", ["done"]),
        ("occupy-city", 1, "occupy", []),
        ("occupy-city", 1, "sack", ["void"]),
        ("raze-city", 0, "pillage", ["void"]),
    ],
)
def test_city_quests_depend_on_the_fate_of_the_city(
    kind: QuestGoal, side: int, fate: str, what: list[str]
) -> None:
    start = on_quest(kind, target=1)
    city = start.cities[1]
    settled = CitySettled(city, side, fate, 10, start.sides[side].gold)  # type: ignore[arg-type]
    assert followed(start, settled)[:1] == what


@pytest.mark.rule("LW-15.2")
@pytest.mark.parametrize(("gain", "what"), [(900, "step"), (901, "done")])
def test_plunder_must_exceed_the_drawn_amount(gain: int, what: str) -> None:
    start = on_quest("plunder", count=900)
    settled = CitySettled(start.cities[1], 0, "pillage", gain, 1000 + gain)
    assert followed(start, settled)[0] == what


@pytest.mark.rule("LW-15.4")
def test_a_quest_ends_with_its_hero() -> None:
    start = on_quest("plunder")
    dead = replace(start, armies=start.armies.drop(1))
    assert followed(start, now=dead) == ["void"]


@pytest.mark.rule("LW-15.1")
@pytest.mark.parametrize(("rule", "code"), [("per_player", "TOO_MANY"), ("none", "NOT_ALLOWED")])
def test_quest_limit_is_per_side_or_per_hero(rule: str, code: str) -> None:
    start = on_quest("plunder")
    ruled = replace(start, options=replace(start.options, quests=rule))
    assert refused(ruled, TakeQuest(2)) == code
    free = replace(start, options=replace(start.options, quests="per_hero"))
    taken = after(free, TakeQuest(2), [1, 4])
    assert taken.quests[2] == HeroQuest(2, "kill-armies", 1, NONE, "South", 17)


@pytest.mark.rule("LW-15.2")
def test_possible_quests_depend_on_options_and_world() -> None:
    start = position(army(1, 3, 0, HERO), army(5, 6, 1, WORMS, owner=1))
    kinds = ["kill-armies", "sack-city", "raze-city", "occupy-city", "kill-type", "plunder"]
    assert list(quests.possible(start, start.armies[1])) == kinds
    mild = replace(start.options, sacking_mode="never", razing_cities="never")
    found = quests.possible(replace(start, options=mild), start.armies[1])
    assert list(found) == ["kill-armies", "occupy-city", "kill-type"]
