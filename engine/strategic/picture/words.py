"""Words: names of sides, armies, cities and items, and sentences about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.core.containers import Plane
from engine.kit.grid import Place
from engine.strategic.picture.style import ArmyWords, PictureStyle, SymbolTable
from engine.strategic.pieces import (
    CLASSES,
    NOBODY,
    TO_FLAG,
    UNKNOWN_TYPE,
    Army,
    Bonus,
    Item,
    Quest,
    Slot,
    UnitType,
)
from engine.strategic.refusal import Topic
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, city_at, site_at
from engine.tabletop.board import NOBODY as NO_SEAT
from engine.tabletop.board import Line
from engine.tabletop.english import capital, joined, many, sentence
from engine.tabletop.fact import Fact
from engine.tabletop.roles import Tone

_TRAITS: Final = {
    "fly": "flies",
    "woods": "woods-wise",
    "hills": "hills-wise",
    "boat": "a boat",
    "hero": "a hero",
    "siege": "cancels walls",
    "anti-hero": "cancels leaders",
    "anti-pack": "cancels packs",
    "works": "digs in",
}


MINUS: Final = "\N{MINUS SIGN}"
"""Sign in front of money that is paid."""

# -- words without a viewer ------------------------------------------------------------------------


def verb(armies: Sequence[Army], one: str, several: str) -> str:
    """Choose the verb for armies: singular for a lone hero or a lone army of unknown type.

    Names of types are plural.
    """
    is_single = armies[0].hero is not None or armies[0].type == UNKNOWN_TYPE.id
    return one if len(armies) == 1 and is_single else several


def spot(at: Place) -> str:
    """Return a tile as text ``x,y``, as in commands."""
    return f"{at[0]},{at[1]}"


_EFFECTS: Final = {
    "weapon": "battle +{value}",
    "command": "command +{value}",
    "flight": "its hero flies",
    "speed": "doubles movement",
    "purse": "{value} gold for each city",
    "standard": "command +1, rally flag",
}


def usual_effect(item: Item) -> str:
    """Describe the effect of an item of a shared kind; for other kinds return kind and value."""
    text = _EFFECTS.get(item.kind, plain_kind(item.kind) + " {value}")
    return text.format(value=item.value)


def plain_kind(kind: str) -> str:
    """Return a kind, trait or class of the ruleset's own as words."""
    return kind.replace("-", " ")


def traits(row: UnitType) -> list[str]:
    """Describe the special abilities of a unit type."""
    found = [_TRAITS.get(trait, plain_kind(trait)) for trait in row.traits]
    found += [f"own {bonus}" for bonus in bonuses(row.own)]
    found += [f"side {bonus}" for bonus in bonuses(row.pack)]
    return [*found, f"foes {row.foe}"] if row.foe else found


def abilities(style: PictureStyle, row: UnitType) -> list[str]:
    """Describe a unit type's special abilities in the ruleset's own words, if it has any."""
    return traits(row) if style.abilities is None else style.abilities(row)


def bonuses(bonus: Bonus) -> list[str]:
    """Describe a bonus by class of battleground: ``+1`` if it is the same on all."""
    if len(set(bonus)) == 1:
        return [f"+{bonus[0]}"] if bonus[0] else []
    return [f"+{n} {name}" for n, name in zip(bonus, CLASSES, strict=True) if n]


def gold(amount: int) -> str:
    """Return an amount of gold with its noun: ``1,466 gold``."""
    return f"{amount:,} gold"


def does(side: int, one: str, several: str) -> str:
    """Choose the verb for a side; the neutrals are plural."""
    return several if side == NOBODY else one


def seat_of(owner: int) -> int:
    """Return the seat number of an owner for clients; ``NO_SEAT`` for the neutrals."""
    return NO_SEAT if owner == NOBODY else owner


# -- words of a viewer -----------------------------------------------------------------------------

_NEAR: Final = 5
"""Maximum distance in tiles at which a nameless tile is "near" a city."""

_QUESTS: Final = {
    "kill-hero": "kill {name} of {foe}",
    "fetch-item": "fetch {name}",
    "kill-type": "destroy {name} of {foe}",
    "kill-armies": "destroy {count} armies of {foe} ({done} so far)",
    "keep-city": "take {name} and hold it",
    "raze-city": "take {name} and raze it",
    "plunder": "plunder {count} gold ({done} so far)",
}


@dataclass(frozen=True, eq=False)
class KnownWorld:
    """The world as ``viewer`` knows it, in words. ``visible`` is 1 where it sees armies now."""

    world: World
    viewer: int
    visible: Plane
    settings: RuleSettings
    style: PictureStyle
    symbols: SymbolTable

    def rule(self, topic: Topic) -> str:
        """Return the id of the rule on a topic."""
        return self.settings.rules[topic]

    def side_name(self, side: int) -> str:
        """Return the name of a side; ``the neutrals`` for ``NOBODY``."""
        if side == NOBODY:
            return "the neutrals"
        row = self.world.sides.get(side)
        return row.name if row is not None and row.name else f"side {side + 1}"

    def side_title(self, side: int) -> str:
        """Return the name of a side, with a capital for the start of a line."""
        return capital(self.side_name(side))

    def type_name(self, kind: int) -> str:
        """Return the name of a unit type, or ``type 7`` if the id is unknown."""
        row = self.world.types.get(kind)
        return row.name if row is not None else f"type {kind}"

    def army_name(self, army: Army) -> str:
        """Return a hero's name, else the name of the army's type."""
        return army.hero.name if army.hero is not None else self.type_name(army.type)

    def named(self, number: int) -> str:
        """Return the name of an army by id; ``an army`` if it is unknown."""
        army = self.world.armies.get(number)
        return self.army_name(army) if army is not None else "an army"

    def company(self, armies: Iterable[Army]) -> str:
        """Name several armies: ``Sir Bors, 2 Dragons and Scouts``."""
        listed = list(armies)
        heroes = [army.hero.name for army in listed if army.hero is not None]
        others = self.kinds(army.type for army in listed if army.hero is None)
        return joined([*heroes, *others]) or "nobody"

    def kinds(self, types: Iterable[int]) -> list[str]:
        """Return type names with their counts, in order of first appearance."""
        return [self._kind(kind, count) for kind, count in Counter(types).items()]

    def _kind(self, kind: int, count: int) -> str:
        if kind == UNKNOWN_TYPE.id:
            return many(count, "army", "armies")
        name = self.type_name(kind)
        return f"{count} {name}" if count > 1 else name

    def city_name(self, city: int) -> str:
        """Return the name of a city by id; ``the rally flag`` for ``TO_FLAG``."""
        if city == TO_FLAG:
            return "the rally flag"
        row = self.world.cities.get(city)
        return row.name if row is not None and row.name else "a city"

    def where(self, at: Place) -> str:
        """Return the name of the city or site on a tile, else the tile as in commands."""
        city, site = city_at(self.world, at), site_at(self.world, at)
        if city is not None and city.name:
            return city.name
        return site.name if site is not None and site.name else spot(at)

    def place(self, at: Place) -> str:
        """Return a tile with its preposition: ``at Marthos``, ``near Marthos`` or ``at 4,3``."""
        name = self.where(at)
        if name != spot(at):
            return f"at {name}"
        near = [
            (max(abs(city.x - at[0]), abs(city.y - at[1])), city.id)
            for city in self.world.cities.values()
            if city.name and not city.razed
        ]
        steps, city_id = min(near, default=(_NEAR + 1, NOBODY))
        return f"near {self.city_name(city_id)}" if steps <= _NEAR else f"at {name}"

    def toward(self, at: Place) -> str:
        """Return a tile as a destination: ``to Marthos``, ``near Marthos`` or ``to 4,3``."""
        there = self.place(at)
        return there if there.startswith("near ") else f"to {there.removeprefix('at ')}"

    def item_name(self, item: Item) -> str:
        """Return the name of an item with its effect."""
        return f"{item.name} ({self.effect(item)})"

    def effect(self, item: Item) -> str:
        """Describe an item's effect in a few words."""
        own = self.style.effects.get(item.kind)
        return usual_effect(item) if own is None else own(item)

    def slot_price(self, slot: Slot) -> str:
        """Return the price of making an army, with a comma in front; empty if making is free."""
        price = self.settings.cities.unit_price
        return "" if price is None else f", {price(slot)} gold"

    def army_words(self, army: Army) -> ArmyWords:
        """Return the ruleset's own text about an army, beside strength and points."""
        told = self.style.army_words
        return ArmyWords() if told is None else told(self, army)

    def quest_text(self, quest: Quest) -> str:
        """Describe the task of a quest."""
        return _QUESTS[quest.kind].format(
            name=quest.name or "what was asked for",
            foe=self.side_name(quest.side),
            count=quest.count,
            done=quest.done,
        )

    def owned(self, name: str, side: int) -> str:
        """Return an army's name with its side, ``Scouts of Orrin``; own armies without it."""
        return name if side == self.viewer else f"{name} of {self.side_name(side)}"

    def say(
        self,
        text: str,
        topic: Topic,
        side: int = NOBODY,
        *,
        at: Place | None = None,
        tone: Tone = Tone.NORMAL,
        group: str = "",
    ) -> Line:
        """Return a sentence on a topic, about a side and a tile."""
        return Line(sentence(text), tone, seat_of(side), self.rule(topic), at, group)

    def note(
        self,
        text: str,
        topic: Topic,
        side: int = NOBODY,
        *,
        at: Place | None = None,
        tone: Tone = Tone.NORMAL,
    ) -> Line:
        """Return a line of the panel: short, no full sentence."""
        return Line(text, tone, seat_of(side), self.rule(topic), at)

    def work_fact(self, armies: Sequence[Army]) -> Fact:
        """Return the fact that armies have joined a side on one tile."""
        seat, at = seat_of(armies[0].owner), armies[0].at
        return Fact("work", seat, at=at, target=self.company(armies), amount=len(armies))
