"""Describe events: items, rewards, quests and rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.rulesets.lordsawar import events as ev
from engine.rulesets.lordsawar.state import HeroQuest
from engine.strategic.picture.context import NARRATION, PictureContext, fact, facts, tells
from engine.strategic.picture.words import seat_of
from engine.strategic.pieces import NONE, ItemPowers
from engine.tabletop.board import Line
from engine.tabletop.english import joined, many
from engine.tabletop.fact import Fact
from engine.tabletop.narration import mood
from engine.tabletop.roles import Tone

# -- items -----------------------------------------------------------------------------------------

_ACTS: Final[Mapping[str, str]] = {
    "STEAL_GOLD": "steals {percent} % of {other}'s gold",
    "SINK_SHIPS": "sinks the ships of {other}",
    "PICK_UP_BAGS": "gathers everything that lies about",
    "ADD_2MP_STACK": "gives its stack {amount} more moves",
    "BANISH_WORMS": "destroys all {unit}",
    "BURN_BRIDGE": "sets the bridge on fire",
    "CAPTURE_KEEPER": "wins over the keeper of the ruin",
    "SUMMON_MONSTER": "summons {unit}",
    "DISEASE_CITY": "brings a plague on a city of {other}",
    "RAISE_DEFENDERS": "summons {unit} to a city",
    "PERSUADE_NEUTRALS": "wins over a city",
    "TELEPORT_TO_CITY": "takes its stack to a city",
}
"""Effect of each use of an item, as text. See: LW-11."""


@tells(ev.ItemUsed)
def _tell_used(event: ev.ItemUsed, context: PictureContext) -> Iterator[Line]:
    own = event.army != NONE
    hero = context.world.armies.get(event.army)
    at = hero.at if hero is not None else None
    tone = mood(context, event.side, event.target)
    if own:
        text = f"{context.named(event.army)} uses {event.item.name} and {_act(context, event)}"
        yield context.say(text, "item", event.side, at=at, tone=tone)
        left = event.item.powers.charges if event.item.powers else 0
        rest = f"has {many(left, 'use')} left" if left else "is used up"
        yield context.say(f"{event.item.name} {rest}", "item", event.side, tone=Tone.QUIET)
    elif event.act:
        text = f"A hero of {context.side_name(event.side)} {_act(context, event)}"
        yield context.say(text, "item", event.side, tone=tone)
    for side, gold in event.gold:
        text = f"{context.side_name(side)}: treasury {gold:,}"
        yield context.say(text, "item", side, tone=mood(context, event.side, event.target))
    if event.city is not None:
        text = f"{event.city.name} belongs to {context.side_name(event.city.owner)} now"
        place = event.city.x, event.city.y
        yield context.say(text, "item", event.side, at=place, tone=tone)


def _act(context: PictureContext, event: ev.ItemUsed) -> str:
    """Describe the effect of a use, as far as the viewer knows it. See: LW-11."""
    powers = event.item.powers or ItemPowers()
    text = _ACTS.get(event.act, "uses it")
    if not event.item.name:
        text = text.replace("{percent} % of", "some of")
    return text.format(
        percent=powers.percent,
        amount=powers.amount,
        unit=context.type_name(powers.type),
        other=context.side_name(event.target),
    )


@facts(ev.ItemUsed)
def _used_facts(
    event: ev.ItemUsed, before: PictureContext, after: PictureContext
) -> Iterator[Fact]:
    hero = before.world.armies.get(event.army)
    yield Fact(
        "capture" if event.city is not None else "other",
        event.side,
        seat_of(event.target),
        at=hero.at if hero is not None else None,
        piece=after.army_name(hero) if hero is not None else "",
        target=event.city.name if event.city is not None else event.item.name or "item",
    )


@tells(ev.BridgeBurnt)
def _tell_burnt(event: ev.BridgeBurnt, context: PictureContext) -> Iterator[Line]:
    at = event.tiles[0][:2] if event.tiles else event.armies[0].at
    yield context.say("The bridge burns down", "item", at=at, tone=Tone.STRONG)
    if event.armies:
        text = f"{context.company(event.armies)} cannot leave it this turn"
        yield context.say(text, "item", event.armies[0].owner, at=at)


@facts(ev.BridgeBurnt)
def _burnt_facts(event: ev.BridgeBurnt, *_: PictureContext) -> Iterator[Fact]:
    at = event.tiles[0][:2] if event.tiles else event.armies[0].at
    yield Fact("other", at=at, target="bridge")


# -- rewards and quests ----------------------------------------------------------------------------


@tells(ev.RewardGiven)
def _tell_reward(event: ev.RewardGiven, context: PictureContext) -> Iterator[Line]:
    """Describe only the rewards that no later event describes. See: LW-14."""
    texts = {"map": "a map of the land", "none": "nothing", "ruin": "the way to a hidden ruin"}
    text = texts.get(event.reward.kind)
    if text is not None:
        line = f"{context.named(event.army)} finds {text}"
        yield context.say(line, "search", event.side, tone=mood(context, event.side))


@facts(ev.RewardGiven)
def _reward_facts(
    event: ev.RewardGiven, before: PictureContext, after: PictureContext
) -> Iterator[Fact]:
    hero = after.world.armies.get(event.army) or before.world.armies.get(event.army)
    at, name = (hero.at, after.army_name(hero)) if hero is not None else (None, "")
    target = f"reward ({event.reward.kind})"
    yield Fact("other", event.side, at=at, piece=name, target=target)


_QUESTS: Final[Mapping[str, str]] = {
    "kill-hero": "kill {name} of {foe}",
    "kill-armies": "destroy {count} armies of {foe}",
    "sack-city": "take {name} and sack it",
    "raze-city": "take {name} and raze it",
    "occupy-city": "take {name} and occupy it",
    "kill-type": "destroy {name} of any side",
    "plunder": "win over {count} gold by sacking and pillaging",
}


def quest_text(context: PictureContext, quest: HeroQuest) -> str:
    """Describe a quest with its progress. See: LW-15."""
    done = f", {quest.done} so far" if quest.done and quest.count > 1 else ""
    return f"{quest_task(context, quest)}{done}"


def quest_task(context: PictureContext, quest: HeroQuest) -> str:
    """Describe the task of a quest. See: LW-15."""
    return _QUESTS[quest.kind].format(
        name=quest.name or "what was asked for",
        foe=context.side_name(quest.side),
        count=quest.count,
    )


@tells(ev.HeroQuestSet)
def _tell_quest(event: ev.HeroQuestSet, context: PictureContext) -> Iterator[Line]:
    who, task = context.named(event.quest.id), quest_text(context, event.quest)
    texts = {
        "taken": (f"{who} sets out to {task}", Tone.STRONG),
        "step": (f"{who} is still out to {task}", Tone.NORMAL),
        "done": (f"{who} fulfils the quest: {task}", Tone.GOOD),
        "void": (f"The quest has failed: {task}", Tone.BAD),
    }
    text, tone = texts[event.what]
    hero = context.world.armies.get(event.quest.id)
    at = hero.at if hero is not None else None
    yield context.say(text, "quest", event.side, at=at, tone=tone)


fact(ev.HeroQuestSet, lambda event, *_: Fact("other", event.side, target=f"quest {event.what}"))


# -- rounds ----------------------------------------------------------------------------------------


@tells(ev.RoundScored)
def _tell_scores(event: ev.RoundScored, context: PictureContext) -> Iterator[Line]:
    sides = [side for side in context.world.sides.values() if side.alive]
    told = joined([f"{context.side_name(side.id)} {event.scores[side.id]}" for side in sides])
    yield context.say(f"Scores: {told}", "round", tone=Tone.QUIET)


@facts(ev.RoundScored)
def _score_facts(event: ev.RoundScored, *_: PictureContext) -> Iterator[Fact]:
    for side, score in enumerate(event.scores):
        yield Fact("other", side, target="score", amount=score)


@tells(ev.ProductionStopped)
def _tell_stopped(event: ev.ProductionStopped, context: PictureContext) -> Iterator[Line]:
    city = event.city
    text = f"{city.name} stops production for lack of gold"
    at = city.x, city.y
    yield context.say(text, "produce", city.owner, at=at, tone=Tone.BAD)


NARRATION.silent(ev.NeutralGoldSet)
