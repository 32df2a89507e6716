"""Words: names of sides, armies, cities and items, sentences, and the registries for events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

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
from engine.tabletop.board import Line
from engine.tabletop.fact import Fact, LossRow
from engine.tabletop.registration import Handlers
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
"""Sign before money that is paid."""


# -- names -----------------------------------------------------------------------------------------


def side_name(context: PictureContext, side: int) -> str:
    """Name of a side; ``the neutrals`` for nobody."""
    if side == NOBODY:
        return "the neutrals"
    row = context.world.sides.get(side)
    return row.name if row is not None and row.name else f"side {side + 1}"


def side_title(context: PictureContext, side: int) -> str:
    """Name of a side at the beginning of a line."""
    name = side_name(context, side)
    return name[:1].upper() + name[1:]


def type_name(context: PictureContext, kind: int) -> str:
    """Name of a unit type."""
    row = context.world.types.get(kind)
    return row.name if row is not None else f"type {kind}"


def army_name(context: PictureContext, army: Army) -> str:
    """Name of a hero, else the army's type."""
    return army.hero.name if army.hero is not None else type_name(context, army.type)


def named(context: PictureContext, number: int) -> str:
    """Name of an army by id; ``an army`` if it is unknown."""
    army = context.world.armies.get(number)
    return army_name(context, army) if army is not None else "an army"


def company(context: PictureContext, armies: Iterable[Army]) -> str:
    """Several armies: ``Sir Bors, 2 Dragons and Scouts``."""
    listed = list(armies)
    heroes = [army.hero.name for army in listed if army.hero is not None]
    return (
        joined([*heroes, *kinds(context, (a.type for a in listed if a.hero is None))]) or "nobody"
    )


def verb(armies: Sequence[Army], one: str, several: str) -> str:
    """Verb for armies by name: singular for a hero, or an army nobody knows, who is alone.

    Names of types are plural.
    """
    is_single = armies[0].hero is not None or armies[0].type == UNKNOWN_TYPE.id
    return one if len(armies) == 1 and is_single else several


def kinds(context: PictureContext, types: Iterable[int]) -> list[str]:
    """Type names with their counts, in order of first appearance."""
    return [_kind(context, kind, count) for kind, count in Counter(types).items()]


def _kind(context: PictureContext, kind: int, count: int) -> str:
    if kind == UNKNOWN_TYPE.id:
        return many(count, "army", "armies")
    name = type_name(context, kind)
    return f"{count} {name}" if count > 1 else name


def city_name(context: PictureContext, city: int) -> str:
    """Name of a city by id; ``the rally flag`` for the flag."""
    if city == TO_FLAG:
        return "the rally flag"
    row = context.world.cities.get(city)
    return row.name if row is not None and row.name else "a city"


def spot(at: Place) -> str:
    """Tile as written in commands."""
    return f"{at[0]},{at[1]}"


def where(context: PictureContext, at: Place) -> str:
    """Tile by the name of its city or site, if it has one."""
    city, site = city_at(context.world, at), site_at(context.world, at)
    if city is not None and city.name:
        return city.name
    return site.name if site is not None and site.name else spot(at)


_NEAR: Final = 5
"""Most tiles between a tile without a name and a city that it is told to be near."""


def place(context: PictureContext, at: Place) -> str:
    """Tile with its preposition: ``at Marthos``, ``near Marthos``, ``at 4,3`` far from cities."""
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
    """Tile as the end of a way: ``to Marthos``, ``near Marthos``, ``to 4,3`` far from cities."""
    there = place(context, at)
    return there if there.startswith("near ") else f"to {there.removeprefix('at ')}"


def item_name(context: PictureContext, item: Item) -> str:
    """Name of an item with its effect."""
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
    """Effect of an item in a few words."""
    own = context.style.effects.get(item.kind)
    return usual_effect(item) if own is None else own(item)


def usual_effect(item: Item) -> str:
    """Effect of an item of a kind that the layer knows, or at least its kind."""
    text = _EFFECTS.get(item.kind, plain_kind(item.kind) + " {value}")
    return text.format(value=item.value)


def plain_kind(kind: str) -> str:
    """A kind, trait or class that only the ruleset knows, in words."""
    return kind.replace("-", " ")


def traits(row: UnitType) -> list[str]:
    """Special abilities of a unit type."""
    found = [_TRAITS.get(trait, plain_kind(trait)) for trait in row.traits]
    found += [f"own {bonus}" for bonus in bonuses(row.own)]
    found += [f"side {bonus}" for bonus in bonuses(row.pack)]
    return [*found, f"foes {row.foe}"] if row.foe else found


def abilities(style: PictureStyle, row: UnitType) -> list[str]:
    """Special abilities of a unit type as the ruleset tells them."""
    return traits(row) if style.abilities is None else style.abilities(row)


def slot_price(context: PictureContext, slot: Slot) -> str:
    """Gold that an army costs when it is made, where it costs any."""
    price = context.settings.cities.unit_price
    return "" if price is None else f", {price(slot)} gold"


def army_words(context: PictureContext, army: Army) -> ArmyWords:
    """Words of the ruleset about an army beside strength and points."""
    told = context.style.army_words
    return ArmyWords() if told is None else told(context, army)


def bonuses(bonus: Bonus) -> list[str]:
    """Bonus by class of battleground: ``+1`` if it is the same everywhere."""
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
    """Task of a quest."""
    return _QUESTS[quest.kind].format(
        name=quest.name or "what was asked for",
        foe=side_name(context, quest.side),
        count=quest.count,
        done=quest.done,
    )


# -- numbers and sentences -------------------------------------------------------------------------


def many(count: int, one: str, more: str = "") -> str:
    """Count with its noun: ``1 turn``, ``2 turns``."""
    return f"{count} {one if count == 1 else more or one + 's'}"


def gold(amount: int) -> str:
    """Gold with its noun: ``1,466 gold``."""
    return f"{amount:,} gold"


def does(side: int, one: str, several: str) -> str:
    """Verb of a side: the neutrals are several."""
    return several if side == NOBODY else one


def owned(context: PictureContext, name: str, side: int) -> str:
    """Name of armies with their side, unless they are the viewer's own: ``Scouts of Orrin``."""
    return name if side == context.viewer else f"{name} of {side_name(context, side)}"


def joined(parts: Sequence[str]) -> str:
    """Enumeration: ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def sentence(text: str) -> str:
    """Text with a capital at its start and a full stop at its end."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", ":", "?")) else f"{text}."


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
    """Sentence on a topic, about a side and a tile."""
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
    """Line of the panel: as short as possible, no sentence."""
    return Line(text, tone, seat_of(side), context.rule(topic), at)


def mood(context: PictureContext, gains: int, loses: int = NOBODY) -> Tone:
    """Tone, for the viewer, of news that is good for one side and bad for another."""
    if not context.is_player:
        return Tone.NORMAL
    if context.viewer == gains:
        return Tone.GOOD
    return Tone.BAD if context.viewer == loses else Tone.NORMAL


# -- events ----------------------------------------------------------------------------------------

TELLERS: Final = Handlers[Callable[[Any, PictureContext], Iterable[Line]]]()
"""Functions that tell an event in sentences; called with the event and the context after it."""

FACTS: Final = Handlers[Callable[[Any, PictureContext, PictureContext], Iterable[Fact]]]()
"""Functions that turn an event into facts; called with the event, before and after it."""

LOSSES: Final = Handlers[Callable[[Any, PictureContext, PictureContext], Iterable[LossRow]]]()
"""Functions that list an event's losses; called with the event, before and after it."""


def nothing(_event: Any, _context: PictureContext) -> Iterator[Line]:
    """Teller of events that are not worth a line."""
    return iter(())


def work_fact(context: PictureContext, armies: Sequence[Army]) -> Fact:
    """Fact that armies have joined a side on one tile."""
    seat, at = seat_of(armies[0].owner), armies[0].at
    return Fact("work", seat, at=at, target=company(context, armies), amount=len(armies))
