"""Quests: the choice of a temple, progress, completion and rewards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

from engine.core.record import replace
from engine.strategic import item_records
from engine.strategic.cities import add_gold
from engine.strategic.commands import TakeQuest
from engine.strategic.decision import Decision, pick
from engine.strategic.events.battle import FoughtBattle
from engine.strategic.events.heroes import QuestSet
from engine.strategic.heroes import join_at
from engine.strategic.item_records import carried, is_good
from engine.strategic.pieces import NOBODY, Army, City, Quest, QuestKind
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import Fate, RuleSettings
from engine.strategic.world import (
    HOSTILE,
    WAR,
    World,
    armies_of,
    has_discovered,
    own_hero,
    site_at,
    treaty,
)

QuestVerdict: TypeAlias = Literal["open", "done", "void"]


def take(decision: Decision, settings: RuleSettings, side: int, order: TakeQuest) -> None:
    """Take a quest at a temple: draw its kind, then its target.

    Raises:
        Refused: The game has no quests, there is no such hero or no temple, the side has a quest,
            or no quest is possible.
    """
    world = decision.state
    if not settings.heroes.quests.on:
        refuse(Refusal.NOT_ALLOWED, "There are no quests in this game.", "quest")
    hero = own_hero(world, side, order.army, "quest")
    site = site_at(world, hero.at)
    if site is None or site.kind != "temple":
        refuse(Refusal.NO_SITE, "Only temples give quests.", "search")
    if world.sides[side].quest is not None:
        refuse(Refusal.TOO_MANY, "You have a quest already.", "quest")
    found = possible(world, settings, hero)
    if not found:
        refuse(Refusal.NOTHING_TO_DO, "The temple has no quest for you now.", "quest")
    kind = pick(decision.dice, tuple(found))
    quest = measured(decision, settings, pick(decision.dice, found[kind]))
    decision.emit(QuestSet(side, quest, "taken"))
    if kind == "fetch-item":
        item = decision.state.items[quest.target]
        item_records.reveal(decision, side, (decision.state.sites[item.holder],))


# -- going on ----------------------------------------------------------------------------------


def check(decision: Decision, settings: RuleSettings, side: int) -> None:
    """End the quest of a side, done or void, if the position requires it."""
    quest = decision.state.sides[side].quest if side in decision.state.sides else None
    if quest is None:
        return
    verdict = _verdict(decision.state, side, quest)
    if verdict == "done":
        _done(decision, settings, side, quest)
    elif verdict == "void":
        decision.emit(QuestSet(side, None, "void"))


def check_all(decision: Decision, settings: RuleSettings) -> None:
    """End the quests of all sides, done or void, where the position requires it."""
    for side in decision.state.sides:
        check(decision, settings, side)


def after_battle(decision: Decision, settings: RuleSettings, fought: FoughtBattle) -> None:
    """Advance the winner's quest after a battle, and void quests that have become impossible.

    Only a battle that the questing hero fought in and survived counts.

    Args:
        decision: The decision, after the dead have been removed.
        settings: The rule settings.
        fought: The battle.
    """
    battle, dead = fought.event, fought.defenders if fought.event.won else fought.attackers
    winner = battle.attacker if battle.won else battle.defender
    line = battle.attackers if battle.won else battle.defenders
    quest = decision.state.sides[winner].quest if winner in decision.state.sides else None
    alive = {fighter.army for fighter in line} & set(decision.state.armies)
    if quest is not None and quest.hero in alive:
        _step(decision, settings, winner, quest, sum(_counts(quest, army) for army in dead))
    check_all(decision, settings)


_COUNTS: Final[Mapping[QuestKind, Callable[[Quest, Army], bool]]] = {
    "kill-hero": lambda quest, army: army.id == quest.target,
    "kill-type": lambda quest, army: army.type == quest.target and army.owner == quest.side,
    "kill-armies": lambda quest, army: army.owner == quest.side,
}


def _counts(quest: Quest, army: Army) -> bool:
    """Return whether the death of an army counts for a quest."""
    counts = _COUNTS.get(quest.kind)
    return counts is not None and counts(quest, army)


def after_city(
    decision: Decision, settings: RuleSettings, side: int, city: int, what: Fate
) -> None:
    """Complete or void the quest of a side by the fate of a city.

    The questing hero must be in the city. Every fate but razing counts as keeping it.
    """
    quest = decision.state.sides[side].quest if side in decision.state.sides else None
    if quest is not None and quest.kind in ("keep-city", "raze-city") and quest.target == city:
        wanted = (what == "raze") == (quest.kind == "raze-city")
        if wanted and _is_there(decision.state, quest, city):
            _done(decision, settings, side, quest)
        else:
            decision.emit(QuestSet(side, None, "void"))
    if what == "raze":
        check_all(decision, settings)


def on_gold(decision: Decision, settings: RuleSettings, side: int, city: int, gold: int) -> None:
    """Count gold from a city for the quest of a hero in that city."""
    quest = decision.state.sides[side].quest if side in decision.state.sides else None
    if quest is not None and quest.kind == "plunder" and _is_there(decision.state, quest, city):
        _step(decision, settings, side, quest, gold)


def _is_there(world: World, quest: Quest, city: int) -> bool:
    hero = world.armies.get(quest.hero)
    return hero is not None and hero.at in world.cities[city].tiles


def _step(decision: Decision, settings: RuleSettings, side: int, quest: Quest, more: int) -> None:
    """Add progress to a quest, and complete it when it has reached its count."""
    if more <= 0:
        return
    on = replace(quest, done=quest.done + more)
    if on.done >= on.count:
        _done(decision, settings, side, on)
    else:
        decision.emit(QuestSet(side, on, "step"))


def _done(decision: Decision, settings: RuleSettings, side: int, quest: Quest) -> None:
    """Complete and reward a quest."""
    decision.emit(QuestSet(side, None, "done"))
    reward(decision, settings, decision.state.armies[quest.hero])


# -- when it is done, and when it is void ------------------------------------------------------


def _verdict(world: World, side: int, quest: Quest) -> QuestVerdict:
    """Return the state of a quest, judged from the position alone."""
    if quest.hero not in world.armies:
        return "void"
    match quest.kind:
        case "fetch-item":
            return _item_verdict(world, quest)
        case "kill-hero" | "kill-type" | "kill-armies":
            return "open" if _has_target(world, quest) else "void"
        case "keep-city" | "raze-city":
            return _city_verdict(world, side, quest)
        case "plunder":
            return "open"


def _item_verdict(world: World, quest: Quest) -> QuestVerdict:
    item = world.items.get(quest.target)
    if item is None:  # in views: somebody has it who is not seen
        return "open"
    if item.where == "carried" and item.holder == quest.hero:
        return "done"
    return "void" if item.where in ("lost", "unused") else "open"


def _has_target(world: World, quest: Quest) -> bool:
    """Return whether a target of the quest is still alive."""
    if quest.kind == "kill-hero":
        return quest.target in world.armies
    if not world.sides[quest.side].alive:
        return False
    return quest.kind == "kill-armies" or any(
        army.type == quest.target for army in armies_of(world, quest.side)
    )


def _city_verdict(world: World, side: int, quest: Quest) -> QuestVerdict:
    """Return "void" if the city is razed, or the side owns it and has decided its fate."""
    city = world.cities[quest.target]
    asked = world.question
    deciding = asked is not None and asked.kind == "fate" and asked.city == city.id
    if city.razed or (city.owner == side and not deciding):
        return "void"
    return "open"


def carries_quest_item(world: World, army: Army) -> bool:
    """Return whether a hero is on its side's quest or carries the item that the quest asks for."""
    side = world.sides.get(army.owner)
    quest = None if side is None else side.quest
    if quest is None or army.hero is None:
        return False
    if quest.hero == army.id:
        return True
    if quest.kind != "fetch-item":
        return False
    item = world.items.get(quest.target)
    return item is not None and item.where == "carried" and item.holder == army.id


def may_take(world: World, settings: RuleSettings, hero: Army) -> bool:
    """Return whether a hero at a temple can take a quest."""
    rules = settings.heroes.quests
    if rules.may_take is not None:
        return rules.on and rules.may_take(world, settings, hero)
    free = rules.on and world.sides[hero.owner].quest is None
    return free and possible(world, settings, hero) != {}


# -- The choice of a quest -------------------------------------------------------------------------


def possible(
    world: World, settings: RuleSettings, hero: Army
) -> dict[QuestKind, tuple[Quest, ...]]:
    """Return the quests that a hero could take, by kind, without their sizes.

    Quests against armies need an enemy. Quests about cities need a known city of a side at war.
    """
    found: dict[QuestKind, tuple[Quest, ...]] = {
        "kill-hero": _hero_quests(world, hero),
        "fetch-item": _item_quests(world, hero),
        "kill-type": _type_quests(world, hero),
        "kill-armies": tuple(
            Quest("kill-armies", hero.id, foe, name=world.sides[foe].name)
            for foe in enemies(world, hero.owner)
        ),
        "keep-city": _city_quests(world, hero, "keep-city"),
        "raze-city": _city_quests(world, hero, "raze-city"),
        "plunder": (Quest("plunder", hero.id),) if _targets(world, hero.owner) else (),
    }
    if not settings.heroes.quests.may_raze:
        del found["raze-city"]
    return {kind: listed for kind, listed in found.items() if listed}


def enemies(world: World, side: int) -> tuple[int, ...]:
    """Return the living sides that are not at peace with a side."""
    return tuple(
        other.id
        for other in world.sides.values()
        if other.id != side and other.alive and treaty(world, side, other.id) >= HOSTILE
    )


def _hero_quests(world: World, hero: Army) -> tuple[Quest, ...]:
    return tuple(
        Quest("kill-hero", hero.id, foe, army.id, army.hero.name)
        for foe in enemies(world, hero.owner)
        for army in armies_of(world, foe)
        if army.hero is not None
    )


def _item_quests(world: World, hero: Army) -> tuple[Quest, ...]:
    return tuple(
        Quest("fetch-item", hero.id, target=item.id, name=item.name)
        for item in world.items.values()
        if item.where == "site"
    )


def _type_quests(world: World, hero: Army) -> tuple[Quest, ...]:
    return tuple(
        Quest("kill-type", hero.id, foe, type_, world.types[type_].name)
        for foe in enemies(world, hero.owner)
        for type_ in sorted({army.type for army in armies_of(world, foe) if army.hero is None})
    )


def _city_quests(
    world: World, hero: Army, kind: Literal["keep-city", "raze-city"]
) -> tuple[Quest, ...]:
    return tuple(
        Quest(kind, hero.id, city.owner, city.id, city.name) for city in _targets(world, hero.owner)
    )


def _targets(world: World, side: int) -> tuple[City, ...]:
    """Return the known cities of the sides at war with a side."""
    return tuple(
        city
        for city in world.cities.values()
        if not city.razed
        and city.owner != side
        and treaty(world, side, city.owner) == WAR
        and any(has_discovered(world, side, at) for at in city.tiles)
    )


def measured(decision: Decision, settings: RuleSettings, quest: Quest) -> Quest:
    """Return a quest with a drawn count of what must be done, if its kind has one."""
    rules = settings.heroes.quests
    if quest.kind == "kill-armies":
        return replace(quest, count=rules.kills.made(decision.dice))
    if quest.kind == "plunder":
        return replace(quest, count=rules.plunder.made(decision.dice))
    return quest


# -- Rewards ---------------------------------------------------------------------------------------


def reward(decision: Decision, settings: RuleSettings, hero: Army) -> None:
    """Reward a quest with an item, a revealed site, allies or gold.

    If no item or no site is left to give, its die is not rolled.
    """
    rules = settings.heroes.quests
    if _reward_item(decision, rules.item_die, hero) or _reward_site(
        decision, rules.site_die, hero.owner
    ):
        return
    kinds = [
        kind for kind in decision.state.types.values() if settings.heroes.offers.may_join(kind)
    ]
    if kinds and decision.dice.roll(2) == 1:
        kind = pick(decision.dice, kinds)
        join_at(decision, settings, hero, (kind.id, rules.allies.made(decision.dice)), "reward")
    else:
        add_gold(decision, settings, hero.owner, rules.gold.made(decision.dice), "reward")


def _reward_item(decision: Decision, die: int, hero: Army) -> bool:
    """Roll for an unused good item, and give it to the hero; return whether it got one."""
    unused = [
        item
        for item in decision.state.items.values()
        if item.where == "unused" and item.side == NOBODY and is_good(item)
    ]
    if not unused or decision.dice.roll(die) != 1:
        return False
    item_records.move_items(decision, (carried(pick(decision.dice, unused), hero.id),), "reward")
    return True


def _reward_site(decision: Decision, die: int, side: int) -> bool:
    """Roll for a site to reveal, hidden ones first; return whether one was revealed."""
    untold = item_records.secrets(decision.state, side)
    hidden = [site for site in untold if site.hidden]
    if not untold or decision.dice.roll(die) != 1:
        return False
    item_records.reveal(decision, side, (pick(decision.dice, hidden or untold),))
    return True
