"""Random positions with a list for every seat, for whole turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.record import replace
from engine.rulesets.gd6.commands import (
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
from engine.rulesets.gd6.turns import snapshot_of
from tests.rulesets.gd6.engine_movement import position
from tests.rulesets.gd6.movement_cases import Problem
from tests.rulesets.gd6.positions import problems


class Ground(NamedTuple):
    """A map: territories, borders, sites of headquarters, and wanted sites."""

    lands: int
    borders: tuple[tuple[int, int], ...]
    sites: tuple[int, ...]
    wanted: tuple[int, ...] = ()


def _ring(lands: int) -> tuple[tuple[int, int], ...]:
    return tuple((at, at % lands + 1) for at in range(1, lands + 1))


NARROW: Final = Ground(
    12, (*_ring(12), (1, 5), (2, 9), (3, 7), (4, 11), (6, 10), (8, 12)), (1, 4, 8)
)
"""Dense map without room for another headquarters (checks of scenarios are not run here)."""
WIDE: Final = Ground(20, (*_ring(20), (2, 20), (10, 12)), (1, 11), (5, 7, 6, 4, 8, 16))
"""Map with two headquarters and room for up to four more, wanted close to each other."""


@st.composite
def turns(draw: st.DrawFn, seats: int | None = None, *, advanced: bool | None = None) -> State:
    """Draw a position in which every seat has sealed a list of mostly possible orders."""
    count = seats if seats is not None else draw(st.integers(2, 4))
    settled = [seat < len(NARROW.sites) for seat in range(count)]
    return _turn(draw, NARROW, settled, advanced=advanced)


@st.composite
def openings(draw: st.DrawFn, most_seats: int = 4) -> State:
    """Draw a position in which some seats have settled, others want to, and a few concede.

    The list of the turn before is another sealed list, for seats that must choose again.
    """
    others = draw(st.lists(st.booleans(), min_size=1, max_size=most_seats - 2))
    settled = draw(st.permutations([False, False, *others]))
    state = _turn(draw, WIDE, settled, advanced=None)
    players = []
    for player in state.players.values():
        full = state.options.variant == "advanced"
        last = tuple(_orders(draw, state, WIDE, player.id, full=full))
        gone = draw(st.integers(0, 9)) == 9
        players.append(replace(player, last=last, conceding=gone, sealed=not gone))
    return replace(state, players=Roster(players))


def battles() -> st.SearchStrategy[State]:
    """Draw a position at the Movement Phase, with moves that meet and form loops."""
    return problems().map(_battle)


def _battle(problem: Problem) -> State:
    state = position(problem)
    owners = [here.owner for here in state.territories.values()]
    last = max(1, *owners, *problem["orders"])
    return replace(state, players=Roster(state.players[seat] for seat in range(last + 1)))


def _turn(
    draw: st.DrawFn, ground: Ground, settled: Sequence[bool], *, advanced: bool | None
) -> State:
    full = draw(st.booleans()) if advanced is None else advanced
    world = world_of(Setting("turn", "A turn", "", borders=ground.borders))
    landed = list(range(len(settled))) if ground is NARROW else _those(settled)
    lands = Roster(
        _land(draw, ground, at, landed, _those(settled), full=full)
        for at in range(1, ground.lands + 1)
    )
    options = Options("advanced" if full else "base", draw(st.sampled_from([0, 60])), 30)
    state = State(world, lands, Roster(), options, turn=draw(st.integers(1, 30)))
    return _with_players(draw, state, ground, settled, full=full)


def _those(settled: Sequence[bool]) -> list[int]:
    return [seat for seat, known in enumerate(settled) if known]


def _land(
    draw: st.DrawFn, ground: Ground, at: int, landed: list[int], settlers: list[int], *, full: bool
) -> Territory:
    owner = NOBODY if at in ground.wanted else draw(st.sampled_from([NOBODY, *landed]))
    hqs = dict(zip(ground.sites, settlers, strict=False))
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
        hq=hqs.get(at, NOBODY),
        wasteland=draw(st.integers(0, 7)) == 0,
        mines=mines,
        laid=((draw(st.sampled_from(landed or [0])), mines),) if mines else (),
    )


def _with_players(
    draw: st.DrawFn, state: State, ground: Ground, settled: Sequence[bool], *, full: bool
) -> State:
    players = []
    for seat, has_hq in enumerate(settled):
        active = has_hq or any(here.owner == seat for here in state.territories.values())
        player = Player(
            id=seat,
            ip=draw(st.integers(0, 120)),
            crop=draw(st.integers(0, 2)),
            dynamite=draw(st.integers(0, 2)),
            toxic=draw(st.integers(0, 2)),
            hq_built=active,
            status="active" if active else "unsettled",
            sealed=True,
            orders=tuple(_orders(draw, state, ground, seat, full=full)),
            opened=Snapshot(*snapshot_of(state, seat)),
        )
        players.append(player)
    return State(state.world, state.territories, Roster(players), state.options, turn=state.turn)


def _orders(
    draw: st.DrawFn, state: State, ground: Ground, seat: int, *, full: bool
) -> list[AnyOrder]:
    own = [here.id for here in state.territories.values() if here.owner == seat]
    found: list[AnyOrder] = []
    if ground.wanted and not own and draw(st.integers(0, 3)):
        own = [draw(st.sampled_from([*ground.wanted, *ground.sites]))]
        found.append(PlaceHq(own[0]))
    for _ in range(draw(st.integers(0, 7))):
        at = draw(st.sampled_from(own or [1]))
        order = _order(draw, state.world, at, full=full)
        if not (found and isinstance(found[0], PlaceHq) and isinstance(order, PlaceHq)):
            found.append(order)
    return found


def _order(draw: st.DrawFn, world: World, at: int, *, full: bool) -> AnyOrder:
    """Draw an order; only what its kind needs is drawn."""

    def count() -> int:
        return draw(st.integers(1, 3))

    def beside(here: int = at) -> int:
        return draw(st.sampled_from(world.beside(here)))

    def here_or_beside() -> int:
        return draw(st.sampled_from([at, beside()]))

    def move(more: int = 0) -> Move:
        unit: Unit = draw(st.sampled_from(("army", *UNITS))) if full else "army"
        path = [at, beside()]
        if unit in {"army", "cavalry"} and draw(st.booleans()):
            path.append(beside(path[-1]))
        return Move(tuple(path), count() + more, unit)

    plain: list[Callable[[], AnyOrder]] = [
        move,
        move,
        lambda: move(3),
        lambda: Spawn(here_or_beside(), 1),
        lambda: Build(at, draw(st.sampled_from(CONSTRUCTS))),
        lambda: UseCrop(((at, count()),)),
        lambda: UseDynamite(at, beside()),
        lambda: UseToxic(at, here_or_beside()),
        lambda: Buy(draw(st.sampled_from(ITEMS))),
        lambda: PlaceHq(draw(st.integers(1, len(world.lands)))),
    ]
    if full:
        plain += [
            lambda: Promote(at, draw(st.sampled_from(["cavalry", "heavy", "spy"])), 1),
            lambda: LayMines(here_or_beside(), count()),
        ]
    return draw(st.sampled_from(plain))()
