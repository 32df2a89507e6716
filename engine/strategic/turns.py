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


def begin_game(decision: Decision, settings: RuleSettings) -> None:
    """Begin the first round and the first turn."""
    _begin_round(decision, settings, decision.state.turn)


def end_turn(decision: Decision, settings: RuleSettings, side: int) -> None:
    """End the turn of a side and begin the next one."""
    for phase in settings.turns.closing:
        phase(decision, settings, side)
    pass_on(decision, settings)


def pass_on(decision: Decision, settings: RuleSettings) -> None:
    """Begin the turn of the next living side, or end the round after the last one."""
    for end in settings.turns.turn_end if decision.state.reason is None else ():
        end(decision, settings)
    if decision.state.reason is not None:
        return
    at = _next(decision.state, decision.state.at + 1)
    if at is not None:
        begin_turn(decision, settings, at)
        return
    for phase in settings.turns.round_end:
        phase(decision, settings)
    if decision.state.pending is None:
        go_on_round(decision, settings)


def for_all(*phases: TurnPhase) -> RoundPhase:
    """Return a round phase that runs turn phases for each living side, in order of play."""

    def run(decision: Decision, settings: RuleSettings) -> None:
        for side in decision.state.order:
            for phase in phases if decision.state.sides[side].alive else ():
                phase(decision, settings, side)

    return run


def go_on_round(decision: Decision, settings: RuleSettings) -> None:
    """Begin the next round, unless the game is over."""
    if decision.state.reason is not None:
        return
    for phase in settings.turns.between:
        phase(decision, settings)
    _begin_round(decision, settings, decision.state.turn + 1)


def _begin_round(decision: Decision, settings: RuleSettings, turn: int) -> None:
    decision.emit(RoundBegan(turn=turn, order=settings.turns.order(decision)))
    at = _next(decision.state, 0)
    if at is not None:
        begin_turn(decision, settings, at)


def _next(world: World, first: int) -> int | None:
    """Return the first index in the order, from ``first`` on, of a living side, or None."""
    places = range(first, len(world.order))
    return next((at for at in places if world.sides[world.order[at]].alive), None)


# -- Start of a turn -------------------------------------------------------------------------------


def begin_turn(decision: Decision, settings: RuleSettings, at: int) -> None:
    """Begin the turn of the side at an index of the order, up to a hero's offer.

    While an offer is open, the rest of the turn's start waits for the answer.
    """
    decision.emit(TurnBegan(side=decision.state.order[at], at=at))
    for phase in settings.turns.opening:
        phase(decision, settings, decision.state.current)
    if decision.state.pending is not None:
        decision.emit(StageSet(stage="offer"))
    else:
        go_on_turn(decision, settings)


def go_on_turn(decision: Decision, settings: RuleSettings) -> None:
    """Run the phases between the offer of a hero and the side's orders."""
    leave_offer(decision)
    for phase in settings.turns.rest:
        phase(decision, settings, decision.state.current)


def leave_offer(decision: Decision) -> None:
    """End the stage in which the offer of a hero is open."""
    if decision.state.stage == "offer":
        decision.emit(StageSet(stage="orders"))


# -- Movement points -------------------------------------------------------------------------------


def refill_points(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Refill the movement points of a side's armies."""
    world = decision.state
    own = armies_of(world, side)
    bearers: Counter[Place] = Counter()
    for army in own:
        bearers[army.at] += speed_of(world, settings, army)
    after = ((army, settings.turns.refill(army, bearers[army.at])) for army in own)
    points = tuple((army.id, rested) for army, rested in after if rested != army.points)
    set_points(decision, side, points)


def set_points(decision: Decision, side: int, points: tuple[tuple[int, int], ...]) -> None:
    """Set the movement points of a side's armies, as (army, points); emit nothing for none."""
    if points:
        decision.emit(PointsRefilled(side=side, points=points))


def heal(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Let the wounded armies of a side recover, where wounds last."""
    hurt = (army for army in armies_of(decision.state, side) if army.wounds)
    after = ((army, settings.turns.heals(army)) for army in hurt)
    wounds = tuple((army.id, lost) for army, lost in after if lost != army.wounds)
    if wounds:
        decision.emit(ArmiesHealed(wounds))


def speed_of(world: World, settings: RuleSettings, army: Army) -> int:
    """Return the number of speed items that count for an army; 0 unless it is a hero."""
    most = settings.heroes.items.most_speed
    return min(item_records.speed(world, army.id), most) if army.hero is not None else 0


# -- Field towers ----------------------------------------------------------------------------------


def build_towers(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Build towers of a side on the tiles where its armies defend without one."""
    world = decision.state
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
        decision.emit(TowersBuilt(towers=new))


def drop_unmanned(decision: Decision) -> None:
    """Remove the towers on tiles without an army of their owner."""
    world = decision.state
    drop_towers(
        decision,
        (
            tower
            for tower in world.towers.values()
            if not any(army.owner == tower.owner for army in armies_at(world, (tower.x, tower.y)))
        ),
    )


def drop_towers(decision: Decision, towers: Iterable[Tower]) -> None:
    """Remove towers; emit nothing for none."""
    fallen = tuple(tower.id for tower in towers)
    if fallen:
        decision.emit(TowersFell(fallen))
