"""Search ruins, strongholds and sages, and give rewards (section 14)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, Literal, TypeAlias

import numpy as np

from engine.core.dice import Dice
from engine.core.record import replace
from engine.kit.grid import Place
from engine.rulesets.lordsawar.events import RewardGiven
from engine.rulesets.lordsawar.levels import OwnDecision, earn
from engine.rulesets.lordsawar.pieces import type_value
from engine.rulesets.lordsawar.state import Reward, State
from engine.rulesets.lordsawar.tables import DrawRange, armyset
from engine.strategic import item_records, sight
from engine.strategic import sites as layer
from engine.strategic.cities import add_gold
from engine.strategic.commands import AskSage, Search
from engine.strategic.decision import answer, ask, asked_of, pick
from engine.strategic.heroes import join_at
from engine.strategic.item_records import carried
from engine.strategic.pieces import NONE, Army, Item, Question, Site, Wish
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings
from engine.strategic.world import armies_at

Giver: TypeAlias = Literal["site", "sage", "reward"]
"""Source of a reward: a site, a sage, or a temple (for a quest)."""

# -- searches --------------------------------------------------------------------------------------


def search(decision: OwnDecision, settings: RuleSettings, side: int, order: Search) -> None:
    """Search the ruin on a hero's tile: its keeper kills the hero, or dies.

    The search costs no moves. Rules: LW-14.1, D18.

    Raises:
        Refused: no such hero, no moves left, or nothing to search.
    """
    hero, site = layer.searched_by(decision, side, order)
    keeper = item_records.guardian_of(decision.state, site.guardian)
    if not layer.meets(decision, settings, hero, site):
        return
    if keeper is not None:
        kind = decision.state.types.get(site.guardian - 1)
        worth = Fraction(1) if kind is None else type_value(kind)
        earn(decision, armies_at(decision.state, hero.at), (worth,))
    _found(decision, settings, hero, site)


def _found(decision: OwnDecision, settings: RuleSettings, hero: Army, site: Site) -> None:
    """Resolve a search: a sage asks for a wish, any other site gives a reward. See: LW-14."""
    if site.kind == "sage":
        wishes = sage_wishes(decision.state, settings, hero.owner)
        ask(decision, Question("sage", hero.owner, site=site.id, army=hero.id, wishes=wishes))
        return
    reward = decision.state.rewards.get(site.id)
    if reward is None or not can_give(decision.state, settings, hero.owner, reward):
        kinds: tuple[str, ...] = ("gold",) if reward else reward_kinds(settings, decision.state)
        found = drawn_reward(decision.dice, decision.state, hero.owner, hero.at, kinds)
        reward = replace(found, id=site.id)
    give(decision, settings, hero, reward, "site")


# -- rewards ---------------------------------------------------------------------------------------


def reward_kinds(settings: RuleSettings, state: State, *, ruins: bool = True) -> tuple[str, ...]:
    """Return the kinds of random rewards, all equally likely. See: LW-14."""
    kinds: list[str] = ["gold", "allies", "item"]
    if ruins:
        kinds.append("ruin")
    if sight.has_fog(state, settings):
        kinds.append("map")
    return tuple(kinds)


def drawn_reward(dice: Dice, state: State, side: int, at: Place, kinds: tuple[str, ...]) -> Reward:
    """Draw a reward of one of ``kinds``; it is gold if the drawn kind has nothing to give.

    The reward has no id yet. Rules: LW-14.2.
    """
    kind, numbers = pick(dice, kinds), armyset().rewards
    match kind:
        case "allies":
            awardable = [row for row in state.types.values() if row.special > 0]
            if awardable:
                ally = pick(dice, awardable).id
                return Reward(NONE, "allies", ally=ally, count=_drawn(dice, numbers.allies))
        case "item":
            pool = pool_items(state)
            if pool:
                return Reward(NONE, "item", item=pick(dice, pool).id)
        case "ruin":
            hidden = hidden_ruins(state, side)
            if hidden:
                return _place_of(pick(dice, hidden))
        case "map":
            return drawn_map(dice, at)
        case _:
            pass
    return Reward(NONE, "gold", gold=_drawn(dice, numbers.gold))


def _drawn(dice: Dice, span: DrawRange) -> int:
    low, high = span
    return low - 1 + dice.roll(high - low + 1)


def _place_of(site: Site) -> Reward:
    """Return a reward that reveals a hidden ruin. See: LW-14."""
    return Reward(NONE, "ruin", site=site.id, x=site.x, y=site.y)


def pool_items(state: State) -> tuple[Item, ...]:
    """Return the unused items of the pool that are not set aside as rewards. See: LW-14."""
    waiting = {reward.item for reward in state.rewards.values()}
    return tuple(
        item
        for item in state.items.values()
        if item.where == "unused" and item.kind != "standard" and item.id not in waiting
    )


def hidden_ruins(state: State, side: int) -> tuple[Site, ...]:
    """Return the hidden ruins that a side does not know, in id order. See: LW-14."""
    return tuple(site for site in item_records.secrets(state, side) if site.hidden)


_MAP_SIZE: Final = (16, 25)
"""Minimum and maximum width and height of the land that a map shows; the book sets none."""


def drawn_map(dice: Dice, at: Place) -> Reward:
    """Return a reward that shows a box of the map around a tile, of random size. Rules: LW-14.2."""
    width, height = _drawn(dice, _MAP_SIZE), _drawn(dice, _MAP_SIZE)
    left, top = at[0] - width // 2, at[1] - height // 2
    return Reward(NONE, "map", x=left, y=top, width=width, height=height)


def can_give(state: State, settings: RuleSettings, side: int, reward: Reward) -> bool:
    """Return whether a reward set at the start is still worth something to a side. See: LW-14."""
    match reward.kind:
        case "item":
            item = state.items.get(reward.item)
            return item is not None and item.where in {"unused", "site"}
        case "ruin":
            site = state.sites.get(reward.site)
            known = site is None or site.searched or item_records.is_told(site, side)
            return not known
        case "allies":
            return reward.ally in state.types
        case "map":
            return sight.has_fog(state, settings)
        case _:
            return True


def give(
    decision: OwnDecision, settings: RuleSettings, hero: Army, reward: Reward, giver: Giver
) -> None:
    """Give a reward to a hero. Rules: LW-14.2."""
    decision.emit(RewardGiven(hero.owner, hero.id, reward))
    world = decision.state
    match reward.kind:
        case "gold":
            add_gold(decision, settings, hero.owner, reward.gold, giver)
        case "allies":
            reason: Literal["allies", "reward"] = "reward" if giver == "reward" else "allies"
            join_at(decision, settings, hero, (reward.ally, reward.count), reason)
        case "item":
            why: Literal["found", "reward"] = "reward" if giver == "reward" else "found"
            thing = carried(world.items[reward.item], hero.id)
            item_records.move_items(decision, (thing,), why)
        case "ruin":
            item_records.reveal(decision, hero.owner, (world.sites[reward.site],))
        case "map":
            _show(decision, settings, hero.owner, reward)
        case _:
            pass


def _show(decision: OwnDecision, settings: RuleSettings, side: int, reward: Reward) -> None:
    """Uncover a box of the map; clip it to the land. See: LW-14, LW-17."""
    box = np.zeros(decision.state.discovered.cells.shape, dtype=np.bool_)
    right, bottom = reward.x + reward.width, reward.y + reward.height
    box[max(reward.y, 0) : max(bottom, 0), max(reward.x, 0) : max(right, 0)] = True
    sight.discover(decision, settings, side, box)


# -- sages -----------------------------------------------------------------------------------------


def sage_wishes(state: State, settings: RuleSettings, side: int) -> tuple[Wish, ...]:
    """Return the gifts that a sage can offer; omit those without any content. Rules: LW-14.3."""
    known = bool((state.discovered.cells >> side & 1).all())
    possible: dict[Wish, bool] = {
        "gold": True,
        "allies": bool(_ruins_with(state, side, "allies")),
        "items": bool(_ruins_with(state, side, "item")),
        "maps": sight.has_fog(state, settings) and not known,
    }
    return tuple(wish for wish, there in possible.items() if there)


def _ruins_with(state: State, side: int, kind: str) -> list[Site]:
    """Return the hidden ruins unknown to a side that hold a kind of reward."""
    ruins = hidden_ruins(state, side)
    return [site for site in ruins if (r := state.rewards.get(site.id)) and r.kind == kind]


def ask_sage(decision: OwnDecision, settings: RuleSettings, side: int, order: AskSage) -> None:
    """Choose the gift of a sage. Rules: LW-14.3.

    Raises:
        Refused: no sage is waiting, or the sage cannot give that.
    """
    state = decision.state
    question = asked_of(state, side, "sage")
    if question is None:
        refuse(Refusal.NO_QUESTION, "No sage is waiting for your wish.", "search")
    if order.wish not in question.wishes:
        refuse(Refusal.NOTHING_TO_DO, "The sage cannot give you that.", "search")
    answer(decision, question, order.wish)
    hero = state.armies[question.army]
    reward = _wished(decision, side, hero.at, order.wish)
    give(decision, settings, hero, replace(reward, id=question.site), "sage")


def _wished(decision: OwnDecision, side: int, at: Place, wish: Wish) -> Reward:
    """Return the reward for a wish. See: LW-14."""
    dice = decision.dice
    match wish:
        case "allies":
            ruins = _ruins_with(decision.state, side, "allies")
        case "items":
            ruins = _ruins_with(decision.state, side, "item")
        case "maps":
            return drawn_map(dice, at)
        case _:
            ruins = []
    if ruins:
        return _place_of(pick(dice, ruins))
    # An imagined position has no hidden ruins, although the question may still offer one.
    return Reward(NONE, "gold", gold=_drawn(dice, armyset().rewards.sage_gold))
