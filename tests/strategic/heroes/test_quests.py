"""Quests (section 10.6)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.warlords2.heroes import guardians
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import quests, sites
from engine.strategic.commands import PickUp, Search, TakeQuest
from engine.strategic.decision import Decision
from engine.strategic.events import (
    ArmiesPlaced,
    ArmiesRemoved,
    BattleFought,
    Fighter,
    FoughtBattle,
    GoldChanged,
    ItemsMoved,
    QuestSet,
    SiteKnown,
)
from engine.strategic.pieces import Army, Item, Quest, QuestKind
from engine.strategic.refusal import Refusal
from engine.strategic.settings import Fate, RuleSettings
from tests.strategic.ground import HERO, MOB, SCOUTS, army, city, desk, side, site, world
from tests.strategic.heroes.deeds import BOOK, QUESTS, carried, lies, of_kind, unused_dice

ROWS = ["........", ".x.....x", "........", "........"]
AT = (1, 1)
TEMPLE = site(7, *AT, "temple")
QUESTER = army(1, *AT, HERO)
TAKE = TakeQuest(army=1)

GOLD = [(2, 2), (1000, 1), (1000, 1)]
"""Dice for a reward in gold, if no item or site can be given."""


def place(*armies: Army, quest: Quest | None = None, **more: Any) -> State:
    """Return a position with a hero of side 0 on a temple and a hostile side 1."""
    seats = [side(0, quest=quest), side(1)]
    more.setdefault("sites", [TEMPLE])
    return world(ROWS, armies=[QUESTER, *armies], sides=seats, **more)


def settled(decision: Decision) -> list[str]:
    """Return what happened to quests, in order."""
    return [event.what for event in of_kind(decision, QuestSet)]


# -- possible quests ---------------------------------------------------------------------------


ENEMIES = [army(2, 5, 0, HERO, owner=1), army(3, 5, 0, SCOUTS, owner=1), army(4, 6, 0, owner=1)]
TOWNS = [city(1, 3, 0, 0), city(2, 5, 2, 1), city(3, 3, 2), city(4, 0, 2, 1, razed=True)]


def kinds(state: State, settings: RuleSettings = QUESTS) -> dict[QuestKind, list[int]]:
    """Return the targets of the possible quests, by kind."""
    found = quests.possible(state, settings, QUESTER)
    return {kind: [quest.target for quest in listed] for kind, listed in found.items()}


@pytest.mark.rule("W2-10.6")
def test_a_quest_is_about_enemies_known_cities_and_hidden_items() -> None:
    things = [Item(0, "speed", 0, "Boots", "site", holder=8), lies(1, 0, 0)]
    relic = site(8, 7, 1, "relic")
    state = place(*ENEMIES, cities=TOWNS, sites=[TEMPLE, relic], items=things)
    everything = {
        "kill-hero": [2],
        "fetch-item": [0],
        "kill-type": [2, SCOUTS],
        "kill-armies": [-1],
        "keep-city": [2, 3],
        "raze-city": [2, 3],
        "plunder": [-1],
    }
    assert kinds(state) == everything
    no_razing = settings_of(Options(quests="on", raze_allowed="off"))
    assert "raze-city" not in kinds(state, no_razing)


@pytest.mark.rule("W2-10.6", "W2-12.1")
def test_no_quest_targets_a_side_at_peace() -> None:
    state = place(*ENEMIES, cities=TOWNS[:2], peace=True)
    assert kinds(state) == {}
    with pytest.raises(Refused) as caught:
        quests.take(desk(state), QUESTS, 0, TAKE)
    assert caught.value.code == Refusal.NOTHING_TO_DO


@pytest.mark.rule("W2-10.6")
def test_no_quest_targets_an_unknown_city() -> None:
    state = place(cities=[city(2, 5, 2, 1)], hidden=True)
    assert list(kinds(state)) == ["kill-armies"]


@pytest.mark.rule("W2-10.6")
@pytest.mark.parametrize(
    ("dice", "quest"),
    [
        (
            [(6, 1)],
            Quest("kill-hero", 1, 1, 2, "hero 2"),
        ),
        ([(6, 2), (2, 2)], Quest("kill-type", 1, 1, SCOUTS, "Scouts")),
        ([(6, 3), (7, 4)], Quest("kill-armies", 1, 1, -1, "Side 1", count=11)),
        ([(6, 4), (2, 1)], Quest("keep-city", 1, 1, 2, "City 2")),
        ([(6, 5), (2, 2)], Quest("raze-city", 1, 15, 3, "City 3")),
        ([(6, 6), (400, 100)], Quest("plunder", 1, count=300)),
    ],
)
def test_quest_rolls_its_kind_and_then_its_target(
    dice: list[tuple[int, int]], quest: Quest
) -> None:
    decision = desk(place(*ENEMIES, cities=TOWNS), dice)
    quests.take(decision, QUESTS, 0, TAKE)
    assert decision.events == (QuestSet(0, quest, "taken"),)
    assert unused_dice(decision) == 0


@pytest.mark.rule("W2-10.6")
def test_quest_reveals_the_site_of_the_item_to_fetch() -> None:
    thing = Item(0, "speed", 0, "Boots", "site", holder=8)
    relic = site(8, 7, 1, "relic", hidden=True)
    decision = desk(place(items=[thing], sites=[TEMPLE, relic]), [(2, 1)])
    quests.take(decision, QUESTS, 0, TAKE)
    assert decision.state.sides[0].quest == Quest("fetch-item", 1, target=0, name="Boots")
    assert of_kind(decision, SiteKnown) == [SiteKnown(0, (replace(relic, known_to=1),))]


@pytest.mark.rule("W2-10.5", "W2-10.6")
@pytest.mark.parametrize(
    ("state", "settings", "code"),
    [
        (place(*ENEMIES), BOOK, Refusal.NOT_ALLOWED),
        (place(*ENEMIES, sites=[site(7, *AT)]), QUESTS, Refusal.NO_SITE),
        (place(*ENEMIES, sites=[]), QUESTS, Refusal.NO_SITE),
        (place(*ENEMIES, quest=Quest("plunder", 1)), QUESTS, Refusal.TOO_MANY),
    ],
)
def test_a_quest_is_refused(state: State, settings: RuleSettings, code: Refusal) -> None:
    with pytest.raises(Refused) as caught:
        quests.take(desk(state), settings, 0, TAKE)
    assert caught.value.code == code


# -- battles -----------------------------------------------------------------------------------


def fought(
    quest: Quest,
    dead: list[Army],
    *,
    hero_fights: bool = True,
    hero_falls: bool = False,
    defends: bool = False,
) -> Decision:
    """Let side 0 win a battle against side 1 and check its quest."""
    decision = desk(place(*dead, quest=quest), GOLD)
    mine = tuple(Fighter(n, HERO, 5) for n in ((1,) if hero_fights else (99,)))
    theirs = tuple(Fighter(one.id, one.type, 1) for one in dead)
    battle = BattleFought(
        at=AT,
        start=(2, 1),
        attacker=1 if defends else 0,
        defender=0 if defends else 1,
        ground="open",
        attackers=theirs if defends else mine,
        defenders=mine if defends else theirs,
        duels=(),
        won=not defends,
    )
    decision.emit(battle)
    fallen = (1,) if hero_falls else ()
    decision.emit(ArmiesRemoved((*fallen, *(one.id for one in dead)), "battle"))
    beaten = tuple(dead)
    armies = (beaten, ()) if defends else ((), beaten)
    fought = FoughtBattle(
        battle, armies[0], armies[1], frozenset(army.id for army in dead), decision.state
    )
    quests.after_battle(decision, QUESTS, fought)
    return decision


@pytest.mark.rule("W2-10.6", "W2-8.6")
@pytest.mark.parametrize("defends", [False, True])
@pytest.mark.parametrize(
    ("quest", "dead"),
    [
        (Quest("kill-hero", 1, 1, 2), ENEMIES[:1]),
        (Quest("kill-type", 1, 1, SCOUTS), ENEMIES[1:2]),
        (Quest("kill-armies", 1, 1, count=5, done=3), ENEMIES[1:]),
    ],
)
def test_quest_to_kill_is_done_if_the_hero_takes_part(
    quest: Quest, dead: list[Army], defends: bool
) -> None:
    decision = fought(quest, dead, defends=defends)
    assert settled(decision) == ["done"]
    assert decision.state.sides[0].quest is None
    assert of_kind(decision, GoldChanged) == [GoldChanged(0, 1002, 1102, "reward")]


@pytest.mark.rule("W2-10.6")
def test_killed_armies_count_toward_the_quest() -> None:
    decision = fought(Quest("kill-armies", 1, 1, count=9, done=3), ENEMIES[1:])
    assert settled(decision) == ["step"]
    assert decision.state.sides[0].quest == Quest("kill-armies", 1, 1, count=9, done=5)


@pytest.mark.rule("W2-10.6")
@pytest.mark.parametrize(
    ("quest", "dead", "what"),
    [
        (Quest("kill-hero", 1, 1, 2), ENEMIES[:1], ["void"]),
        (Quest("kill-type", 1, 1, SCOUTS), ENEMIES[1:2], ["void"]),
        (Quest("kill-armies", 1, 1, count=1), ENEMIES[1:2], []),
    ],
)
def test_kills_without_the_hero_do_not_count_and_may_void_a_quest(
    quest: Quest, dead: list[Army], what: list[str]
) -> None:
    assert settled(fought(quest, dead, hero_fights=False)) == what


@pytest.mark.rule("W2-10.6")
@pytest.mark.parametrize("defends", [False, True])
def test_kills_in_the_battle_in_which_the_hero_falls_do_not_count(defends: bool) -> None:
    quest = Quest("kill-armies", 1, 1, count=9, done=3)
    assert settled(fought(quest, ENEMIES[1:], hero_falls=True, defends=defends)) == ["void"]


@pytest.mark.rule("W2-10.6")
def test_killing_another_target_does_not_complete_a_quest() -> None:
    stranger = army(5, 6, 0, SCOUTS, owner=1)
    quest = Quest("kill-type", 1, 1, MOB)
    decision = fought(quest, [stranger])
    assert "done" not in settled(decision)


@pytest.mark.rule("W2-10.6")
def test_a_quest_ends_with_its_hero() -> None:
    decision = desk(place(quest=Quest("plunder", 1, count=5)))
    decision.emit(ArmiesRemoved((1,), "disbanded"))
    quests.check(decision, QUESTS, 0)
    assert settled(decision) == ["void"]


@pytest.mark.rule("W2-10.5", "W2-10.6")
def test_quest_is_void_if_a_guardian_kills_its_hero() -> None:
    state = place(
        quest=Quest("plunder", 1, count=5),
        sites=[site(7, *AT, "gold", guardian=1)],
        guardians=guardians(),
    )
    decision = desk(state, [(100, 100)])
    sites.search(decision, QUESTS, 0, Search(1))
    assert settled(decision) == ["void"]


# -- cities and gold ---------------------------------------------------------------------------


@pytest.mark.rule("W2-10.6", "W2-9.2")
@pytest.mark.parametrize(
    ("kind", "fate", "there", "what"),
    [
        ("keep-city", "occupy", True, "done"),
        ("keep-city", "pillage", True, "done"),
        ("keep-city", "sack", True, "done"),
        ("keep-city", "raze", True, "void"),
        ("keep-city", "occupy", False, "void"),
        ("raze-city", "raze", True, "done"),
        ("raze-city", "occupy", True, "void"),
        ("raze-city", "raze", False, "void"),
    ],
)
def test_city_quest_needs_the_hero_there_and_the_wanted_fate(
    kind: QuestKind, fate: Fate, there: bool, what: str
) -> None:
    taken = city(2, *((1, 1) if there else (5, 2)), 0, razed=fate == "raze")
    decision = desk(place(quest=Quest(kind, 1, 1, 2), cities=[taken]), GOLD)
    quests.after_city(decision, QUESTS, 0, 2, fate)
    assert settled(decision) == [what]


@pytest.mark.rule("W2-10.6")
def test_quest_is_void_if_another_side_razes_its_city() -> None:
    for razed, what in ((True, ["void"]), (False, [])):
        gone = city(2, 5, 2, 1, razed=razed)
        decision = desk(place(quest=Quest("keep-city", 1, 1, 2), cities=[gone]))
        quests.after_city(decision, QUESTS, 1, 2, "raze" if razed else "occupy")
        assert settled(decision) == what


@pytest.mark.rule("W2-10.6", "W2-9.2")
def test_gold_counts_for_a_quest_only_in_the_heros_city() -> None:
    towns = [city(2, 1, 1, 0), city(3, 5, 2, 0)]
    decision = desk(place(quest=Quest("plunder", 1, count=300), cities=towns), GOLD)
    quests.on_gold(decision, QUESTS, 0, 3, 500)
    assert settled(decision) == []
    quests.on_gold(decision, QUESTS, 0, 2, 0)
    assert settled(decision) == []
    quests.on_gold(decision, QUESTS, 0, 2, 299)
    assert decision.state.sides[0].quest == Quest("plunder", 1, count=300, done=299)
    quests.on_gold(decision, QUESTS, 0, 2, 1)
    assert settled(decision) == ["step", "done"]


# -- items -------------------------------------------------------------------------------------


@pytest.mark.rule("W2-10.6")
def test_fetch_quest_is_done_when_the_hero_carries_the_item() -> None:
    quest = Quest("fetch-item", 1, target=0)
    decision = desk(place(quest=quest, items=[lies(0, *AT)]), GOLD)
    quests.check(decision, QUESTS, 0)
    assert settled(decision) == []
    sites.pick_up(decision, QUESTS, 0, PickUp(1, 0))
    assert settled(decision) == ["done"]


@pytest.mark.rule("W2-10.6")
@pytest.mark.parametrize(
    ("thing", "what"),
    [
        (carried(0, "weapon", 2), []),
        (replace(lies(0, 0, 0), where="lost"), ["void"]),
        (Item(0, "weapon", 1, "Axe", "site", holder=8), []),
    ],
)
def test_fetch_quest_is_void_if_the_item_is_lost(thing: Item, what: list[str]) -> None:
    state = place(*ENEMIES, quest=Quest("fetch-item", 1, target=0), items=[thing])
    decision = desk(state)
    quests.check(decision, QUESTS, 0)
    assert settled(decision) == what


@pytest.mark.rule("W2-10.6")
@pytest.mark.parametrize(
    "quest",
    [
        Quest("kill-hero", 1, 1, 77),
        Quest("kill-type", 1, 1, MOB),
        Quest("keep-city", 1, 1, 2),
        Quest("raze-city", 1, 1, 2),
    ],
)
def test_quest_without_its_target_is_void_at_turn_start(quest: Quest) -> None:
    decision = desk(place(*ENEMIES, quest=quest, cities=[city(2, 5, 2, 0)]))
    quests.check(decision, QUESTS, 0)
    assert settled(decision) == ["void"]


@pytest.mark.rule("W2-10.6")
def test_quest_against_a_defeated_side_is_void() -> None:
    state = place(quest=Quest("kill-armies", 1, 1, count=9))
    beaten = replace(state, sides=state.sides.put(replace(state.sides[1], alive=False)))
    decision = desk(beaten)
    quests.check(decision, QUESTS, 0)
    assert settled(decision) == ["void"]


@pytest.mark.rule("W2-17")
def test_heroes_with_a_quest_or_its_item_are_marked() -> None:
    second, third = army(5, 0, 0, HERO), army(6, 0, 0, HERO)
    fetch = Quest("fetch-item", 1, target=0)
    state = place(second, third, quest=fetch, items=[carried(0, "weapon", 5)])
    told = [quests.carries_quest_item(state, one) for one in (QUESTER, second, third)]
    assert told == [True, True, False]
    assert not quests.carries_quest_item(place(second), QUESTER)


# -- rewards -----------------------------------------------------------------------------------


GOOD = Item(3, "command", 2, "Horn")
POOR = Item(4, "weapon", 3, "Sword")
FLAG = Item(5, "standard", 1, "Flag", side=1)
SECRET = site(8, 7, 1, "gold", hidden=True)
OPEN = site(9, 6, 1, "gold")


def rewarded(dice: list[tuple[int, int]], **more: Any) -> Decision:
    """Complete a quest and return the decision with its reward."""
    thing = [Item(0, "weapon", 1, "Axe", "carried", holder=1), *more.pop("unused", [])]
    more["sites"] = [TEMPLE, *more.pop("secrets", [])]
    decision = desk(place(quest=Quest("fetch-item", 1, target=0), items=thing, **more), dice)
    quests.check(decision, QUESTS, 0)
    assert unused_dice(decision) == 0
    assert settled(decision) == ["done"]
    return decision


@pytest.mark.rule("W2-10.6")
def test_a_good_item_may_be_the_reward() -> None:
    decision = rewarded([(3, 1)], unused=[GOOD, POOR, FLAG], secrets=[SECRET])
    (moved,) = of_kind(decision, ItemsMoved)
    assert moved.reason == "reward"
    assert moved.items == (replace(GOOD, where="carried", holder=1),)


@pytest.mark.rule("W2-10.6", "W2-10.4")
def test_reward_may_be_a_site_and_hidden_sites_come_first() -> None:
    decision = rewarded([(3, 2), (3, 1)], unused=[GOOD], secrets=[SECRET, OPEN])
    assert of_kind(decision, SiteKnown) == [SiteKnown(0, (replace(SECRET, known_to=1),))]
    decision = rewarded([(3, 1)], unused=[POOR, FLAG], secrets=[OPEN])
    assert of_kind(decision, SiteKnown) == [SiteKnown(0, (replace(OPEN, known_to=1),))]


@pytest.mark.rule("W2-10.6")
def test_allies_may_be_the_reward() -> None:
    decision = rewarded([(3, 2), (3, 3), (2, 1), (8, 1), (3, 3)], unused=[GOOD], secrets=[OPEN])
    (placed,) = of_kind(decision, ArmiesPlaced)
    assert placed.reason == "reward"
    assert [(one.type, one.at, one.upkeep) for one in placed.armies] == [(19, AT, 0)] * 5


@pytest.mark.rule("W2-10.6")
def test_gold_may_be_the_reward() -> None:
    decision = rewarded([(2, 2), (1000, 1000), (1000, 5)], secrets=[replace(OPEN, known_to=1)])
    assert of_kind(decision, GoldChanged) == [GoldChanged(0, 2005, 2105, "reward")]
