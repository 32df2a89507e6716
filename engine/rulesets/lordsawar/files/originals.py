"""Convert a scenario of the original to a scenario of this game (19.5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from engine.core.options import Value
from engine.core.record import replace
from engine.core.ruleset import Imported, Importer, ScenarioFault
from engine.kit.grid import Place
from engine.kit.records import alike
from engine.rulesets.lordsawar import setup
from engine.rulesets.lordsawar.files.archive import FileKind, kind_of
from engine.rulesets.lordsawar.files.moment import moment_of
from engine.rulesets.lordsawar.files.outfit import Outfit, clean, outfit_of
from engine.rulesets.lordsawar.files.records import (
    OriginalAllies,
    OriginalArmy,
    OriginalCity,
    OriginalGold,
    OriginalItem,
    OriginalItemReward,
    OriginalMapReward,
    OriginalOptions,
    OriginalPlayer,
    OriginalRuin,
    OriginalRuinReward,
    OriginalScenario,
    OriginalSlot,
    OriginalStack,
)
from engine.rulesets.lordsawar.files.scenario import read_scenario
from engine.rulesets.lordsawar.files.words import (
    BUILDING_SIGNS,
    OriginalBuilding,
    OriginalPlayerKind,
    OriginalRuinKind,
)
from engine.rulesets.lordsawar.land import book_costs
from engine.rulesets.lordsawar.pieces import slot_of, type_upkeep
from engine.rulesets.lordsawar.scene import CityPlaced, Made, Map, SidePlaced, SitePlaced
from engine.rulesets.lordsawar.state import MOST_COST, MOST_GOLD, NAME_LENGTH, Reward
from engine.strategic.pieces import NOBODY, NONE, Item, Sign, Slot, side_bit
from engine.strategic.scenario_checks import LONG_NAME, TEXT
from engine.tabletop.english import many

RULE: Final = "LW-19.5"

_SETS: Final = (FileKind.ARMY_SET, FileKind.CITY_SET, FileKind.TILE_SET)
_GROUNDS: Final = ".wfhms"
"""Signs of terrain, numbered by the digits of the original."""

_CITY_TILES: Final = 2
_LEVELS: Final = {OriginalPlayerKind.AI_FAST: 1, OriginalPlayerKind.AI_SMART: 2}
_PEOPLE: Final = (OriginalPlayerKind.HUMAN, OriginalPlayerKind.NETWORKED)

_WORDS: Final[Mapping[str, str]] = {
    "NO_QUESTING": "none",
    "ONE_QUEST_PER_PLAYER": "per_player",
    "ONE_QUEST_PER_HERO": "per_hero",
    "VECTORING_ALWAYS_TWO_TURNS": "two_turns",
    "VECTORING_VARIABLE_TURNS": "by_distance",
}
_SWITCHES: Final = (
    *("hidden_map", "diplomacy", "cusp_of_war", "intense_combat", "military_advisor"),
    *("random_turns", "view_enemies", "view_production"),
)


class OriginalImporter:
    """Importer of scenarios and saved games of the original. See: LW-19.1, LW-19.5."""

    name = "a LordsAWar scenario or saved game (.map, .sav)"
    companion = "a set that is not embedded in it: army set (.lwa), city set or tile set"

    def sniff(self, data: bytes) -> bool:
        """Return whether the data are an archive of the original; sets count too."""
        return kind_of(data) in {FileKind.MAP, FileKind.SAVE, *_SETS}

    def read(self, data: bytes, companion: bytes | None = None) -> Imported:
        """Convert a file to a scenario and check it.

        Raises:
            ScenarioFault: one of the files is broken; it names the first fault found.
        """
        if kind_of(data) in _SETS:
            text = "this is a set; name it after --with, beside a scenario"
            raise ScenarioFault("the scenario", text, "LW-19.1")
        found = read_scenario(data, () if companion is None else (companion,))
        made = Translation(found.scenario)
        scene = made.scene()
        setup.check(scene)
        return Imported(scene, (*found.remarks, *made.remarks()))


class Translation:
    """Translation of one scenario of the original: the file's numbers, and those used here."""

    def __init__(self, origin: OriginalScenario) -> None:
        """Start with a scenario as it was read.

        Raises:
            ScenarioFault: this game cannot use its types or cities.
        """
        self.origin = origin
        self.running = origin.turn > 0
        if origin.city_set is not None and origin.city_set.city_width != _CITY_TILES:
            text = f"cities are {origin.city_set.city_width} tiles wide, not {_CITY_TILES}"
            raise ScenarioFault("cityset", text, RULE)
        self.outfit: Outfit = outfit_of(origin)
        self.cities = tuple(city for city in origin.cities if self.running or not city.burnt)
        self.players = tuple(player for player in origin.players if self._plays(player))
        self.sides = {player.id: side for side, player in enumerate(self.players)}
        temples, ruins = len(origin.temples), len(origin.ruins)
        self.temples = {site.id: number for number, site in enumerate(origin.temples)}
        self.ruin_numbers = range(temples, temples + ruins)

    def _plays(self, player: OriginalPlayer) -> bool:
        if player.id == self.origin.neutral:
            return False
        return self.running or (not player.dead and self.capital(player) is not None)

    def capital(self, player: OriginalPlayer) -> Place | None:
        """Return the tile of a player's capital, or its first city, or None. See: LW-19.5."""
        own = [city for city in self.cities if city.capital and city.capital_owner == player.id]
        if not self.running:
            own = [city for city in own if city.owner in {player.id, self.origin.neutral}]
        own = own or [city for city in self.cities if city.owner == player.id]
        return (own[0].x, own[0].y) if own else None

    def owner(self, player: int | None) -> int:
        """Return the side of a player; NOBODY for the neutral player and for players left out."""
        return NOBODY if player is None else self.sides.get(player, NOBODY)

    def scene(self) -> Map:
        """Return the translated scenario.

        Raises:
            ScenarioFault: a number cannot be translated.
        """
        origin, outfit = self.origin, self.outfit
        title = clean(origin.name)[: 2 * LONG_NAME] or "Imported"
        plain = Map(
            name=re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "imported",
            title=title,
            about=clean(origin.comment),
            rows=self._rows(),
            roads=self._roads(),
            sides=tuple(self._side(player) for player in self.players),
            cities=tuple(self._city(city) for city in self.cities),
            sites=tuple(self._sites()),
            signs=tuple(
                Sign(row.x, row.y, clean(row.text)[:TEXT])
                for row in origin.signposts
                if self._stands(row.x, row.y, OriginalBuilding.SIGNPOST)
            ),
            items=self.items,
            rewards=self.rewards,
            units=outfit.units,
            neutral_order=outfit.order(self._neutral),
            neutral_gold=max(0, min(MOST_GOLD, self._neutral.gold)),
            heroes=tuple(self.outfit.heroes(self.owner)),
            ground_costs=self._ground_costs(),
            options=options_of(origin.options),
        )
        return moment_of(plain, self) if self.running else plain

    @cached_property
    def _neutral(self) -> OriginalPlayer:
        return next(each for each in self.origin.players if each.id == self.origin.neutral)

    # -- the land

    def _stands(self, x: int, y: int, *kinds: OriginalBuilding) -> bool:
        return self.origin.buildings[y][x] in {BUILDING_SIGNS[kind] for kind in kinds}

    def _rows(self) -> tuple[str, ...]:
        """Return rows of terrain, with the buildings that change its cost. See: LW-12.2."""
        made = [[_GROUNDS[int(digit)] for digit in row] for row in self.origin.terrain]
        for y, row in enumerate(self.origin.buildings):
            for x, sign in enumerate(row):
                if sign == BUILDING_SIGNS[OriginalBuilding.PORT]:
                    made[y][x] = "p"
                elif sign == BUILDING_SIGNS[OriginalBuilding.BRIDGE]:
                    made[y][x] = "="
        for city in self.cities:
            for x, y in _tiles(city):
                made[y][x] = "c"
        return tuple("".join(row) for row in made)

    def _ground_costs(self) -> tuple[int, ...]:
        """Return the tile set's costs of terrains; empty if they are the book's. Rules: LW-19.4."""
        tiles = self.origin.tile_set
        if tiles is None or tuple(tiles.costs) == book_costs():
            return ()
        return tuple(min(MOST_COST, cost) for cost in tiles.costs)

    def _roads(self) -> tuple[str, ...]:
        """Return rows of roads; they are only on otherwise free land. See: LW-1, LW-19.3."""
        land = self._rows()
        sites = {(temple.x, temple.y) for temple in self.origin.temples}
        sites |= {(ruin.x, ruin.y) for ruin in self.origin.ruins}
        laid = {(road.x, road.y) for road in self.origin.roads}
        return tuple(
            "".join(
                "+" if (x, y) in laid and (x, y) not in sites and sign in ".fhms" else "."
                for x, sign in enumerate(row)
            )
            for y, row in enumerate(land)
        )

    # -- sides and cities

    def _side(self, player: OriginalPlayer) -> SidePlaced:
        return SidePlaced(
            name=clean(player.name)[:LONG_NAME],
            capital=self.capital(player),
            gold=max(0, min(MOST_GOLD, player.gold)),
            human=player.kind in _PEOPLE,
            level=_LEVELS.get(player.kind, 0),
            order=self.outfit.order(player),
            alive=not player.dead,
        )

    def _city(self, city: OriginalCity) -> CityPlaced:
        razed = city.burnt
        filled = [place for place, slot in enumerate(city.slots) if slot is not None]
        busy = self.running and not razed and city.active_slot in filled
        return alike(
            CityPlaced,
            city,
            name=clean(city.name)[:NAME_LENGTH],
            slots=tuple(self._made(slot) for slot in city.slots if slot is not None),
            owner=NOBODY if razed else self.owner(city.owner),
            buys=city.build_production,
            making=filled.index(city.active_slot)
            if busy and city.active_slot is not None
            else NONE,
            left=max(0, city.turns_left or 0) if busy else 0,
            vector=self._vector(city) if self.running else NONE,
            razed=razed,
        )

    def _vector(self, city: OriginalCity) -> int:
        return NONE if city.vectoring is None else self.city_at(city.vectoring)

    def city_at(self, at: Place) -> int:
        """Return the number of the city on a tile, or NONE."""
        found = (number for number, city in enumerate(self.cities) if at in _tiles(city))
        return next(found, NONE)

    def slot(self, slot: OriginalSlot) -> Slot:
        """Convert a city's slot, which keeps its own numbers. See: LW-9, LW-19.3."""
        kind = self.outfit.type_of(slot.army_set, slot.unit_type)
        usual = slot_of(kind)
        return replace(
            usual,
            strength=slot.strength,
            turns=max(1, slot.production),
            move=slot.max_moves,
            cost=slot.production_cost,
            upkeep=usual.upkeep if slot.upkeep == type_upkeep(kind) else slot.upkeep,
        )

    def _made(self, slot: OriginalSlot) -> str | Made:
        own = self.slot(slot)
        kind = self.outfit.types[own.type]
        usual = slot_of(kind)
        if own == usual:
            return kind.key
        told = {
            name: getattr(own, name)
            for name in ("strength", "turns", "move", "cost", "upkeep")
            if getattr(own, name) != getattr(usual, name)
        }
        return Made(unit=kind.key, **told)

    # -- sites, items and rewards

    def _sites(self) -> Iterator[SitePlaced]:
        for temple in self.origin.temples:
            yield alike(
                SitePlaced,
                temple,
                name=clean(temple.name)[:LONG_NAME],
                kind="temple",
                about=clean(temple.description)[:TEXT],
            )
        for ruin in self.origin.ruins:
            owner = self.owner(ruin.owner)
            yield alike(
                SitePlaced,
                ruin,
                name=clean(ruin.name)[:LONG_NAME],
                kind=_ruin_kind(ruin),
                about=clean(ruin.description)[:TEXT],
                guardian=self._guardian(ruin),
                known_to=0 if owner == NOBODY else side_bit(owner),
            )

    def _guardian(self, ruin: OriginalRuin) -> int:
        """Return the number of a ruin's keeper, 0 if the file has none. See: LW-14, LW-19.5."""
        if ruin.searched or ruin.keeper is None or ruin.keeper.stack is None:
            return 0
        for army in ruin.keeper.stack.armies:
            return self.outfit.type_of(army.army_set, army.unit_type).id + 1
        return 0

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Items of the game: one of each kind, and more if the file has more. See: LW-11."""
        return self.outfit.items(self._held())

    def _held(self) -> Iterator[tuple[OriginalItem, Item]]:
        """Yield the items that are somewhere already, each with its record in the file."""
        for bag in self.origin.bags:
            for thing in bag.items:
                made = self.outfit.item(thing, self.owner)
                made = replace(made, where="ground", x=bag.x, y=bag.y)
                planted = thing.planted and self.running
                yield thing, replace(made, where="planted") if planted else made
        for number, ruin in zip(self.ruin_numbers, self.origin.ruins, strict=True):
            if isinstance(ruin.reward, OriginalItemReward) and not ruin.searched:
                made = self.outfit.item(ruin.reward.item, self.owner)
                yield ruin.reward.item, replace(made, where="site", holder=number)
        if not self.running:
            return
        for number, (_, _, army) in enumerate(self.armies(), 1):
            for thing in army.hero.backpack if army.hero else ():
                made = self.outfit.item(thing, self.owner)
                yield thing, replace(made, where="carried", holder=number)

    def armies(self) -> Iterator[tuple[OriginalPlayer, OriginalStack, OriginalArmy]]:
        """Yield the armies on the map in the order of their new numbers, which start at 1."""
        for player in self.origin.players:
            for stack in player.stacks:
                yield from ((player, stack, army) for army in stack.armies)

    @cached_property
    def rewards(self) -> tuple[Reward, ...]:
        """Rewards that are already set for unsearched ruins. See: LW-14, LW-19.5."""
        pairs = zip(self.ruin_numbers, self.origin.ruins, strict=True)
        found = (self._reward(number, ruin) for number, ruin in pairs if not ruin.searched)
        return tuple(reward for reward in found if reward is not None)

    def _reward(self, number: int, ruin: OriginalRuin) -> Reward | None:
        match ruin.reward:
            case OriginalGold(gold=gold):
                return Reward(number, "gold", gold=gold)
            case OriginalAllies(number=count, unit_type=kind, army_set=listed):
                ally = self.outfit.type_of(listed, kind).id
                return Reward(number, "allies", ally=ally, count=count)
            case OriginalItemReward():
                held = (i for i in self.items if i.where == "site" and i.holder == number)
                return Reward(number, "item", item=next(held).id)
            case OriginalRuinReward(x=x, y=y):
                pairs = zip(self.ruin_numbers, self.origin.ruins, strict=True)
                other = next((n for n, each in pairs if (each.x, each.y) == (x, y)), None)
                return None if other is None else Reward(number, "ruin", site=other)
            case OriginalMapReward(x=x, y=y, width=width, height=height):
                width = min(width, self.origin.width - x)
                height = min(height, self.origin.height - y)
                return Reward(number, "map", x=x, y=y, width=width, height=height)
            case _:
                return None

    # -- remarks

    def remarks(self) -> Iterator[str]:
        """Yield one line for each thing that could not be translated. See: LW-19.5."""
        origin = self.origin
        out = [each for each in origin.players if each.id not in {origin.neutral, *self.sides}]
        if out:
            yield f"players who are dead or have no city are left out: {many(len(out), 'player')}"
        if lost := [city for city in origin.cities if city.burnt and not self.running]:
            yield f"burnt cities are left out: {len(lost)}"
        if not self.running and any(player.stacks for player in origin.players):
            yield "armies on the map are left out: every city begins with the usual garrison"
        yield from self.outfit.remarks()
        yield from (f"{words}: {count}" for words, count in self._uncarried() if count)

    def _uncarried(self) -> tuple[tuple[str, int], ...]:
        origin = self.origin
        costs = origin.tile_set.costs if origin.tile_set else ()
        keepers = [ruin.keeper.stack for ruin in origin.ruins if ruin.keeper and ruin.keeper.stack]
        crowds = sum(len(stack.armies) > 1 for stack in keepers)
        heroes = origin.hero_templates
        homeless = [h for h in heroes if h.owner is not None and self.owner(h.owner) == NOBODY]
        strange = sum(n >= len(origin.items) for hero in heroes for n in hero.starting_items)
        return (
            ("rewards that no ruin has yet are drawn anew", len(origin.rewards)),
            ("terrains cost less than in the tile set", sum(cost > MOST_COST for cost in costs)),
            ("named heroes of players left out are not offered", len(homeless)),
            ("starting items of heroes are not in the list of items", strange),
            ("circles of stones are left out", len(origin.stones)),
            ("keepers are single armies, of others the first counts", crowds),
        )


def _tiles(city: OriginalCity) -> Iterable[Place]:
    return ((city.x + right, city.y + down) for down in (0, 1) for right in (0, 1))


def _ruin_kind(ruin: OriginalRuin) -> str:
    if ruin.sage or ruin.kind is OriginalRuinKind.SAGE:
        return "sage"
    return "stronghold" if ruin.kind is OriginalRuinKind.STRONGHOLD else "ruin"


def options_of(found: OriginalOptions) -> dict[str, Value]:
    """Return the options set in the file. See: LW-19.3, LW-20."""
    words: dict[str, Value] = {
        "quests": _WORDS[found.quests],
        "neutral_cities": found.neutral_cities.lower(),
        "razing_cities": found.razing_cities.lower(),
        "vectoring_mode": _WORDS[found.vectoring_mode],
        "build_production": found.build_production_mode.removeprefix("BUILD_PRODUCTION_").lower(),
        "sacking_mode": found.sacking_mode.removeprefix("SACKING_").lower(),
    }
    return words | {name: "on" if getattr(found, name) else "off" for name in _SWITCHES}


IMPORTERS: Final[tuple[Importer, ...]] = (OriginalImporter(),)
