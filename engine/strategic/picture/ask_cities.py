"""Dialogues about cities: what they make, buy, send, are called, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.notation import write
from engine.kit.grid import Place
from engine.strategic import aftermath as capture
from engine.strategic import commands as do
from engine.strategic.cities import sources
from engine.strategic.picture import answers as told
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.words import many, say, traits, type_name
from engine.strategic.pieces import NONE, TO_FLAG, City, Slot, UnitType
from engine.strategic.world import city_at
from engine.tabletop.ask import AnyAsk, AskConfirm, AskOne, AskPlace, AskText, Choice
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

Answers = Sequence[str]


def _city(scene: Scene, focus: Focus) -> City:
    found = city_at(scene.world, (focus.x, focus.y))
    if found is None or found.owner != scene.viewer:
        raise ValueError("This is not your city.")
    return found


# -- making ----------------------------------------------------------------------------------------


def no_slots(city: City) -> str:
    """Why nothing else can be made."""
    if not city.slots:
        return "It has learned to make nothing; buy a type first."
    return "" if len(city.slots) > 1 or city.making == NONE else "It makes the only thing it can."


def produce(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """Which of its types. Rules: W2-9.3."""
    city = _city(scene, focus)
    chosen = told.number(answers)
    if chosen is not None and 0 <= chosen < len(city.slots):
        return write(do.Produce(city.id, chosen))
    choices = tuple(
        Choice(
            str(number),
            _slot(scene, slot),
            f"{many(city.left, 'turn')} left" if number == city.making else "",
        )
        for number, slot in enumerate(city.slots)
    )
    return AskOne(f"{city.name} makes …", choices)


def _slot(scene: Scene, slot: Slot) -> str:
    upkeep = scene.book.cities.upkeep_of_slot(slot)
    kind = scene.world.types.get(slot.type)
    text = f"{type_name(scene, slot.type)}: {many(slot.turns, 'turn')}, strength {slot.strength}"
    text += f", moves {slot.move}, upkeep {upkeep}"
    return ", ".join([text, *(traits(kind) if kind is not None else [])])


def stop(scene: Scene, focus: Focus, _answers: Answers) -> AnyAsk | str:
    """Nothing any more. Rules: W2-9.3."""
    return write(do.StopProduction(_city(scene, focus).id))


# -- buying ----------------------------------------------------------------------------------------


def wares(scene: Scene, city: City) -> list[UnitType]:
    """The types that a city may learn, cheapest first. Rules: W2-9.4."""
    found = [k for k in scene.world.types.values() if scene.book.cities.for_sale(city, k)]
    return sorted(found, key=lambda kind: (kind.price, kind.id))


def no_buying(scene: Scene, city: City) -> str:
    """Why nothing can be bought."""
    gold = scene.world.sides[scene.viewer].gold
    listed = wares(scene, city)
    if not listed:
        return "Nothing is for sale."
    return "" if listed[0].price <= gold else f"The cheapest costs {listed[0].price} gold."


def buy(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """What, then for which slot. Rules: W2-9.4."""
    city, gold = _city(scene, focus), scene.world.sides[scene.viewer].gold
    listed = wares(scene, city)
    kind = told.number(answers)
    if kind is None or kind not in {ware.id for ware in listed}:
        choices = tuple(
            Choice(str(ware.id), _ware(ware), "" if ware.price <= gold else "too dear")
            for ware in listed
        )
        return AskOne(f"{city.name} learns to make ({gold} gold)", choices)
    places = min(len(city.slots) + 1, scene.book.cities.most_slots)
    slot = told.number(answers, 1)
    if slot is not None and 0 <= slot < places:
        return write(do.BuySlot(city.id, slot, kind))
    choices = tuple(Choice(str(n), _place(scene, city, n)) for n in range(places))
    return AskOne(f"{type_name(scene, kind)} in which place?", choices)


def _ware(ware: UnitType) -> str:
    text = f"{ware.name}: {ware.price} gold, strength {ware.strength}, {many(ware.turns, 'turn')}"
    return ", ".join([f"{text}, moves {ware.move}", *traits(ware)])


def _place(scene: Scene, city: City, number: int) -> str:
    if number >= len(city.slots):
        return "a new place"
    name = type_name(scene, city.slots[number].type)
    return f"instead of {name}" + (", which is being made" if number == city.making else "")


# -- sending ---------------------------------------------------------------------------------------


def ends(scene: Scene, city: City) -> dict[Place, str]:
    """Where armies can be sent: own cities, the flag; the city itself: they stay. Rules: W2-9.5."""
    most = scene.book.cities.sources
    found: dict[Place, str] = {}
    for other in scene.own_cities:
        many_sources = len(sources(scene.world, scene.viewer, other.id))
        if other.id not in {city.id, city.vector} and many_sources < most:
            found[other.x, other.y] = f"{many_sources}"
    flag = scene.world.sides[scene.viewer].flag
    crowd = len(sources(scene.world, scene.viewer, TO_FLAG))
    if flag is not None and city.vector != TO_FLAG and crowd < most:
        found[flag] = "F"
    if city.vector != NONE:
        found[city.x, city.y] = "-"
    return found


def no_vector(scene: Scene, city: City) -> str:
    """Why armies cannot be sent anywhere else."""
    return "" if ends(scene, city) else "There is no other place to send them to."


def vector(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """Where finished armies go. Rules: W2-9.5."""
    city = _city(scene, focus)
    cells = ends(scene, city)
    there = told.place(answers)
    if there is None or (there not in cells and _target(scene, there, cells) is None):
        title = f"{city.name} sends armies to (2 turns on the way)"
        return AskPlace(title, tuple(cells), tuple(cells.values()))
    if cells.get(there) == "F":
        return write(do.SetVector(city.id, flag=True))
    target = city_at(scene.world, there)
    if target is None or target.id == city.id:
        return write(do.SetVector(city.id))
    return write(do.SetVector(city.id, target.id))


def _target(scene: Scene, there: Place, cells: dict[Place, str]) -> City | None:
    """A city that is meant by any of its tiles."""
    if not scene.world.terrain.has(*there):
        return None
    found = city_at(scene.world, there)
    return found if found is not None and (found.x, found.y) in cells else None


# -- names and ruin --------------------------------------------------------------------------------


def rename(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """How it is called. Rules: W2-9.1, W2-17."""
    city, most = _city(scene, focus), scene.book.cities.name_length
    if answers and answers[0].strip():
        return write(do.RenameCity(city.id, answers[0].strip()[:most]))
    return AskText(f"How is {city.name} called?", most, city.name[:most])


def raze(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """Whether it shall be a ruin. Rules: W2-9.2, W2-12.3."""
    city = _city(scene, focus)
    if told.said_yes(answers):
        return write(do.Raze(city.id))
    text = "It will be a ruin for ever and bring nothing any more"
    line = say(scene, text, "capture", scene.viewer, tone=Tone.BAD)
    return AskConfirm(f"Raze {city.name}?", (line,))


_FATES: Final = {
    "occupy": "Occupy: leave all as it is",
    "pillage": "Pillage: {gain} gold for its last type",
    "sack": "Sack: {gain} gold for all types but one",
    "raze": "Raze: a ruin for ever",
}


def settle(scene: Scene, _focus: Focus, answers: Answers) -> AnyAsk | str:
    """What becomes of the city that was taken. Rules: W2-9.2."""
    question = scene.question
    if question is None:
        raise ValueError("Nothing is to be decided.")
    city = scene.world.cities[question.city]
    open_to = capture.fates(scene.world, scene.book, city.id)
    for fate in open_to:
        if answers and answers[0] == fate:
            return write(do.Settle(fate))
    parts = {"pillage": city.slots[-1:], "sack": city.slots[1:]}
    choices = tuple(
        Choice(
            fate,
            text.format(gain=capture.worth(scene.world, parts.get(fate, ()))),
            "" if fate in open_to else "not possible here",
        )
        for fate, text in _FATES.items()
    )
    return AskOne(f"{city.name} is taken. What becomes of it?", choices)
