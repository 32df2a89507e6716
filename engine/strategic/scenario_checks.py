"""Checks of scenario files that rulesets share; each fault has a place, a text and a rule.

Each ruleset has its own records of a scenario; the fields checked here are the same in all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.ruleset import ScenarioFault
from engine.kit.grid import Place
from engine.strategic.pieces import NOBODY, NONE, TO_FLAG, Item, UnitType

SECRET: Final = 32
"""Number of hexadecimal digits in the secret of a hidden map."""

LONG_NAME: Final = 40
TEXT: Final = 400
"""Maximum length of names, except names of cities, and of texts."""

CheckTopic: TypeAlias = Literal[
    "scenario",
    "map",
    "side",
    "count",
    "words",
    "secret",
    "type",
    "hero",
    "city",
    "slots",
    "razed",
    "site",
    "sign",
    "item",
    "order",
    "stance",
    "turn",
    "end",
    "stack",
    "transit",
    "goal",
    "trail",
    "blessing",
    "quest",
    "question",
]
"""Topics of faults; a ruleset names its rule for each."""

Span: TypeAlias = tuple[int, int]
"""Minimum and maximum number."""


def demand(holds: bool, place: str, text: str, rule: str) -> None:  # noqa: FBT001
    """Check a condition that a scenario must meet.

    Raises:
        ScenarioFault: The condition is false.
    """
    if not holds:
        raise ScenarioFault(place, text, rule)


def tiles_of(city: Any) -> tuple[Place, ...]:
    """Return the four tiles of a city in a scenario."""
    return tuple((city.x + column, city.y + row) for row in (0, 1) for column in (0, 1))


@dataclass(frozen=True, eq=False)
class SceneChecks:
    """Checks of a scenario with the numbers and rules of one ruleset."""

    rules: Mapping[CheckTopic, str]
    """Rule ids of faults, by topic."""

    sides: Span
    """Minimum and maximum number of sides."""

    most: Mapping[str, int]
    """Maximum number of rows, by field of a scenario."""

    slots: int
    """Maximum number of slots of a city."""

    city_name: int
    """Maximum length of a city's name."""

    large: int
    """Maximum of numbers that no rule limits."""

    grounds: Sequence[str]
    """Names of terrains, by code."""

    def demand(self, holds: bool, place: str, text: str, topic: CheckTopic) -> None:  # noqa: FBT001
        """Check a condition that a scenario must meet.

        Raises:
            ScenarioFault: The condition is false.
        """
        demand(holds, place, text, self.rules[topic])

    # -- words and numbers

    def counts(self, scene: Any) -> None:
        """Check the number of rows in each part of a scenario, its name and its title."""
        least, most = self.sides
        count = len(scene.sides)
        text = f"{count} sides; {least} to {most} can play"
        self.demand(least <= count <= most, "sides", text, "side")
        for field, limit in self.most.items():
            count = len(getattr(scene, field))
            text = f"{count} are given, {limit} are possible"
            self.demand(count <= limit, field, text, "count")
        self.words("title", scene.title, 4 * LONG_NAME)
        self.words("name", scene.name, 4 * LONG_NAME)

    def words(self, place: str, text: str, most: int = LONG_NAME) -> None:
        """Raise ScenarioFault for a text that is too long or not printable."""
        self.demand(len(text) <= most, place, f"{len(text)} letters; {most} are possible", "words")
        fits = text.replace("\n", " ").isprintable()
        self.demand(fits, place, "has a sign in it that cannot be printed", "words")

    def secret(self, place: str, digits: str) -> None:
        """Raise ScenarioFault for an invalid secret of a hidden map."""
        fits = len(digits) == SECRET and set(digits) <= set("0123456789abcdef")
        self.demand(fits, place, f"must be {SECRET} hexadecimal digits", "secret")

    def numbers(
        self, place: str, row: object, spans: Mapping[str, Span], topic: CheckTopic
    ) -> None:
        """Raise ScenarioFault for a record with a number out of bounds."""
        for field, (low, high) in spans.items():
            value = getattr(row, field)
            fits = value is None or low <= value <= high
            text = f"{value} is not from {low} to {high}"
            self.demand(fits, f"{place}.{field}", text, topic)

    def kinds(
        self, place: str, found: Iterable[str], known: Collection[str], topic: CheckTopic
    ) -> None:
        """Raise ScenarioFault for a kind that this game does not have."""
        strange = next((kind for kind in found if kind not in known), None)
        self.demand(strange is None, place, f"there is no {strange!r} in this game", topic)

    def order(self, place: str, order: Sequence[int]) -> None:
        """Raise ScenarioFault for a line of battle with a rank out of bounds."""
        fits = all(0 <= number <= self.large for number in order)
        self.demand(fits, place, "has a place too high or too low", "order")

    # -- cities

    def city(self, place: str, city: Any, scene: Any, land: Plane) -> None:
        """Check the place and texts of a city, and its numbers that refer to other things."""
        inside = land.has(city.x, city.y) and land.has(city.x + 1, city.y + 1)
        text = f"({city.x}, {city.y}) and the tiles beside are off the map"
        self.demand(inside, place, text, "city")
        self.words(f"{place}.name", city.name, self.city_name)
        self.words(f"{place}.about", city.about, TEXT)
        known = {*range(len(scene.sides)), NOBODY}
        self.demand(city.owner in known, f"{place}.owner", f"there is no side {city.owner}", "side")
        original = city.original is None or city.original in known
        self.demand(original, f"{place}.original", f"there is no side {city.original}", "side")
        full = len(city.slots) <= self.slots
        self.demand(full, f"{place}.slots", f"{self.slots} are possible", "slots")
        last = len(city.slots) - 1
        spans = {"making": (NONE, last), "vector": (TO_FLAG, len(scene.cities) - 1)}
        self.numbers(place, city, spans, "slots")
        gone = not city.razed or (scene.now is not None and city.owner == NOBODY)
        self.demand(gone, f"{place}.razed", "a razed city is for mid-game, and nobody's", "razed")

    def slot_types(self, place: str, city: Any, types: Mapping[str, UnitType]) -> None:
        """Check that the types a city makes exist and are not heroes."""
        for number, slot in enumerate(city.slots):
            key = slot if isinstance(slot, str) else slot.unit
            at = f"{place}.slots[{number}]"
            self.demand(key in types, at, f"there is no unit type {key!r}", "type")
            self.demand("hero" not in types[key].traits, at, "no city makes heroes", "hero")

    def city_tiles(self, scene: Any, land: Plane, standing: int, razed: int | None) -> None:
        """Check that cities share no tiles, and that each city tile belongs to one.

        Args:
            scene: The scenario.
            land: Its terrain.
            standing: The terrain of a standing city.
            razed: The terrain of a razed city; None accepts any.
        """
        taken: dict[Place, int] = {}
        for number, city in enumerate(scene.cities):
            wanted = razed if city.razed else standing
            for x, y in tiles_of(city):
                other = taken.setdefault((x, y), number)
                text = f"({x}, {y}) is a tile of cities[{other}] too"
                self.demand(other == number, f"cities[{number}]", text, "city")
                found = int(land[y, x])
                if wanted is not None:
                    text = f"({x}, {y}) is {self.grounds[found]}, not {self.grounds[wanted]}"
                    self.demand(found == wanted, f"cities[{number}]", text, "city")
        for y, x in np.argwhere(land.cells == standing).tolist():
            alone = (x, y) in taken
            self.demand(alone, f"rows[{y}]", f"the city tile ({x}, {y}) is of no city", "city")

    # -- sites, signs and items

    def site(self, place: str, site: Any, types: Roster[UnitType], keepers: Span) -> None:
        """Check the texts of a site, its guardian and its allies."""
        self.words(f"{place}.name", site.name)
        self.words(f"{place}.about", site.about, TEXT)
        low, high = keepers
        text = f"{site.guardian} is not from {low} to {high}"
        self.demand(low <= site.guardian <= high, f"{place}.guardian", text, "site")
        ally = site.ally == NONE or site.ally in types
        self.demand(ally, f"{place}.ally", f"there is no type {site.ally}", "site")

    def site_places(self, scene: Any) -> None:
        """Check that sites share no tile with each other or with a city, razed or not."""
        taken = {at for city in scene.cities for at in tiles_of(city)}
        for number, site in enumerate(scene.sites):
            at = (site.x, site.y)
            self.demand(at not in taken, f"sites[{number}]", f"{at} has something already", "site")
            taken.add(at)

    def signs(self, scene: Any, land: Plane) -> None:
        """Check the places and texts of signposts."""
        for number, sign in enumerate(scene.signs):
            self.demand(land.has(sign.x, sign.y), f"signs[{number}]", "is off the map", "sign")
            self.words(f"signs[{number}].text", sign.text, TEXT)

    def items(self, scene: Any, land: Plane) -> None:
        """Check the ids of items, and each item."""
        for number, item in enumerate(scene.items):
            place, text = f"items[{number}]", f"is {item.id}; items count from 0 up"
            self.demand(item.id == number, f"{place}.id", text, "item")
            self.item(place, item, scene, land)

    def item(self, place: str, item: Item, scene: Any, land: Plane) -> None:
        """Check the name of an item, its value, its owner and its place."""
        self.words(f"{place}.name", item.name)
        fits = 0 <= item.value <= self.large
        self.demand(fits, f"{place}.value", "is too high or too low", "item")
        own = item.side == NOBODY or 0 <= item.side < len(scene.sides)
        self.demand(own, f"{place}.side", f"there is no side {item.side}", "item")
        if item.where in {"ground", "planted"}:
            self.demand(land.has(item.x, item.y), place, "lies off the map", "item")
        if item.where == "site":
            inside = 0 <= item.holder < len(scene.sites)
            self.demand(inside, f"{place}.holder", f"there is no site {item.holder}", "item")
        early = item.where in {"unused", "site", "ground"}
        self.demand(early or scene.now is not None, f"{place}.where", "is for mid-game", "item")

    # -- sides

    def people(self, scene: Any, types: Collection[int], most: int) -> None:
        """Check guardians, with a strength up to ``most``, lines of battle, and all sides."""
        for number, guardian in enumerate(scene.guardians):
            place = f"guardians[{number}]"
            self.words(f"{place}.name", guardian.name)
            fits = 0 <= guardian.strength <= most
            self.demand(fits, f"{place}.strength", f"is not from 0 to {most}", "site")
        self.order("neutral_order", scene.neutral_order)
        for number, side in enumerate(scene.sides):
            self.side(f"sides[{number}]", side, scene, types)
        if scene.now is None:
            self.capitals(scene)

    def side(self, place: str, side: Any, scene: Any, types: Collection[int]) -> None:
        """Check the texts, the line of battle and the stances of a side."""
        self.words(f"{place}.name", side.name)
        count = max(types, default=NONE) + 1
        full = len(side.order) in {0, count}
        text = f"{len(side.order)} places, not {count}"
        self.demand(full, f"{place}.order", text, "order")
        self.order(f"{place}.order", side.order)
        full = len(side.stances) in {0, len(scene.sides)}
        sound = full and all(0 <= stance <= 2 for stance in side.stances)
        text = "must be 0, 1 or 2 toward every side"
        self.demand(sound, f"{place}.stances", text, "stance")
        early = side.alive and side.quest is None and side.flag is None
        self.demand(early or scene.now is not None, place, "has what is for mid-game", "turn")

    def capitals(self, scene: Any) -> None:
        """Check that each side has its own capital, a city of its own or a neutral one."""
        anchors = {(city.x, city.y): city for city in scene.cities}
        for number, side in enumerate(scene.sides):
            place = f"sides[{number}].capital"
            self.demand(side.capital in anchors, place, "is no city's top left tile", "scenario")
            earlier = [other.capital for other in scene.sides[:number]]
            self.demand(side.capital not in earlier, place, "is another side's too", "scenario")
            owner = anchors[side.capital].owner
            text = f"is a city of side {owner}"
            self.demand(owner in {NOBODY, number}, place, text, "scenario")

    def once(self, field: str, listed: Iterable[object], topic: CheckTopic) -> None:
        """Raise ScenarioFault for places or numbers that contain a duplicate."""
        twice = next((one for one, times in Counter(listed).items() if times > 1), None)
        self.demand(twice is None, field, f"{twice} is given twice", topic)
