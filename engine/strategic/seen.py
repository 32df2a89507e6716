"""Views of a world: the same world without what is hidden from a viewer.

``secrets`` are the sides whose private information the viewer knows: none, one or all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane, Roster, changed_rows
from engine.core.record import replace
from engine.kit.identity_cache import incremental_cache, keyed_identity_cache
from engine.strategic.pieces import (
    NOBODY,
    NONE,
    UNKNOWN_TYPE,
    Army,
    City,
    Item,
    Question,
    Side,
    Site,
    Tower,
    Transit,
    side_bit,
)
from engine.strategic.world import World

W = TypeVar("W", bound=World)

TileMask: TypeAlias = npt.NDArray[np.bool_]
"""Mask of tiles, of shape (height, width)."""


class Secrecy(NamedTuple):
    """Parts of visible pieces that are hidden from other sides, and items that are shown to them.

    ``armies``: the types of armies are hidden. ``slots``: the types that cities can make are
    hidden. ``orders``: the lines of battle of other sides are hidden. ``worn`` returns whether a
    carried item shows on a visible hero; None: no item does.
    """

    armies: bool = False
    slots: bool = False
    orders: bool = True
    worn: Callable[[Item], bool] | None = None


OPEN: Final = Secrecy()
"""Secrecy under which visible armies and cities are known, but no plans and no carried items."""


_OPENLY_HELD: Final = ("ground", "planted", "carried")


def veiled(
    world: W,
    secrets: frozenset[int],
    visible: TileMask,
    *,
    fog: bool,
    secrecy: Secrecy = OPEN,
) -> W:
    """Return the world as far as it is known.

    Args:
        world: The true position.
        secrets: The sides whose private information is known.
        visible: The tiles where armies are seen, of shape (height, width).
        fog: True if only tiles that one of those sides has discovered are known.
        secrecy: The facts that are hidden about visible pieces.
    """
    seen = Seen(world, secrets, visible, known_tiles(world, secrets, fog=fog), secrecy)
    # Another side can move out of sight. Its move would replace the trail, and the missing trail
    # would reveal it.
    shows_trail = not fog or (world.trail_of in secrets and world.current in secrets)
    found = np.where(seen.known, sum(map(side_bit, secrets)), 0).astype(np.uint8)
    return replace(
        world,
        terrain=_covered(world.terrain, seen.known),
        roads=_covered(world.roads, seen.known),
        art=_covered(world.art, seen.known),
        discovered=Plane(found) if fog else world.discovered,
        ports=tuple(at for at in world.ports if seen.knows(at)),
        types=world.types.put(UNKNOWN_TYPE) if secrecy.armies else world.types,
        signs=tuple(sign for sign in world.signs if seen.knows((sign.x, sign.y))),
        sides=Roster(seen.side(side) for side in world.sides.values()),
        cities=_seen_cities(seen, fog=fog),
        sites=_seen_sites(seen, fog=fog),
        items=Roster(item for item in world.items.values() if seen.sees_item(item)),
        towers=Roster(tower for tower in world.towers.values() if seen.sees_tower(tower)),
        armies=_seen_armies(seen),
        transits=Roster(t for t in world.transits.values() if seen.owns(t)),
        question=seen.question(world.question),
        trail=seen.trail() if shows_trail else (),
        trail_of=world.trail_of if shows_trail else NOBODY,
        next_id=1,
        key=0,
        secret="",
        origin="",
    )


def _covered(plane: Plane, known: TileMask) -> Plane:
    return (
        plane if known.all() else Plane(np.where(known, plane.cells, 0).astype(plane.cells.dtype))
    )


_Blank: TypeAlias = tuple[frozenset[int], bool]
"""Sides whose cities are known in full, and True if the slots of other cities are hidden."""


def _seen_cities(seen: Seen, *, fog: bool) -> Roster[City]:
    known = _shown_cities(seen.world.cities, (seen.secrets, seen.secrecy.slots))
    if not fog:
        return known
    return Roster(city for city in known.values() if seen.knows_city(city))


def _shown_city(city: City, secrets: frozenset[int], *, blank: bool) -> City:
    """Return a city as ``secrets`` know it: other sides' cities lack production and vector."""
    if city.owner in secrets:
        return city
    slots = () if blank else city.slots
    return replace(city, slots=slots, making=NONE, left=0, vector=NONE, attacked_by=0, tier=NONE)


def _shown_again(
    before: Roster[City], found: Roster[City], after: Roster[City], key: _Blank
) -> Roster[City] | None:
    """Update the known cities after some have changed, or return None if ids changed."""
    pairs = changed_rows(before, after, len(after))
    if pairs is None:
        return None
    shown = (_shown_city(city, key[0], blank=key[1]) for _, city in pairs)
    others = [city for city in shown if city != found[city.id]]
    return found.put(*others) if others else found


@incremental_cache(_shown_again)
def _shown_cities(cities: Roster[City], key: _Blank) -> Roster[City]:
    """Return the cities as they are known on discovered tiles."""
    return Roster(_shown_city(city, key[0], blank=key[1]) for city in cities.values())


def _seen_sites(seen: Seen, *, fog: bool) -> Roster[Site]:
    if not fog:
        return _open_sites(seen.world.sites, seen.secrets)
    return Roster(seen.site(site) for site in seen.world.sites.values() if seen.knows_site(site))


@keyed_identity_cache
def _open_sites(sites: Roster[Site], secrets: frozenset[int]) -> Roster[Site]:
    """Return the sites as they are known if every tile has been discovered."""
    known = ((site, _is_told(site, secrets)) for site in sites.values())
    return Roster(_shown_site(site, told=told) for site, told in known if told or not site.hidden)


def _is_told(site: Site, secrets: frozenset[int]) -> bool:
    return any(site.known_to >> side & 1 for side in secrets)


def _shown_site(site: Site, *, told: bool) -> Site:
    """Return a site as it is known: in full if it is a temple, searched or ``told``."""
    if site.kind == "temple" or site.searched or told:
        return replace(site, known_to=0, hidden=False)
    return Site(site.id, site.x, site.y, site.name, "unknown", about=site.about)


def _seen_armies(seen: Seen) -> Roster[Army]:
    strange, secrets = _strange(seen.world.armies, seen.secrecy.armies), seen.secrets
    return Roster(
        army if army.owner in secrets else strange[army.id]
        for army in seen.world.armies.values()
        if seen.sees(army)
    )


def _estranged(
    before: Roster[Army],
    found: Mapping[int, Army],
    after: Roster[Army],
    blank: bool,  # noqa: FBT001 - a key
) -> Mapping[int, Army]:
    """Update the result of ``_strange``: reuse the rows of unchanged armies."""
    known = dict(before.items())
    return {
        number: found[number] if known.get(number) is army else strange(army, blank=blank)
        for number, army in after.items()
    }


@incremental_cache(_estranged)
def _strange(
    armies: Roster[Army],
    blank: bool,  # noqa: FBT001 - a key
) -> Mapping[int, Army]:
    """Return the armies as other sides see them, by id."""
    return {number: strange(army, blank=blank) for number, army in armies.items()}


def strange(army: Army, *, blank: bool = False) -> Army:
    """Return an army as other sides see it: without goal and points, with wounds.

    ``blank`` keeps only its id, owner and tile, and whether it is aboard.
    """
    if blank:
        kind = UNKNOWN_TYPE.id
        return Army(army.id, army.owner, kind, army.x, army.y, 0, 0, 0, 0, aboard=army.aboard)
    return Army(
        id=army.id,
        owner=army.owner,
        type=army.type,
        x=army.x,
        y=army.y,
        strength=army.strength,
        max_move=army.max_move,
        points=0,
        upkeep=army.upkeep,
        medals=army.medals,
        level=army.level,
        aboard=army.aboard,
        hero=army.hero,
        hp=army.hp,
    )


class Seen:
    """Knowledge of one viewer about a world."""

    def __init__(
        self,
        world: World,
        secrets: frozenset[int],
        visible: TileMask,
        known: TileMask,
        secrecy: Secrecy = OPEN,
    ) -> None:
        self.world = world
        self.secrets = secrets
        self.visible = visible
        self.known = known
        self.secrecy = secrecy

    def knows(self, at: tuple[int, int]) -> bool:
        """Return whether a tile has been discovered."""
        return bool(self.known[at[1], at[0]])

    def knows_city(self, city: City) -> bool:
        """Return whether a tile of a city has been discovered."""
        return any(self.knows(at) for at in city.tiles)

    def knows_site(self, site: Site) -> bool:
        """Return whether a site was revealed to the viewer, or is discovered and not hidden."""
        return self._was_told(site) or (not site.hidden and self.knows((site.x, site.y)))

    def _was_told(self, site: Site) -> bool:
        return _is_told(site, self.secrets)

    def sees(self, army: Army) -> bool:
        """Return whether an army belongs to the viewer or is in sight."""
        return army.owner in self.secrets or bool(self.visible[army.y, army.x])

    def knows_kind(self, army: Army) -> bool:
        """Return whether the viewer sees the type of an army."""
        return army.owner in self.secrets or (self.sees(army) and not self.secrecy.armies)

    def sees_tower(self, tower: Tower) -> bool:
        """Return whether a tower belongs to the viewer or is in sight."""
        return tower.owner in self.secrets or bool(self.visible[tower.y, tower.x])

    def owns(self, transit: Transit) -> bool:
        """Return whether an army in transit belongs to the viewer."""
        return transit.army.owner in self.secrets

    def owns_army(self, army: int) -> bool:
        """Return whether an army on the map, given by id, belongs to the viewer."""
        return self.world.armies[army].owner in self.secrets

    def side(self, side: Side) -> Side:
        """Return a side as it is known: others without gold, plans and hidden lines of battle."""
        if side.id in self.secrets:
            return side
        return Side(
            id=side.id,
            name=side.name,
            gold=0,
            order=() if self.secrecy.orders else side.order,
            capital=side.capital if side.capital and self.knows(side.capital) else None,
            alive=side.alive,
            human=side.human,
            level=side.level,
            enhanced=side.enhanced,
            rating=side.rating,
        )

    def city(self, city: City) -> City:
        """Return a city as it is known: others without production and vector."""
        return _shown_city(city, self.secrets, blank=self.secrecy.slots)

    def site(self, site: Site) -> Site:
        """Return a site as it is known: in full if a temple, searched or in ``known_to``."""
        return _shown_site(site, told=self._was_told(site))

    def sees_item(self, item: Item) -> bool:
        """Return whether an item is in sight, carried by a visible hero, or known at a site."""
        if item.where == "carried":
            bearer = self.world.armies.get(item.holder)
            return bearer is not None and (
                bearer.owner in self.secrets or self._shows(item, bearer)
            )
        if item.where == "site":
            return any(self.world.sites[item.holder].known_to >> side & 1 for side in self.secrets)
        if item.where in _OPENLY_HELD:
            return bool(self.visible[item.y, item.x]) or item.side in self.secrets
        return False

    def _shows(self, item: Item, bearer: Army) -> bool:
        """Return whether an item that another side's hero carries is visible."""
        worn = self.secrecy.worn
        return worn is not None and self.knows_kind(bearer) and worn(item)

    def army(self, army: Army) -> Army:
        """Return an army as it is known; the viewer's own are unchanged."""
        return army if army.owner in self.secrets else strange(army, blank=self.secrecy.armies)

    def trail(self) -> tuple[tuple[int, int], ...]:
        """Return the part of the last path that the viewer saw."""
        if self.world.trail_of in self.secrets:
            return self.world.trail
        return tuple((x, y) for x, y in self.world.trail if self.visible[y, x])

    def question(self, question: Question | None) -> Question | None:
        """Return an open question as it is known, or None; others see only its kind and side."""
        if question is None or question.side in self.secrets:
            return question
        return Question(question.kind, question.side)


def known_tiles(world: World, secrets: frozenset[int], *, fog: bool) -> TileMask:
    """Return the mask of the known tiles, of shape (height, width)."""
    if not fog:
        return np.ones(world.discovered.cells.shape, dtype=np.bool_)
    bits = sum(side_bit(side) for side in secrets if side != NOBODY)
    known: TileMask = (world.discovered.cells & bits) != 0
    return known


def everything(world: World) -> frozenset[int]:
    """Return the secrets of an all-knowing viewer: every side, NOBODY included."""
    return frozenset((*world.sides, NOBODY))
