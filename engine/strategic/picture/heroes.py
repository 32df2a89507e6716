"""Events of heroes, items, sites and quests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.strategic import events as ev
from engine.strategic.heroes.sites import guardian_of
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.style import Topic
from engine.strategic.picture.words import (
    army_name,
    city_name,
    company,
    item_name,
    joined,
    mood,
    named,
    quest_text,
    say,
    side_name,
    type_name,
    where,
)
from engine.strategic.pieces import NONE, Item, Question, Site
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone


def asked(scene: PictureContext, event: ev.Asked) -> Iterator[Line]:
    """Rules: W2-9.2, W2-10.1, W2-10.5, W2-13.3."""
    question = event.question
    topic, text = _question(scene, question)
    if question.side == scene.viewer:
        yield say(scene, text, topic, question.side, at=question_place(scene), tone=Tone.STRONG)
    else:
        who = side_name(scene, question.side)
        yield say(scene, f"{who} has something to decide", topic, question.side, tone=Tone.QUIET)


def _question(scene: PictureContext, question: Question) -> tuple[Topic, str]:
    match question.kind:
        case "fate":
            return "capture", f"What becomes of {city_name(scene, question.city)}?"
        case "hero":
            return "offer", f"{offer_text(scene, question)}?"
        case "sage":
            return "search", "The sage asks what you want: items, gold or maps?"
        case "yield":
            return "victory", "The computer players offer to surrender. Do you accept?"


def offer_text(scene: PictureContext, question: Question) -> str:
    """Whom a hero brings, and for how much. Rules: W2-10.1."""
    text = f"{question.name} offers to join you in {city_name(scene, question.city)}"
    text += f" for {question.price} gold"
    if question.allies:
        ally = type_name(scene, question.ally)
        text += f", with {question.allies} {ally}" if question.allies > 1 else f", with {ally}"
    return text


def question_place(scene: PictureContext) -> tuple[int, int] | None:
    """The tile that the open question is about."""
    question = scene.world.question
    if question is None:
        return None
    city, site = scene.world.cities.get(question.city), scene.world.sites.get(question.site)
    if city is not None:
        return city.x, city.y
    return (site.x, site.y) if site is not None else None


def answered(scene: PictureContext, event: ev.Answered) -> Iterator[Line]:
    """Rules: W2-10.1, W2-13.3."""
    if event.kind == "hero" and event.answer == "no":
        yield say(scene, "The hero went away", "offer", event.side, tone=Tone.QUIET)
    elif event.kind == "yield" and event.answer:
        text = "The surrender is accepted" if event.answer == "accept" else "The war goes on"
        yield say(scene, text, "victory", event.side, tone=Tone.STRONG)


def hired(scene: PictureContext, event: ev.HeroHired) -> Iterator[Line]:
    """Rules: W2-10.1."""
    who = company(scene, (event.hero, *event.allies))
    text = f"{who} joined {side_name(scene, event.side)} in {where(scene, event.hero.at)}"
    if event.price:
        text += f" for {event.price} gold"
    if event.items:
        text += f", bringing {joined([item.name for item in event.items])}"
    tone = mood(scene, event.side)
    yield say(scene, text, "offer", event.side, at=event.hero.at, tone=tone)


_MOVES: Final = {
    "found": "was found",
    "picked": "was picked up",
    "dropped": "was laid down",
    "fallen": "fell to the ground",
    "lost": "is lost in the water",
    "planted": "was planted",
    "reward": "is the reward",
}


def items_moved(scene: PictureContext, event: ev.ItemsMoved) -> Iterator[Line]:
    """Rules: W2-10.3, W2-8.6."""
    for item in event.items:
        text = f"{item_name(item)} {_MOVES[event.reason]}"
        holder = scene.world.armies.get(item.holder) if item.where == "carried" else None
        if holder is not None:
            text += f" by {army_name(scene, holder)}"
        if event.reason == "picked" and item.where != "carried":
            text = f"{item_name(item)} is not there any more"
        owner = holder.owner if holder is not None else item.side
        yield say(scene, text, "item", owner, at=_place(scene, item))


def _place(scene: PictureContext, item: Item) -> tuple[int, int] | None:
    if item.where in {"ground", "planted"}:
        return item.x, item.y
    holder = scene.world.armies.get(item.holder) if item.where == "carried" else None
    return holder.at if holder is not None else None


def flag_set(scene: PictureContext, event: ev.FlagSet) -> Iterator[Line]:
    """Rules: W2-10.3."""
    who = side_name(scene, event.side)
    text = f"{who} has no rally flag any more"
    if event.at is not None:
        text = f"The rally flag of {who} is at {where(scene, event.at)}"
    yield say(scene, text, "item", event.side, at=event.at, tone=Tone.QUIET)


_FINDS: Final = {
    "relic": "a relic",
    "sage": "a sage",
    "gold": "gold",
    "allies": "allies",
    "temple": "a temple",
    "unknown": "nothing that you know of",
}


def searched(scene: PictureContext, event: ev.SiteSearched) -> Iterator[Line]:
    """Rules: W2-10.5."""
    site, at = event.site, (event.site.x, event.site.y)
    hero = scene.world.armies.get(event.army)
    owner = hero.owner if hero is not None else scene.world.current
    who = army_name(scene, hero) if hero is not None else "a hero"
    guardian = guardian_of(scene.world, event.guardian)
    fight = ""
    if guardian is not None and event.roll:
        fight = f" {guardian.name} kept it (die {event.roll}, up to {event.chance} is survived)."
    if event.died:
        text = f"{who} of {side_name(scene, owner)} was killed searching {site.name}.{fight}"
        yield say(scene, text, "search", owner, at=at, tone=mood(scene, NONE, owner))
        return
    if event.army == NONE:
        yield say(scene, f"{site.name} has been searched", "search", at=at, tone=Tone.QUIET)
        return
    text = f"{who} of {side_name(scene, owner)} searched {site.name}: {_FINDS[site.kind]}.{fight}"
    yield say(scene, text, "search", owner, at=at, tone=mood(scene, owner))


def sites_known(scene: PictureContext, event: ev.SiteKnown) -> Iterator[Line]:
    """Rules: W2-10.4, W2-10.5, W2-10.6."""
    for site in event.sites:
        text = f"At {site.name or 'a site'} ({site.x},{site.y}) there is {_known(scene, site)}"
        yield say(scene, text, "site", event.side, at=(site.x, site.y), tone=Tone.GOOD)


def _known(scene: PictureContext, site: Site) -> str:
    held = [item for item in scene.world.items.values() if _is_in(item, site)]
    if held:
        return joined([item_name(item) for item in held])
    if site.kind == "allies" and site.ally != NONE:
        return f"{type_name(scene, site.ally)} who would join"
    return _FINDS[site.kind]


def _is_in(item: Item, site: Site) -> bool:
    return item.where == "site" and item.holder == site.id


_GOLD: Final = {
    "site": "found {} gold",
    "sage": "got {} gold from the sage",
    "reward": "got {} gold as a reward",
    "out": "lost {} gold",
}


def gold_changed(scene: PictureContext, event: ev.GoldChanged) -> Iterator[Line]:
    """Rules: W2-10.5, W2-10.6, W2-13.1."""
    who, amount = side_name(scene, event.side), abs(event.change)
    text = f"{who} {_GOLD[event.reason].format(amount)}"
    text += f" and has {event.gold} now"
    topic: Topic = "victory" if event.reason == "out" else "search"
    tone = Tone.GOOD if event.change > 0 else Tone.QUIET
    yield say(scene, text, topic, event.side, tone=tone)


def quest_set(scene: PictureContext, event: ev.QuestSet) -> Iterator[Line]:
    """Rules: W2-10.6."""
    quest = event.quest
    if event.what == "void":
        yield say(scene, "The quest is void", "quest", event.side, tone=Tone.BAD)
    elif event.what == "done":
        yield say(scene, "The quest is fulfilled", "quest", event.side, tone=Tone.GOOD)
    elif quest is not None:
        hero = named(scene, quest.hero)
        verb = "is sent out to" if event.what == "taken" else "is still out to"
        text = f"{hero} {verb} {quest_text(scene, quest)}"
        yield say(scene, text, "quest", event.side, tone=Tone.STRONG)
