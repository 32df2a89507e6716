"""Dialogues about cities and about the whole side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.notation import write
from engine.kit.grid import Place
from engine.strategic import commands as do
from engine.strategic.cities.vectoring import sources
from engine.strategic.fighting import capture
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.dialogues_armies import (
    number_answer,
    place_answer,
    said_yes,
    word_answer,
)
from engine.strategic.picture.overlay import idle_stacks
from engine.strategic.picture.words import (
    STANCES,
    TREATIES,
    company,
    many,
    say,
    side_name,
    traits,
    type_name,
    where,
)
from engine.strategic.pieces import NONE, TO_FLAG, City, Side, Slot, UnitType
from engine.strategic.world import city_at, treaty
from engine.tabletop.ask import AnyAsk, AskConfirm, AskOne, AskOrder, AskPlace, AskText, Choice
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

# -- cities ----------------------------------------------------------------------------------------


def _own_city(scene: PictureContext, focus: Focus) -> City:
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


def produce(scene: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Which of its types. Rules: W2-9.3."""
    city = _own_city(scene, focus)
    chosen = number_answer(answers)
    if chosen is not None and 0 <= chosen < len(city.slots):
        return write(do.Produce(city.id, chosen))
    choices = tuple(
        Choice(
            str(number),
            _slot_text(scene, slot),
            f"{many(city.left, 'turn')} left" if number == city.making else "",
        )
        for number, slot in enumerate(city.slots)
    )
    return AskOne(f"{city.name} makes …", choices)


def _slot_text(scene: PictureContext, slot: Slot) -> str:
    upkeep = scene.book.cities.upkeep_of_slot(slot)
    kind = scene.world.types.get(slot.type)
    text = f"{type_name(scene, slot.type)}: {many(slot.turns, 'turn')}, strength {slot.strength}"
    text += f", moves {slot.move}, upkeep {upkeep}"
    return ", ".join([text, *(traits(kind) if kind is not None else [])])


def stop(scene: PictureContext, focus: Focus, _answers: Sequence[str]) -> AnyAsk | str:
    """Nothing any more. Rules: W2-9.3."""
    return write(do.StopProduction(_own_city(scene, focus).id))


# -- buying ----------------------------------------------------------------------------------------


def _wares(scene: PictureContext, city: City) -> list[UnitType]:
    """The types that a city may learn, cheapest first. Rules: W2-9.4."""
    found = [k for k in scene.world.types.values() if scene.book.cities.for_sale(city, k)]
    return sorted(found, key=lambda kind: (kind.price, kind.id))


def no_buying(scene: PictureContext, city: City) -> str:
    """Why nothing can be bought."""
    gold = scene.world.sides[scene.viewer].gold
    listed = _wares(scene, city)
    if not listed:
        return "Nothing is for sale."
    return "" if listed[0].price <= gold else f"The cheapest costs {listed[0].price} gold."


def buy(scene: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """What, then for which slot. Rules: W2-9.4."""
    city, gold = _own_city(scene, focus), scene.world.sides[scene.viewer].gold
    listed = _wares(scene, city)
    kind = number_answer(answers)
    if kind is None or kind not in {ware.id for ware in listed}:
        choices = tuple(
            Choice(str(ware.id), _ware_text(ware), "" if ware.price <= gold else "too dear")
            for ware in listed
        )
        return AskOne(f"{city.name} learns to make ({gold} gold)", choices)
    places = min(len(city.slots) + 1, scene.book.cities.most_slots)
    slot = number_answer(answers, 1)
    if slot is not None and 0 <= slot < places:
        return write(do.BuySlot(city.id, slot, kind))
    choices = tuple(Choice(str(n), _slot_place(scene, city, n)) for n in range(places))
    return AskOne(f"{type_name(scene, kind)} in which place?", choices)


def _ware_text(ware: UnitType) -> str:
    text = f"{ware.name}: {ware.price} gold, strength {ware.strength}, {many(ware.turns, 'turn')}"
    return ", ".join([f"{text}, moves {ware.move}", *traits(ware)])


def _slot_place(scene: PictureContext, city: City, number: int) -> str:
    if number >= len(city.slots):
        return "a new place"
    name = type_name(scene, city.slots[number].type)
    return f"instead of {name}" + (", which is being made" if number == city.making else "")


# -- sending ---------------------------------------------------------------------------------------


def _vector_ends(scene: PictureContext, city: City) -> dict[Place, str]:
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


def no_vector(scene: PictureContext, city: City) -> str:
    """Why armies cannot be sent anywhere else."""
    return "" if _vector_ends(scene, city) else "There is no other place to send them to."


def vector(scene: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Where finished armies go. Rules: W2-9.5."""
    city = _own_city(scene, focus)
    cells = _vector_ends(scene, city)
    there = place_answer(answers)
    if there is None or (there not in cells and _vector_target(scene, there, cells) is None):
        title = f"{city.name} sends armies to (2 turns on the way)"
        return AskPlace(title, tuple(cells), tuple(cells.values()))
    if cells.get(there) == "F":
        return write(do.SetVector(city.id, flag=True))
    target = city_at(scene.world, there)
    if target is None or target.id == city.id:
        return write(do.SetVector(city.id))
    return write(do.SetVector(city.id, target.id))


def _vector_target(scene: PictureContext, there: Place, cells: dict[Place, str]) -> City | None:
    """A city that is meant by any of its tiles."""
    if not scene.world.terrain.has(*there):
        return None
    found = city_at(scene.world, there)
    return found if found is not None and (found.x, found.y) in cells else None


# -- names and ruin --------------------------------------------------------------------------------


def rename(scene: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """How it is called. Rules: W2-9.1, W2-17."""
    city, most = _own_city(scene, focus), scene.book.cities.name_length
    if answers and answers[0].strip():
        return write(do.RenameCity(city.id, answers[0].strip()[:most]))
    return AskText(f"How is {city.name} called?", most, city.name[:most])


def raze(scene: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Whether it shall be a ruin. Rules: W2-9.2, W2-12.3."""
    city = _own_city(scene, focus)
    if said_yes(answers):
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


def settle(scene: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
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


# -- the side --------------------------------------------------------------------------------------


_NAMED: Final = 6
"""So many stacks and cities are named before a turn is ended; the others are counted."""


def order(scene: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """All types, who fights first at the top. Rules: W2-8.4."""
    places = scene.world.sides[scene.viewer].order
    by_place = sorted(
        scene.world.types,
        key=lambda kind: (places[kind] if kind < len(places) else 0, kind),
    )
    listed = answers[0].split(">") if answers else []
    if sorted(listed) == sorted(map(str, by_place)):
        return write(do.SetFightOrder(tuple(map(int, listed))))
    choices = tuple(Choice(str(kind), type_name(scene, kind)) for kind in by_place)
    return AskOrder("Line of battle: the first fights first", choices)


# -- treaties --------------------------------------------------------------------------------------


def others(scene: PictureContext) -> list[Side]:
    """The other living sides."""
    return [side for side in scene.world.sides.values() if side.alive and side.id != scene.viewer]


def stance(scene: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Toward whom, then which. Rules: W2-12.1, W2-12.2."""
    own = scene.world.sides[scene.viewer]
    toward = number_answer(answers)
    if toward is None or toward not in {side.id for side in others(scene)}:
        choices = tuple(Choice(str(side.id), _treaty_text(scene, side)) for side in others(scene))
        return AskOne("Toward whom?", choices)
    wanted = number_answer(answers, 1)
    if wanted is not None and 0 <= wanted < len(STANCES):
        return write(do.SetStance(toward, wanted))
    now = own.stances[toward] if toward < len(own.stances) else NONE
    choices = tuple(
        Choice(str(number), name, "your stance now" if number == now else "")
        for number, name in enumerate(STANCES)
    )
    return AskOne(f"{side_name(scene, toward)}: what do you want?", choices)


def _treaty_text(scene: PictureContext, side: Side) -> str:
    own = scene.world.sides[scene.viewer]
    state = TREATIES[treaty(scene.world, scene.viewer, side.id)]
    wanted = STANCES[own.stances[side.id]] if side.id < len(own.stances) else "nothing"
    return f"{side_name(scene, side.id)}: {state}, you want {wanted}"


# -- the end ---------------------------------------------------------------------------------------


def answer_yield(_scene: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Whether the surrender is accepted. Rules: W2-13.3."""
    answer = word_answer(answers, ("yes", "no"))
    if answer is not None:
        return write(do.AnswerYield(accept=answer == "yes"))
    choices = Choice("yes", "Accept: the game is won"), Choice("no", "Fight on")
    return AskOne("The computer players offer to surrender.", choices)


def resign(scene: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """What becomes of the cities, and whether. Rules: W2-17."""
    how = word_answer(answers, ("leave", "burn"))
    if how is None:
        burn = "" if scene.book.turns.may_burn else "There is no razing in this game."
        choices = (
            Choice("leave", "The cities become neutral"),
            Choice("burn", "All cities are razed", burn),
        )
        return AskOne("Give up: what becomes of your cities?", choices)
    if said_yes(answers, 1):
        return write(do.Resign(burn=how == "burn"))
    text = f"{many(len(scene.own_cities), 'city', 'cities')} and all armies are gone then"
    return AskConfirm("Give up for good?", (say(scene, text, "resign", tone=Tone.BAD),))


def end_turn(scene: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Whether to end the turn, with what is left undone. Rules: W2-13.2."""
    if said_yes(answers):
        return write(do.EndTurn())
    return AskConfirm("End the turn?", tuple(_undone(scene)))


def _undone(scene: PictureContext) -> Iterator[Line]:
    """Stacks that could still move, marches that could go on, cities that make nothing."""
    side, waiting = scene.viewer, idle_stacks(scene)
    if waiting:
        text = f"{many(len(waiting), 'stack')} could still move:"
        yield say(scene, text, "march", side)
    for at in waiting[:_NAMED]:
        text = f"{company(scene, scene.movers[at])} at {where(scene, at)}"
        yield say(scene, text, "march", side, at=at, tone=Tone.QUIET)
    yield from _more_line(scene, len(waiting))
    goals = sum(a.points > 0 and (a.goal is not None or a.to_flag) for a in scene.own_armies)
    if goals:
        text = f"{many(goals, 'army', 'armies')} with a goal could go on (c)"
        yield say(scene, text, "goal", side)
    lazy = [city for city in scene.own_cities if city.making == NONE and city.slots]
    if lazy:
        lying = many(len(lazy), "city makes", "cities make")
        yield say(scene, f"{lying} nothing:", "produce", side)
    for city in lazy[:_NAMED]:
        at = city.x, city.y
        yield say(scene, city.name, "produce", side, at=at, tone=Tone.QUIET)
    yield from _more_line(scene, len(lazy))


def _more_line(scene: PictureContext, count: int) -> Iterator[Line]:
    if count > _NAMED:
        yield say(scene, f"and {count - _NAMED} more", "turn", tone=Tone.QUIET)
