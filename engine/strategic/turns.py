"""Turns and rounds: their order and phases, movement points, and field towers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.kit.grid import Place
from engine.strategic import item_records
from engine.strategic.decision import Decision
from engine.strategic.events.battle import ArmiesHealed
from engine.strategic.events.movement import TowersBuilt, TowersFell
from engine.strategic.events.turns import PointsRefilled, RoundBegan, StageSet, TurnBegan
from engine.strategic.pieces import Army, Tower
from engine.strategic.settings import RoundPhase, RuleSettings, TurnPhase
from engine.strategic.world import World, armies_at, armies_of

# -- Rounds ----------------------------------------------------------------------------------------


def begin_game(work: Decision, settings: RuleSettings) -> None:
    """Begin the first round and the first turn."""
    _begin_round(work, settings, work.state.turn)


def end_turn(work: Decision, settings: RuleSettings, side: int) -> None:
    """End the turn of a side and begin the next one."""
    for phase in settings.turns.closing:
        phase(work, settings, side)
    pass_on(work, settings)


def pass_on(work: Decision, settings: RuleSettings) -> None:
    """Begin the turn of the next living side; after the last one end the round."""
    for end in settings.turns.turn_end if work.state.reason is None else ():
        end(work, settings)
    if work.state.reason is not None:
        return
    at = _next(work.state, work.state.at + 1)
    if at is not None:
        begin_turn(work, settings, at)
        return
    for phase in settings.turns.round_end:
        phase(work, settings)
    if work.state.pending is None:
        go_on_round(work, settings)


def for_all(*phases: TurnPhase) -> RoundPhase:
    """Phases of a turn that run for all living sides when a round ends, side by side."""

    def run(work: Decision, settings: RuleSettings) -> None:
        for side in work.state.order:
            for phase in phases if work.state.sides[side].alive else ():
                phase(work, settings, side)

    return run


def go_on_round(work: Decision, settings: RuleSettings) -> None:
    """Begin another round, once it is clear that the game goes on."""
    if work.state.reason is not None:
        return
    for phase in settings.turns.between:
        phase(work, settings)
    _begin_round(work, settings, work.state.turn + 1)


def _begin_round(work: Decision, settings: RuleSettings, turn: int) -> None:
    work.emit(RoundBegan(turn=turn, order=settings.turns.order(work)))
    at = _next(work.state, 0)
    if at is not None:
        begin_turn(work, settings, at)


def _next(world: World, first: int) -> int | None:
    """First place of the order, from ``first`` on, of a side that plays."""
    places = range(first, len(world.order))
    return next((at for at in places if world.sides[world.order[at]].alive), None)


# -- Start of a turn -------------------------------------------------------------------------------


def begin_turn(work: Decision, settings: RuleSettings, at: int) -> None:
    """Begin the turn of the side at a place of the order, up to the offer of a hero.

    Where a hero asks for an answer the rest of the start of the turn waits for it.
    """
    work.emit(TurnBegan(side=work.state.order[at], at=at))
    for phase in settings.turns.opening:
        phase(work, settings, work.state.current)
    if work.state.pending is not None:
        work.emit(StageSet(stage="offer"))
    else:
        go_on_turn(work, settings)


def go_on_turn(work: Decision, settings: RuleSettings) -> None:
    """Phases between the offer of a hero and the side's orders."""
    leave_offer(work)
    for phase in settings.turns.rest:
        phase(work, settings, work.state.current)


def leave_offer(work: Decision) -> None:
    """End the stage in which the offer of a hero waits."""
    if work.state.stage == "offer":
        work.emit(StageSet(stage="orders"))


# -- Movement points -------------------------------------------------------------------------------


def refill_points(work: Decision, settings: RuleSettings, side: int) -> None:
    """Refill the movement points of a side's armies."""
    world = work.state
    own = armies_of(world, side)
    bearers: Counter[Place] = Counter()
    for army in own:
        bearers[army.at] += speed_of(world, settings, army)
    after = ((army, settings.turns.refill(army, bearers[army.at])) for army in own)
    points = tuple((army.id, rested) for army, rested in after if rested != army.points)
    set_points(work, side, points)


def set_points(work: Decision, side: int, points: tuple[tuple[int, int], ...]) -> None:
    """Set the movement points of a side's armies, (army, points), if there are any."""
    if points:
        work.emit(PointsRefilled(side=side, points=points))


def heal(work: Decision, settings: RuleSettings, side: int) -> None:
    """Let the wounded armies of a side recover, where wounds last."""
    hurt = (army for army in armies_of(work.state, side) if army.wounds)
    after = ((army, settings.turns.heals(army)) for army in hurt)
    wounds = tuple((army.id, lost) for army, lost in after if lost != army.wounds)
    if wounds:
        work.emit(ArmiesHealed(wounds))


def speed_of(world: World, settings: RuleSettings, army: Army) -> int:
    """For how many bearers of speed an army counts: its items, so many at most."""
    most = settings.heroes.items.most_speed
    return min(item_records.speed(world, army.id), most) if army.hero is not None else 0


# -- Field towers ----------------------------------------------------------------------------------


def build_towers(work: Decision, settings: RuleSettings, side: int) -> None:
    """Build towers of a side where its armies defend without one."""
    world = work.state
    places = sorted(
        {
            army.at
            for army in armies_of(world, side)
            if army.defends and not army.aboard and settings.turns.builds_on(world, army.at)
        },
        key=lambda at: (at[1], at[0]),
    )
    towers = (Tower(id=y * world.width + x, x=x, y=y, owner=side) for x, y in places)
    new = tuple(tower for tower in towers if world.towers.get(tower.id) != tower)
    if new:
        work.emit(TowersBuilt(towers=new))


def drop_unmanned(work: Decision) -> None:
    """Towers fall where no army of their owner stands."""
    world = work.state
    drop_towers(
        work,
        (
            tower
            for tower in world.towers.values()
            if not any(army.owner == tower.owner for army in armies_at(world, (tower.x, tower.y)))
        ),
    )


def drop_towers(work: Decision, towers: Iterable[Tower]) -> None:
    """Remove towers, if there are any."""
    fallen = tuple(tower.id for tower in towers)
    if fallen:
        work.emit(TowersFell(fallen))
