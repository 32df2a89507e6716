"""Dialogues about cities and about the whole side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.core.notation import write
from engine.kit.grid import Place
from engine.strategic import aftermath
from engine.strategic import commands as do
from engine.strategic.cities import sources
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.dialogues_armies import (
    number_answer,
    place_answer,
    said_yes,
    word_answer,
)
from engine.strategic.picture.status import undone
from engine.strategic.picture.stopping import warnings
from engine.strategic.picture.words import (
    abilities,
    gold,
    joined,
    many,
    say,
    side_name,
    slot_price,
    toward,
    type_name,
)
from engine.strategic.pieces import NONE, TO_FLAG, UNKNOWN_TYPE, City, Side, Slot, UnitType
from engine.strategic.settings import Fate
from engine.strategic.world import city_at, treaty
from engine.tabletop.ask import AnyAsk, AskConfirm, AskOne, AskOrder, AskPlace, AskText, Choice
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

# -- cities ----------------------------------------------------------------------------------------


def _own_city(context: PictureContext, focus: Focus) -> City:
    found = city_at(context.world, (focus.x, focus.y))
    if found is None or found.owner != context.viewer:
        raise ValueError("This is not your city.")
    return found


def no_slots(city: City) -> str:
    """Return the reason why the city cannot produce anything else; empty if it can."""
    if not city.slots:
        return "It can make nothing yet; buy a type first."
    return "" if len(city.slots) > 1 or city.making == NONE else "It can make nothing else."


def produce(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask which of its types a city produces."""
    city = _own_city(context, focus)
    chosen = number_answer(answers)
    if chosen is not None and 0 <= chosen < len(city.slots):
        return write(do.Produce(city.id, chosen))
    choices = tuple(
        Choice(
            str(number),
            _slot_text(context, slot),
            f"{many(city.left, 'turn')} left" if number == city.making else "",
        )
        for number, slot in enumerate(city.slots)
    )
    return AskOne(f"What does {city.name} make?", choices)


def _slot_text(context: PictureContext, slot: Slot) -> str:
    upkeep = context.settings.cities.upkeep_of_slot(slot)
    kind = context.world.types.get(slot.type)
    text = f"{type_name(context, slot.type)}: {many(slot.turns, 'turn')}, strength {slot.strength}"
    text += f", moves {slot.move}, upkeep {upkeep}{slot_price(context, slot)}"
    return ", ".join([text, *(abilities(context.style, kind) if kind is not None else [])])


def stop(context: PictureContext, focus: Focus, _answers: Sequence[str]) -> AnyAsk | str:
    """Stop the production of the city under the cursor."""
    return write(do.StopProduction(_own_city(context, focus).id))


def _wares(context: PictureContext, city: City) -> list[UnitType]:
    """Return the types that a city can buy, cheapest first."""
    world, sells = context.world, context.settings.cities.for_sale
    found = [kind for kind in world.types.values() if sells(world, city, kind)]
    return sorted(found, key=lambda kind: (kind.price, kind.id))


def no_buying(context: PictureContext, city: City) -> str:
    """Return the reason why nothing can be bought; empty if it can."""
    treasury = context.own_side.gold
    listed = _wares(context, city)
    if not listed:
        return "Nothing is for sale."
    return "" if listed[0].price <= treasury else f"The cheapest costs {gold(listed[0].price)}."


def buy(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for a type to buy and for its slot."""
    city, treasury = _own_city(context, focus), context.own_side.gold
    listed = _wares(context, city)
    kind = number_answer(answers)
    if kind is None or kind not in {ware.id for ware in listed}:
        choices = tuple(
            Choice(
                str(ware.id),
                _ware_text(context, ware),
                "" if ware.price <= treasury else "too expensive",
            )
            for ware in listed
        )
        return AskOne(f"Buy a type for {city.name}: treasury {treasury:,}", choices)
    places = min(len(city.slots) + 1, context.settings.cities.most_slots)
    slot = number_answer(answers, 1)
    if slot is not None and 0 <= slot < places:
        return write(do.BuySlot(city.id, slot, kind))
    choices = tuple(Choice(str(n), _slot_place(context, city, n)) for n in range(places))
    return AskOne(f"Which place for {type_name(context, kind)}?", choices)


def _ware_text(context: PictureContext, ware: UnitType) -> str:
    text = f"{ware.name}: {gold(ware.price)}, strength {ware.strength}, {many(ware.turns, 'turn')}"
    upkeep = f"upkeep {context.style.upkeep(ware)}"
    return ", ".join([f"{text}, moves {ware.move}", upkeep, *abilities(context.style, ware)])


def _slot_place(context: PictureContext, city: City, number: int) -> str:
    if number >= len(city.slots):
        return "A new place"
    name = type_name(context, city.slots[number].type)
    return f"Instead of {name}" + (", now in production" if number == city.making else "")


def _vector_ends(context: PictureContext, city: City) -> dict[Place, str]:
    """Return possible destinations with labels; the city's own tile means keeping armies."""
    most = context.settings.cities.sources
    found: dict[Place, str] = {}
    for other in context.own_cities:
        many_sources = len(sources(context.world, context.viewer, other.id))
        if other.id not in {city.id, city.vector} and many_sources < most:
            found[other.x, other.y] = f"{many_sources}"
    flag = context.own_side.flag
    crowd = len(sources(context.world, context.viewer, TO_FLAG))
    if flag is not None and city.vector != TO_FLAG and crowd < most:
        found[flag] = "F"
    if city.vector != NONE:
        found[city.x, city.y] = "-"
    return found


def no_vector(context: PictureContext, city: City) -> str:
    """Return the reason why armies cannot be sent elsewhere; empty if they can."""
    return "" if _vector_ends(context, city) else "There is nowhere else to send them."


def vector(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for the destination of new armies."""
    city = _own_city(context, focus)
    cells = _vector_ends(context, city)
    there = place_answer(answers)
    is_on_map = there is not None and context.world.terrain.has(*there)
    target = city_at(context.world, there) if there is not None and is_on_map else None
    corner = (target.x, target.y) if target is not None else None
    if there not in cells and corner not in cells:
        title = f"Send armies of {city.name} to ({_journeys(context, city, cells)})"
        hints = tuple(_sending(context, city, at) for at in cells)
        return AskPlace(title, tuple(cells), tuple(cells.values()), hints=hints)
    if there is not None and cells.get(there) == "F":
        return write(do.SetVector(city.id, flag=True))
    if target is None or target.id == city.id:
        return write(do.SetVector(city.id))
    return write(do.SetVector(city.id, target.id))


def _sending(context: PictureContext, city: City, at: Place) -> str:
    """Describe the effect of a destination."""
    if at == (city.x, city.y):
        return "Keep new armies here"
    if at == context.own_side.flag:
        return "Send new armies to the rally flag"
    return f"Send new armies {toward(context, at)}"


def _journeys(context: PictureContext, city: City, ends: Iterable[Place]) -> str:
    rounds = context.settings.cities.journey_to
    others = [end for end in ends if end != (city.x, city.y)]
    if rounds is None or not others:
        return many(context.settings.cities.journey, "turn")
    found = sorted({rounds(context.world, city, end) for end in others})
    most = many(found[-1], "turn")
    return most if len(found) == 1 else f"{found[0]} to {most}"


def rename(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for a city's new name."""
    city, most = _own_city(context, focus), context.settings.cities.name_length
    if answers and answers[0].strip():
        return write(do.RenameCity(city.id, answers[0].strip()[:most]))
    return AskText(f"New name for {city.name}", most, city.name[:most])


def raze(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Raze an own city after a confirmation."""
    city = _own_city(context, focus)
    if said_yes(answers):
        return write(do.Raze(city.id))
    text = "It becomes a ruin for ever, and brings no income"
    line = say(context, text, "capture", context.viewer, tone=Tone.BAD)
    return AskConfirm(f"Raze {city.name}?", (line,))


_FATES: Final[Mapping[Fate, str]] = {
    "occupy": "Occupy: spare the city",
    "pillage": "Pillage",
    "sack": "Sack",
    "raze": "Raze: a ruin for ever",
}


def settle(context: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for the fate of a captured city."""
    question = context.question
    if question is None:
        raise ValueError("There is nothing to decide.")
    city = context.world.cities[question.city]
    open_to = aftermath.fates(context.world, context.settings, city.id)
    for fate in open_to:
        if answers and answers[0] == fate:
            return write(do.Settle(fate))
    choices = tuple(
        Choice(fate, _fate_text(context, city, fate), "")
        if fate in open_to
        else Choice(fate, _FATES[fate], _no_fate(city, fate))
        for fate in _FATES
    )
    return AskOne(f"{city.name} is yours. What becomes of it?", choices)


def _no_fate(city: City, fate: Fate) -> str:
    """Reason why a captured city cannot have a fate."""
    if fate == "raze":
        return "cities are not razed in this game"
    if not city.slots:
        return "it can make no army"
    if fate == "sack" and len(city.slots) == 1:
        return "only a city that can make two types of armies can be sacked"
    return "the rules of this game forbid it"


def _fate_text(context: PictureContext, city: City, fate: Fate) -> str:
    """Describe a fate by the gold it brings and what the city loses."""
    if fate not in {"pillage", "sack"}:
        return _FATES[fate]
    left, gain = aftermath.plundered(context.world, context.settings, city, fate)
    kept = {slot.type for slot in left.slots}
    lost = dict.fromkeys(slot.type for slot in city.slots if slot.type not in kept)
    text = f"{_FATES[fate]}: {gold(gain)}"
    if lost:
        text += f"; it can no longer make {joined([type_name(context, kind) for kind in lost])}"
    if left.defence < city.defence:
        text += f"; its defence falls to {left.defence}"
    return text


# -- the side --------------------------------------------------------------------------------------


def order(context: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for the line of battle: all types, the first to fight at the top."""
    places = context.own_side.order
    by_place = sorted(
        (kind for kind in context.world.types if kind != UNKNOWN_TYPE.id),
        key=lambda kind: (places[kind] if kind < len(places) else 0, kind),
    )
    listed = answers[0].split(">") if answers else []
    if sorted(listed) == sorted(map(str, by_place)):
        return write(do.SetFightOrder(tuple(map(int, listed))))
    choices = tuple(Choice(str(kind), type_name(context, kind)) for kind in by_place)
    return AskOrder("Line of battle: the first fights first", choices)


def stance(context: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for a side and for the stance toward it."""
    own = context.own_side
    other = number_answer(answers)
    if other is None or other not in {side.id for side in context.other_sides}:
        choices = tuple(
            Choice(str(side.id), _treaty_text(context, side)) for side in context.other_sides
        )
        return AskOne("Your stance toward whom?", choices)
    wanted = number_answer(answers, 1)
    if wanted is not None and 0 <= wanted < len(context.style.stances):
        return write(do.SetStance(other, wanted))
    now = own.stances[other] if other < len(own.stances) else NONE
    choices = tuple(
        Choice(str(number), name, "your stance now" if number == now else "")
        for number, name in enumerate(context.style.stances)
    )
    return AskOne(f"What do you want with {side_name(context, other)}?", choices)


def _treaty_text(context: PictureContext, side: Side) -> str:
    own = context.own_side
    state = context.style.treaties[treaty(context.world, context.viewer, side.id)]
    wanted = (
        context.style.stances[own.stances[side.id]] if side.id < len(own.stances) else "nothing"
    )
    return f"{side_name(context, side.id)}: {state}, you want {wanted}"


def answer_yield(_context: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for the answer to an offered surrender."""
    answer = word_answer(answers, ("yes", "no"))
    if answer is not None:
        return write(do.AnswerYield(accept=answer == "yes"))
    choices = Choice("yes", "Accept: you win"), Choice("no", "Fight on")
    return AskOne("Your enemies offer to surrender.", choices)


def resign(context: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for the fate of the cities, confirm, and resign."""
    how = word_answer(answers, ("leave", "burn"))
    if how is None:
        burn = "" if context.settings.turns.may_burn else "Cities cannot be razed in this game."
        burnt = Choice("burn", "Raze them all", burn)
        leave = Choice("leave", "Leave them neutral")
        ways = (burnt,) if context.settings.turns.always_burns else (leave, burnt)
        return AskOne("Give up: what becomes of your cities?", ways)
    if said_yes(answers, 1):
        return write(do.Resign(burn=how == "burn"))
    text = f"You lose {many(len(context.own_cities), 'city', 'cities')} and all armies"
    return AskConfirm("Give up for good?", (say(context, text, "resign", tone=Tone.BAD),))


def end_turn(context: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """End the turn after a confirmation that lists cities in danger, then all idle pieces."""
    if said_yes(answers):
        return write(do.EndTurn())
    lines = (*warnings(context), *undone(context))
    return AskConfirm("End the turn?", lines, yes="end it", no="go back")
