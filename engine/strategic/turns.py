"""Turns and rounds: their order and phases, movement points, and field towers."""

from __future__ import annotations

from collections import Counter

from engine.kit.grid import Place
from engine.strategic import item_records
from engine.strategic.decision import Decision
from engine.strategic.events import (
    PointsRefilled,
    RoundBegan,
    StageSet,
    TowersBuilt,
    TowersFell,
    TurnBegan,
)
from engine.strategic.pieces import Tower
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, armies_at, armies_of

# -- Rounds ----------------------------------------------------------------------------------------


def begin_game(work: Decision, book: RuleSettings) -> None:
    """The first round and the first turn begin.

    Rules: W2-13.1.
    """
    _begin_round(work, book, work.state.turn)


def end_turn(work: Decision, book: RuleSettings, side: int) -> None:
    """The turn of a side ends; the next one begins.

    Rules: W2-13.1, W2-13.2.
    """
    for phase in book.turns.closing:
        phase(work, book, side)
    pass_on(work, book)


def pass_on(work: Decision, book: RuleSettings) -> None:
    """The next living side plays; after the last one the round ends.

    Rules: W2-13.1.
    """
    if work.state.reason is not None:
        return
    at = _next(work.state, work.state.at + 1)
    if at is not None:
        begin_turn(work, book, at)
        return
    for phase in book.turns.round_end:
        phase(work, book)
    if work.state.question is None:
        go_on_round(work, book)


def go_on_round(work: Decision, book: RuleSettings) -> None:
    """What comes after it is clear that the game goes on: another round.

    Rules: W2-13.1.
    """
    if work.state.reason is not None:
        return
    for phase in book.turns.between:
        phase(work, book)
    _begin_round(work, book, work.state.turn + 1)


def _begin_round(work: Decision, book: RuleSettings, turn: int) -> None:
    work.emit(RoundBegan(turn=turn, order=book.turns.order(work)))
    at = _next(work.state, 0)
    if at is not None:
        begin_turn(work, book, at)


def _next(world: World, first: int) -> int | None:
    """The first place of the order, from ``first`` on, of a side that plays. Rules: W2-13.1."""
    places = range(first, len(world.order))
    return next((at for at in places if world.sides[world.order[at]].alive), None)


# -- Start of a turn -------------------------------------------------------------------------------


def begin_turn(work: Decision, book: RuleSettings, at: int) -> None:
    """The turn of whoever is at this place of the order begins, up to the offer of a hero.

    Where a hero asks for an answer the rest of the start of the turn waits for it.

    Rules: W2-13.2.
    """
    work.emit(TurnBegan(side=work.state.order[at], at=at))
    for phase in book.turns.opening:
        phase(work, book, work.state.current)
    if work.state.question is not None:
        work.emit(StageSet(stage="offer"))
    else:
        go_on_turn(work, book)


def go_on_turn(work: Decision, book: RuleSettings) -> None:
    """What comes between the offer of a hero and the side's orders.

    Rules: W2-13.2.
    """
    leave_offer(work)
    for phase in book.turns.rest:
        phase(work, book, work.state.current)


def leave_offer(work: Decision) -> None:
    """Nothing waits for an offered hero any more."""
    if work.state.stage == "offer":
        work.emit(StageSet(stage="orders"))


# -- Movement points -------------------------------------------------------------------------------


def refill_points(work: Decision, book: RuleSettings, side: int) -> None:
    """All armies of a side get their points.

    Rules: W2-6.3.
    """
    world = work.state
    bearers = speed_bearers(world, side)
    after = ((army, book.turns.refill(army, bearers[army.at])) for army in armies_of(world, side))
    points = tuple((army.id, rested) for army, rested in after if rested != army.points)
    if points:
        work.emit(PointsRefilled(side=side, points=points))


def speed_bearers(world: World, side: int) -> Counter[Place]:
    """On which tiles of a side heroes have something that speeds up, and how many.

    Rules: W2-6.3.
    """
    return Counter(
        army.at
        for army in armies_of(world, side)
        if army.hero is not None and item_records.speed(world, army.id) > 0
    )


# -- Field towers ----------------------------------------------------------------------------------


def build_towers(work: Decision, book: RuleSettings, side: int) -> None:
    """Armies of a side that defend build towers where there are none of theirs.

    Rules: W2-6.7.
    """
    world = work.state
    places = sorted(
        {
            army.at
            for army in armies_of(world, side)
            if army.defends and not army.aboard and book.turns.builds_on(world, army.at)
        },
        key=lambda at: (at[1], at[0]),
    )
    towers = (Tower(id=y * world.width + x, x=x, y=y, owner=side) for x, y in places)
    new = tuple(tower for tower in towers if world.towers.get(tower.id) != tower)
    if new:
        work.emit(TowersBuilt(towers=new))


def drop_unmanned(work: Decision) -> None:
    """Towers fall where no army of their owner stands.

    Rules: W2-2.4, W2-6.7.
    """
    world = work.state
    fallen = tuple(
        tower.id
        for tower in world.towers.values()
        if not any(army.owner == tower.owner for army in armies_at(world, (tower.x, tower.y)))
    )
    if fallen:
        work.emit(TowersFell(towers=fallen))
