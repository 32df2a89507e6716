"""Dialogues about heroes: hiring, searching, temples, sages, what they carry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.notation import write
from engine.kit.grid import Place
from engine.strategic import commands as do
from engine.strategic import item_records as goods
from engine.strategic.picture import answers as told
from engine.strategic.picture.ask_moving import stack
from engine.strategic.picture.looking import survival
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.tell_heroes import offer_text
from engine.strategic.picture.words import army_name, item_name, say
from engine.strategic.pieces import Army
from engine.strategic.world import items_of, site_at
from engine.tabletop.ask import AnyAsk, AskConfirm, AskOne, Choice
from engine.tabletop.focus import Focus

Answers = Sequence[str]


def _heroes(armies: Sequence[Army]) -> list[Army]:
    return [army for army in armies if army.hero is not None]


def _hero(
    scene: Scene, heroes: Sequence[Army], answers: Answers, title: str
) -> tuple[Army, Answers] | AskOne:
    """Which hero, and the answers that are left; a single one is not asked for."""
    if len(heroes) == 1:
        return heroes[0], answers
    found = told.chosen(answers[:1], heroes)
    return (found[0], answers[1:]) if found else AskOne(title, told.choices(scene, heroes))


# -- sites -----------------------------------------------------------------------------------------


def no_search(scene: Scene, armies: Sequence[Army]) -> str:
    """Why the site here cannot be searched. Rules: W2-10.5."""
    site = site_at(scene.world, armies[0].at)
    if site is None:
        return "There is nothing to search here."
    if site.searched:
        return "This place has been searched."
    heroes = _heroes(armies)
    if not heroes:
        return "Only a hero can search it."
    return "" if any(hero.points > 0 for hero in heroes) else "The hero has no points left."


def search(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """Which hero; with the chance to live where a guardian is known. Rules: W2-10.5."""
    heroes = [hero for hero in _heroes(stack(scene, focus)) if hero.points > 0]
    found = _hero(scene, heroes, answers, "Who searches?")
    if isinstance(found, AskOne):
        return found
    hero, rest = found
    site = site_at(scene.world, hero.at)
    if site is None or not site.guardian or told.said_yes(rest):
        return write(do.Search(hero.id))
    text = f"{army_name(scene, hero)} lives with {survival(scene, hero)}"
    return AskConfirm(f"Search {site.name}?", (say(scene, text, "search", scene.viewer),))


def unblessed(scene: Scene, armies: Sequence[Army]) -> tuple[Army, ...]:
    """Those that the temple here has not blessed yet. Rules: W2-10.5."""
    site = site_at(scene.world, armies[0].at)
    return tuple(army for army in armies if site is not None and site.id not in army.blessed)


def bless(scene: Scene, focus: Focus, _answers: Answers) -> AnyAsk | str:
    """All that are not yet. Rules: W2-10.5."""
    armies = unblessed(scene, stack(scene, focus))
    return write(do.Bless(tuple(army.id for army in armies)))


def no_quest(scene: Scene, armies: Sequence[Army]) -> str:
    """Why no quest can be taken. Rules: W2-10.6."""
    if scene.world.sides[scene.viewer].quest is not None:
        return "You have a quest already."
    return "" if _heroes(armies) else "Only a hero is sent out."


def quest(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """Which hero. Rules: W2-10.6."""
    found = _hero(scene, _heroes(stack(scene, focus)), answers, "Who is sent out?")
    return found if isinstance(found, AskOne) else write(do.TakeQuest(found[0].id))


_WISHES: Final = {
    "items": "where items are hidden",
    "gold": "gold",
    "maps": "a map of the land around",
}


def sage(scene: Scene, _focus: Focus, answers: Answers) -> AnyAsk | str:
    """What is wanted of the sage. Rules: W2-10.5."""
    question = scene.question
    if question is None:
        raise ValueError("Nobody asks.")
    for wish in question.wishes:
        if answers and answers[0] == wish:
            return write(do.AskSage(wish))
    choices = tuple(Choice(wish, _WISHES[wish]) for wish in question.wishes)
    return AskOne("What do you want of the sage?", choices)


def hire(scene: Scene, _focus: Focus, answers: Answers) -> AnyAsk | str:
    """Whether the hero is taken. Rules: W2-10.1."""
    question = scene.question
    if question is None:
        raise ValueError("No hero is there.")
    answer = told.word(answers, ("yes", "no"))
    if answer is not None:
        return write(do.Hire(accept=answer == "yes"))
    choices = Choice("yes", f"Hire for {question.price} gold"), Choice("no", "Decline")
    return AskOne(f"{offer_text(scene, question)}.", choices)


# -- what they carry -------------------------------------------------------------------------------


def no_ground(scene: Scene, at: Place) -> str:
    """Why nothing can be laid down. Rules: W2-17."""
    wet = scene.world.terrain[at[1], at[0]] in scene.book.heroes.items.afloat
    return "Nothing can be laid down on water." if wet else ""


def pick_up(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """Who takes what. Rules: W2-10.3."""
    found = _hero(scene, _heroes(stack(scene, focus)), answers, "Who picks up?")
    if isinstance(found, AskOne):
        return found
    hero, rest = found
    things = goods.lying(scene.world, hero.at)
    chosen = told.number(rest)
    if chosen in {item.id for item in things} and chosen is not None:
        return write(do.PickUp(hero.id, chosen))
    return AskOne("Pick up …", tuple(Choice(str(i.id), item_name(i)) for i in things))


def drop(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """Who lays what down. Rules: W2-10.3."""
    loaded = [h for h in _heroes(stack(scene, focus)) if items_of(scene.world, h.id)]
    found = _hero(scene, loaded, answers, "Who lays something down?")
    if isinstance(found, AskOne):
        return found
    hero, rest = found
    things = items_of(scene.world, hero.id)
    chosen = told.number(rest)
    if chosen in {item.id for item in things} and chosen is not None:
        return write(do.Drop(hero.id, chosen))
    return AskOne("Lay down …", tuple(Choice(str(i.id), item_name(i)) for i in things))


def bearers(scene: Scene, armies: Sequence[Army]) -> list[Army]:
    """The heroes that carry the side's own standard. Rules: W2-10.3."""
    return [
        hero
        for hero in _heroes(armies)
        if any(
            item.kind == "standard" and item.side == scene.viewer
            for item in items_of(scene.world, hero.id)
        )
    ]


def plant(scene: Scene, focus: Focus, _answers: Answers) -> AnyAsk | str:
    """The standard becomes the rally flag. Rules: W2-10.3."""
    return write(do.PlantFlag(bearers(scene, stack(scene, focus))[0].id))
