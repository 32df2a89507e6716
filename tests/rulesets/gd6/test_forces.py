"""Prices and threats match the outcome of the turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.core.record import replace
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.bot.board import BotBoard
from engine.rulesets.gd6.canvas import spot, territory_at
from engine.rulesets.gd6.commands import UNITS, Move, Unit
from engine.rulesets.gd6.descriptions import look, panel
from engine.rulesets.gd6.dialogues import ask
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.fights import TOOLS
from engine.rulesets.gd6.forces import Forces, foreseen, price, threat, units_for
from engine.rulesets.gd6.lists import project
from engine.rulesets.gd6.numbers import unit_rows
from engine.rulesets.gd6.picture import PRESENTER
from engine.rulesets.gd6.state import NOBODY, State, Territory, View
from engine.rulesets.gd6.territories import Decision
from engine.rulesets.gd6.turns import close, resolve
from engine.rulesets.gd6.view import imagine
from engine.rulesets.gd6.world import distance
from engine.tabletop.ask import AskPlace
from engine.tabletop.focus import Focus
from tests.contract.walks import examples
from tests.rulesets.gd6.table import begin, say
from tests.rulesets.gd6.turn_positions import battles, turns

FIGHTERS: tuple[Unit, ...] = ("army", "cavalry", "heavy")
WAYS = 6
"""Paths tried in each position."""


def quiet(state: State) -> State:
    """Return the position with all lists empty and open."""
    idle = (replace(player, orders=(), sealed=False) for player in state.players.values())
    return replace(state, players=Roster(idle))


def carried_out(state: State, seat: int, *moves: Move) -> tuple[State, tuple[ev.AnyEvent, ...]]:
    """Play a turn with moves of one seat only. Return the position and the events."""
    listed = [
        replace(player, orders=moves if player.id == seat else (), sealed=True)
        for player in state.players.values()
    ]
    decision: Decision = BaseDecision(replace(state, players=Roster(listed)), evolve, Scripted())
    close(decision)
    return decision.state, decision.events


def ways(view: View) -> Iterator[tuple[int, ...]]:
    """Yield paths over one or two borders from own fertile land to land of others."""
    own = [here.id for here in view.territories.values() if here.owner == view.viewer]
    for start in own:
        if view.territories[start].wasteland:
            continue
        for one in view.world.beside(start):
            if view.territories[one].owner != view.viewer:
                yield start, one
            for two in view.world.beside(one):
                if two != start and view.territories[two].owner not in (NOBODY, view.viewer):
                    yield start, one, two


def armed(state: State, start: int, unit: Unit, count: int) -> State:
    """Return the position with only ``count`` units of a type, and the spies, on a territory."""
    spies = state.territories[start].spy
    bare = replace(state.territories[start], army=0, cavalry=0, heavy=0, spy=spies)
    lands = state.territories.put(replace(bare, **{unit: count}))
    return replace(state, territories=lands)


@pytest.mark.rule("GD-INVADE-5", "GD-MINE-2", "GD-MINE-3", "GD-INTEL-1", "GD-UNIT-3")
@examples(38)
@given(turns(advanced=True), st.integers(0, 9999), st.sampled_from(FIGHTERS))
def test_price_is_the_exact_minimum_that_takes_the_land(
    drawn: State, choice: int, unit: Unit
) -> None:
    view = RULES.view(quiet(drawn), choice % len(drawn.players))
    state = imagine(view)
    speed = unit_rows()[unit].speed
    found = [path for path in ways(view) if len(path) <= speed + 1]
    for path in islice(found, choice % (len(found) or 1), None, max(1, len(found) // WAYS)):
        least = units_for(view, path, unit)
        assert least is not None
        if len(path) == 2 and unit == "army":
            aims = price(view, path[-1], path[0])
            assert aims is not None
            assert aims.take == least
        for count in (least, least - 1):
            there = armed(state, path[0], unit, count)
            after, _ = carried_out(there, view.viewer, Move(path, count, unit))
            assert (after.territories[path[-1]].owner == view.viewer) == (count == least)


@pytest.mark.rule("GD-SPY-1", "GD-SPY-3")
def test_spies_take_only_neutral_land_and_ignore_mines() -> None:
    state = mined(begin(SPIES).state)
    view = RULES.view(state, 0)
    assert units_for(view, (2, 3), "spy") == 1
    assert units_for(view, (6, 5), "spy") is None
    assert carried_out(state, 0, Move((2, 3), 1, "spy"))[0].territories[3].owner == 0


@examples(38)
@given(turns(advanced=True), st.integers(0, 3))
def test_all_displays_and_bots_agree_on_prices(drawn: State, who: int) -> None:
    view = RULES.view(quiet(drawn), who % len(drawn.players))
    shown = texts(view, "price")
    assert not any(view.territories[at].owner == view.viewer for at in shown)
    board = BotBoard(project(view).before["move"])
    for path in ways(view):
        if len(path) > 2:
            continue
        start, at = path
        aims, here = price(view, at), price(view, at, start)
        assert aims is not None
        assert here is not None
        assert aims.take <= here.take
        plain = aims.take == 1 and view.territories[at].owner == NOBODY
        assert shown.get(at) == (None if plain else str(aims.take))
        told = f"taken by {aims.take} {'army' if aims.take == 1 else 'armies'}"
        assert (told in {line.text for line in panel(view, at)}) is not plain
        said = " ".join(line.text for line in look(view, at))
        assert (f"{aims.take} armies take it" if aims.take > 1 else "One army takes it") in said
        guided = board.is_guided(view.viewer, start, view.world.beside(start))
        assert board.losses(view.viewer, at, guided=guided) + 1 == here.take


def texts(view: View, name: str) -> dict[int, str]:
    """Return the texts of a layer by territory."""
    found = {}
    for mark in PRESENTER.layer(view, Focus(0, 0), name):
        found[territory_at(view.world, mark.x, mark.y)] = mark.text
    return found


@pytest.mark.rule("GD-UNIT-1", "GD-MOVE-2", "GD-UNIT-3")
@examples(38)
@given(turns(advanced=True), st.integers(0, 9999))
def test_unopposed_seat_brings_exactly_the_threat(drawn: State, choice: int) -> None:
    rival = choice % len(drawn.players)
    victim = (rival + 1) % len(drawn.players)
    target = 1 + choice % len(drawn.territories)
    state = opened(quiet(drawn), rival, victim, target)
    moves = [
        Move(way_to(state, here.id, target), 99, unit)
        for here in state.territories.values()
        if here.owner == rival
        for unit in UNITS
    ]
    reach = Forces(state).reach(rival, target)
    _, events = carried_out(state, rival, *moves)
    assert brought(events, rival, target) == reach
    assert Forces(state).threat(victim, target) == reach
    seen = RULES.view(state, victim)
    assert threat(seen, target) == reach
    assert texts(seen, "danger").get(target, "0") == str(reach)


def opened(state: State, rival: int, victim: int, target: int) -> State:
    """Return the position with all land empty except the rival's, and the target strongly held."""
    lands = []
    for here in state.territories.values():
        if here.id == target:
            lands.append(Territory(here.id, owner=victim, army=5000, hq=here.hq))
        elif here.owner == rival:
            lands.append(replace(here, wasteland=False))
        else:
            lands.append(Territory(here.id, hq=here.hq))
    return replace(state, territories=Roster(lands))


def way_to(state: State, start: int, target: int) -> tuple[int, ...]:
    """Return a shortest path."""
    path = [start]
    while path[-1] != target:
        nearer = distance(state.world, path[-1], target) - 1
        beside = state.world.beside(path[-1])
        path.append(next(at for at in beside if distance(state.world, at, target) == nearer))
    return tuple(path)


def brought(events: tuple[ev.AnyEvent, ...], seat: int, target: int) -> int:
    """Return the health of all squads of a seat that moved to a territory, each counted once."""
    squads: dict[int, int] = {}
    for event in events:
        if isinstance(event, ev.LiftedOff):
            for hop in event.hops:
                if hop.seat == seat and hop.target == target:
                    squads[hop.squad] = hop.count * unit_rows()[hop.unit].health
    return sum(squads.values())


@pytest.mark.rule("GD-UNIT-1", "GD-MOVE-2")
@settings(max_examples=60)
@given(battles())
def test_no_seat_brings_more_than_its_threat(state: State) -> None:
    forces = Forces(state)
    decision: Decision = BaseDecision(state, evolve, Scripted())
    resolve(decision)
    for target, here in state.territories.items():
        for seat in state.players:
            if seat != here.owner:
                assert brought(decision.events, seat, target) <= forces.reach(seat, target)


SPIES = """
borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 1], [6, 2]]
players = [{ id = 0, ip = 60, dynamite = 2 }, { id = 1 }]
territories = [
  { id = 1, owner = 0, army = 6, hq = 0 },
  { id = 2, owner = 0, army = 9, heavy = 3, spy = 1 },
  { id = 3 },
  { id = 4, owner = 1, army = 1, hq = 1 },
  { id = 5, owner = 1, army = 2, heavy = 2, construct = "watchtower", wasteland = true },
  { id = 6, owner = 0, army = 9, heavy = 9, spy = 1 },
]
turn = 5
options = { variant = "advanced", domination = 0 }
"""


def mined(state: State) -> State:
    """Return the position with two publicly known mines on land 3."""
    return replace(state, territories=state.territories.put(replace(state.territories[3], mines=2)))


def labels(view: View, at: int, *answers: str) -> dict[int, str]:
    """Return the labels of the next possible hops."""
    asked = ask(view, at, "move", answers)
    assert isinstance(asked, AskPlace)
    places = [territory_at(view.world, *cell) for cell in asked.cells]
    return dict(zip(places, asked.labels, strict=True))


@pytest.mark.rule("GD-INVADE-5", "GD-MINE-2", "GD-INTEL-1", "GD-NATURAL-1")
def test_prices_include_mines_heavies_towers_spies_and_wasteland() -> None:
    view = RULES.view(mined(begin(SPIES).state), 0)
    assert labels(view, 2, "army")[3] == "ok"
    assert units_for(view, (2, 3), "army") == 3
    # Of 2 armies and 2 heavies, one heavy dies in the wasteland; a spy saves the penalty.
    assert units_for(view, (6, 5), "army") == 2 + (2 + 2) + 1
    assert units_for(view, (6, 5), "heavy") == 6 // 2 + 1
    here = spot(view.world, 3)
    beyond = labels(view, 2, "army", f"{here[0]},{here[1]}")
    assert units_for(view, (2, 3, 4), "army") == 2 + (2 + 1) - 2 + 1
    assert beyond[4] == "ok"


@pytest.mark.rule("GD-CHECK-1", "GD-DYNAMITE-1", "GD-INTEL-1")
def test_price_includes_the_own_list() -> None:
    game = begin(SPIES)
    before = units_for(game.view(0), (6, 5), "army")
    say(game, 0, "dynamite source=6 target=5")
    assert before == 7
    assert units_for(game.view(0), (6, 5), "army") == before - 2 - 2
    say(game, 0, "move path=6>1 count=1 unit=spy")
    assert units_for(game.view(0), (6, 5), "army") == before - 2 - 2
    say(game, 0, "move path=2>3 count=1 unit=spy")
    assert foreseen(game.view(0)).units[1][UNITS.index("spy")] == 1
    assert units_for(game.view(0), (6, 5), "army") == before - 2 - 2


@pytest.mark.rule("GD-INVADE-5", "GD-MINE-3")
def test_calc_counts_mines() -> None:
    given = {"attackers": "6", "defenders": "1", "mines": "2"}
    found = TOOLS[0].run(None, given)
    assert found.rows == ((6, 1, 5, 1, 1),)
    assert found.remarks == ("6 armies take the land, 5 make it neutral.",)
