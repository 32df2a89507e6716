"""Words: names of sides, armies, cities and items, sentences, and the registries for events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from engine.kit.grid import Place
from engine.strategic.picture.context import PictureContext, seat_of
from engine.strategic.picture.style import ArmyWords, PictureStyle
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
from engine.strategic.world import city_at, site_at
from engine.tabletop import english, narration
from engine.tabletop.board import Line
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

capital, joined, many, sentence = english.capital, english.joined, english.many, english.sentence
mood = narration.mood

# -- names -----------------------------------------------------------------------------------------


def side_name(context: PictureContext, side: int) -> str:
    """Return the name of a side; ``the neutrals`` for ``NOBODY``."""
    if side == NOBODY:
        return "the neutrals"
    row = context.world.sides.get(side)
    return row.name if row is not None and row.name else f"side {side + 1}"


def side_title(context: PictureContext, side: int) -> str:
    """Return the name of a side, with a capital for the start of a line."""
    return capital(side_name(context, side))


def type_name(context: PictureContext, kind: int) -> str:
    """Return the name of a unit type, or ``type 7`` if the id is unknown."""
    row = context.world.types.get(kind)
    return row.name if row is not None else f"type {kind}"


def army_name(context: PictureContext, army: Army) -> str:
    """Return a hero's name, else the name of the army's type."""
    return army.hero.name if army.hero is not None else type_name(context, army.type)


def named(context: PictureContext, number: int) -> str:
    """Return the name of an army by id; ``an army`` if it is unknown."""
    army = context.world.armies.get(number)
    return army_name(context, army) if army is not None else "an army"


def company(context: PictureContext, armies: Iterable[Army]) -> str:
    """Name several armies: ``Sir Bors, 2 Dragons and Scouts``."""
    listed = list(armies)
    heroes = [army.hero.name for army in listed if army.hero is not None]
    return (
        joined([*heroes, *kinds(context, (a.type for a in listed if a.hero is None))]) or "nobody"
    )


def verb(armies: Sequence[Army], one: str, several: str) -> str:
    """Choose the verb for armies: singular for a lone hero or a lone army of unknown type.

    Names of types are plural.
    """
    is_single = armies[0].hero is not None or armies[0].type == UNKNOWN_TYPE.id
    return one if len(armies) == 1 and is_single else several


def kinds(context: PictureContext, types: Iterable[int]) -> list[str]:
    """Return type names with their counts, in order of first appearance."""
    return [_kind(context, kind, count) for kind, count in Counter(types).items()]


def _kind(context: PictureContext, kind: int, count: int) -> str:
    if kind == UNKNOWN_TYPE.id:
        return many(count, "army", "armies")
    name = type_name(context, kind)
    return f"{count} {name}" if count > 1 else name


def city_name(context: PictureContext, city: int) -> str:
    """Return the name of a city by id; ``the rally flag`` for ``TO_FLAG``."""
    if city == TO_FLAG:
        return "the rally flag"
    row = context.world.cities.get(city)
    return row.name if row is not None and row.name else "a city"


def spot(at: Place) -> str:
    """Return a tile as text ``x,y``, as in commands."""
    return f"{at[0]},{at[1]}"


def where(context: PictureContext, at: Place) -> str:
    """Return the name of the city or site on a tile, else the tile as in commands."""
    city, site = city_at(context.world, at), site_at(context.world, at)
    if city is not None and city.name:
        return city.name
    return site.name if site is not None and site.name else spot(at)


_NEAR: Final = 5
"""Maximum distance in tiles at which a nameless tile is "near" a city."""


def place(context: PictureContext, at: Place) -> str:
    """Return a tile with its preposition: ``at Marthos``, ``near Marthos`` or ``at 4,3``."""
    name = where(context, at)
    if name != spot(at):
        return f"at {name}"
    near = [
        (max(abs(city.x - at[0]), abs(city.y - at[1])), city.id)
        for city in context.world.cities.values()
        if city.name and not city.razed
    ]
    steps, city_id = min(near, default=(_NEAR + 1, NOBODY))
    return f"near {city_name(context, city_id)}" if steps <= _NEAR else f"at {name}"


def toward(context: PictureContext, at: Place) -> str:
    """Return a tile as a destination: ``to Marthos``, ``near Marthos`` or ``to 4,3``."""
    there = place(context, at)
    return there if there.startswith("near ") else f"to {there.removeprefix('at ')}"


def item_name(context: PictureContext, item: Item) -> str:
    """Return the name of an item with its effect."""
    return f"{item.name} ({effect(context, item)})"


_EFFECTS: Final = {
    "weapon": "battle +{value}",
    "command": "command +{value}",
    "flight": "its hero flies",
    "speed": "doubles movement",
    "purse": "{value} gold for each city",
    "standard": "command +1, rally flag",
}


def effect(context: PictureContext, item: Item) -> str:
    """Describe an item's effect in a few words."""
    own = context.style.effects.get(item.kind)
    return usual_effect(item) if own is None else own(item)


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


def slot_price(context: PictureContext, slot: Slot) -> str:
    """Return the price of making an army, with a comma in front; empty if making is free."""
    price = context.settings.cities.unit_price
    return "" if price is None else f", {price(slot)} gold"


def army_words(context: PictureContext, army: Army) -> ArmyWords:
    """Return the ruleset's own text about an army, beside strength and points."""
    told = context.style.army_words
    return ArmyWords() if told is None else told(context, army)


def bonuses(bonus: Bonus) -> list[str]:
    """Describe a bonus by class of battleground: ``+1`` if it is the same on all."""
    if len(set(bonus)) == 1:
        return [f"+{bonus[0]}"] if bonus[0] else []
    return [f"+{n} {name}" for n, name in zip(bonus, CLASSES, strict=True) if n]


_QUESTS: Final = {
    "kill-hero": "kill {name} of {foe}",
    "fetch-item": "fetch {name}",
    "kill-type": "destroy {name} of {foe}",
    "kill-armies": "destroy {count} armies of {foe} ({done} so far)",
    "keep-city": "take {name} and hold it",
    "raze-city": "take {name} and raze it",
    "plunder": "plunder {count} gold ({done} so far)",
}


def quest_text(context: PictureContext, quest: Quest) -> str:
    """Describe the task of a quest."""
    return _QUESTS[quest.kind].format(
        name=quest.name or "what was asked for",
        foe=side_name(context, quest.side),
        count=quest.count,
        done=quest.done,
    )


# -- numbers and sentences -------------------------------------------------------------------------


def gold(amount: int) -> str:
    """Return an amount of gold with its noun: ``1,466 gold``."""
    return f"{amount:,} gold"


def does(side: int, one: str, several: str) -> str:
    """Choose the verb for a side; the neutrals are plural."""
    return several if side == NOBODY else one


def owned(context: PictureContext, name: str, side: int) -> str:
    """Return the name of an army with its side, ``Scouts of Orrin``; without it for own armies."""
    return name if side == context.viewer else f"{name} of {side_name(context, side)}"


def say(  # noqa: PLR0913 - the fields of a line
    context: PictureContext,
    text: str,
    topic: Topic,
    side: int = NOBODY,
    *,
    at: Place | None = None,
    tone: Tone = Tone.NORMAL,
    group: str = "",
) -> Line:
    """Return a sentence on a topic, about a side and a tile."""
    return Line(sentence(text), tone, seat_of(side), context.rule(topic), at, group)


def note(
    context: PictureContext,
    text: str,
    topic: Topic,
    side: int = NOBODY,
    *,
    at: Place | None = None,
    tone: Tone = Tone.NORMAL,
) -> Line:
    """Return a line of the panel: short, no full sentence."""
    return Line(text, tone, seat_of(side), context.rule(topic), at)


# -- events ----------------------------------------------------------------------------------------

NARRATION: Final = narration.Narration[PictureContext, PictureContext, PictureContext]()
"""Sentences from the context after an event; facts and losses from the contexts around it."""

tells, facts, losses, fact = NARRATION.tells, NARRATION.facts, NARRATION.losses, NARRATION.fact


def work_fact(context: PictureContext, armies: Sequence[Army]) -> Fact:
    """Return the fact that armies have joined a side on one tile."""
    seat, at = seat_of(armies[0].owner), armies[0].at
    return Fact("work", seat, at=at, target=company(context, armies), amount=len(armies))
