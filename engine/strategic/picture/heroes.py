"""Heroes: offers, knowledge about sites, and the events of heroes, items, sites and quests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.strategic import events as ev
from engine.strategic import item_records
from engine.strategic.item_records import guardian_of
from engine.strategic.picture.board import known_as
from engine.strategic.picture.cities import city_place
from engine.strategic.picture.context import PictureContext, fact, facts, tells
from engine.strategic.picture.words import gold, plain_kind, seat_of, verb
from engine.strategic.pieces import NONE, STACK, Army, Guardian, Item, Question, Site
from engine.strategic.refusal import Topic
from engine.strategic.world import armies_at, site_at
from engine.tabletop.board import Line
from engine.tabletop.english import joined
from engine.tabletop.fact import Fact
from engine.tabletop.narration import mood
from engine.tabletop.roles import Tone

_SITE_TEXTS: Final = {
    "unknown": "not searched yet",
    "temple": "a temple",
    "relic": "holds a relic",
    "sage": "a sage lives {there}",
    "gold": "holds gold",
    "allies": "allies wait {there}",
    "searched": "searched",
}


def site_text(site: Site, there: str) -> str:
    """Describe in a few words what the viewer knows of a site; ``there`` is "here" or "there"."""
    known = known_as(site)
    usual = f"a {plain_kind(known)}, not searched yet"
    return _SITE_TEXTS.get(known, usual).format(there=there)


def survival(context: PictureContext, hero: Army) -> str:
    """Return a hero's chance of surviving a search of the site here, as text in percent."""
    return _percent(context, hero, _guardians_here(context, hero))


def risk(context: PictureContext, hero: Army) -> str:
    """Return a sentence on the danger of a search for a hero on its tile; empty if harmless.

    At a site that the viewer does not know, any guardian of the game is possible.
    """
    guardians = _guardians_here(context, hero)
    odds, who = _percent(context, hero, guardians), context.army_name(hero)
    if _keeper(context, hero) is not None:
        return f"{who} survives with {odds}"
    if odds == _SAFE:
        return ""
    range_of = ", depending on which one" if " to " in odds else ""
    return f"If a guardian is here, {who} survives with {odds}{range_of}"


def better_odds(context: PictureContext, hero: Army) -> str:
    """Say in a sentence what would make a search less dangerous; empty if nothing would."""
    guardians, beside = _guardians_here(context, hero), len(armies_at(context.world, hero.at))
    now = _percent(context, hero, guardians)
    joined_by = _percent(context, hero, guardians, armies=1) if beside < STACK else now
    stronger = _percent(context, hero, guardians, strength=1)
    changes = {"one more army here": joined_by, "one more point of strength": stronger}
    parts = [f"{odds} with {what}" for what, odds in changes.items() if odds != now]
    return f"It would be {joined(parts, 'or')}" if parts else ""


_SAFE: Final = "100 %"


def _keeper(context: PictureContext, hero: Army) -> Guardian | None:
    """Return the guardian of the site at a hero, if the viewer knows it."""
    site = site_at(context.world, hero.at)
    return guardian_of(context.world, site.guardian) if site is not None else None


def _guardians_here(context: PictureContext, hero: Army) -> tuple[Guardian, ...]:
    """Return the guardians that a hero may meet at the site on its tile."""
    site, keeper = site_at(context.world, hero.at), _keeper(context, hero)
    if keeper is not None:
        return (keeper,)
    return context.world.guardians if site is not None and site.kind == "unknown" else ()


def _percent(
    context: PictureContext,
    hero: Army,
    guardians: Iterable[Guardian],
    *,
    strength: int = 0,
    armies: int = 0,
) -> str:
    """Return a hero's lowest and highest chance against guardians, as text in percent.

    ``strength`` and ``armies`` are what it would have more than now.
    """
    world, rules = context.world, context.settings.heroes.search
    own = hero.strength + item_records.weapons(world, hero.id) + strength
    beside = len(armies_at(world, hero.at)) + armies
    rolls = [rules.survives(own, guardian.strength, beside) for guardian in guardians]
    die = rules.guardian_die
    found = [100 * max(0, min(most, die)) // die for most in rolls] or [100]
    low, high = min(found), max(found)
    return f"{low} %" if low == high else f"{low} to {high} %"


@tells(ev.Asked)
def _tell_asked(event: ev.Asked, context: PictureContext) -> Iterator[Line]:
    question = event.question
    topic, text = _question(context, question)
    if question.side == context.viewer:
        yield context.say(text, topic, question.side, at=question_place(context), tone=Tone.STRONG)
    else:
        who = context.side_name(question.side)
        yield context.say(f"{who} has a decision to make", topic, question.side, tone=Tone.QUIET)


def _question(context: PictureContext, question: Question) -> tuple[Topic, str]:
    match question.kind:
        case "fate":
            return "capture", f"What becomes of {context.city_name(question.city)}?"
        case "hero":
            return "offer", offer_text(context, question)
        case "sage":
            return "search", "The sage asks what you wish for"
        case "yield":
            return "victory", "Your enemies offer to surrender. Do you accept?"
        case kind:
            own = context.style.questions.get(kind)
            return "turn", own.text if own is not None else "A decision awaits you"


def offer_text(context: PictureContext, question: Question) -> str:
    """Describe a hero's offer: name, city, price and allies."""
    text = f"{question.name} offers to join you at {context.city_name(question.city)}"
    text += f" for {gold(question.price)}" if question.price else " for free"
    if question.allies:
        ally = context.type_name(question.ally)
        text += f", with {question.allies} {ally}" if question.allies > 1 else f", with {ally}"
    return text


def question_place(context: PictureContext) -> tuple[int, int] | None:
    """Return the tile that the open question is about, or None."""
    question = context.world.question
    if question is None:
        return None
    site = context.world.sites.get(question.site)
    there = (site.x, site.y) if site is not None else None
    return city_place(context, question.city) or there


@tells(ev.Answered)
def _tell_answered(event: ev.Answered, context: PictureContext) -> Iterator[Line]:
    if event.kind == "hero" and event.answer == "no":
        yield context.say("The hero leaves", "offer", event.side, tone=Tone.QUIET)
    elif event.kind == "yield" and event.answer:
        text = "The surrender is accepted" if event.answer == "accept" else "The war goes on"
        yield context.say(text, "victory", event.side, tone=Tone.STRONG)


@tells(ev.HeroHired)
def _tell_hired(event: ev.HeroHired, context: PictureContext) -> Iterator[Line]:
    who = context.company((event.hero, *event.allies))
    joins = verb((event.hero, *event.allies), "joins", "join")
    text = f"{who} {joins} {context.side_name(event.side)} {context.place(event.hero.at)}"
    if event.price:
        text += f" for {gold(event.price)}"
    if event.items:
        text += f", with {joined([item.name for item in event.items])}"
    tone = mood(context, event.side)
    yield context.say(text, "offer", event.side, at=event.hero.at, tone=tone)


fact(ev.HeroHired, lambda event, _, after: after.work_fact((event.hero, *event.allies)))


_MOVES: Final = {
    "found": ("finds", "is found"),
    "picked": ("picks up", "is picked up"),
    "dropped": ("drops", "is dropped"),
    "fallen": ("drops", "falls to the ground"),
    "lost": ("loses", "is lost in the water"),
    "planted": ("plants", "is planted"),
    "reward": ("receives", "is the reward"),
}
"""Verbs with the hero as subject, and with the item as subject if no hero is known."""


@tells(ev.ItemsMoved)
def _tell_items_moved(event: ev.ItemsMoved, context: PictureContext) -> Iterator[Line]:
    for item in event.items:
        holder = context.world.armies.get(item.holder) if item.where == "carried" else None
        active, passive = _MOVES[event.reason]
        text = f"{context.item_name(item)} {passive}"
        if holder is not None:
            text = f"{context.army_name(holder)} {active} {context.item_name(item)}"
        if event.reason == "picked" and item.where != "carried":
            text = f"{context.item_name(item)} is gone"
        owner = holder.owner if holder is not None else item.side
        yield context.say(text, "item", owner, at=item_place(context, item))


def item_place(context: PictureContext, item: Item) -> tuple[int, int] | None:
    """Return the tile of an item on the ground, planted or carried; None if it is elsewhere."""
    if item.where in {"ground", "planted"}:
        return item.x, item.y
    holder = context.world.armies.get(item.holder) if item.where == "carried" else None
    return holder.at if holder is not None else None


@tells(ev.FlagSet)
def _tell_flag_set(event: ev.FlagSet, context: PictureContext) -> Iterator[Line]:
    who = context.side_name(event.side)
    text = f"{who} has no rally flag any more"
    if event.at is not None:
        text = f"{who} plants its rally flag {context.place(event.at)}"
    yield context.say(text, "item", event.side, at=event.at, tone=Tone.QUIET)


_FINDS: Final = {
    "relic": "a relic",
    "sage": "a sage",
    "gold": "gold",
    "allies": "allies",
    "temple": "a temple",
    "unknown": "nothing known",
}


@tells(ev.SiteSearched)
def _tell_searched(event: ev.SiteSearched, context: PictureContext) -> Iterator[Line]:
    site, at = event.site, (event.site.x, event.site.y)
    hero = context.world.armies.get(event.army)
    owner = hero.owner if hero is not None else context.world.current
    who = context.owned(context.army_name(hero) if hero is not None else "a hero", owner)
    guardian = guardian_of(context.world, event.guardian)
    foe = f"the {guardian.name}" if guardian is not None and event.roll else ""
    die = context.settings.heroes.search.guardian_die
    rolled = f"(rolled {event.roll}, needed {min(max(event.chance, 0), die)} or less)"
    if event.died:
        verb = "kill" if foe.endswith("s") else "kills"
        text = f"{foe} {verb} {who} {rolled}" if foe else f"{who} dies at {site.name}"
        yield context.say(text, "search", owner, at=at, tone=mood(context, NONE, owner))
        return
    if event.army == NONE:
        yield context.say(f"{site.name} has been searched", "search", at=at, tone=Tone.QUIET)
        return
    if foe:
        text = f"{who} slays {foe} {rolled}"
        yield context.say(text, "search", owner, at=at, tone=mood(context, owner))
    found = f" and finds {_FINDS[site.kind]}" if site.kind in _FINDS else ""
    text = f"{who} searches {site.name}{found}"
    yield context.say(text, "search", owner, at=at, tone=mood(context, owner))


@facts(ev.SiteSearched)
def _searched_facts(
    event: ev.SiteSearched, before: PictureContext, after: PictureContext
) -> Iterator[Fact]:
    """Yield the search as a fact; as an attack with a chance if a guardian was there."""
    hero = before.world.armies.get(event.army)
    if hero is None:
        return
    die = after.settings.heroes.search.guardian_die
    kept = event.guardian > 0 and event.roll > 0
    safe = min(max(event.chance, 0), die)
    yield Fact(
        "attack" if kept else "work",
        seat_of(hero.owner),
        at=(event.site.x, event.site.y),
        piece=before.army_name(hero),
        target=event.site.name or "site",
        won=not event.died if kept else None,
        chance=(safe, die) if kept else None,
    )


@tells(ev.SiteKnown)
def _tell_sites_known(event: ev.SiteKnown, context: PictureContext) -> Iterator[Line]:
    for site in event.sites:
        text = f"{site.name or context.place((site.x, site.y))} holds {_known(context, site)}"
        yield context.say(text, "site", event.side, at=(site.x, site.y), tone=Tone.GOOD)


def _known(context: PictureContext, site: Site) -> str:
    held = [
        item
        for item in context.world.items.values()
        if item.where == "site" and item.holder == site.id
    ]
    if held:
        return joined([context.item_name(item) for item in held])
    if site.kind == "allies" and site.ally != NONE:
        return f"allies: {context.type_name(site.ally)}"
    return _FINDS.get(site.kind, f"a {plain_kind(site.kind)}")


_GOLD: Final = {
    "site": "finds {}",
    "sage": "gets {} from the sage",
    "reward": "is rewarded with {}",
    "out": "loses {}",
    "production": "pays {} for a new army",
}


_GOLD_TOPICS: Final[dict[str, Topic]] = {"out": "victory", "production": "produce"}


@tells(ev.GoldChanged)
def _tell_gold_changed(event: ev.GoldChanged, context: PictureContext) -> Iterator[Line]:
    who, amount = context.side_name(event.side), gold(abs(event.change))
    text = f"{who} {_GOLD[event.reason].format(amount)}, treasury {event.gold:,}"
    topic = _GOLD_TOPICS.get(event.reason, "search")
    tone = Tone.GOOD if event.change > 0 else Tone.QUIET
    yield context.say(text, topic, event.side, tone=tone)


@facts(ev.GoldChanged)
def _gold_fact(event: ev.GoldChanged, *_: PictureContext) -> Fact:
    return Fact("other", event.side, target=f"gold ({event.reason})", amount=event.change)


@tells(ev.QuestSet)
def _tell_quest_set(event: ev.QuestSet, context: PictureContext) -> Iterator[Line]:
    quest = event.quest
    if event.what == "void":
        yield context.say("The quest has failed", "quest", event.side, tone=Tone.BAD)
    elif event.what == "done":
        yield context.say("The quest is fulfilled", "quest", event.side, tone=Tone.GOOD)
    elif quest is not None:
        hero = context.named(quest.hero)
        does = "sets out to" if event.what == "taken" else "is still out to"
        text = f"{hero} {does} {context.quest_text(quest)}"
        yield context.say(text, "quest", event.side, tone=Tone.STRONG)
