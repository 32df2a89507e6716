"""Options, the first event, positions as scenarios, and the ruleset object."""

from __future__ import annotations

import pytest
from hypothesis import given

from engine.core import scenarios
from engine.core.codec import encode
from engine.core.dice import Scripted, Seeded
from engine.core.game import Game
from engine.core.ids import HOUSE, PUBLIC, REFEREE
from engine.core.options import OptionFault, Value
from engine.core.record import replace
from engine.core.refused import Refused
from engine.core.ruleset import ScenarioFault
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung import commands as do
from engine.rulesets.weltendaemmerung import events as ev
from engine.rulesets.weltendaemmerung.commands import Refusal
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN, Now, Options
from engine.rulesets.weltendaemmerung.tables import limits
from tests.rulesets.weltendaemmerung.arena import ARENA, CHOICES, CYCLE, OPTIONS, begun, walk


def first(given: dict[str, Value], /, **changed: object) -> ev.GameSet:
    (event,) = RULES.begin(replace(ARENA, **changed), given, Scripted())
    assert isinstance(event, ev.GameSet)
    return event


def test_missing_options_have_the_defaults_of_the_rule_book() -> None:
    event = first({})
    assert event.options == Options(
        price_tile="origin",
        last_step="always",
        reach="floor",
        chance="uniform8",
        west_edge_win="on",
        end_tile="on",
        free_cursor="one",
        steps="four",
    )
    assert event.rounds == ARENA.rounds


def test_scenario_overrides_defaults_and_players_override_both() -> None:
    wanted = Options(reach="exact", steps="eight")
    assert first({}, options=wanted).options == wanted
    given_too = first({"reach": "floor", "rounds": 9}, options=wanted)
    assert given_too.options == replace(wanted, reach="floor")
    assert given_too.rounds == 9


def test_every_option_is_explained_and_names_a_rule() -> None:
    names = [option.name for option in RULES.options]
    assert sorted(names) == sorted([*Options.__struct_fields__, "rounds"])
    for option in RULES.options:
        assert option.text
        assert option.rule.startswith("WD-")
        assert len(option.explained) == len(option.choices)


@pytest.mark.parametrize(
    "options", [{"reach": "far"}, {"rounds": 0}, {"rounds": 100}, {"rounds": "many"}, {"luck": 1}]
)
def test_impossible_option_is_refused(options: dict[str, Value]) -> None:
    with pytest.raises(OptionFault):
        RULES.begin(ARENA, options, Scripted())


@pytest.mark.rule("WD-RNG-3")
def test_cycle_option_needs_a_scenario_with_a_cycle() -> None:
    with pytest.raises(ScenarioFault):
        RULES.begin(ARENA, {"chance": "c64_cycle"}, Scripted())
    assert first({"chance": "c64_cycle"}, cycle=CYCLE).options.chance == "c64_cycle"


@pytest.mark.rule("WD-TURN-3")
def test_fewer_rounds_than_completed_are_refused() -> None:
    with pytest.raises(ScenarioFault):
        RULES.begin(replace(ARENA, now=Now(completed=2)), {"rounds": 2}, Scripted())


def test_setup_rolls_no_dice_and_can_be_read_from_its_event() -> None:
    dice = Seeded(b"x", 0, "decide")
    events = RULES.begin(ARENA, {"rounds": 7, "reach": "exact"}, dice)
    assert dice.thrown == ()
    scenario, options = RULES.setup(events[0])
    assert scenario == ARENA
    assert RULES.begin(scenario, options, Scripted()) == events


def test_setup_refuses_other_events() -> None:
    with pytest.raises(ValueError, match="game-set"):
        RULES.setup(ev.AttacksGiven())


@pytest.mark.rule("WD-IMP-4", "WD-UNIT-1")
def test_new_game_begins_with_eldoin_to_move() -> None:
    state = begun()
    assert (state.completed, state.phase, state.player, state.winner) == (0, 0, ELDOIN, -1)
    assert all(unit.b == unit.b_max and unit.alive for unit in state.units.rows())
    assert [unit.id for unit in state.units.rows()] == list(range(len(ARENA.units)))
    assert not any(site.ruined for site in state.sites.rows())


@pytest.mark.rule("WD-TURN-4")
@pytest.mark.parametrize(("now", "left"), [(Now(), 10), (Now(phase=1), 1), (Now(phase=2), 1)])
def test_unit_defaults_to_all_points_or_its_attack(now: Now, left: int) -> None:
    state = begun(scenario=replace(ARENA, now=now))
    assert (state.units[1].b, state.units[1].b_max, state.units[1].v) == (left, 10, 16)


@given(choices=CHOICES, options=OPTIONS)
def test_any_position_restores_its_state(choices: list[int], options: dict[str, Value]) -> None:
    state = begun(options)
    for move in walk(state, choices):
        state = move.after
    position = RULES.position(state)
    again = begun(scenario=position)
    assert again == state
    assert encode(RULES.view(again, PUBLIC)) == encode(RULES.view(state, PUBLIC))
    assert scenarios.parse(RULES, scenarios.dump(position).encode()) == position


@given(choices=CHOICES)
def test_every_viewer_sees_everything(choices: list[int]) -> None:
    state = begun()
    for move in walk(state, choices):
        for viewer in (ELDOIN, DAILOR, PUBLIC, REFEREE):
            told = [RULES.redact(event, move.before, move.after, viewer) for event in move.events]
            assert tuple(told) == move.events
        state = move.after
    for viewer in (ELDOIN, DAILOR, PUBLIC, REFEREE):
        seen = RULES.view(state, viewer)
        assert RULES.imagine(seen, Scripted()) == state
        assert RULES.view(RULES.imagine(seen, Scripted()), viewer) == seen


@given(choices=CHOICES, options=OPTIONS)
def test_offers_are_legal_and_complete_for_each_unit(
    choices: list[int], options: dict[str, Value]
) -> None:
    state = begun(options)
    for move in walk(state, choices):
        state = move.after
    if state.winner >= 0:
        assert list(RULES.offers(RULES.view(state, state.player))) == []
        return
    seen = RULES.view(state, state.player)
    offered = list(RULES.offers(seen))
    for command in offered:
        assert RULES.decide(state, state.player, command, Seeded(b"try", 0, "decide"))
    about = [command for unit in state.units for command in RULES.offers(seen, unit)]
    assert about == [one for one in offered if not isinstance(one, do.WorkGate | do.EndPhase)]
    assert list(RULES.offers(RULES.view(state, 1 - state.player))) == []


@pytest.mark.rule("WD-TURN-1", "WD-WIN-5")
def test_only_the_player_to_move_may_act() -> None:
    state = begun()
    assert RULES.owes(state) == {ELDOIN}
    assert (RULES.may(state, ELDOIN), RULES.may(state, DAILOR)) == (True, False)
    for seat in (DAILOR, HOUSE, 7):
        with pytest.raises(Refused) as refused:
            RULES.decide(state, seat, do.EndPhase(), Scripted())
        assert refused.value.code is Refusal.NOT_YOURS


def test_statistics_count_units_life_attack_and_gates() -> None:
    assert RULES.statistics(begun()) == {
        "units": (6, 7),
        "life": (16 + 16 + 12 + 11 + 18 + 10, 16 + 18 + 5 + 5 + 30 + 10 + 16),
        "attack": (6 + 4 + 5 + 7 + 20 + 6, 4 + 8 + 1 + 1 + 30 + 8 + 10),
        "gates": (2, 1),
    }


@pytest.mark.rule("WD-MOVE-5")
def test_undo_covers_steps_sieges_and_gates_but_not_attacks() -> None:
    game = Game.begin(RULES, ARENA, {}, b"seed")
    before = game.state
    game.submit(ELDOIN, do.StepUnit(0, "up"))
    game.undo(ELDOIN)
    assert game.state == before
    for _ in range(3):
        game.submit(game.state.player, do.EndPhase())
    assert not game.can_undo(ELDOIN)
    before = game.state
    game.submit(DAILOR, do.Attack(8, (2, 1)))
    assert game.state.sites[0].ruined
    game.undo(DAILOR)
    assert game.state == before
    game.submit(DAILOR, do.Attack(12, (3, 1)))
    assert not game.can_undo(DAILOR)
    game.submit(DAILOR, do.EndPhase())
    before = game.state
    game.submit(ELDOIN, do.WorkGate((2, 4)))
    game.undo(ELDOIN)
    assert game.state == before


@pytest.mark.rule("WD-TURN-3")
def test_rounds_option_has_the_limits_of_scenarios() -> None:
    (rounds,) = (option for option in RULES.options if option.name == "rounds")
    assert (rounds.low, rounds.high) == (1, limits().rounds)
