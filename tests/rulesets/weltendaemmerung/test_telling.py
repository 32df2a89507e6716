"""Events as sentences, facts and losses, and tiles in sentences."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given, settings

from engine.core.containers import Roster
from engine.core.dice import Scripted
from engine.core.notation import read
from engine.core.record import Event, replace
from engine.rulesets.weltendaemmerung import RULES, events
from engine.rulesets.weltendaemmerung.commands import AnyCommand
from engine.rulesets.weltendaemmerung.events import (
    AnyEvent,
    AttackMade,
    AttacksGiven,
    BuildingBroken,
    PointsRestored,
    UnitDestroyed,
)
from engine.rulesets.weltendaemmerung.fighting import forecast
from engine.rulesets.weltendaemmerung.picture import PRESENTER
from engine.rulesets.weltendaemmerung.state import EndReason, Options, Site, State, Terrain
from engine.rulesets.weltendaemmerung.telling import NARRATION
from engine.tabletop.fact import Fact, Odds
from engine.tabletop.registration import UNKNOWN_EVENT
from tests.rulesets.weltendaemmerung.small import (
    DUEL,
    positions,
    state,
    texts,
    unit,
    view,
)

# -- sentences ---------------------------------------------------------------------------


@pytest.mark.rule("WD-GATE-2", "WD-GATE-5", "WD-GATE-6")
def test_look_describes_terrain_unit_and_site() -> None:
    gate = texts(PRESENTER.look(view(DUEL), 2, 1))
    assert gate == (
        "2,1: gate. Only flyers go there.\nThis gate site is Eldoin's to work in the gate phase."
    )
    ruined = replace(DUEL, sites=Roster([Site(0, 2, 1, ruined=True)]))
    assert "ruined for ever" in texts(PRESENTER.look(view(ruined), 2, 1))
    axe = texts(PRESENTER.look(view(DUEL), 1, 1))
    assert axe == (
        "1,1: meadow. Costs 1 move to leave.\n"
        "Dailor's axe men, unit 1: 16 of 16 life, 10 of 10 moves.\n"
        "Hits for 4 to 8 within 1 tile."
    )


@pytest.mark.rule("WD-TERR-2", "WD-TERR-4", "WD-SIEGE-2")
@pytest.mark.parametrize(
    ("sign", "text"),
    [
        (".", "0,0: meadow. Costs 1 move to leave."),
        ("~", "0,0: river. Costs 1 to 5 moves to leave."),
        ("^", "0,0: mountains. Only flyers go there."),
        ("#", "0,0: wall. Only flyers go there. Catapults and wyrms break it."),
        ("H", "0,0: wall. Only flyers go there. Nothing breaks it."),
    ],
)
def test_look_at_free_ground_shows_its_effect_on_units(sign: str, text: str) -> None:
    seen = view(state((sign + ".",), unit(0, "sword", 1, 0)))
    assert PRESENTER.look(seen, 0, 0)[0].text == text


@pytest.mark.rule("WD-TERR-2", "WD-MOVE-8")
def test_look_shows_the_cost_for_the_unit_on_the_tile() -> None:
    forest = state(("f",), unit(0, "wagon", 0, 0))
    assert PRESENTER.look(view(forest), 0, 0)[0].text == "0,0: forest. Costs 7 moves to leave."
    entered = replace(forest, options=Options(price_tile="destination"))
    assert PRESENTER.look(view(entered), 0, 0)[0].text == "0,0: forest. Costs 7 moves to enter."


@pytest.mark.rule("WD-ATT-1")
def test_look_shows_attacks_after_the_movement_phase() -> None:
    cases = ((1, 1, "may attack"), (1, 0, "has attacked"), (2, 0, "10 moves in the next round"))
    for phase, b, text in cases:
        seen = view(state((".",), unit(0, "sword", 0, 0, b=b), phase=phase))
        assert PRESENTER.look(seen, 0, 0)[1].text.endswith(f"16 of 16 life, {text}.")


EVENTS: tuple[AnyEvent, ...] = (
    events.GameSet(
        scenario=RULES.position(DUEL),
        rounds=15,
        options=Options(),
        terrain=DUEL.terrain,
        units=DUEL.units.rows(),
        sites=DUEL.sites.rows(),
    ),
    events.UnitStepped(unit=0, x=1, y=0, b_left=9),
    events.AttackMade(unit=0, victim=1, index=3, modifier=2, damage=6, v_left=10, b_left=0),
    events.UnitDestroyed(unit=1),
    events.BuildingBroken(unit=1, x=2, y=1, terrain=Terrain.PAVEMENT, site=0, b_left=0),
    events.GateShut(site=0, x=2, y=1, terrain=Terrain.GATE),
    events.GateOpened(site=0, x=2, y=1, terrain=Terrain.PAVEMENT),
    events.AttacksGiven(),
    events.PointsRestored(),
    events.RoundEnded(completed=4),
    events.PhaseBegan(phase=0, player=0),
    events.GameWon(side=1, reason="commander"),
)

TOLD = {
    "GameSet": "Dailor wins at once when Eldoin's commander falls.",
    "UnitStepped": "Eldoin's sword bearers move to 1,0, 9 moves left.",
    "AttackMade": "Eldoin's sword bearers hit axe men at 1,1 for 6 (10 life left).",
    "UnitDestroyed": "Dailor's axe men fall at 1,1.",
    "BuildingBroken": "Dailor's axe men break the gate at 2,1; it stays a ruin.",
    "GateShut": "The gate at 2,1 shuts.",
    "GateOpened": "The gate at 2,1 opens.",
    "AttacksGiven": "Every unit can attack once.",
    "PointsRestored": "Every unit has all its moves again.",
    "RoundEnded": "Round 4 of 15 is over.",
    "PhaseBegan": "Eldoin: Movement.",
    "GameWon": "Eldoin's commander has fallen.",
}


def test_every_event_type_has_a_sentence_and_a_case() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(AnyEvent))
    assert NARRATION.tellers.missing(AnyEvent) == ()


def test_unknown_event_is_named_unknown_without_facts_or_losses() -> None:
    class SpellCast(Event, frozen=True, tag="spell-cast"):
        pass

    seen = view(DUEL)
    assert PRESENTER.tell(SpellCast(), seen) == UNKNOWN_EVENT
    assert PRESENTER.facts(SpellCast(), seen, seen) == ()
    assert PRESENTER.losses(SpellCast(), seen, seen) == ()


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_has_plain_sentences(event: AnyEvent) -> None:
    lines = PRESENTER.tell(event, view(DUEL))
    assert TOLD[type(event).__name__] in texts(lines)
    assert "!" not in texts(lines)
    assert any(line.rule.startswith("WD-") for line in lines)


@pytest.mark.rule("WD-WIN-1", "WD-WIN-2", "WD-WIN-3", "WD-WIN-4")
@pytest.mark.parametrize(
    ("reason", "winner", "text"),
    [
        ("commander", 1, "Eldoin's commander has fallen."),
        ("annihilation", 0, "The last unit of Dailor has fallen."),
        ("time", 0, "The last round is over and Eldoin still stands."),
        ("west_edge", 1, "A unit of Dailor reached the west edge."),
    ],
)
def test_summary_names_the_winner_and_the_reason(reason: EndReason, winner: int, text: str) -> None:
    over = replace(DUEL, winner=winner, reason=reason, completed=2)
    lines = PRESENTER.summary(view(over))
    assert lines[0].text == text
    assert lines[0].rule.startswith("WD-WIN-")
    name = ("Eldoin", "Dailor")[winner]
    assert lines[1].text == f"{name} wins: the new lords of Thainfal."


def test_summary_counts_units_and_life_of_both_sides() -> None:
    fallen = replace(DUEL, units=DUEL.units.put(replace(DUEL.units[0], alive=False)), completed=1)
    lines = texts(PRESENTER.summary(view(fallen))).splitlines()
    assert lines == [
        "Eldoin · Movement · round 2 of 15.",
        "Eldoin: 1 of 2 units, 16 life.",
        "Dailor: 1 of 1 units, 16 life.",
    ]


@pytest.mark.rule("WD-TERR-4", "WD-SIEGE-1")
@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("eagle", "It flies over everything but units."),
        ("ship", "It sails on rivers only."),
        ("catapult", "It can break gates and walls."),
        ("ram", "It can break gates."),
    ],
)
def test_look_at_a_unit_shows_its_special_abilities(key: str, text: str) -> None:
    seen = view(state(("~~",), unit(0, key, 0, 0)))
    assert text in texts(PRESENTER.look(seen, 0, 0))
    plain = view(state(("~~",), unit(0, "sword", 0, 0)))
    assert "It " not in texts(PRESENTER.look(plain, 0, 0))


# -- facts and losses --------------------------------------------------------------------


BATTLE = replace(
    DUEL, phase=1, units=DUEL.units.put(unit(0, "sword", 0, 0, b=1), unit(1, "axe", 1, 1, v=6))
)


def facts(position: State, line: str, *throws: int) -> list[Fact]:
    """Return the facts of a command, event by event."""
    command: AnyCommand = read(line, RULES.command_type)  # type: ignore[assignment]  # read() types all commands alike
    found: list[Fact] = []
    for event in RULES.decide(position, position.player, command, Scripted(throws)):
        after = RULES.evolve(position, event)
        found += PRESENTER.facts(event, RULES.view(position, 0), RULES.view(after, 0))
        position = after
    return found


@pytest.mark.rule("WD-MOVE-2")
def test_step_is_a_move_with_its_cost() -> None:
    assert facts(DUEL, "step unit=0 direction=right") == [
        Fact("move", 0, at=(1, 0), source=(0, 0), piece="sword bearers", amount=1)
    ]


@pytest.mark.rule("WD-ATT-3", "WD-RNG-1")
def test_fact_of_an_attack_has_its_odds() -> None:
    (hit,) = facts(BATTLE, "attack unit=0 at=1,1", 2)
    assert hit == Fact(
        "attack",
        seat=0,
        other=1,
        at=(1, 1),
        source=(0, 0),
        piece="sword bearers",
        target="axe men",
        won=False,
        chance=(5, 8),
        amount=5,
        odds=Odds(((4, 1), (5, 2), (6, 2), (7, 2), (8, 1))),
    )
    assert hit.odds is not None
    assert hit.odds.mean == 6
    assert hit.odds.variance == Fraction(3, 2)


def test_odds_of_a_recorded_attack_use_its_recorded_strength() -> None:
    hit = AttackMade(0, 1, 2, modifier=1, damage=21, v_left=0, b_left=0)
    (fact,) = PRESENTER.facts(hit, RULES.view(BATTLE, 0), RULES.view(BATTLE, 0))
    assert fact.odds == Odds(((20, 1), (21, 2), (22, 2), (23, 2), (24, 1)))


@pytest.mark.rule("WD-WIN-2")
def test_fatal_attack_is_won_with_a_loss_and_the_end() -> None:
    hit, loss, end = facts(BATTLE, "attack unit=0 at=1,1", 8)
    assert (hit.won, hit.amount) == (True, 8)
    assert loss == Fact("loss", 1, 0, at=(1, 1), piece="axe men")
    assert end == Fact("end", 0, 1, target="the fall of the last unit")


@pytest.mark.rule("WD-RNG-3")
def test_fact_of_an_attack_is_certain_with_the_fixed_cycle() -> None:
    circle = replace(BATTLE, options=Options(chance="c64_cycle"), cycle=(7,) * 256)
    hit, *_ = facts(circle, "attack unit=0 at=1,1")
    assert (hit.chance, hit.odds) == ((1, 1), Odds(((8, 1),)))


@pytest.mark.rule("WD-SIEGE-3")
def test_a_siege_is_a_capture_without_chance() -> None:
    rows = ("G..#",)
    gate = Roster([Site(0, 0, 0)])
    here = state(rows, unit(0, "catapult", 2, 0, b=1), sites=gate, phase=1, player=1, frontier=2)
    assert facts(here, "attack unit=0 at=0,0") == [
        Fact("capture", 1, 0, at=(0, 0), source=(2, 0), piece="catapult", target="gate")
    ]
    (wall,) = facts(here, "attack unit=0 at=3,0")
    assert (wall.other, wall.target, wall.chance) == (1, "wall", None)


@pytest.mark.rule("WD-GATE-3")
def test_worked_gate_is_a_work_fact() -> None:
    assert facts(replace(DUEL, phase=2), "gate at=2,1") == [
        Fact("work", 0, at=(2, 1), target="gate")
    ]


def test_only_known_events_lack_facts_or_have_losses() -> None:
    assert NARRATION.fact_makers.missing(AnyEvent) == (AttacksGiven, PointsRestored)
    assert {UnitDestroyed, BuildingBroken} == set(get_args(AnyEvent)) - set(
        NARRATION.loss_makers.missing(AnyEvent)
    )


@pytest.mark.rule("WD-TURN-1", "WD-TURN-3")
def test_phases_and_rounds_have_facts() -> None:
    assert facts(DUEL, "end-phase") == [Fact("phase", 1, target="Movement")]
    last = facts(replace(DUEL, phase=2, player=1), "end-phase")
    assert last == [
        Fact("round", target="round 1", amount=1),
        Fact("phase", 0, target="Movement"),
    ]


@settings(max_examples=60)
@given(positions())
def test_chance_and_mean_of_facts_equal_the_forecast(position: State) -> None:
    position = replace(position, phase=1)
    for command in RULES.offers(RULES.view(position, position.player)):
        event, *_ = RULES.decide(position, position.player, command, Scripted([3]))
        if isinstance(event, AttackMade):
            before, after = position, RULES.evolve(position, event)
            (hit,) = PRESENTER.facts(event, RULES.view(before, 0), RULES.view(after, 0))
            victim = position.units[event.victim]
            weighed = forecast(position, position.units[event.unit], victim.x, victim.y)
            assert weighed is not None
            assert hit.chance is not None
            assert hit.odds is not None
            assert Fraction(*hit.chance) == weighed.chance
            assert hit.odds.mean == weighed.mean
