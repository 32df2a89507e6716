"""Sites at the start of a game: items, keepers, hidden ruins and rewards.

The dice are thrown in this order: keepers site by site, hidden ruins, then rewards site by site.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.containers import Roster
from engine.core.dice import Dice, shuffle
from engine.core.record import replace
from engine.rulesets.lordsawar.items import stock
from engine.rulesets.lordsawar.scenario_codec import keepers
from engine.rulesets.lordsawar.state import Reward, State
from engine.rulesets.lordsawar.tables import Span, armyset
from engine.strategic.decision import pick
from engine.strategic.pieces import NOBODY, Site, UnitType

_MAP_PARTS: Final = (5, 3)
"""A rewarded map shows from a fifth to a third of the land's width and of its height."""


def sites_filled(state: State, dice: Dice) -> State:
    """The state with items, keepers, hidden ruins and rewards. Rules: LW-14, LW-19.5."""
    if not state.items:
        state = replace(state, items=Roster(stock()))
    if not state.guardians:
        state = replace(state, guardians=keepers(state.types))
    state = _guarded(state, dice)
    state = _hidden(state, dice)
    return _rewarded(state, dice)


def _searchable(state: State) -> list[Site]:
    return [site for site in state.sites.values() if not (site.searched or _is(site, "temple"))]


def _is(site: Site, kind: str) -> bool:
    return site.kind == kind


# -- keepers and hidden ruins ----------------------------------------------------------------------


def _awardable(state: State) -> list[UnitType]:
    """Types that guard ruins and join as allies. Rules: LW-9, LW-14."""
    return [kind for kind in state.types.values() if kind.special > 0]


def _guarded(state: State, dice: Dice) -> State:
    """The state with keepers at the sites without one, unless nobody is to be there.

    Rules: LW-14, LW-19.5.
    """
    kinds = _awardable(state)
    kept = []
    for site in _searchable(state):
        if site.guardian < 0 or (site.guardian == 0 and not kinds):
            kept.append(replace(site, guardian=0))
        elif site.guardian == 0:
            kept.append(replace(site, guardian=pick(dice, kinds).id + 1))
    return replace(state, sites=state.sites.put(*kept))


def _hidden(state: State, dice: Dice) -> State:
    """The state with strongholds hidden, and with them a share of the plain ruins.

    The share of the whole list is rounded up by its rest's chance. Rules: LW-14, LW-19.5.
    """
    forts = [site for site in _searchable(state) if _is(site, "stronghold")]
    ruins = [site for site in _searchable(state) if _is(site, "ruin") and not site.hidden]
    sure, rest = divmod(len(ruins) * state.options.hidden_ruins, 100)
    count = sure + (1 if rest and dice.roll(100) <= rest else 0)
    drawn = shuffle(dice, ruins)[:count] if count else ()
    hidden = (replace(site, hidden=True) for site in (*forts, *drawn))
    return replace(state, sites=state.sites.put(*hidden))


# -- rewards ---------------------------------------------------------------------------------------


def _rewarded(state: State, dice: Dice) -> State:
    """The state with a reward at each site that lacks one, sages excepted.

    Items of the scenario's rewards, and those that are drawn, are at their sites. Rules: LW-14.
    """
    for reward in state.rewards.values():
        state = _placed(state, reward)
    for site in _searchable(state):
        if not _is(site, "sage") and site.id not in state.rewards:
            reward = drawn_reward(state, site.id, dice)
            state = _placed(replace(state, rewards=state.rewards.put(reward)), reward)
    return state


def _placed(state: State, reward: Reward) -> State:
    """The state with the item of a reward at its site."""
    if reward.kind != "item":
        return state
    item = replace(state.items[reward.item], where="site", holder=reward.id)
    return replace(state, items=state.items.put(item))


def drawn_reward(state: State, site: int, dice: Dice) -> Reward:
    """A random reward of a site: gold where what was drawn cannot be had. Rules: LW-14."""
    maps = ("map",) if state.options.hidden_map == "on" else ()
    kind = pick(dice, ("gold", "allies", "item", "ruin", *maps))
    numbers, kinds = armyset().rewards, _awardable(state)
    pool = [i for i in state.items.values() if i.where == "unused" and i.side == NOBODY]
    secret = [s for s in state.sites.values() if s.hidden and not s.searched and s.id != site]
    if kind == "allies" and kinds:
        ally = pick(dice, kinds).id
        return Reward(site, kind, ally=ally, count=_spanned(dice, numbers.allies))
    if kind == "item" and pool:
        return Reward(site, kind, item=pick(dice, pool).id)
    if kind == "ruin" and secret:
        return Reward(site, kind, site=pick(dice, secret).id)
    if kind == "map":
        return _map_reward(state, site, dice)
    return Reward(site, "gold", gold=_spanned(dice, numbers.gold))


def _map_reward(state: State, site: int, dice: Dice) -> Reward:
    """A rectangle of the land; the book leaves its size open. Rules: LW-14."""
    width, height = (_part(dice, size) for size in (state.width, state.height))
    x = dice.roll(state.width - width + 1) - 1
    y = dice.roll(state.height - height + 1) - 1
    return Reward(site, "map", x=x, y=y, width=width, height=height)


def _part(dice: Dice, size: int) -> int:
    small, large = _MAP_PARTS
    return _spanned(dice, (max(1, size // small), max(1, size // large)))


def _spanned(dice: Dice, span: Span | Sequence[int]) -> int:
    low, high = span
    return low - 1 + dice.roll(high - low + 1)
