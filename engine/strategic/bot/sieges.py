"""Sieges: several stacks against one city, valued exactly before the first wave goes.

The dead stay dead and wounds heal. So a wave passes on only the number of defenders left in the
garrison's line, and these are always the last ones. The siege may be broken off after each wave:
later waves count only if they gain more than they lose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from msgspec import UNSET

from engine.core.record import replace
from engine.strategic.battle import (
    defenders_at,
    in_order,
    last_made_first,
    meet,
    odds_of,
    order_of,
    soldiers,
)
from engine.strategic.battle_records import BattleOdds
from engine.strategic.bot.aims import city_value
from engine.strategic.bot.assaults import musters
from engine.strategic.bot.campaigns import Campaign, Contingent
from engine.strategic.bot.force import army_value, fought_out
from engine.strategic.bot.marching import (
    Band,
    band_of,
    exposes_hero,
    walk_toward,
    walk_up_to,
    would_attack,
)
from engine.strategic.bot.realm import quest_value
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import AnyCommand, Walk
from engine.strategic.pieces import NOBODY, STACK, Army, City
from engine.strategic.world import World

# -- orders ----------------------------------------------------------------------------------------

_IDLE: Final = 0.02
"""Rough chance of all nearby armies below which no siege is computed."""

_WAVES: Final = 4
"""Maximum number of waves to compute."""

_TRADE: Final = 0.5
_GRIND: Final = 0.5
"""Value of a killed foe as a share of its army value, and the part added with mastery.

Even losses on both sides favour the stronger side.
"""

_HOPELESS: Final = 0.2
_DEAR: Final = 0.25
"""Chance below which a first wave is hopeless, and the share of the prize that the siege must then
gain."""

_STRONG: Final = 4
_LARGE: Final = 6
"""Number of defenders that make a city strong, and the stack size to gather for one."""

_GROWING: Final = 0.45
_GROWN: Final = 0.7
_COOLS: Final = 0.6
"""Chances to wait for while armies are still coming, and the part that impatience takes away. The
higher one is for a small stack against a strong city."""

_TOMORROW: Final = 0.8
"""Factor on what a siege gains in the next turn, compared with a gain now."""

_UNSEEN: Final = 0.65
"""Minimum rough chance if the garrison is out of sight."""

_WEARING: Final = 0.6
"""Share of the foes' force that is enough for a side with mastery."""

_READY: Final = 1.2
"""Multiple of the foes' force that must be near before armies approach."""

_MASTERY: Final = 1.6
"""Ratio of strength above which a side wears others down."""

_FEW: Final = 3
_SOON: Final = 2
"""Minimum number of armies for an approach, and the turns within which they count as near."""


class _Wave(NamedTuple):
    """Armies that attack together, and their orders."""

    armies: tuple[Army, ...]
    orders: tuple[AnyCommand, ...]


def first_wave(here: Situation, campaign: Campaign) -> tuple[AnyCommand, ...]:
    """Return the orders for the first attack on a goal; empty if the siege does not pay now."""
    near = [one.band for one in campaign.soldiers if one.turns == 0]
    held = here.held((campaign.goal.x, campaign.goal.y))
    hope = here.win_chance(campaign.within(0), held)
    if not near or hope < _IDLE:
        return ()
    waves = list(islice(_waves(here, campaign, near), _WAVES))
    foes = defenders_at(here.view, (campaign.goal.x, campaign.goal.y), here.side)
    if not waves:
        return ()
    if len(foes) < held.size or not foes:
        return waves[0].orders if hope >= _UNSEEN else ()
    return _first(here, campaign, waves, foes)


def _waves(here: Situation, campaign: Campaign, near: Sequence[Band]) -> Iterator[_Wave]:
    """Yield stacks that meet beside the city, the strongest first, then bands that attack alone."""
    gone = set[int]()
    for stack in musters(here, campaign.goal, near):
        gone |= {army.id for army in stack.armies}
        yield _Wave(stack.armies, tuple(stack.orders()))
    for one in sorted(near, key=lambda one: (-sum(map(army_value, one.armies)), one.ids)):
        left = [army for army in one.armies if army.id not in gone]
        going = band_of(here, left) if left else None
        order = None if going is None else walk_toward(here, going, campaign.goal.tiles)
        if going is not None and order is not None and _strikes(here, going, order):
            yield _Wave(going.armies, (order,))


def _strikes(here: Situation, going: Band, order: Walk) -> bool:
    """Return whether an order attacks this turn; with dice any order counts, as boats may land."""
    return not here.estimates.certain or would_attack(here, going, order)


def _first(
    here: Situation, campaign: Campaign, waves: Sequence[_Wave], foes: Sequence[Army]
) -> tuple[AnyCommand, ...]:
    """Return the orders of the first wave, strongest or weakest first; empty if neither pays."""
    best, found = 0.0, tuple[AnyCommand, ...]()
    for line in (waves, waves[::-1]) if len(waves) > 1 else (waves,):
        stakes = _stakes(here, campaign, foes, line[0])
        groups = [one.armies for one in line]
        if here.estimates.certain:
            outlook = certain_siege(here, campaign.goal, groups, stakes)
            if heals_first(here, campaign.goal, groups, stakes, outlook):
                return ()
        else:
            outlook = Siege(here, campaign.goal, foes, groups).forecast(stakes)
        ripe = outlook.hope >= _ripeness(here, campaign, len(foes), len(line[0].armies))
        if ripe and _pays(here, outlook, stakes) and outlook.value > best:
            best, found = outlook.value, line[0].orders
    return found


def heals_first(
    here: Situation,
    goal: City,
    groups: Sequence[tuple[Army, ...]],
    stakes: Stakes,
    now: SiegeForecast,
) -> bool:
    """Return whether a siege gains more next turn, after the wounds of both sides have healed."""
    wounded = any(army.hp is not UNSET and army.hp.lost for one in groups for army in one)
    if here.impatience or not wounded:
        return False

    def rested(army: Army) -> Army:
        if army.hp is UNSET:
            return army
        return replace(army, hp=replace(army.hp, lost=here.settings.turns.heals(army)))

    healed = here.view.armies.put(*map(rested, here.view.armies.values()))
    waves = (tuple(map(rested, one)) for one in groups)
    later = certain_siege(here, goal, waves, stakes, replace(here.view, armies=healed))
    return later.value * _TOMORROW > max(0.0, now.value)


def _pays(here: Situation, outlook: SiegeForecast, stakes: Stakes) -> bool:
    """Return whether a siege gains more than it loses; clearly more if its first wave is hopeless.

    In battles without chance the last wave must win, unless the side is desperate.
    """
    if here.estimates.certain and not outlook.hope and not here.desperation:
        return False
    return outlook.value > (_DEAR * stakes.prize if outlook.first < _HOPELESS else 0.0)


def _ripeness(here: Situation, campaign: Campaign, foes: int, armies: int) -> float:
    """Return the chance to wait for while more armies are coming to a siege."""
    if armies >= STACK or all(one.turns == 0 for one in campaign.soldiers):
        return 0.0
    small = foes >= _STRONG and armies < _LARGE
    return (_GROWN if small else _GROWING) - _COOLS * here.impatience


def _stakes(here: Situation, campaign: Campaign, foes: Sequence[Army], first: _Wave) -> Stakes:
    """Return the values at stake: a strong or impatient side counts its own losses less."""
    might, goal = min(1.0, max(0.0, here.mastery - 1)) + here.impatience, campaign.goal
    value = city_value(here, goal) - _TRADE * sum(map(army_value, foes))
    value += quest_value(here, first.armies, (goal.x, goal.y))
    return Stakes(value, _TRADE + _GRIND * might)


def approaches(
    here: Situation, campaign: Campaign
) -> Iterator[tuple[Contingent, AnyCommand | None]]:
    """Yield orders to approach a goal if enough force is near; bands already there wait (None)."""
    soon = max(_SOON, campaign.away)
    able, foes = campaign.within(soon), here.held((campaign.goal.x, campaign.goal.y))
    enough = _WEARING if here.mastery > _MASTERY - here.impatience else _READY
    if able.power < enough * foes.power or able.size < _FEW:
        return
    for one in campaign.soldiers:
        if one.turns <= soon:
            goes = one.turns > 0
            order = walk_up_to(here, one.band, campaign.goal.tiles) if goes else None
            yield one, None if exposes_hero(here, order) else order


# -- value of a siege ------------------------------------------------------------------------------

_SLIGHT: Final = 0.01
"""Probability below which a course of a siege is ignored."""


class SiegeForecast(NamedTuple):
    """Value of a siege, chance of its first wave alone, and chance of all waves."""

    value: float
    first: float
    hope: float


class Stakes(NamedTuple):
    """Value of a city, and the share of its army value that a killed foe counts."""

    prize: float
    trade: float


class Siege:
    """Waves in a given order against the known garrison of a city."""

    def __init__(
        self,
        here: Situation,
        city: City,
        garrison: Sequence[Army],
        waves: Sequence[tuple[Army, ...]],
    ) -> None:
        """Prepare the lines; ``garrison`` has at least one army."""
        self._rules = here.settings.fighting
        self._field = here.settings.fighting.battleground(here.view, (city.x, city.y))
        owner = garrison[0].owner
        self._orders = order_of(here.view, here.side), order_of(here.view, owner)
        self._neutral = owner == NOBODY
        listed = last_made_first(soldiers(here.view, garrison))
        self._foes = in_order(listed, self._orders[1], self._field)
        self._waves = tuple(soldiers(here.view, wave) for wave in waves)
        self._known: dict[tuple[int, int], tuple[float, float]] = {}

    def forecast(self, stakes: Stakes) -> SiegeForecast:
        """Return the forecast of a siege that is broken off as soon as it no longer pays."""
        self._known.clear()
        count = len(self._foes)
        odds, change = self._wave(0, count, stakes.trade)
        value, hope = self._after(0, odds, stakes)
        return SiegeForecast(change + value, odds.chance, hope)

    def _after(self, number: int, odds: BattleOdds, stakes: Stakes) -> tuple[float, float]:
        """Return value and chance of the city after a wave has fought, later waves included."""
        value, hope = odds.chance * stakes.prize, odds.chance
        for left, likely in enumerate(odds.defenders_left):
            if left and likely >= _SLIGHT:
                later, taken = self._rest(number + 1, left, stakes)
                value += likely * later
                hope += likely * taken
        return value, hope

    def _rest(self, number: int, left: int, stakes: Stakes) -> tuple[float, float]:
        """Return value and chance of the waves from ``number`` on; 0 if the siege is broken off."""
        if number >= len(self._waves):
            return 0.0, 0.0
        if (number, left) not in self._known:
            odds, change = self._wave(number, left, stakes.trade)
            value, hope = self._after(number, odds, stakes)
            value += change
            self._known[number, left] = (value, hope) if value > 0 else (0.0, 0.0)
        return self._known[number, left]

    def _wave(self, number: int, left: int, trade: float) -> tuple[BattleOdds, float]:
        """Return the odds of a wave against the last ``left`` foes, and the value of all losses."""
        line = meet(
            self._rules,
            self._waves[number],
            self._foes[-left:],
            self._field,
            orders=self._orders,
            neutral=self._neutral,
            novice=False,
        )
        odds = odds_of(self._rules, line)
        value = {one.army.id: army_value(one.army) for one in (*self._waves[number], *self._foes)}
        lost = sum(
            (1 - live) * value[one.army]
            for one, live in zip(line.attackers.fighters, odds.attackers_live, strict=True)
        )
        killed = sum(
            (1 - live) * value[one.army]
            for one, live in zip(line.defenders.fighters, odds.defenders_live, strict=True)
        )
        return odds, trade * killed - lost


# -- sieges without chance -------------------------------------------------------------------------


def certain_siege(
    here: Situation,
    city: City,
    waves: Iterable[tuple[Army, ...]],
    stakes: Stakes,
    world: World | None = None,
) -> SiegeForecast:
    """Return the forecast of a siege without chance: each wave fights what the last one left.

    It is broken off if the later waves lose more than they gain. ``world`` replaces the view.
    """
    at, world = (city.x, city.y), world or here.view
    changes, won = list[float](), False
    for wave in waves:
        found = fought_out(world, here.settings, wave, at)
        changes.append(stakes.trade * found.killed - found.lost)
        world, won = found.world, found.won
        if won:
            break
    value, hope = stakes.prize * won, won
    for change in reversed(changes[1:]):
        value += change
        if value <= 0:
            value, hope = 0.0, False
    return SiegeForecast(changes[0] + value, float(won and len(changes) == 1), float(hope))
