"""Dialogues about cities and about the whole side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.core.record import Command
from engine.kit.grid import Place
from engine.strategic import aftermath
from engine.strategic import commands as do
from engine.strategic.cities import sources
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.questions import name_for, one_of, one_place, pending
from engine.strategic.picture.status import undone
from engine.strategic.picture.stopping import warnings
from engine.strategic.picture.words import abilities, gold
from engine.strategic.pieces import NONE, TO_FLAG, UNKNOWN_TYPE, City, Side, Slot, UnitType
from engine.strategic.settings import Fate
from engine.strategic.world import city_at, treaty
from engine.tabletop.ask import AskConfirm, AskOrder, AskPlace, Choice
from engine.tabletop.dialogue import Dialogue, confirm
from engine.tabletop.english import joined, many
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

# -- cities ----------------------------------------------------------------------------------------


def _own_city(context: PictureContext, focus: Focus) -> City:
    found = city_at(context.world, (focus.x, focus.y))
    if found is None or found.owner != context.viewer:
        raise ValueError("This is not your city.")
    return found


def no_slots(city: City) -> str:
    """Return the reason why a city cannot produce anything else; empty if it can."""
    if not city.slots:
        return "It can make nothing yet; buy a type first."
    return "" if len(city.slots) > 1 or city.making == NONE else "It can make nothing else."


def produce(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask which of its types a city produces."""
    city = _own_city(context, focus)
    labels = {number: _slot_text(context, slot) for number, slot in enumerate(city.slots)}
    barred = {city.making: f"{many(city.left, 'turn')} left"}
    return do.Produce(city.id, (yield from one_of(f"What does {city.name} make?", labels, barred)))


def _slot_text(context: PictureContext, slot: Slot) -> str:
    upkeep = context.settings.cities.upkeep_of_slot(slot)
    kind = context.world.types.get(slot.type)
    text = f"{context.type_name(slot.type)}: {many(slot.turns, 'turn')}, strength {slot.strength}"
    text += f", moves {slot.move}, upkeep {upkeep}{context.slot_price(slot)}"
    return ", ".join([text, *(abilities(context.style, kind) if kind is not None else [])])


def stop(context: PictureContext, focus: Focus) -> Command:
    """Return the command to stop the production of the city under the cursor."""
    return do.StopProduction(_own_city(context, focus).id)


def _wares(context: PictureContext, city: City) -> list[UnitType]:
    """Return the types that a city can buy, cheapest first."""
    world, sells = context.world, context.settings.cities.for_sale
    found = [kind for kind in world.types.values() if sells(world, city, kind)]
    return sorted(found, key=lambda kind: (kind.price, kind.id))


def no_buying(context: PictureContext, city: City) -> str:
    """Return the reason why a city can buy no type; empty if it can buy one."""
    treasury = context.own_side.gold
    listed = _wares(context, city)
    if not listed:
        return "Nothing is for sale."
    if listed[0].price > treasury:
        return f"The cheapest costs {gold(listed[0].price)}."
    is_none = all(_no_ware(context, city, ware) for ware in listed)
    return "The city makes all that it could pay for." if is_none else ""


def buy(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask for a type to buy and for its slot."""
    city, treasury = _own_city(context, focus), context.own_side.gold
    wares = _wares(context, city)
    kind = yield from one_of(
        f"Buy a type for {city.name}: treasury {treasury:,}",
        {ware.id: _ware_text(context, city, ware) for ware in wares},
        {ware.id: reason for ware in wares if (reason := _no_ware(context, city, ware))},
    )
    places = min(len(city.slots) + 1, context.settings.cities.most_slots)
    labels = {number: _slot_place(context, city, number) for number in range(places)}
    slot = yield from one_of(f"Which place for {context.type_name(kind)}?", labels)
    return do.BuySlot(city.id, slot, kind)


def _no_ware(context: PictureContext, city: City, ware: UnitType) -> str:
    """Return the reason why buying a type is no use or too expensive; empty if there is none."""
    if any(_is_same(slot, ware) for slot in city.slots):
        return "the city makes it already"
    return "too expensive" if ware.price > context.own_side.gold else ""


def _is_same(slot: Slot, ware: UnitType) -> bool:
    """Return whether a slot makes armies just like bought ones; its numbers may differ."""
    made = slot.type, slot.strength, slot.turns, slot.move
    return made == (ware.id, ware.strength, ware.turns, ware.move)


def _ware_text(context: PictureContext, city: City, ware: UnitType) -> str:
    text = f"{ware.name}: {gold(ware.price)}, strength {ware.strength}, {many(ware.turns, 'turn')}"
    upkeep = f"upkeep {context.style.upkeep(ware)}"
    made = [
        f"made here with strength {slot.strength}, {many(slot.turns, 'turn')}, moves {slot.move}"
        for slot in city.slots
        if slot.type == ware.id and not _is_same(slot, ware)
    ]
    parts = [f"{text}, moves {ware.move}", upkeep, *abilities(context.style, ware), *made]
    return ", ".join(parts)


def _slot_place(context: PictureContext, city: City, number: int) -> str:
    if number >= len(city.slots):
        after = context.settings.cities.defence(len(city.slots) + 1)
        gain = f", and the defence rises from {city.defence} to {after}"
        return "A new place" + (gain if after > city.defence else "")
    name = context.type_name(city.slots[number].type)
    return f"Instead of {name}" + (", now in production" if number == city.making else "")


def _vector_ends(context: PictureContext, city: City) -> dict[Place, tuple[str, str, do.SetVector]]:
    """Return possible destinations, each with its label, its effect and the order for it."""
    most = context.settings.cities.sources
    found: dict[Place, tuple[str, str, do.SetVector]] = {}
    for other in context.own_cities:
        count = len(sources(context.world, context.viewer, other.id))
        if other.id not in {city.id, city.vector} and count < most:
            there = other.x, other.y
            effect = f"Send new armies {context.toward(there)}"
            found[there] = str(count), effect, do.SetVector(city.id, other.id)
    flag = context.own_side.flag
    crowd = len(sources(context.world, context.viewer, TO_FLAG))
    if flag is not None and city.vector != TO_FLAG and crowd < most:
        found[flag] = "F", "Send new armies to the rally flag", do.SetVector(city.id, flag=True)
    if city.vector != NONE:
        found[city.x, city.y] = "-", "Keep new armies here", do.SetVector(city.id)
    return found


def no_vector(context: PictureContext, city: City) -> str:
    """Return the reason why a city cannot send its new armies elsewhere; empty if it can."""
    return "" if _vector_ends(context, city) else "There is nowhere else to send them."


def vector(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask for the destination of new armies."""
    city = _own_city(context, focus)
    ends = _vector_ends(context, city)
    title = f"Send armies of {city.name} to ({_journeys(context, city, ends)})"
    labels, hints, _ = zip(*ends.values(), strict=True)
    question = AskPlace(title, tuple(ends), labels, hints=hints)
    return ends[(yield from one_place(context, question))][-1]


def _journeys(context: PictureContext, city: City, ends: Iterable[Place]) -> str:
    rounds = context.settings.cities.journey_to
    others = [end for end in ends if end != (city.x, city.y)]
    if rounds is None or not others:
        return many(context.settings.cities.journey, "turn")
    found = sorted({rounds(context.world, city, end) for end in others})
    most = many(found[-1], "turn")
    return most if len(found) == 1 else f"{found[0]} to {most}"


def rename(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask for a city's new name."""
    city, most = _own_city(context, focus), context.settings.cities.name_length
    return do.RenameCity(
        city.id, (yield from name_for(f"New name for {city.name}", most, city.name))
    )


def raze(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Raze an own city after a confirmation."""
    city = _own_city(context, focus)
    text = "It becomes a ruin for ever, and brings no income"
    line = context.say(text, "capture", context.viewer, tone=Tone.BAD)
    yield from confirm(AskConfirm(f"Raze {city.name}?", (line,)))
    return do.Raze(city.id)


_FATES: Final[Mapping[Fate, str]] = {
    "occupy": "Occupy: spare the city",
    "pillage": "Pillage one type",
    "sack": "Sack all types but one",
    "raze": "Raze: a ruin for ever",
}


def settle(context: PictureContext, _focus: Focus) -> Dialogue[Command]:
    """Ask for the fate of a captured city."""
    city = context.world.cities[pending(context).city]
    open_to = aftermath.fates(context.world, context.settings, city.id)
    fate = yield from one_of(
        f"{city.name} is yours. What becomes of it?",
        {one: _fate_text(context, city, one) if one in open_to else _FATES[one] for one in _FATES},
        {one: _no_fate(city, one) for one in _FATES if one not in open_to},
    )
    return do.Settle(fate)


def _no_fate(city: City, fate: Fate) -> str:
    """Return the reason why a captured city cannot have a fate."""
    if fate == "raze":
        return "cities are not razed in this game"
    if not city.slots:
        return "it can make no army"
    if fate == "sack" and len(city.slots) == 1:
        return "only a city that can make two types of armies can be sacked"
    return "the rules of this game forbid it"


def _fate_text(context: PictureContext, city: City, fate: Fate) -> str:
    """Describe a fate by the gold it brings, what the city loses, and its cost in reputation."""
    text = _FATES[fate]
    if fate in {"pillage", "sack"}:
        text += f": {_plunder_text(context, city, fate)}"
    penalty = context.settings.fighting.spoils.penalties.get(fate)
    if context.settings.turns.diplomacy and penalty is not None:
        count, sides, plus = penalty
        text += f"; your reputation suffers by {count + plus} to {count * sides + plus}"
    return text


def _plunder_text(context: PictureContext, city: City, fate: Fate) -> str:
    """Describe the gold of a fate and what the city loses."""
    left, gain = aftermath.plundered(context.world, context.settings, city, fate)
    kept = {slot.type for slot in left.slots}
    lost = dict.fromkeys(slot.type for slot in city.slots if slot.type not in kept)
    text = gold(gain)
    if lost:
        text += f"; it can no longer make {joined([context.type_name(kind) for kind in lost])}"
    if left.defence < city.defence:
        text += f"; its defence falls to {left.defence}"
    return text


# -- the side --------------------------------------------------------------------------------------


def order(context: PictureContext, _focus: Focus) -> Dialogue[Command]:
    """Ask for the line of battle: all types, the first to fight at the top."""
    places = context.own_side.order
    by_place = sorted(
        (kind for kind in context.world.types if kind != UNKNOWN_TYPE.id),
        key=lambda kind: (places[kind] if kind < len(places) else 0, kind),
    )
    choices = tuple(Choice(str(kind), context.type_name(kind)) for kind in by_place)
    answer = yield AskOrder("Line of battle: the first fights first", choices)
    listed = answer.split(">")
    if sorted(listed) != sorted(map(str, by_place)):
        raise ValueError("The line of battle has each type once.")
    return do.SetFightOrder(tuple(map(int, listed)))


def stance(context: PictureContext, _focus: Focus) -> Dialogue[Command]:
    """Ask for a side and for the stance toward it."""
    sides = {side.id: _treaty_text(context, side) for side in context.other_sides}
    other = yield from one_of("Your stance toward whom?", sides)
    stances = context.own_side.stances
    wanted = yield from one_of(
        f"What do you want with {context.side_name(other)}?",
        dict(enumerate(context.style.stances)),
        {stances[other]: "your stance now"} if other < len(stances) else {},
    )
    return do.SetStance(other, wanted)


def _treaty_text(context: PictureContext, side: Side) -> str:
    own = context.own_side
    state = context.style.treaties[treaty(context.world, context.viewer, side.id)]
    wanted = (
        context.style.stances[own.stances[side.id]] if side.id < len(own.stances) else "nothing"
    )
    return f"{context.side_name(side.id)}: {state}, you want {wanted}"


def answer_yield(_context: PictureContext, _focus: Focus) -> Dialogue[Command]:
    """Ask for the answer to an offered surrender."""
    labels = {"yes": "Accept: you win", "no": "Fight on"}
    answer = yield from one_of("Your enemies offer to surrender.", labels)
    return do.AnswerYield(accept=answer == "yes")


def resign(context: PictureContext, _focus: Focus) -> Dialogue[Command]:
    """Ask for the fate of the cities, confirm, and resign."""
    turns = context.settings.turns
    leave = {} if turns.always_burns else {"leave": "Leave them neutral"}
    how = yield from one_of(
        "Give up: what becomes of your cities?",
        {**leave, "burn": "Raze them all"},
        {} if turns.may_burn else {"burn": "Cities cannot be razed in this game."},
    )
    count = len(context.own_cities)
    cities = f"{many(count, 'city', 'cities')} and " if count else ""
    text = f"You lose {cities}all armies"
    line = context.say(text, "resign", tone=Tone.BAD)
    yield from confirm(AskConfirm("Give up for good?", (line,)))
    return do.Resign(burn=how == "burn")


def end_turn(context: PictureContext, _focus: Focus) -> Dialogue[Command]:
    """End the turn after a confirmation that lists cities in danger, then all idle pieces."""
    lines = (*warnings(context), *undone(context))
    yield from confirm(AskConfirm("End the turn?", lines, yes="end it", no="go back"))
    return do.EndTurn()
