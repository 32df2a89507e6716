"""Use charges of items (section 11): the effect of each power."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from engine.core.record import replace
from engine.kit.grid import Place
from engine.rulesets.lordsawar.commands import OwnCommand, UseItem
from engine.rulesets.lordsawar.events import BridgeBurnt, ItemUsed
from engine.rulesets.lordsawar.items import thing
from engine.rulesets.lordsawar.land import QUAYS, WATER, LandCode
from engine.rulesets.lordsawar.levels import OwnDecision, usual_hp
from engine.rulesets.lordsawar.pieces import type_upkeep
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.strength import defence_level
from engine.strategic import item_records, sight
from engine.strategic import sites as layer
from engine.strategic.decision import remove_armies
from engine.strategic.heroes import (
    look_from,
    new_army,
    numbered,
    place,
    places_in,
    room_beside,
    vacancies,
)
from engine.strategic.item_records import carried, lost, move_items
from engine.strategic.movement import put_down
from engine.strategic.pieces import (
    NOBODY,
    NONE,
    STACK,
    Army,
    City,
    Item,
    ItemPowers,
    Side,
    UnitType,
)
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.routes import DIRECTIONS
from engine.strategic.settings import RuleSettings
from engine.strategic.site_contents import drawn
from engine.strategic.turns import set_points
from engine.strategic.world import (
    armies_at,
    armies_of,
    city_at,
    has_discovered,
    is_on_map,
    items_of,
    own_city,
    site_at,
)

_CITIES: Final = 2
"""Number of nearest cities, its own and others', for which a use of an item is offered."""


class Using:
    """One use of an item by a hero. Refusals come before any event."""

    def __init__(
        self, decision: OwnDecision, settings: RuleSettings, side: int, order: UseItem
    ) -> None:
        self.decision = decision
        self.settings = settings
        self.side = side
        self.order = order
        self.hero, self.item = thing(decision.state, side, order.army, order.item)
        self.powers = self.item.powers or ItemPowers()

    @property
    def state(self) -> State:
        """State after the events so far."""
        found: State = self.decision.state
        return found

    def used(self, act: str, **results: object) -> None:
        """Emit the use and take a charge; the item is lost with its last one. See: LW-11.3."""
        left = self.powers.charges - 1
        spent = replace(self.item, powers=replace(self.powers, charges=left))
        now = spent if left > 0 else lost(spent)
        event = ItemUsed(self.side, self.hero.id, now, act)
        self.decision.emit(replace(event, **results))

    def opponent(self) -> Side:
        """Return the side that the item is used against.

        Raises:
            Refused: the command names no living opponent.
        """
        found = self.state.sides.get(self.order.side)
        if found is None or not found.alive or found.id in {self.side, NOBODY}:
            refuse(Refusal.NO_SUCH_SIDE, "Name an opponent who is still in the game.", "item")
        return found

    def known_city(self) -> City:
        """Return the city that the item is used on; the side must have seen it.

        Raises:
            Refused: the command names no known city, or a razed one.
        """
        city = self.state.cities.get(self.order.city)
        if city is None or city.razed or not self._knows(city):
            refuse(Refusal.NO_SUCH_CITY, "Name a city that you know.", "item")
        return city

    def _knows(self, city: City) -> bool:
        hidden = sight.has_fog(self.state, self.settings)
        return not hidden or any(has_discovered(self.state, self.side, at) for at in city.tiles)

    def join(self, kind: int, places: tuple[Place, ...]) -> None:
        """Add an army of a type at each of ``places``, with the upkeep of the type."""
        row = self._type(kind)
        upkeep = type_upkeep(row)
        made = [replace(new_army(row, self.side, at), upkeep=upkeep) for at in places]
        if any(army.hp for army in self.state.armies.values()):
            made = [replace(army, hp=usual_hp(row)) for army in made]
        place(self.decision, self.settings, numbered(self.state, made), "allies")

    def _type(self, kind: int) -> UnitType:
        """Return the type that an item is about.

        Raises:
            Refused: the army set has no such type.
        """
        if kind not in self.state.types:
            refuse(Refusal.NOT_ALLOWED, "There are no such creatures in this land.", "item")
        return self.state.types[kind]

    def room(self, kind: int) -> tuple[Place, ...]:
        """Return a place for one army of a type, on the hero's tile or beside it.

        Raises:
            Refused: there is no room for another army.
        """
        row = self._type(kind)
        found = room_beside(self.state, self.settings, self.side, self.hero.at, row)
        if not found or vacancies(self.state, self.settings) == 0:
            refuse(Refusal.NO_ROOM, "There is no room for another army here.", "item")
        return found[:1]

    def kill(self, armies: tuple[Army, ...]) -> None:
        """Kill armies; items of heroes among them stay on their tiles."""
        if not armies:
            return
        remove_armies(self.decision, armies, "item")
        for army in armies:
            layer.fall(self.decision, self.settings, (army,), army.at)


def use(decision: OwnDecision, settings: RuleSettings, side: int, order: UseItem) -> None:
    """Use a charge of a hero's item. Rules: LW-11.3.

    Raises:
        Refused: no such hero or item, the item is only worn, or its power does not work here.
    """
    using = Using(decision, settings, side, order)
    acts = [act for act in using.powers.acts if act in ACTS]
    if not acts or using.powers.charges <= 0:
        refuse(Refusal.NOT_ALLOWED, "That item is worn, not used.", "item")
    ACTS[acts[0]](using)


def _steal_gold(using: Using) -> None:
    """Take a part of an opponent's treasury. Rules: LW-11.2."""
    victim, own = using.opponent(), using.state.sides[using.side]
    taken = victim.gold * using.powers.percent // 100
    kept = min(own.gold + taken, using.settings.cities.most_gold)
    gold = tuple(sorted(((own.id, kept), (victim.id, victim.gold - taken))))
    using.used("STEAL_GOLD", target=victim.id, gold=gold)


def _sink_ships(using: Using) -> None:
    """Kill all armies of an opponent that are aboard. Rules: LW-11.2."""
    victim = using.opponent().id
    afloat = tuple(a for a in using.state.armies.values() if a.owner == victim and a.aboard)
    using.used("SINK_SHIPS", target=victim)
    using.kill(afloat)


def _pick_up_bags(using: Using) -> None:
    """Give the hero all items on the ground, anywhere on the map. Rules: LW-11.2."""
    bags = tuple(item for item in using.state.items.values() if item.where == "ground")
    using.used("PICK_UP_BAGS")
    if bags:
        move_items(using.decision, (carried(item, using.hero.id) for item in bags), "picked")


def _add_moves(using: Using) -> None:
    """Add moves to the hero's stack. Rules: LW-11.2."""
    stack = armies_at(using.state, using.hero.at)
    using.used("ADD_2MP_STACK")
    points = tuple((army.id, army.points + using.powers.amount) for army in stack)
    set_points(using.decision, using.side, points)


def _banish(using: Using) -> None:
    """Kill all armies of a type, of every side. Rules: LW-11.2."""
    using.used("BANISH_WORMS")
    armies = using.state.armies.values()
    using.kill(tuple(army for army in armies if army.type == using.powers.type))


def _burn_bridge(using: Using) -> None:
    """Turn both halves of the bridge under the hero into water.

    Armies on it lose their moves and are aboard, except those that fly. Rules: LW-11.2.
    """
    state, at = using.state, using.hero.at
    if state.terrain[at[1], at[0]] != LandCode.BRIDGE:
        refuse(Refusal.NOT_ALLOWED, "The hero must stand on a bridge.", "item")
    around = ((at[0] + dx, at[1] + dy) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)))
    near = [tile for tile in around if is_on_map(state, tile)]
    halves = [(x, y) for x, y in near if state.terrain[y, x] == LandCode.BRIDGE]
    tiles = (at, *halves)
    water = tuple((x, y, _water_at(state, (x, y))) for x, y in tiles)
    swept = tuple(
        replace(army, points=0, aboard="fly" not in state.types[army.type].traits)
        for tile in tiles
        for army in armies_at(state, tile)
    )
    using.used("BURN_BRIDGE")
    using.decision.emit(BridgeBurnt(water, swept))


_WET: Final = WATER | QUAYS


def _water_at(state: State, at: Place) -> LandCode:
    """Return the water under a bridge: open sea if only water is around. See: LW-12.2."""
    around = ((at[0] + dx, at[1] + dy) for dx, dy in DIRECTIONS)
    open_sea = all(not is_on_map(state, b) or state.terrain[b[1], b[0]] in _WET for b in around)
    return LandCode.SEA if open_sea else LandCode.SHORE


def _capture_keeper(using: Using) -> None:
    """Let the keeper of the ruin under the hero join, if there is one. Rules: LW-11.2."""
    site = item_records.shown_at(using.state, using.side, using.hero.at)
    if site is None or site.kind == "temple" or site.searched:
        refuse(Refusal.NO_SITE, "The hero must stand at a ruin that is not searched.", "item")
    kind = site.guardian - 1
    if kind not in using.state.types:
        using.used("CAPTURE_KEEPER")
        return
    places = using.room(kind)
    using.used("CAPTURE_KEEPER", sites=(replace(site, guardian=0),))
    using.join(kind, places)


def _summon(using: Using) -> None:
    """Let a creature join at a site of the right kind. Rules: LW-11.2."""
    site, wanted = site_at(using.state, using.hero.at), using.powers.place
    here = "" if site is None else "temple" if site.kind == "temple" else "ruin"
    if city_at(using.state, using.hero.at) is not None:
        here = "city"
    if wanted and wanted != here:
        refuse(Refusal.NO_SITE, f"That works at a {wanted} only.", "item")
    places = using.room(using.powers.type)
    using.used("SUMMON_MONSTER")
    using.join(using.powers.type, places)


def _disease(using: Using) -> None:
    """Kill some of an enemy city's defenders, drawn at random. Rules: LW-11.2."""
    city = using.known_city()
    if city.owner == using.side:
        refuse(Refusal.NOT_ALLOWED, "That is a city of your own.", "item")
    inside = tuple(army for at in city.tiles for army in armies_at(using.state, at))
    ill = drawn(using.decision.dice, inside, len(inside) * using.powers.percent // 100)
    using.used("DISEASE_CITY", target=city.owner)
    using.kill(tuple(sorted(ill, key=lambda army: army.id)))


def _raise_defenders(using: Using) -> None:
    """Add defenders to a city of the hero's side, as far as there is room. Rules: LW-11.2."""
    city = own_city(using.state, using.side, using.order.city, "item")
    most = min(using.powers.amount, vacancies(using.state, using.settings))
    places = places_in(using.state, city)[:most]
    if not places:
        refuse(Refusal.NO_ROOM, "There is no room in that city.", "item")
    using.used("RAISE_DEFENDERS")
    using.join(using.powers.type, places)


def _persuade(using: Using) -> None:
    """Take over a neutral city with its defenders. Rules: LW-11.2."""
    city = using.known_city()
    if city.owner != NOBODY:
        refuse(Refusal.NOT_ALLOWED, "That city has an owner.", "item")
    held = tuple(army for at in city.tiles for army in armies_at(using.state, at))
    owned = replace(
        city,
        owner=using.side,
        defence=defence_level(len(city.slots), neutral=False, razed=False),
        tier=NONE,
    )
    ours = tuple(replace(army, owner=using.side, defends=False) for army in held)
    art = using.settings.cities.art[using.side]
    using.used("PERSUADE_NEUTRALS", target=NOBODY, city=owned, art=art, armies=ours)
    if ours:
        look_from(using.decision, using.settings, ours)
    if sight.has_fog(using.state, using.settings):
        around = sight.square(using.state, (city.x, city.y), _CITY_SIGHT)
        sight.discover(using.decision, using.settings, using.side, around)


_CITY_SIGHT: Final = 3
"""Distance from a city up to which its new owner discovers tiles. See: LW-17."""


def _teleport(using: Using) -> None:
    """Move the hero's stack into a city of its side, or beside another one. Rules: LW-11.2."""
    city = using.known_city()
    stack = armies_at(using.state, using.hero.at)
    at = next(_landings(using, city, stack), None)
    if at is None:
        refuse(Refusal.NO_ROOM, "There is no room for them there.", "item")
    using.used("TELEPORT_TO_CITY")
    put_down(using.decision, using.settings, stack, at)


def _landings(using: Using, city: City, stack: tuple[Army, ...]) -> Iterator[Place]:
    """Yield the tiles in a city of the side, or beside another one, where the whole stack fits."""
    state = using.state
    tiles: Iterable[Place] = city.tiles
    if city.owner != using.side:
        edge = range(-1, 3)
        ring = ((city.x + dx, city.y + dy) for dy in edge for dx in edge)
        tiles = tuple(at for at in ring if at not in city.tiles and is_on_map(state, at))
    kinds = [state.types[army.type] for army in stack]
    for at in tiles:
        others = [army for army in armies_at(state, at) if army not in stack]
        foreign = city_at(state, at)
        if foreign is not None and foreign.owner != using.side:
            continue
        fits = len(others) + len(stack) <= STACK and all(a.owner == using.side for a in others)
        stands = all(using.settings.heroes.may_stand(state, kind, at) for kind in kinds)
        if fits and stands and at != using.hero.at:
            yield at


ACTS: Final[Mapping[str, Callable[[Using], None]]] = {
    "STEAL_GOLD": _steal_gold,
    "SINK_SHIPS": _sink_ships,
    "PICK_UP_BAGS": _pick_up_bags,
    "ADD_2MP_STACK": _add_moves,
    "BANISH_WORMS": _banish,
    "BURN_BRIDGE": _burn_bridge,
    "CAPTURE_KEEPER": _capture_keeper,
    "SUMMON_MONSTER": _summon,
    "DISEASE_CITY": _disease,
    "RAISE_DEFENDERS": _raise_defenders,
    "PERSUADE_NEUTRALS": _persuade,
    "TELEPORT_TO_CITY": _teleport,
}
"""Effects of a charge, by item power. See: LW-11."""


# -- offers ----------------------------------------------------------------------------------------


def offered(state: State, side: int, about: int | None) -> Iterator[OwnCommand]:
    """Yield uses of items to try; ``about`` limits them to one hero. See: LW-11."""
    if state.question is not None:
        return
    for army in armies_of(state, side):
        if army.hero is not None and about in {None, army.id}:
            for item in items_of(state, army.id):
                yield from _uses(state, army, item)


def _uses(state: State, hero: Army, item: Item) -> Iterator[OwnCommand]:
    """Yield the uses of an item: without a target, on some cities, and against each other side."""
    if not item.powers or item.powers.charges <= 0:
        return
    yield UseItem(hero.id, item.id)
    for other in state.sides.values():
        if other.alive and other.id not in {hero.owner, NOBODY}:
            yield UseItem(hero.id, item.id, side=other.id)
    near = sorted(
        (city for city in state.cities.values() if not city.razed),
        key=lambda city: (max(abs(city.x - hero.x), abs(city.y - hero.y)), city.id),
    )
    for owned in (True, False):
        for city in [c for c in near if (c.owner == hero.owner) is owned][:_CITIES]:
            yield UseItem(hero.id, item.id, city=city.id)
