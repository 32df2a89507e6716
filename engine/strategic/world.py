"""The position of a game, and the lookups that every part of the rules needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.core.containers import Plane, Roster, changed_rows
from engine.core.record import Record
from engine.kit.grid import Place
from engine.kit.identity_cache import (
    identity_cache,
    identity_lru,
    incremental_cache,
    keyed_identity_cache,
)
from engine.strategic.pieces import (
    NOBODY,
    Army,
    City,
    Guardian,
    HitPoints,
    Item,
    Question,
    Side,
    Sign,
    Site,
    Tower,
    Transit,
    UnitType,
)
from engine.strategic.refusal import Refusal, Topic, refuse

PEACE: Final = 0
HOSTILE: Final = 1
WAR: Final = 2

Stage: TypeAlias = Literal["offer", "orders"]
"""Stage of the start of a turn: before or after the answer to a hero's offer."""

GameEnd: TypeAlias = Literal["conquest", "surrender", "humans_out", "all_out"]


class Pending(NamedTuple):
    """A question that must be answered before anything else: its kind and the side asked."""

    kind: str
    side: int


class World(Record, frozen=True, kw_only=True, weakref=True):
    """The position of a game.

    The planes are uint8 of shape (height, width). ``terrain`` holds the ruleset's terrain codes,
    ``roads`` 0 or 1, ``art`` the number of each tile's picture, and ``discovered`` a bit for each
    side (bit k: side k knows the tile). ``treaties[a][b]`` is PEACE, HOSTILE or WAR, the same both
    ways.

    ``turn`` counts rounds from 1. ``order`` lists the sides in this round's order of play, and
    ``at`` is the index in it of the side to move. ``lifted`` is true once the fog is gone for good.
    ``trail`` is the path of the last group, start included, and ``trail_of`` its side. ``next_id``
    is the number of the next new army, from which its id is made.

    ``secret`` holds 32 hexadecimal digits, drawn at the start of a game in which anything on the
    map is hidden. They determine a new map and the ids of armies. ``origin`` says what a new map
    was made from. Both stay hidden until the game ends. Older games have ``key`` in place of
    ``secret``.

    ``neutral_order`` holds the rank of each type in the line of battle of neutral armies, by type
    id; types without an entry keep their usual rank.
    """

    name: str = ""
    title: str = ""
    about: str = ""
    terrain: Plane
    roads: Plane
    art: Plane
    discovered: Plane
    ports: tuple[Place, ...] = ()
    signs: tuple[Sign, ...] = ()
    types: Roster[UnitType] = Roster()
    neutral_order: tuple[int, ...] = ()
    guardians: tuple[Guardian, ...] = ()
    sides: Roster[Side] = Roster()
    cities: Roster[City] = Roster()
    sites: Roster[Site] = Roster()
    items: Roster[Item] = Roster()
    towers: Roster[Tower] = Roster()
    armies: Roster[Army] = Roster()
    transits: Roster[Transit] = Roster()
    treaties: tuple[tuple[int, ...], ...] = ()
    turn: int = 1
    order: tuple[int, ...] = ()
    at: int = 0
    stage: Stage = "orders"
    question: Question | None = None
    lifted: bool = False
    trail: tuple[Place, ...] = ()
    trail_of: int = NOBODY
    next_id: int = 1
    key: int = 0
    secret: str = ""
    origin: str = ""
    winners: tuple[int, ...] = ()
    reason: GameEnd | None = None

    @property
    def width(self) -> int:
        """Number of tiles in a row."""
        return self.terrain.width

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.terrain.height

    @property
    def current(self) -> int:
        """Side to move, or NOBODY if ``order`` is empty."""
        return self.order[self.at] if self.order else NOBODY

    @property
    def pending(self) -> Pending | None:
        """Open question, or None. Rulesets with questions of their own include those here."""
        asked = self.question
        return None if asked is None else Pending(asked.kind, asked.side)


@identity_cache
def stacks(armies: Roster[Army]) -> Mapping[Place, tuple[Army, ...]]:
    """Return the armies by tile, each stack in id order; tiles without armies are missing."""
    found: dict[Place, list[Army]] = {}
    for army in armies.values():
        found.setdefault((army.x, army.y), []).append(army)
    return {at: tuple(stack) for at, stack in found.items()}


StacksByTile: TypeAlias = Mapping[Place, tuple[Army, ...]]
Held: TypeAlias = tuple[tuple[Place, int], ...]

_PART: Final = 8
"""Divisor of the number of armies: if more than this share changed, all are grouped again."""


@identity_lru(4)
def _few_changed(before: Roster[Army], after: Roster[Army]) -> tuple[tuple[Army, Army], ...] | None:
    """Return the changed armies as (old, new) pairs, or None if many changed, came or went."""
    return changed_rows(before, after, len(after) // _PART)


def _regrouped(
    before: Roster[Army], found: StacksByTile, after: Roster[Army], _key: None
) -> StacksByTile | None:
    """Update the stacks after a few armies moved or changed, or return None after many changes."""
    pairs = _few_changed(before, after)
    if pairs is None:
        return None
    known, rows = dict(found), dict[Place, dict[int, Army]]()
    for was, now in pairs:
        for at in (was.at, now.at):
            if at not in rows:
                rows[at] = {army.id: army for army in known.get(at, ())}
        del rows[was.at][was.id]
        rows[now.at][now.id] = now
    known.update((at, tuple(row[key] for key in sorted(row))) for at, row in rows.items())
    return known


@incremental_cache(_regrouped)
def _by_tile(armies: Roster[Army], _key: None) -> StacksByTile:
    """Return the stacks by tile like ``stacks``, but in no fixed order; some may be empty."""
    return stacks(armies)


def armies_at(world: World, at: Place) -> tuple[Army, ...]:
    """Return the armies on a tile, in id order."""
    return _by_tile(world.armies, None).get(at, ())


def _still(before: Roster[Army], found: Held, after: Roster[Army], side: int) -> Held | None:
    """Keep the cached result if only armies of ``side`` changed; otherwise return None."""
    pairs = _few_changed(before, after)
    if pairs is None or any(now.owner != side or was.owner != side for was, now in pairs):
        return None
    return found


@incremental_cache(_still)
def strangers(armies: Roster[Army], side: int) -> Held:
    """Return the tiles where armies of other sides stand, with their owners.

    The result keeps its identity while none of these armies changes.
    """
    return tuple({(a.x, a.y): a.owner for a in armies.values() if a.owner != side}.items())


@keyed_identity_cache
def foreign_cities(cities: Roster[City], side: int) -> tuple[Place, ...]:
    """Return the top left tiles of the standing cities of other sides, in id order."""
    return tuple((c.x, c.y) for c in cities.values() if c.owner != side and not c.razed)


@identity_cache
def city_places(cities: Roster[City]) -> tuple[Place, ...]:
    """Return the top left tiles of the standing cities, in id order."""
    return tuple((city.x, city.y) for city in cities.values() if not city.razed)


@identity_cache
def city_tiles(cities: Roster[City]) -> Mapping[Place, City]:
    """Return the standing cities by each of their tiles."""
    return {at: city for city in cities.values() if not city.razed for at in city.tiles}


def city_at(world: World, at: Place) -> City | None:
    """Return the standing city on a tile, or None."""
    return city_tiles(world.cities).get(at)


@identity_cache
def _sites(sites: Roster[Site]) -> Mapping[Place, Site]:
    return {(site.x, site.y): site for site in sites.values()}


def site_at(world: World, at: Place) -> Site | None:
    """Return the site on a tile, or None."""
    return _sites(world.sites).get(at)


def tower_at(world: World, at: Place) -> Tower | None:
    """Return the field tower on a tile, or None."""
    return world.towers.get(at[1] * world.width + at[0])


def cities_of(world: World, side: int) -> tuple[City, ...]:
    """Return the standing cities of a side, in id order."""
    return tuple(c for c in world.cities.values() if c.owner == side and not c.razed)


def armies_of(world: World, side: int) -> tuple[Army, ...]:
    """Return the armies of a side on the map, in id order."""
    return tuple(army for army in world.armies.values() if army.owner == side)


@identity_cache
def _bags(items: Roster[Item]) -> Mapping[int, tuple[Item, ...]]:
    bags: dict[int, list[Item]] = {}
    for item in items.values():
        if item.where == "carried":
            bags.setdefault(item.holder, []).append(item)
    return {holder: tuple(bag) for holder, bag in bags.items()}


def items_of(world: World, army: int) -> tuple[Item, ...]:
    """Return the items that an army carries, in id order."""
    return _bags(world.items).get(army, ())


def flies(world: World, army: Army) -> bool:
    """Return whether an army flies: by its type, or as a hero with an item of flight."""
    if "fly" in world.types[army.type].traits:
        return True
    carried = items_of(world, army.id) if army.hero is not None else ()
    return any(item.adds("flight") for item in carried)


def hit_points(world: World, army: Army) -> HitPoints | None:
    """Return the hit points of an army, or None where wounds do not last."""
    if army.hp:
        return army.hp
    kind = world.types.get(army.type)
    return HitPoints(kind.hp) if kind is not None and kind.hp else None


def is_boat(world: World, army: Army) -> bool:
    """Return whether an army is a boat."""
    return "boat" in world.types[army.type].traits


def treaty(world: World, one: int, other: int) -> int:
    """Return the treaty of two sides: WAR with neutrals, PEACE of a side with itself."""
    return _stand(world.treaties, one, other)


def _stand(treaties: tuple[tuple[int, ...], ...], one: int, other: int) -> int:
    if one == other:
        return PEACE
    return WAR if NOBODY in (one, other) else treaties[one][other]


class Enemies(NamedTuple):
    """Enemies of a side: those not at peace with it, and those at war with it.

    Neutrals count as hostile, never as at war.
    """

    hostile: tuple[int, ...]
    at_war: tuple[int, ...]


def enemies(world: World, side: int) -> Enemies:
    """Return the enemies of a side."""
    return _enemies(world.treaties, tuple(world.sides), side)


@identity_lru(8)
def _enemies(treaties: tuple[tuple[int, ...], ...], sides: tuple[int, ...], side: int) -> Enemies:
    others = [other for other in dict.fromkeys((*sides, NOBODY)) if other != side]
    return Enemies(
        tuple(other for other in others if _stand(treaties, side, other) != PEACE),
        tuple(o for o in sides if o != NOBODY and _stand(treaties, side, o) == WAR),
    )


def has_quests(world: World) -> bool:
    """Return whether any side has a quest."""
    return any(side.quest is not None for side in world.sides.values())


def is_on_map(world: World, at: Place) -> bool:
    """Return whether a tile is on the map."""
    return 0 <= at[0] < world.width and 0 <= at[1] < world.height


def has_discovered(world: World, side: int, at: Place) -> bool:
    """Return whether a side has discovered a tile."""
    return bool(world.discovered[at[1], at[0]] >> side & 1)


# -- lookup for commands ---------------------------------------------------------------------------


def own_army(world: World, side: int, army: int, topic: Topic) -> Army:
    """Return the side's own army with this id.

    Raises:
        Refused: The side has no such army.
    """
    found = world.armies.get(army)
    if found is None or found.owner != side:
        refuse(Refusal.NO_SUCH_ARMY, "You have no such army.", topic)
    return found


def own_hero(world: World, side: int, army: int, topic: Topic) -> Army:
    """Return the side's own hero with this id.

    Raises:
        Refused: The side has no such army, or it is not a hero.
    """
    found = own_army(world, side, army, topic)
    if found.hero is None:
        refuse(Refusal.NOT_A_HERO, "Only a hero can do that.", topic)
    return found


def own_group(world: World, side: int, armies: tuple[int, ...], topic: Topic) -> tuple[Army, ...]:
    """Return the side's own armies with these ids, in the given order.

    Raises:
        Refused: The list is empty, names an army twice or one of another side, or the armies are on
            different tiles.
    """
    found = tuple(own_army(world, side, army, topic) for army in armies)
    if not found or len(set(armies)) != len(armies):
        refuse(Refusal.NO_SUCH_ARMY, "Name each army once.", topic)
    if len({army.at for army in found}) > 1:
        refuse(Refusal.NOT_TOGETHER, "Those armies do not stand together.", topic)
    return found


def own_city(world: World, side: int, number: int, topic: Topic) -> City:
    """Return the side's own standing city with this id.

    Raises:
        Refused: The side has no such city.
    """
    city = world.cities.get(number)
    if city is None or city.razed or city.owner != side:
        refuse(Refusal.NO_SUCH_CITY, "You have no such city.", topic)
    return city


# -- numbers of each side --------------------------------------------------------------------------


def statistics(world: World) -> Mapping[str, tuple[int, ...]]:
    """Return the statistics of each side: cities, armies and their strength, gold, heroes."""
    armies = [armies_of(world, side) for side in world.sides]
    return {
        "cities": tuple(len(cities_of(world, side)) for side in world.sides),
        "armies": tuple(map(len, armies)),
        "strength": tuple(sum(army.strength for army in own) for own in armies),
        "gold": tuple(side.gold for side in world.sides.values()),
        "heroes": tuple(sum(army.hero is not None for army in own) for own in armies),
    }
