"""Computer players: legal, ignorant of secrets, repeatable, sensible in simple positions."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.codec import decoder, encode
from engine.core.containers import Roster
from engine.core.decision import BaseDecision
from engine.core.dice import Scripted, Seeded
from engine.core.record import replace
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6.bot.board import geometry
from engine.rulesets.gd6.bot.lists import scene_of
from engine.rulesets.gd6.bot.trials import likely_homes, shares
from engine.rulesets.gd6.commands import AnyCommand, AnyOrder, Build, Buy, PlaceHq, SealList, Spawn
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.state import NOBODY, Deed, State, Territory, View
from engine.rulesets.gd6.territories import Decision, close_by
from engine.rulesets.gd6.turns import close
from tests.rulesets.gd6.table import begin
from tests.rulesets.gd6.turn_positions import turns

LEVELS = tuple(RULES.bots)
SEEDS = range(2)
TRIED = {"easy": 12, "normal": 4, "hard": 2}
"""Random positions by level; slower levels get fewer."""


SECRET_LIST: tuple[AnyOrder, ...] = (Buy("crop"), Spawn(1, 1))

FRONT = """
borders = [[1, 2], [2, 3], [3, 4], [4, 5], [2, 6], [4, 6]]
players = [{ id = 0, ip = 20 }, { id = 1, ip = 20 }]
territories = [
  { id = 1, owner = 0, army = 2, hq = 0 },
  { id = 2, owner = 0, army = 5 },
  { id = 4, owner = 1, army = 5 },
  { id = 5, owner = 1, army = 2, hq = 1 },
]
turn = 5
"""
"""Two seats with neutral land between them."""


def plan(view: View, level: str, seed: int = 0) -> tuple[AnyCommand, ...]:
    """Return the commands that a level plans for a view."""
    dice = Seeded(b"bots", seed, f"bot:{view.viewer}")
    return tuple(RULES.bots[level].plan(view, partial(RULES.offers, view), dice))


def listed(state: State, seat: int, level: str, seed: int = 0) -> State:
    """Return the state after a level has sealed a seat's list; no command may be refused."""
    return sealed_by(state, seat, plan(RULES.view(state, seat), level, seed))


def sealed_by(state: State, seat: int, commands: tuple[AnyCommand, ...]) -> State:
    """Return the state after commands of a seat that end with its seal; none may be refused."""
    assert isinstance(commands[-1], SealList)
    for command in commands:
        for event in RULES.decide(state, seat, command, Scripted()):
            state = evolve(state, event)
    return state


def orders(state: State, seat: int, level: str, seed: int = 0) -> tuple[AnyOrder, ...]:
    """Return the list that a level seals."""
    return listed(state, seat, level, seed).players[seat].orders


def carried_out(state: State) -> State:
    """Return the state after the turn; seats that have not sealed are idle."""
    decision: Decision = BaseDecision(state, evolve, Scripted())
    close(decision)
    return decision.state


def position(text: str, **options: int | str) -> State:
    """Return a position from TOML, without domination or turn limit unless given."""
    return begin(text, {"domination": 0, "turn_limit": 0, **options}).state


@st.composite
def writers(draw: st.DrawFn, *, advanced: bool) -> tuple[State, int]:
    """Draw a position with empty lists, and a seat that must write one."""
    drawn = draw(turns(advanced=advanced))
    fresh = (replace(player, orders=(), sealed=False) for player in drawn.players.values())
    state = replace(drawn, players=Roster(fresh))
    return state, draw(st.sampled_from(sorted(RULES.owes(state))))


def with_other_secrets(state: State, seat: int) -> State:
    """Return the state with other purses, lists, mines and spies of all seats but one."""
    players = [
        replace(
            player, ip=player.ip + 31, crop=player.crop + 1, dynamite=1, toxic=2, orders=SECRET_LIST
        )
        for player in state.players.values()
        if player.id != seat
    ]
    advanced = state.options.variant == "advanced"
    lands = [
        _with_other_secrets(here, seat) if advanced else here for here in state.territories.values()
    ]
    return replace(state, players=state.players.put(*players), territories=Roster(lands))


def _with_other_secrets(here: Territory, seat: int) -> Territory:
    own = tuple((who, count) for who, count in here.laid if who == seat)
    unknown = sum(count for _, count in here.laid)
    mines = here.mines - unknown + sum(count for _, count in own)
    hidden = 0 if here.owner in (NOBODY, seat) else 2
    other = 1 - min(seat, 1)
    laid = tuple(sorted((*own, (other, 3))))
    return replace(here, spy=here.spy + hidden, mines=mines + 3, laid=laid)


@pytest.mark.rule("GD-CHECK-2", "GD-LIST-3", "GD-SECRET-1", "GD-SECRET-2", "GD-SECRET-4")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("variant", ["base", "advanced"])
def test_every_list_can_be_sealed_and_ignores_secrets(level: str, variant: str) -> None:
    @settings(max_examples=TRIED[level])
    @given(writer=writers(advanced=variant == "advanced"))
    def is_sealed_and_the_same(writer: tuple[State, int]) -> None:
        state, seat = writer
        seen = RULES.view(state, seat)
        planned = plan(seen, level)
        assert sealed_by(state, seat, planned).players[seat].sealed
        other = with_other_secrets(state, seat)
        assert other != state
        seen_there = RULES.view(other, seat)
        assert encode(seen_there) == encode(seen)
        assert plan(seen_there, level) == planned

    is_sealed_and_the_same()


@pytest.mark.parametrize("level", LEVELS)
def test_same_seed_gives_the_same_list(level: str) -> None:
    state = position(FRONT)
    first = plan(RULES.view(state, 0), level)
    plan(RULES.view(state, 1), level)
    again = decoder(View).decode(encode(RULES.view(state, 0)))
    assert plan(again, level) == first


def test_hard_level_varies_its_list_with_the_seed() -> None:
    state = position(FRONT)
    first = orders(state, 0, "hard")
    assert any(orders(state, 0, "hard", seed) != first for seed in range(1, 8))


@pytest.mark.parametrize("level", LEVELS)
def test_undefended_headquarters_next_door_is_taken(level: str) -> None:
    state = position(
        """
        borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]
        players = [{ id = 0 }, { id = 1 }]
        territories = [
          { id = 1, owner = 0, army = 2, hq = 0 },
          { id = 2, owner = 0 },
          { id = 3, owner = 0, army = 8 },
          { id = 4, owner = 1, hq = 1 },
          { id = 5, owner = 1, army = 1 },
        ]
        turn = 6
        """
    )
    for seed in SEEDS:
        assert carried_out(listed(state, 0, level, seed)).territories[4].owner == 0


@pytest.mark.parametrize("level", LEVELS)
def test_threatened_headquarters_is_held(level: str) -> None:
    state = position(
        """
        borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]
        players = [{ id = 0 }, { id = 1, orders = ["move path=3>2 count=5"], sealed = true }]
        territories = [
          { id = 1, owner = 0, army = 2 },
          { id = 2, owner = 0, army = 2, hq = 0 },
          { id = 3, owner = 1, army = 5 },
          { id = 4, owner = 1 },
          { id = 5, owner = 1, hq = 1 },
        ]
        turn = 5
        """
    )
    assert carried_out(state).territories[2].owner == 1
    for seed in SEEDS:
        assert listed(state, 0, level, seed).territories[2].owner == 0


@pytest.mark.parametrize("level", LEVELS)
def test_one_army_takes_two_neutral_territories(level: str) -> None:
    state = position(
        """
        borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7]]
        players = [{ id = 0 }, { id = 1 }]
        territories = [
          { id = 1, owner = 0, hq = 0 },
          { id = 2, owner = 0, army = 1 },
          { id = 7, owner = 1, hq = 1 },
        ]
        turn = 5
        """
    )
    for seed in SEEDS:
        end = carried_out(listed(state, 0, level, seed))
        assert [here.owner for here in end.territories.values()] == [0, 0, 0, 0, NOBODY, NOBODY, 1]


@pytest.mark.parametrize("level", LEVELS)
def test_free_land_is_taken_before_wasteland(level: str) -> None:
    state = position(
        """
        borders = [[1, 2], [1, 3], [1, 4], [1, 5], [1, 6], [1, 7], [7, 8], [8, 9], [9, 10]]
        players = [{ id = 0 }, { id = 1 }]
        territories = [
          { id = 1, owner = 0, army = 1 },
          { id = 2, wasteland = true },
          { id = 3, wasteland = true },
          { id = 4, wasteland = true },
          { id = 10, owner = 1, hq = 1 },
        ]
        turn = 5
        """
    )
    for seed in SEEDS:
        end = carried_out(listed(state, 0, level, seed))
        taken = [at for at, here in end.territories.items() if here.owner == 0]
        assert taken == [1, 5, 6, 7, 8]


@pytest.mark.rule("GD-BUILD-1")
@pytest.mark.parametrize("level", LEVELS)
def test_nothing_is_built_on_wasteland(level: str) -> None:
    state = position(
        """
        borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7]]
        players = [{ id = 0, ip = 200 }, { id = 1 }]
        territories = [
          { id = 1, owner = 0, army = 3, wasteland = true },
          { id = 2, owner = 0, army = 3, hq = 0 },
          { id = 3, owner = 0, army = 3, wasteland = true },
          { id = 7, owner = 1, hq = 1 },
        ]
        turn = 5
        """
    )
    built = {order.at for order in orders(state, 0, level) if isinstance(order, Build)}
    assert built == {2}


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_is_built_or_bought_in_the_last_turn(level: str) -> None:
    rich = FRONT.replace("ip = 20", "ip = 200")
    assert [order for order in orders(position(rich), 0, level) if isinstance(order, Buy | Build)]
    state = position(rich, turn_limit=5)
    assert not [order for order in orders(state, 0, level) if isinstance(order, Buy | Build)]


MINES = """
borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]
players = [{ id = 0 }, { id = 1 }]
territories = [
  { id = 1, owner = 0, hq = 0 },
  { id = 2, owner = 0, army = 5 },
  { id = 3, mines = 3 },
  { id = 6, owner = 1, army = 1, hq = 1 },
]
turn = 5
options = { variant = "advanced" }
"""


@pytest.mark.rule("GD-MINE-2")
@pytest.mark.parametrize("level", LEVELS)
def test_known_mines_are_crossed_with_enough_units(level: str) -> None:
    for seed in SEEDS:
        end = carried_out(listed(position(MINES), 0, level, seed))
        assert end.territories[3].owner == 0


@pytest.mark.rule("GD-MINE-2")
def test_easy_level_sends_no_army_to_certain_death_in_mines() -> None:
    few = position(MINES.replace("army = 5", "army = 1"))
    for seed in SEEDS:
        end = carried_out(listed(few, 0, "easy", seed))
        assert sum(here.army for here in end.territories.values() if here.owner == 0) == 1 + 2


@pytest.mark.parametrize(("turn", "owner"), [(5, 1), (6, 0)])
def test_easy_level_does_not_invade_before_turn_6(turn: int, owner: int) -> None:
    state = position(
        f"""
        borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]
        players = [{{ id = 0 }}, {{ id = 1 }}]
        territories = [
          {{ id = 1, owner = 0, army = 2, hq = 0 }},
          {{ id = 2, owner = 0 }},
          {{ id = 3, owner = 0, army = 8 }},
          {{ id = 4, owner = 1, hq = 1 }},
          {{ id = 5, owner = 1, army = 1 }},
        ]
        turn = {turn}
        """
    )
    for seed in SEEDS:
        assert carried_out(listed(state, 0, "easy", seed)).territories[4].owner == owner


def test_easy_level_takes_neutral_land_slowly() -> None:
    borders = ", ".join(f"[{at}, {at + 1}]" for at in range(1, 14))
    state = position(
        f"""
        borders = [{borders}]
        players = [{{ id = 0 }}, {{ id = 1 }}]
        territories = [
          {{ id = 5, owner = 0, army = 6, hq = 0 }},
          {{ id = 14, owner = 1, army = 2, hq = 1 }},
        ]
        turn = 3
        """
    )
    for level, least, most in (("easy", 2, 5), ("normal", 5, 9)):
        after = carried_out(listed(state, 0, level))
        assert least <= sum(here.owner == 0 for here in after.territories.rows()) <= most


@pytest.mark.rule("GD-INTEL-1")
def test_spy_saves_the_penalty_and_stays() -> None:
    state = position(
        """
        borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]
        players = [{ id = 0 }, { id = 1 }]
        territories = [
          { id = 1, owner = 0, hq = 0, spy = 1 },
          { id = 2, owner = 0, army = 5 },
          { id = 3, owner = 1, army = 1 },
          { id = 6, owner = 1, army = 1, hq = 1 },
        ]
        turn = 6
        options = { variant = "advanced" }
        """
    )
    after = carried_out(listed(state, 0, "easy"))
    assert after.territories[3].owner == 0
    assert after.territories[1].spy == 1


@pytest.mark.parametrize(("level", "seed"), [("easy", 0), ("easy", 1), ("normal", 1), ("hard", 1)])
def test_computer_players_clash_for_sites_once_at_most(level: str, seed: int) -> None:
    state = begin('map = "west16"\nseats = 3').state
    while state.turn == 1:
        for seat in sorted(RULES.owes(state)):
            state = listed(state, seat, level, seed + state.failed_rounds)
        if not state.failed_rounds:
            break
        assert state.failed_rounds == 1
    assert all(player.hq_built for player in state.players.values())


def test_shares_avoid_clashed_sites_and_favour_no_seat() -> None:
    state = begin('map = "world64"\nseats = 3').state
    best = set[int]()
    for at in (10, 31):
        clashed = replace(
            state,
            failed_rounds=1,
            choosing=(0, 2),
            deeds=tuple(Deed(seat, "hq", at, what="failed") for seat in (0, 2)),
        )
        found = shares(RULES.view(clashed, 0))
        assert found == shares(RULES.view(clashed, 2))
        assert found.keys() == {0, 2}
        one, other = found.values()
        assert other not in close_by(state.world, one)
        assert not {one, other} & close_by(state.world, at)
        best.add(next(iter(found)))
    assert shares(RULES.view(state, 0)) == {}
    assert best == {0, 2}


@pytest.mark.parametrize("clashed", [(6, 8), (11, 15), (9, 11), (10, 11), (8, 8), (7, 8)])
def test_shares_after_a_clash_are_nearly_equal(
    clashed: tuple[int, int],
) -> None:
    state = begin('map = "west16"\nseats = 2').state
    deeds = tuple(Deed(seat, "hq", at, what="failed") for seat, at in enumerate(clashed))
    again = replace(state, failed_rounds=1, choosing=(0, 1), deeds=deeds)
    one, other = shares(again).values()
    rows = geometry(state.world).apart[1:]
    assert (
        min(sum(row[one] < row[other] for row in rows), sum(row[other] < row[one] for row in rows))
        >= 7
    )


def test_hard_level_predicts_sites_of_the_normal_level() -> None:
    state = begin('map = "west16"\nseats = 2').state
    scene = scene_of(RULES.view(state, 0))
    foreseen = {homes[1] for homes in likely_homes(scene, Seeded(b"homes", 1, "bot:0"), 6)}
    lists = [orders(state, 1, "normal", seed) for seed in range(5)]
    chosen = [order.at for found in lists for order in found if isinstance(order, PlaceHq)]
    assert len(chosen) == 5
    assert sum(at in foreseen for at in chosen) >= 3
    assert len(foreseen) < 6
