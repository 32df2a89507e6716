"""Battles in a game: fighters and ground, survivors, losses and experience."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engine.core.dice import Scripted, Seeded
from engine.core.record import replace
from engine.core.ruleset import ToolReport
from engine.rulesets.lordsawar.events import ConditionsSet
from engine.rulesets.lordsawar.kinds import UnitFlag
from engine.rulesets.lordsawar.picture import PRESENTER
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.scene import SitePlaced
from engine.rulesets.lordsawar.state import Condition, State
from engine.strategic.battle import forecast
from engine.strategic.commands import Defend, EndTurn, SetFightOrder, Walk
from engine.strategic.events import ArmiesGrew, ArmiesHealed, BattleFought
from engine.strategic.pieces import NOBODY, HitPoints, Item
from engine.tabletop.focus import Focus
from tests.rulesets.lordsawar.positions import army, hurt, ordered, position, units


def fought(events: tuple[Any, ...]) -> BattleFought:
    """Return the single battle of an order."""
    (found,) = (event for event in events if isinstance(event, BattleFought))
    return found


def left(state: State, number: int) -> int:
    """Return the hit points of an army, in units."""
    hp = state.armies[number].hp
    return hp.most - hp.lost if hp else units(2)


def round_on(state: State) -> tuple[State, tuple[Any, ...]]:
    """Return the position a round later, and the events of the upkeep phase."""
    dice = Seeded(b"rounds", 0, "test")
    state, _ = ordered(state, EndTurn(), dice=dice)
    return ordered(state, EndTurn(), seat=1, dice=dice)


DUEL = (army(1, "giants", 0, (4, 0)), army(2, "light_infantry", 1, (5, 0)))


@pytest.mark.rule("LW-5", "LW-4.2", "LW-7", "LW-2.1")
def test_duel_of_the_rule_book_in_a_game() -> None:
    state, events = ordered(position(DUEL), Walk((1,), ((5, 0),)))
    battle = fought(events)
    assert battle.won
    (duel,) = battle.duels
    assert duel.dice == (units(1.125), -units(0.375), units(1.125))
    assert battle.wounds == ((1, units(0.375)),)
    assert left(state, 1) == units(1.625)
    assert state.armies[1].at == (5, 0), "the winner moves onto the emptied tile"
    assert 2 not in state.armies


@pytest.mark.rule("LW-5", "LW-6.2")
def test_lost_hit_points_carry_over_to_the_next_battle() -> None:
    third = army(3, "light_infantry", 1, (6, 0))
    state, _ = ordered(position((*DUEL, third)), Walk((1,), ((5, 0),)))
    state, events = ordered(state, Walk((1,), ((6, 0),)))
    assert fought(events).attackers[0].hp == HitPoints(units(2), units(0.375))
    assert left(state, 1) == units(1.25)
    assert state.condition(1).xp == "2"
    assert state.condition(1).battles == 2


@pytest.mark.rule("LW-7.2")
def test_battle_ends_as_forecast() -> None:
    state = position((hurt(DUEL[0], 1.5), army(4, "scouts", 0, (4, 0)), DUEL[1]))
    group = (state.armies[1], state.armies[4])
    found = forecast(state, settings_of(state.options), group, (5, 0))
    assert found.chance == 1.0
    assert found.lineup is not None
    line = (one.army for one in found.lineup.attackers.fighters)
    predicted = dict(zip(line, found.odds.attackers_hp, strict=True))
    after, events = ordered(state, Walk((1, 4), ((5, 0),)))
    assert fought(events).attackers == found.lineup.attackers.fighters
    for number, hp in predicted.items():
        assert (left(after, number) if number in after.armies else 0) == hp


@pytest.mark.rule("LW-6.5", "LW-13.1")
def test_an_army_heals_a_hit_point_in_an_upkeep_phase() -> None:
    state = position((hurt(DUEL[0], 0.5), hurt(army(3, "scouts", 1, (9, 7)), 1.5)))
    state, events = round_on(state)
    assert any(isinstance(event, ArmiesHealed) for event in events)
    assert left(state, 1) == units(1.5)
    assert left(state, 3) == units(2)


# -- fortified stacks ------------------------------------------------------------------------------


@pytest.mark.rule("LW-3.2", "LW-3.4", "LW-13.1")
def test_defending_stack_is_fortified_in_the_next_upkeep_phase() -> None:
    troop = (army(1, "dwarves", 0, (2, 3)), army(2, "giants", 0, (2, 3)))
    state = position((*troop, army(3, "scouts", 1, (9, 7))))
    state, _ = ordered(state, Defend((1, 2)))
    assert not state.conditions
    state, _ = round_on(state)
    assert state.condition(1) == Condition(1, fortified=True)
    assert state.condition(2) == Condition(2, fortified=True, tower=True), "giants lose no bonus"
    assert state.armies[1].defends


@pytest.mark.rule("LW-3.2")
@pytest.mark.parametrize("at", [(0, 1), (4, 6)])
def test_no_stack_is_fortified_in_a_city_or_on_open_water(at: tuple[int, int]) -> None:
    state = position((army(1, "dwarves", 0, at, aboard=at == (4, 6)),))
    state, _ = ordered(state, Defend((1,)))
    state, _ = round_on(state)
    assert not state.conditions


@pytest.mark.rule("LW-3.2", "LW-12.5")
def test_move_order_ends_defending_fortifying_and_parking() -> None:
    row = Condition(1, xp="3", fortified=True, tower=True, parked=True)
    state = position((army(1, "giants", 0, (4, 0), defends=True),), (row,))
    state, _ = ordered(state, Walk((1,), ((5, 0),)))
    assert state.condition(1) == Condition(1, xp="3")
    assert not state.armies[1].defends


@pytest.mark.rule("LW-3.2")
def test_stack_that_stops_defending_is_not_fortified() -> None:
    row = Condition(1, fortified=True, tower=True)
    state = position((army(1, "giants", 0, (4, 0), defends=True),), (row,))
    state, _ = ordered(state, Defend((1,), on=False))
    assert state.condition(1) == Condition(1)


@pytest.mark.rule("LW-3.2", "LW-3.4", "LW-3.7")
def test_worked_example_of_the_seed() -> None:
    hero = army(1, "hero", 0, (4, 0))
    ring = Item(0, "item", 6, "Ring of Power", "carried", 1)
    lord = army(2, "griffins", 1, (3, 3))
    conditions = (Condition(2, fortified=True, flags=UnitFlag.ADD1STRINHILLS),)
    state = position((replace(hero, x=3, y=2), lord), conditions, items=(ring,))
    _, events = ordered(state, Walk((1,), ((3, 3),)))
    battle = fought(events)
    assert [one.strength for one in (*battle.attackers, *battle.defenders)] == [8, 8]


# -- ground and fighters ---------------------------------------------------------------------------


def finals(events: tuple[Any, ...]) -> dict[int, int]:
    """Return the strengths of all fighters, by id."""
    battle = fought(events)
    return {one.army: one.strength for one in (*battle.attackers, *battle.defenders)}


@pytest.mark.rule("LW-2.1", "LW-3.2", "LW-3.4")
def test_all_armies_in_a_city_defend_it() -> None:
    near = army(1, "minotaurs", 0, (7, 1))
    inside = [army(2 + n, "scouts", 1, at) for n, at in enumerate(((8, 1), (9, 1), (8, 2), (9, 2)))]
    _, events = ordered(position((near, *inside)), Walk((1,), ((8, 1),)))
    assert finals(events) == {1: 6, 2: 3, 3: 3, 4: 3, 5: 3}, "three slots and an owner: +2"


@pytest.mark.rule("LW-2.1", "LW-3.2")
def test_each_side_fights_on_its_own_ground_in_the_field() -> None:
    pair = (army(1, "pikemen", 0, (2, 2)), army(2, "dwarves", 1, (2, 3)))
    _, events = ordered(position(pair), Walk((1,), ((2, 3),)))
    assert finals(events) == {1: 5, 2: 4}


@pytest.mark.rule("LW-2.1", "LW-3.1", "LW-3.6")
@pytest.mark.parametrize(("rule", "strength"), [("fixed4", 4), ("capped4", 1)])
def test_attacker_aboard_fights_as_a_ship(rule: str, strength: int) -> None:
    scouts = army(1, "scouts", 0, (5, 6), aboard=True)
    foe = army(2, "elephants", 1, (6, 5), aboard=True)
    state = position((scouts, foe), options={"ship_strength": rule})
    _, events = ordered(state, Walk((1,), ((6, 5),)))
    assert finals(events) == {1: strength, 2: 4}


@pytest.mark.rule("LW-3.2", "LW-0")
@pytest.mark.parametrize(("ground", "strength"), [("grass", 4), ("wide", 5)])
def test_open_ground_may_include_swamp_and_water(ground: str, strength: int) -> None:
    pair = (army(1, "pikemen", 0, (6, 3)), army(2, "scouts", 1, (7, 3)))
    state = position(pair, options={"open_ground": ground})
    _, events = ordered(state, Walk((1,), ((7, 3),)))
    assert finals(events)[1] == strength


@pytest.mark.rule("LW-3.2", "LW-3.4")
def test_army_in_a_tower_has_only_the_bonus_for_cities() -> None:
    rows = (Condition(2, fortified=True, tower=True), Condition(3, fortified=True))
    troop = (army(2, "spiders", 1, (2, 3)), army(3, "dwarves", 1, (2, 3)))
    state = position((army(1, "giants", 0, (2, 2)), *troop), rows)
    _, events = ordered(state, Walk((1,), ((2, 3),)))
    assert finals(events) == {1: 5, 2: 8, 3: 5}


@pytest.mark.rule("LW-2.2")
def test_line_follows_the_fight_order_of_its_owner() -> None:
    troop = (army(1, "scouts", 0, (4, 0)), army(2, "giants", 0, (4, 0)), DUEL[1])
    state = position((*troop[:2], replace(DUEL[1], id=3)))
    giants_first = tuple(reversed(tuple(state.types)))
    state, _ = ordered(state, SetFightOrder(giants_first))
    _, events = ordered(state, Walk((1, 2), ((5, 0),)))
    assert [one.army for one in fought(events).attackers] == [2, 1]


@pytest.mark.rule("LW-3.4")
def test_undiscovered_ruin_shelters_its_defenders() -> None:
    ruin = SitePlaced(5, 0, kind="ruin", hidden=True)
    _, events = ordered(position(DUEL, sites=(ruin,)), Walk((1,), ((5, 0),)))
    assert finals(events)[2] == 4


@pytest.mark.rule("LW-4.3")
def test_classic_dice_take_one_hit_point_per_exchange() -> None:
    state = position(DUEL, options={"combat_rule": "dice"})
    dice = Scripted([20, 1, 1, 20, 1, 20])
    state, events = ordered(state, Walk((1,), ((5, 0),)), dice=dice)
    (duel,) = fought(events).duels
    assert duel.dice == (-units(1), units(1), units(1))
    assert left(state, 1) == units(1)


# -- items of the dead -----------------------------------------------------------------------------


@pytest.mark.rule("LW-6.1")
@pytest.mark.parametrize(
    ("hero", "start", "goal", "where"),
    [
        (1, (4, 0), (5, 0), ("ground", (4, 0))),
        (1, (7, 0), (8, 1), ("ground", (8, 1))),
        (2, (4, 0), (5, 0), ("ground", (5, 0))),
        (2, (6, 5), (5, 6), ("lost", None)),
    ],
)
def test_dead_hero_leaves_a_bag_on_its_tile(
    hero: int,
    start: tuple[int, int],
    goal: tuple[int, int],
    where: tuple[str, tuple[int, int] | None],
) -> None:
    afloat = {"aboard": True} if goal == (5, 6) else {}
    one = army(
        1, "hero" if hero == 1 else "dragons", 0, start, **({"strength": 1} if hero == 1 else {})
    )
    other = army(2, "hero" if hero == 2 else "dragons", 1, goal, **afloat)
    ring = Item(0, "item", 6, "Ring of Power", "carried", hero)
    state = position((replace(one, aboard=bool(afloat)), other), items=(ring,))
    state, _ = ordered(state, Walk((1,), (goal,)))
    item = state.items[0]
    assert hero not in state.armies
    assert (item.where, (item.x, item.y) if where[1] else None) == where
    assert not state.conditions.get(hero)


# -- experience and medals -------------------------------------------------------------------------


@pytest.mark.rule("LW-6.2", "LW-6.3")
def test_survivors_share_the_values_of_the_dead_exactly() -> None:
    troop = tuple(army(n, "dragons", 0, (4, 0)) for n in (1, 2, 3))
    foes = (army(4, "scouts", 1, (5, 0)), army(5, "ghosts", 1, (5, 0), strength=1))
    rows = (Condition(1, xp="1/3", dealt="5/2"), Condition(4, value="7/2"))
    state, events = ordered(position((*troop, *foes), rows), Walk((1, 2, 3), ((5, 0),)))
    assert fought(events).won
    share = (Fraction(7, 2) + 10) / 3
    assert state.condition(1) == Condition(1, xp=str(share + Fraction(1, 3)), battles=1)
    assert state.condition(3) == Condition(3, xp=str(share), battles=1), "who did not fight too"


@pytest.mark.rule("LW-6.2")
def test_defenders_gain_experience_from_a_won_battle() -> None:
    pair = (army(1, "scouts", 0, (4, 0)), army(2, "giants", 1, (5, 0)))
    state, events = ordered(position(pair), Walk((1,), ((5, 0),)))
    assert not fought(events).won
    assert state.condition(2).xp == "1"


@pytest.mark.rule("LW-6.4")
@pytest.mark.parametrize(
    ("key", "with_hero", "battles", "earns"),
    [
        ("giants", True, 10, True),
        ("giants", True, 9, False),
        ("giants", False, 10, False),
        ("dragons", True, 10, False),
    ],
)
def test_medal_for_long_service_is_given(
    key: str,
    with_hero: bool,
    battles: int,
    earns: bool,
) -> None:
    troop = [army(1, key, 0, (4, 0))]
    if with_hero:
        troop.append(army(2, "hero", 0, (4, 0)))
    state = position((*troop, army(3, "scouts", 1, (5, 0))), (Condition(1, battles=battles),))
    group = tuple(one.id for one in troop)
    state, events = ordered(state, Walk(group, ((5, 0),)))
    assert any(isinstance(event, ArmiesGrew) for event in events) == earns
    grown, condition = state.armies[1], state.condition(1)
    assert grown.medals == int(earns)
    assert grown.strength == min(9, state.types[grown.type].strength + earns)
    assert (condition.medals, condition.value) == ((4, "2") if earns else (0, ""))


@pytest.mark.rule("LW-6.4")
def test_a_medal_is_earned_once() -> None:
    troop = (army(1, "giants", 0, (4, 0), medals=1), army(2, "hero", 0, (4, 0)))
    rows = (Condition(1, battles=20, medals=4, value="2"),)
    state = position((*troop, army(3, "scouts", 1, (5, 0))), rows)
    state, _ = ordered(state, Walk((1, 2), ((5, 0),)))
    assert state.armies[1].medals == 1
    assert state.armies[1].strength == 5


# -- rest ------------------------------------------------------------------------------------------


@pytest.mark.rule("LW-6.5")
@pytest.mark.parametrize("phase", ["round_end", "turn_start"])
def test_all_armies_heal_including_neutral_ones(phase: str) -> None:
    hero = replace(army(1, "hero", 0, (0, 1)), hp=HitPoints(units(60), units(20)))
    neutral = hurt(army(3, "scouts", NOBODY, (5, 4)), 0.25)
    state = position((hero, neutral), options={"upkeep_phase": phase})
    state, _ = round_on(state)
    assert left(state, 1) == units(51), "a tenth of sixty and five more"
    assert left(state, 3) == units(1.25)


# -- visibility ------------------------------------------------------------------------------------


@pytest.mark.rule("LW-3.2", "LW-7.4")
def test_others_see_fortification_but_not_experience() -> None:
    row = Condition(2, xp="5", battles=3, fortified=True, tower=True)
    state = position(DUEL, (row,), options={"view_enemies": "on"})
    assert RULES.view(state, 1).condition(2) == row
    assert RULES.view(state, 0).condition(2) == Condition(2, fortified=True, tower=True)
    state = position(DUEL, (row,))
    assert RULES.view(state, 0).condition(2) == Condition(2), "what they are is not known"


@pytest.mark.rule("LW-3.2", "LW-7")
def test_events_about_conditions_hide_private_parts_from_others() -> None:
    state = position(DUEL, options={"view_enemies": "on"})
    rows = (Condition(2, xp="5", fortified=True),)
    for event, told in (
        (ConditionsSet(rows, "fortified"), (Condition(2, fortified=True),)),
        (ConditionsSet((Condition(2, xp="5"),), "experience"), None),
    ):
        after = RULES.evolve(state, event)
        found = RULES.redact(event, state, after, 0)
        assert (found.conditions if isinstance(found, ConditionsSet) else None) == told
        assert RULES.redact(event, state, after, 1) == event


# -- forecasts -------------------------------------------------------------------------------------


@pytest.mark.rule("LW-7.3")
def test_people_get_a_forecast_only_with_the_military_advisor() -> None:
    marks = {}
    for advisor in ("off", "on"):
        state = position(DUEL, options={"military_advisor": advisor, "view_enemies": "on"})
        shown = PRESENTER.overlay(RULES.view(state, 0), Focus(5, 0, 1))
        marks[advisor] = {m.text for m in shown.marks if (m.x, m.y) == (5, 0)}
        texts = [line.text for line in shown.panel]
        assert any(text.startswith("No forecast") for text in texts) == (advisor == "off")
        assert any(text.startswith("Win for certain") for text in texts) == (advisor == "on")
        odds = forecast(state, settings_of(state.options), (state.armies[1],), (5, 0))
        assert odds.chance == 1.0, "computer players always know it"
    assert marks == {"off": {""}, "on": {"X"}}


# -- texts -----------------------------------------------------------------------------------------


def told(state: State, command: Walk) -> list[str]:
    """Return the lines of the battle of an order, as its owner reads them."""
    after, events = ordered(state, command)
    return [line.text for line in PRESENTER.tell(fought(events), RULES.view(after, 0))]


@pytest.mark.rule("LW-5", "LW-8.2")
def test_battle_sentences_list_every_blow() -> None:
    assert told(position(DUEL), Walk((1,), ((5, 0),)))[3:-1] == [
        "Giants hit Light Inf. for 1.125 (0.875 of 2 left).",
        "Light Inf. hit Giants for 0.375 (1.625 of 2 left).",
        "Giants hit Light Inf. for 1.125, Light Inf. fall.",
        "Giants: 2/2 hit points left (1.625).",
    ]


@pytest.mark.rule("LW-8.2")
def test_a_fallen_hero_is_one_person() -> None:
    troops = (army(1, "dragons", 0, (4, 0)), army(2, "hero", 1, (5, 0), strength=1))
    text = " ".join(told(position(troops), Walk((1,), ((5, 0),))))
    assert "Hero falls." in text
    assert "Hero fall." not in text
    assert "Hero hit " not in text


@pytest.mark.rule("LW-8.1", "LW-0")
def test_combat_log_has_the_lines_of_the_original() -> None:
    state = position(DUEL, options={"combat_log": "on"})
    assert told(state, Walk((1,), ((5, 0),)))[3:-2] == [
        "fight.cpp: 302: [COMBAT] === Turn 0 (Attacker's turn) ===",
        (
            "fight.cpp: 671: [COMBAT] Round 0: Giants (1) hits Light Inf. (2) for 1.13 damage. "
            "Defender HP: 0.88/2"
        ),
        "fight.cpp: 302: [COMBAT] === Turn 1 (Defender's turn) ===",
        (
            "fight.cpp: 671: [COMBAT] Round 1: Light Inf. (2) hits Giants (1) for 0.38 damage. "
            "Defender HP: 1.62/2"
        ),
        "fight.cpp: 302: [COMBAT] === Turn 2 (Attacker's turn) ===",
        (
            "fight.cpp: 671: [COMBAT] Round 2: Giants (1) hits Light Inf. (2) for 1.13 damage. "
            "Defender HP: 0.00/2"
        ),
        "fight.cpp: 325: [COMBAT] Light Inf. (2) DIED!",
    ]


@pytest.mark.rule("LW-7")
@pytest.mark.parametrize("rule", ["deterministic", "dice"])
def test_facts_of_a_battle_have_a_chance_only_with_dice(rule: str) -> None:
    state = position(DUEL, options={"combat_rule": rule})
    after, events = ordered(state, Walk((1,), ((5, 0),)), dice=Seeded(b"facts", 0, "test"))
    views = RULES.view(state, 0), RULES.view(after, 0)
    attack = PRESENTER.facts(fought(events), *views)[0]
    assert (attack.chance is not None) == (rule == "dice")


# -- tools -----------------------------------------------------------------------------------------


def asked(state: State, name: str, **words: str) -> ToolReport:
    """Return the report of a tool."""
    return next(tool for tool in RULES.tools if tool.name == name).run(state, words)


@pytest.mark.rule("LW-5", "LW-7", "LW-3.7", "LW-6.5")
def test_attack_tool_reports_attacks_in_a_position() -> None:
    state = position((hurt(DUEL[0], 0.875), DUEL[1]))
    words = {"armies": "1", "target": "5,0"}
    battle = asked(state, "attack", **words)
    assert battle.rows[1][3:] == ("1 giants#1 5", "0.375", "0.5", "1/2")
    assert asked(state, "forecast", **words).rows == (
        ("attack", 1, "giants#1", 5, "0.875", "0.5"),
        ("defence", 1, "light_infantry#2", 2, "2", "0"),
    )
    assert asked(state, "layers", **words).rows[0][-1] == 5
    assert asked(state, "heal").rows == (
        (1, "giants#1", 1, "1.875", "2/2"),
        (1, "giants#1", 2, "2", "2/2"),
    )
    assert asked(state, "heal", armies="2").rows == ()
    assert asked(state, "stack", tile="4,0").rows == ((1, "giants#1", 5, 0, 0, 0, 0, 0, 0, 5),)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ({"armies": "1,2", "target": "5,0"}, "do not stand together"),
        ({"armies": "1", "target": "3,0"}, "nobody stands at 3,0"),
        ({"armies": "9", "target": "3,0"}, "no army 9"),
    ],
)
def test_attack_tool_reports_invalid_arguments_in_one_line(
    words: dict[str, str], fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        asked(position(DUEL), "attack", **words)
