"""Random positions with a list for every seat, for whole turns."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.rulesets.gd6.orders import (
    CONSTRUCTS,
    ITEMS,
    UNITS,
    AnyOrder,
    Build,
    Buy,
    LayMines,
    Move,
    PlaceHq,
    Promote,
    Spawn,
    Unit,
    UseCrop,
    UseDynamite,
    UseToxic,
)
from engine.rulesets.gd6.setup import world_of
from engine.rulesets.gd6.stages import snapshot_of
from engine.rulesets.gd6.state import (
    NOBODY,
    Options,
    Player,
    Setting,
    Snapshot,
    State,
    Territory,
    World,
)

LANDS: Final = 12
BORDERS: Final = (
    *((at, at % LANDS + 1) for at in range(1, LANDS + 1)),
    (1, 5), (2, 9), (3, 7), (4, 11), (6, 10), (8, 12),
)  # fmt: skip
SITES: Final = (1, 4, 8)
"""Pairwise at distance 3 or more would leave no room; checks of scenarios are not asked here."""


@st.composite
def turns(draw: st.DrawFn, seats: int | None = None, *, advanced: bool | None = None) -> State:
    """A position in which every seat has sealed a list, of which much is possible."""
    count = seats if seats is not None else draw(st.integers(2, 4))
    full = draw(st.booleans()) if advanced is None else advanced
    world = world_of(Setting("turn", "A turn", "", borders=BORDERS))
    lands = Roster(_land(draw, at, count, full=full) for at in range(1, LANDS + 1))
    options = Options("advanced" if full else "base", draw(st.sampled_from([0, 60])), 30)
    state = State(world, lands, Roster(), options, turn=draw(st.integers(1, 30)))
    return _with_players(draw, state, count, full=full)


def _land(draw: st.DrawFn, at: int, seats: int, *, full: bool) -> Territory:
    owner = draw(st.integers(-1, seats - 1))
    held = owner != NOBODY
    kept: tuple[Any, ...] = CONSTRUCTS if held else ("watchtower", "library")
    mines = draw(st.sampled_from([0, 0, 0, 1, 3])) if full else 0
    return Territory(
        id=at,
        owner=owner,
        loyalty=draw(st.integers(0, 3)) if held else 0,
        army=draw(st.integers(0, 6)) if held else 0,
        cavalry=draw(st.integers(0, 1)) if held and full else 0,
        heavy=draw(st.integers(0, 1)) if held and full else 0,
        spy=draw(st.integers(0, 1)) if held and full else 0,
        construct=draw(st.sampled_from((None, None, *kept))),
        hq=SITES.index(at) if at in SITES[: min(seats, 3)] else NOBODY,
        wasteland=draw(st.integers(0, 7)) == 0,
        mines=mines,
        laid=((draw(st.integers(0, seats - 1)), mines),) if mines else (),
    )


def _with_players(draw: st.DrawFn, state: State, seats: int, *, full: bool) -> State:
    players = []
    for seat in range(seats):
        settled = seat < len(SITES) or any(h.owner == seat for h in state.territories.values())
        player = Player(
            id=seat,
            ip=draw(st.integers(0, 120)),
            crop=draw(st.integers(0, 2)),
            dynamite=draw(st.integers(0, 2)),
            toxic=draw(st.integers(0, 2)),
            hq_built=settled,
            status="active" if settled else "unsettled",
            sealed=True,
            orders=tuple(_orders(draw, state, seat, full=full)),
            opened=Snapshot(*snapshot_of(state, seat)),
        )
        players.append(player)
    return State(state.world, state.territories, Roster(players), state.options, turn=state.turn)


def _orders(draw: st.DrawFn, state: State, seat: int, *, full: bool) -> list[AnyOrder]:
    own = [here.id for here in state.territories.values() if here.owner == seat]
    found: list[AnyOrder] = []
    for _ in range(draw(st.integers(0, 7))):
        at = draw(st.sampled_from(own or [1]))
        found.append(_order(draw, state.world, at, full=full))
    return found


def _order(draw: st.DrawFn, world: World, at: int, *, full: bool) -> AnyOrder:
    count = draw(st.integers(1, 3))
    beside = draw(st.sampled_from(world.beside(at)))
    unit: Unit = draw(st.sampled_from(("army", *UNITS))) if full else "army"
    path = [at, beside]
    if unit in {"army", "cavalry"} and draw(st.booleans()):
        path.append(draw(st.sampled_from(world.beside(beside))))
    plain: list[AnyOrder] = [
        Move(tuple(path), count, unit),
        Move(tuple(path), count, unit),
        Move(tuple(path), count + 3, unit),
        Spawn(draw(st.sampled_from([at, beside])), 1),
        Build(at, draw(st.sampled_from(CONSTRUCTS))),
        UseCrop(((at, count),)),
        UseDynamite(at, beside),
        UseToxic(at, draw(st.sampled_from([at, beside]))),
        Buy(draw(st.sampled_from(ITEMS))),
        PlaceHq(draw(st.integers(1, LANDS))),
    ]
    if full:
        plain += [
            Promote(at, draw(st.sampled_from(["cavalry", "heavy", "spy"])), 1),
            LayMines(draw(st.sampled_from([at, beside])), count),
        ]
    return draw(st.sampled_from(plain))
