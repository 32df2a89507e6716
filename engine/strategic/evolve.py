"""Evolution: the world after an event. It books results and decides nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, assert_never

from engine.core.containers import Plane, Roster
from engine.core.record import replace
from engine.strategic import events as ev
from engine.strategic.pieces import NONE, Army, City, Side, side_bit
from engine.strategic.world import HOSTILE, World, hit_points

W = TypeVar("W", bound=World)


def evolve(world: W, event: ev.AnyEvent) -> W:
    """Return the world after an event."""
    match event:
        case ev.GroupMoved():
            return _moved(world, event)
        case ev.MarchStopped():
            return world
        case ev.GoalSet():
            rows = (world.armies[army] for army in event.armies)
            aimed = (replace(army, goal=event.to, to_flag=event.flag) for army in rows)
            return replace(world, armies=world.armies.put(*aimed))
        case ev.DefendSet():
            rows = (world.armies[army] for army in event.armies)
            set_so = (replace(army, defends=event.on) for army in rows)
            return replace(world, armies=world.armies.put(*set_so))
        case ev.TilesFound():
            cells = world.discovered.edit()
            cells.reshape(-1)[list(event.tiles)] |= side_bit(event.side)
            return replace(world, discovered=Plane(cells))
        case ev.GroundSighted():
            return world
        case ev.FogLifted():
            cells = world.discovered.edit()
            cells[:] = 255
            return replace(world, discovered=Plane(cells), lifted=True)
        case ev.TowersBuilt():
            return replace(world, towers=world.towers.put(*event.towers))
        case ev.TowersFell():
            return replace(world, towers=world.towers.drop(*event.towers))
        case ev.BattleFought():
            return _besieged(world, event)
        case ev.ArmiesRemoved():
            return replace(world, armies=world.armies.drop(*event.armies))
        case ev.ArmiesGrew():
            return replace(world, armies=world.armies.put(*event.armies))
        case ev.ArmiesHealed():
            return replace(world, armies=_wounded(world, event.wounds))
        case ev.ArmiesPlaced():
            placed = replace(world, armies=world.armies.put(*event.armies))
            return _counted(placed, len(event.armies))
        case ev.DeedsCounted():
            return replace(world, sides=world.sides.put(*event.sides))
        case ev.CityTaken():
            world = _painted(world, event.city, event.art)
            cities = world.cities.put(event.city, *event.others)
            return replace(world, cities=cities, sides=_paid(world, event.gold))
        case ev.CitySettled():
            sides = _paid(world, ((event.side, event.gold),))
            return replace(world, cities=world.cities.put(event.city), sides=sides)
        case ev.CityRazed():
            world = _painted(world, event.city, event.art, event.terrain)
            return replace(world, cities=world.cities.put(event.city, *event.others))
        case ev.CityChanged():
            return replace(world, cities=world.cities.put(event.city))
        case ev.SlotBought():
            sides = _paid(world, ((event.city.owner, event.gold),))
            return replace(world, cities=world.cities.put(event.city), sides=sides)
        case ev.Counted():
            counted = (replace(world.cities[city], left=left) for city, left in event.lefts)
            return replace(world, cities=world.cities.put(*counted))
        case ev.ArmyMade():
            city = replace(world.cities[event.city], left=event.left)
            armies = world.armies.put(event.army)
            return _counted(replace(world, cities=world.cities.put(city), armies=armies), 1)
        case ev.ArmySent():
            city = replace(world.cities[event.city], left=event.left)
            transits = world.transits.put(event.transit)
            made = replace(world, cities=world.cities.put(city), transits=transits)
            return _counted(made, 1)
        case ev.TransitsMoved():
            return replace(world, transits=world.transits.put(*event.transits))
        case ev.ArmyArrived():
            transits = world.transits.drop(event.transit)
            return replace(world, transits=transits, armies=world.armies.put(event.army))
        case ev.TransitsLost():
            return replace(world, transits=world.transits.drop(*event.transits))
        case ev.Asked():
            return replace(world, question=event.question)
        case ev.Answered():
            return replace(world, question=None)
        case ev.HeroHired():
            armies = world.armies.put(event.hero, *event.allies)
            items = world.items.put(*event.items)
            sides = _paid(world, ((event.side, event.gold),))
            joined = replace(world, armies=armies, items=items, sides=sides)
            return _counted(joined, 1 + len(event.allies))
        case ev.ItemsMoved():
            return replace(world, items=world.items.put(*event.items))
        case ev.FlagSet():
            side = replace(world.sides[event.side], flag=event.at)
            return replace(world, sides=world.sides.put(side))
        case ev.SiteSearched():
            return replace(world, sites=world.sites.put(event.site))
        case ev.SiteKnown():
            return replace(world, sites=world.sites.put(*event.sites))
        case ev.GoldChanged() | ev.IncomeCame():
            return replace(world, sides=_paid(world, ((event.side, event.gold),)))
        case ev.QuestSet():
            side = replace(world.sides[event.side], quest=event.quest)
            return replace(world, sides=world.sides.put(side))
        case ev.RoundBegan():
            return replace(world, turn=event.turn, order=event.order, at=0)
        case ev.TurnBegan():
            return replace(world, at=event.at)
        case ev.StageSet():
            return replace(world, stage=event.stage)
        case ev.PointsRefilled():
            able = (replace(world.armies[army], points=points) for army, points in event.points)
            return replace(world, armies=world.armies.put(*able))
        case ev.StanceSet():
            side = replace(world.sides[event.side], stances=event.stances)
            return replace(world, sides=world.sides.put(side))
        case ev.TreatyChanged():
            treaties = _agreed(world, [(event.sides[0].id, event.sides[1].id)], event.treaty)
            return replace(world, sides=world.sides.put(*event.sides), treaties=treaties)
        case ev.RatingChanged():
            side = replace(world.sides[event.side], rating=event.rating)
            return replace(world, sides=world.sides.put(side))
        case ev.FightOrderSet():
            side = replace(world.sides[event.side], order=event.order)
            return replace(world, sides=world.sides.put(side))
        case ev.SideOut():
            pairs = [(event.side.id, other) for other in world.sides if other != event.side.id]
            treaties = _agreed(world, pairs, HOSTILE)
            return replace(world, sides=world.sides.put(event.side), treaties=treaties)
        case ev.CitiesFreed():
            for city, art in zip(event.cities, event.art, strict=True):
                world = _painted(world, city, art)
            return replace(world, cities=world.cities.put(*event.cities))
        case ev.GameEnded():
            return replace(world, winners=event.winners, reason=event.reason, question=None)
        case _:
            assert_never(event)


def _moved(world: W, event: ev.GroupMoved) -> W:
    x, y = event.path[-1]
    first = world.armies[event.armies[0]]
    trail = (first.at, *event.path)
    rows = zip(event.armies, event.points, event.aboard, strict=True)
    moved = (
        replace(world.armies[army], x=x, y=y, points=points, aboard=aboard)
        for army, points, aboard in rows
    )
    armies = world.armies.put(*moved)
    return replace(world, armies=armies, trail=trail, trail_of=first.owner)


def _besieged(world: W, event: ev.BattleFought) -> W:
    if event.wounds:
        world = replace(world, armies=_wounded(world, event.wounds))
    if event.city == NONE:
        return world
    city = replace(world.cities[event.city], attacked_by=event.attacked_by)
    return replace(world, cities=world.cities.put(city))


def _wounded(world: World, wounds: Iterable[tuple[int, int]]) -> Roster[Army]:
    """Return the armies with the given hit points lost, as (army, lost)."""
    rows = ((world.armies[army], lost) for army, lost in wounds)
    found = ((army, hit_points(world, army), lost) for army, lost in rows)
    return world.armies.put(
        *(replace(army, hp=replace(hp, lost=lost)) for army, hp, lost in found if hp is not None)
    )


def _counted(world: W, new: int) -> W:
    """Advance ``next_id`` by the number of new armies."""
    return replace(world, next_id=world.next_id + new)


def _painted(world: W, city: City, art: tuple[int, int, int, int], terrain: int | None = None) -> W:
    """Replace the pictures, and optionally the terrain, of the tiles of a city."""
    pictures, ground = world.art.edit(), world.terrain.edit()
    for (x, y), picture in zip(city.tiles, art, strict=True):
        pictures[y, x] = picture
        if terrain is not None:
            ground[y, x] = terrain
    painted = replace(world, art=Plane(pictures))
    return painted if terrain is None else replace(painted, terrain=Plane(ground))


def _paid(world: World, purses: Iterable[tuple[int, int]]) -> Roster[Side]:
    """Return the sides with new amounts of gold, given as (side, gold)."""
    return world.sides.put(*(replace(world.sides[side], gold=gold) for side, gold in purses))


def _agreed(
    world: World, pairs: Iterable[tuple[int, int]], treaty: int
) -> tuple[tuple[int, ...], ...]:
    """Return the treaties with a new one between the given pairs of sides."""
    rows = [list(row) for row in world.treaties]
    for one, other in pairs:
        rows[one][other] = rows[other][one] = treaty
    return tuple(tuple(row) for row in rows)
