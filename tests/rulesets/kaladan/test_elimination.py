"""Elimination and resignation, also in mid-battle and during events."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.elimination import eliminate, may_resign
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import NOBODY, Battle, BattleSide, BattleStep, State
from engine.rulesets.kaladan.turns import owing
from tests.rulesets.kaladan.positions import (
    after,
    decided,
    folded,
    pad,
    position,
    refusal,
    stand,
    tile,
)

THREE = """
FF WFM FF
A1 0 # crown sword
B3 1 # crown sword shield
C1 2 # crown sword
B2 0 archer catapult
dead 1 archer general
fallen 1 special
"""


@pytest.mark.rule("KA-8.1")
def test_eliminated_seat_keeps_only_its_dead() -> None:
    decision = pad(position(THREE, gold=(1, 5, 1)))
    eliminate(decision, 1, 0, (171,))
    now, loser = decision.state, decision.state.players[1]
    places = {unit.place for unit in now.units.values() if unit.owner == 1}
    assert places == {"out", "dead"}
    assert [now.units[unit].place for unit in (121, 151)] == ["dead", "dead"]
    assert (loser.alive, loser.gold, loser.hand, loser.deck) == (False, 0, (), ())
    assert (now.units[171].owner, now.units[171].place) == (0, "fallen")
    assert now.players[0].gold == 1
    assert now.tiles[tile(now, "B3")].castle == 1
    assert stand(now, "B3") == []


@pytest.mark.rule("KA-8.4", "KA-16")
def test_resigning_in_its_turn_passes_it_to_the_next_seat() -> None:
    state = position(THREE, active=1)
    events = decided(state, 1, do.Resign())
    assert events[0] == ev.SeatEliminated(1, NOBODY, resigned=True)
    assert isinstance(events[1], ev.TurnEnded)
    later = folded(state, events)
    assert later.active == 2
    assert later.reason == ""
    assert later.units[171].place == "out"
    assert later.units[171].owner == 1


@pytest.mark.rule("KA-8.4", "KA-11.1")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_seat_may_resign_when_an_event_asks_it(seat: int) -> None:
    state = position(THREE, phase="event", event_deck=("great_drill", "royal_tax"), gold=(5, 5, 5))
    decision = pad(state)
    decision.emit(ev.EventDrawn("great_drill", (0, 1, 2)))
    state = decision.state
    for asked in (0, 1, 2):
        assert owing(state) == {asked}
        command = do.Resign() if asked == seat else do.AnswerEvent("gold")
        state = after(state, asked, command)
    assert [state.players[other].alive for other in (0, 1, 2)] == [
        other != seat for other in (0, 1, 2)
    ]
    assert state.active == (1 if seat == 0 else 0)
    assert "great_drill" in state.event_discard
    assert all(state.players[other].gold >= 6 for other in (0, 1, 2) if other != seat)


@pytest.mark.rule("KA-8.4", "KA-16")
def test_no_phase_begins_for_an_active_seat_that_resigned() -> None:
    decision = pad(position(THREE, phase="event", event_deck=("great_drill", "royal_tax")))
    decision.emit(ev.EventDrawn("great_drill", (0, 1)))
    state = after(decision.state, 0, do.Resign())
    events = decided(state, 1, do.AnswerEvent("gold"))
    assert not any(isinstance(one, ev.PhaseBegan) and one.seat == 0 for one in events)
    assert [one.seat for one in events if isinstance(one, ev.TurnBegan)] == [1]


@pytest.mark.rule("KA-8.4", "KA-17.1")
def test_game_can_end_during_an_event() -> None:
    decision = pad(position(phase="event"))
    decision.emit(ev.EventDrawn("great_drill", (0, 1)))
    later = after(decision.state, 0, do.Resign())
    assert (later.reason, later.winners) == ("last_crown", (1,))
    assert owing(later) == frozenset()


# -- battles ---------------------------------------------------------------------------------------


def fight(asked: int, step: BattleStep) -> State:
    """Return a battle of seats 0 and 1 in which a Catapult and a Shield have been removed."""
    state = position(THREE)
    sides = (
        BattleSide(0, tile(state, "B2"), losses=1, chosen=True, lost=(41,)),
        BattleSide(1, tile(state, "B3"), losses=1, chosen=True, lost=(131,)),
    )
    gone = [replace(state.units[unit], place="removed", tile=0) for unit in (41, 131)]
    battle = Battle(sides, step=step, asked=asked, revealed=True)
    return replace(state, units=state.units.put(*gone), battle=battle, battle_used=True)


@pytest.mark.rule("KA-8.4", "KA-7.9")
def test_resigning_defender_ends_the_battle_and_units_return() -> None:
    state = fight(1, "after")
    events = decided(state, 1, do.Resign())
    ended = events[1]
    assert isinstance(ended, ev.BattleEnded)
    assert ended.verdict == "abandoned"
    assert [unit.id for unit in ended.returned] == [41]
    later = folded(state, events)
    assert later.battle is None
    assert stand(later, "B2") == ["archer", "catapult"]
    assert stand(later, "B3") == []
    assert later.units[131].place == "out"
    assert later.units[41].done
    assert later.units[21].done
    assert (later.active, later.phase) == (0, "action")


@pytest.mark.rule("KA-8.4", "KA-8.1", "KA-16")
def test_resigning_attacker_also_ends_its_turn() -> None:
    state = fight(0, "after")
    later = after(state, 0, do.Resign())
    assert later.battle is None
    assert stand(later, "B3") == ["sword", "shield", "crown"]
    assert later.units[41].place == "out"
    assert later.active == 1
    assert not any(unit.done for unit in later.units.values())


@pytest.mark.rule("KA-8.4", "KA-7.9")
def test_final_removals_remain_after_a_resignation() -> None:
    state = fight(0, "invasion")
    decision = pad(state)
    decision.emit(ev.UnitsDied((41, 131), ()))
    later = after(decision.state, 0, do.Resign())
    assert [later.units[unit].place for unit in (41, 131)] == ["dead", "dead"]


@pytest.mark.rule("KA-8.4", "KA-10.2")
def test_removed_crown_returns_after_a_resignation() -> None:
    state = fight(0, "after")
    lost = replace(state.units[161], place="removed", tile=0)
    later = after(replace(state, units=state.units.put(lost)), 0, do.Resign())
    assert stand(later, "B3") == ["sword", "shield", "crown"]
    assert later.players[1].alive


@pytest.mark.rule("KA-8.4", "KA-17.1")
def test_last_crown_cannot_resign() -> None:
    decision = pad(fight(0, "invasion"))
    for seat in (1, 2):
        decision.emit(ev.SeatEliminated(seat, 0))
    assert not may_resign(decision.state, 0)
    assert refusal(decision.state, 0, do.Resign()) == (Refusal.GAME_OVER, "KA-17.1")


@pytest.mark.rule("KA-8.4", "KA-17.1")
def test_abandoned_battle_can_end_the_game() -> None:
    decision = pad(fight(1, "after"))
    decision.emit(ev.SeatEliminated(2, NOBODY))
    later = after(decision.state, 1, do.Resign())
    assert (later.reason, later.winners) == ("last_crown", (0,))
    assert later.battle is None


@pytest.mark.rule("KA-8.1", "KA-16")
def test_attacker_without_crown_has_no_later_phases() -> None:
    text = """
    FF WFM FF
    A1 0 # crown
    B2 1 sword
    C2 1 # crown
    A2 2 # crown
    """
    state = position(text, hands={0: (), 1: (), 2: ()}, gold=(9, 0, 0))
    events = decided(state, 0, do.Attack("A1", "B2"), [(6, 1), (8, 8)])
    told = [type(event) for event in events]
    assert ev.SeatEliminated in told
    ended = told.index(ev.BattleEnded)
    assert told[ended + 1 : ended + 4] == [ev.TurnEnded, ev.TurnBegan, ev.PhaseBegan]
    later = folded(state, events)
    assert (later.active, later.units[71].owner) == (1, 1)
