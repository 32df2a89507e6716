"""Properties of every turn (section 15 of the rule book), on random positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import assume, given

from engine.core.containers import Roster
from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import UNITS, Move
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.lists import WHOLE, project
from engine.rulesets.gd6.state import NOBODY, State
from engine.rulesets.gd6.territories import Decision, close_by, counts, strength
from engine.rulesets.gd6.turns import close
from engine.rulesets.gd6.view import view
from tests.rulesets.gd6.turn_positions import turns

Tally = Counter[tuple[int, str]]
"""Units by seat and type."""


def carried_out(state: State) -> tuple[State, tuple[ev.AnyEvent, ...]]:
    decision: Decision = BaseDecision(state, evolve, Scripted())
    close(decision)
    return decision.state, decision.events


def steps(state: State) -> Iterator[tuple[State, ev.AnyEvent, State]]:
    """Yield each event of the turn with the positions around it."""
    for event in carried_out(state)[1]:
        after = evolve(state, event)
        yield state, event, after
        state = after


def tally(state: State) -> Tally:
    found: Tally = Counter()
    for here in state.territories.values():
        for unit, count in zip(UNITS, counts(here), strict=True):
            found[here.owner, unit] += count
    for squad in state.squads.values():
        if squad.flying:
            found[squad.seat, squad.unit] += squad.count
    return +found


def change(before: State, event: ev.AnyEvent) -> Tally:
    """Return the units that an event adds (positive) or removes."""
    found: Tally = Counter()
    match event:
        case ev.Spawned() | ev.Promoted():
            found[event.seat, "army"] += event.count
            if isinstance(event, ev.Promoted):
                found[event.seat, "army"] -= 2 * event.count
                found[event.seat, event.unit] += event.count
        case ev.CropUsed():
            found[event.seat, "army"] += sum(count for _, count, _ in event.lots)
        case ev.BivouacYielded():
            found[before.territories[event.at].owner, "army"] += event.count
        case ev.WastelandLoss():
            found[before.territories[event.at].owner, event.unit] -= 1
        case ev.DynamiteUsed() if event.unit is not None:
            found[before.territories[event.target].owner, event.unit] -= 1
        case ev.Defended():
            for unit, fallen in zip(UNITS, event.garrison, strict=True):
                found[event.owner, unit] -= fallen
        case _:
            pass
    for loss in getattr(event, "losses", ()):
        found[loss.seat, loss.unit] -= loss.lost
    return found


@pytest.mark.rule("GD-SECRET-3")
@given(state=turns())
def test_events_account_for_every_unit(state: State) -> None:
    for before, event, after in steps(state):
        expected = tally(before)
        expected.update(change(before, event))
        assert +expected == tally(after), event


@pytest.mark.rule("GD-LAND-1")
@given(state=turns())
def test_units_are_on_owned_land_and_counts_are_never_negative(
    state: State,
) -> None:
    for _, _, after in steps(state):
        for here in after.territories.values():
            assert here.owner != NOBODY or (strength(here) == 0 and here.loyalty == 0)
            assert min(*counts(here), here.mines, here.loyalty) >= 0
        for player in after.players.values():
            assert min(player.ip, player.crop, player.dynamite, player.toxic) >= 0


@pytest.mark.rule("GD-FINAL-2", "GD-STEP-5")
@given(state=turns())
def test_loyalty_grows_by_one_or_restarts(state: State) -> None:
    owners = {at: {here.owner} for at, here in state.territories.items()}
    end = state
    for _, _, after in steps(state):
        end = after
        for at, here in after.territories.items():
            owners[at].add(here.owner)
    assume(end.turn == state.turn + 1 or end.reason)
    for at, here in end.territories.items():
        if here.owner == NOBODY:
            continue
        kept = owners[at] == {here.owner}
        assert here.loyalty == state.territories[at].loyalty + 1 if kept else here.loyalty <= 1


@pytest.mark.rule("GD-HQ-1", "GD-HQ-2", "GD-HQ-3")
@given(state=turns())
def test_new_headquarters_keep_their_distance_and_none_is_lost(state: State) -> None:
    before = {at for at, here in state.territories.items() if here.hq != NOBODY}
    after, _ = carried_out(state)
    sites = [at for at, here in after.territories.items() if here.hq != NOBODY]
    assert before <= set(sites)
    for at in set(sites) - before:
        assert close_by(state.world, at) & set(sites) == {at}
    settlers = [after.territories[at].hq for at in sites]
    assert len(set(settlers)) == len(settlers)


@pytest.mark.rule("GD-FINAL-3", "GD-BUILD-2", "GD-BUY-1")
@given(state=turns())
def test_purse_changes_by_payments_and_income(
    state: State,
) -> None:
    after, events = carried_out(state)
    for seat, player in state.players.items():
        paid = sum(e.amount for e in events if isinstance(e, ev.IpPaid) and e.seat == seat)
        earned = sum(
            e.territories + e.hqs + e.libraries + e.armies
            for e in events
            if isinstance(e, ev.IncomeEarned) and e.seat == seat
        )
        assert after.players[seat].ip == player.ip - paid + earned


@pytest.mark.rule("GD-CHECK-1", "GD-CHECK-2")
@given(state=turns(advanced=False))
def test_draft_predicts_refusals_if_the_others_are_idle(
    state: State,
) -> None:
    for seat in state.players:
        alone = replace(
            state,
            players=Roster(
                player if player.id == seat else replace(player, orders=(), sealed=False)
                for player in state.players.values()
            ),
        )
        judged = project(view(alone, seat)).judged
        _, events = carried_out(alone)
        refused = [(e.place, e.codes) for e in events if isinstance(e, ev.OrderRefused)]
        if any(isinstance(event, ev.HqRoundFailed) for event in events):
            continue
        assert sorted(refused) == [(n, line.codes) for n, line in enumerate(judged) if line.codes]
        if not refused and all(line.kept == WHOLE for line in judged):
            hops = [h for e in events if isinstance(e, ev.SquadsBound) for h in e.squads]
            moves = [order for order in alone.players[seat].orders if isinstance(order, Move)]
            assert sorted(squad.count for squad in hops) == sorted(m.count for m in moves)


@pytest.mark.rule("GD-TURN-3")
@given(state=turns())
def test_turn_is_deterministic(state: State) -> None:
    assert carried_out(state) == carried_out(state)
