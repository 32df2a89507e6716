"""Battles: the attack on a tile, the line-up with its strengths, and the duels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from engine.core.record import Record, replace
from engine.kit.grid import Place
from engine.strategic import diplomacy, item_records, sight
from engine.strategic.aftermath import settle_battle
from engine.strategic.battle_records import Battleground, BattleLine, BattleOdds, Lineup, Support
from engine.strategic.decision import Decision
from engine.strategic.events.battle import BattleFought, Fighter, FoughtBattle, Part
from engine.strategic.pieces import NOBODY, NONE, Army, UnitType, bonus_on, side_bit
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import FightingRules, RuleSettings
from engine.strategic.world import World, armies_at, city_at

# -- Attack ----------------------------------------------------------------------------------------


def attack(
    decision: Decision, settings: RuleSettings, group: tuple[Army, ...], at: Place, *, betray: bool
) -> bool:
    """Attack a neighbouring tile and return whether no defender is left.

    An undefended tile emits no battle event. The caller moves the survivors in and takes the city.

    Raises:
        Refused: A treaty forbids the attack and ``betray`` is not set.
    """
    side = group[0].owner
    betrayal = _permit(decision, settings, side, at, betray=betray)
    foes = defenders_at(decision.state, at, side)
    if not foes:
        return True
    group = tuple(decision.state.armies[army.id] for army in group)
    before = decision.state
    lineup = line_up(before, settings, group, at)
    city = city_at(before, at)
    battle = BattleFought(
        at=at,
        start=group[0].at,
        attacker=side,
        defender=foes[0].owner,
        ground=lineup.field.ground,
        attackers=lineup.attackers.fighters,
        defenders=lineup.defenders.fighters,
        duels=(),
        won=False,
        helped=lineup.attackers.support.parts,
        covered=lineup.defenders.support.parts,
        city=NONE if city is None else city.id,
        attacked_by=0 if city is None else city.attacked_by | side_bit(side),
        betrayal=betrayal,
    )
    duels = settings.fighting.fight(decision.dice, settings.fighting, lineup)
    battle = replace(battle, duels=duels, won=duels[-1].won)
    if settings.fighting.wounds is not None:
        battle = replace(battle, wounds=settings.fighting.wounds(lineup, duels))
    decision.emit(battle)
    fallen = frozenset(duel.defender if duel.won else duel.attacker for duel in duels)
    settle_battle(decision, settings, FoughtBattle(battle, group, foes, fallen, before))
    return battle.won


def owner_at(world: World, at: Place, side: int) -> int | None:
    """Return the owner of the city or armies that a side would attack on a tile.

    None for the side's own city, and for a tile without a city and without foes.
    """
    city = city_at(world, at)
    if city is not None:
        return None if city.owner == side else city.owner
    foes = defenders_at(world, at, side)
    return foes[0].owner if foes else None


def _permit(
    decision: Decision, settings: RuleSettings, side: int, at: Place, *, betray: bool
) -> bool:
    """Return whether an attack is treachery, and if so break the treaty."""
    other = owner_at(decision.state, at, side)
    if other in (None, NOBODY) or diplomacy.may_attack(decision.state, settings, side, at):
        return False
    if not betray:
        text = "The treaty forbids that attack; it would be treachery."
        refuse(Refusal.TREACHERY, text, "betrayal")
    assert other is not None  # noqa: S101 - tells the type checker
    diplomacy.betray(decision, settings, side, other)
    return True


# -- Line-up ---------------------------------------------------------------------------------------


FightOrder = Callable[[UnitType], int]
"""Rank of a type in a side's line of battle; low ranks fight first."""

MOUNT: Final = 80
"""Number added to the rank of the flyer that a hero rides."""


def defenders_at(world: World, at: Place, side: int) -> tuple[Army, ...]:
    """Return the defenders of a tile against a side, in id order.

    All armies in a city defend each of its tiles.
    """
    city = city_at(world, at)
    tiles = (at,) if city is None else city.tiles
    found = [army for tile in tiles for army in armies_at(world, tile) if army.owner != side]
    return tuple(sorted(found, key=lambda army: army.id))


def line_up(world: World, settings: RuleSettings, group: Sequence[Army], at: Place) -> Lineup:
    """Return the line-up of a group's attack on a defended tile, by the rule book."""
    return settings.fighting.line_up(world, settings.fighting, group, at)


def standard_line_up(
    world: World, rules: FightingRules, group: Sequence[Army], at: Place
) -> Lineup:
    """Return a line-up by the fight orders of both sides, with support, leaders and field works."""
    side, stand = group[0].owner, rules.attack_ground
    foes = defenders_at(world, at, side)
    owner = foes[0].owner
    return meet(
        rules,
        soldiers(world, group),
        soldiers(world, foes),
        rules.battleground(world, at),
        start=None if stand is None else stand(world, group[0].at, at),
        orders=(order_of(world, side), order_of(world, owner)),
        neutral=owner == NOBODY,
        novice=owner == NOBODY and side in world.sides and world.sides[side].human,
    )


def meet(  # noqa: PLR0913 - a position gives all of these, a question without one names them
    rules: FightingRules,
    attackers: Soldiers,
    defenders: Soldiers,
    field: Battleground,
    *,
    orders: tuple[FightOrder, FightOrder],
    neutral: bool,
    novice: bool,
    start: Battleground | None = None,
) -> Lineup:
    """Return the line-up of two sides on a field, each in its own order of battle.

    Args:
        rules: The rules of battle.
        attackers: At least one soldier.
        defenders: At least one soldier.
        field: The ground of the battle.
        start: The ground that counts for the attackers, or None if it is the field.
        orders: The fight orders of the attackers and of the defenders.
        neutral: True if the defenders are neutral.
        novice: True to shield attacking heroes, if the rules shield any.
    """
    stand = start or field
    first = in_order(by_number(attackers), orders[0], stand)
    second = in_order(last_made_first(defenders), orders[1], field)
    helped = attackers_support(rules, attackers, defenders, stand)
    covered = defenders_support(rules, defenders, attackers, field, neutral=neutral)
    shields = rules.novice_shield and novice
    return Lineup(
        field=field,
        attackers=_line(rules, first, helped, stand),
        defenders=_line(rules, second, covered, field),
        shielded=tuple(shields and soldier.is_hero for soldier in first),
    )


def soldiers(world: World, armies: Sequence[Army]) -> Soldiers:
    """Return armies as soldiers, with the bonuses of their items."""
    return tuple(_soldier(world, army) for army in armies)


def order_of(world: World, owner: int) -> FightOrder:
    """Return the fight order of an owner; types it does not list have their usual rank."""
    order = world.neutral_order if owner == NOBODY else world.sides[owner].order
    return lambda kind: order[kind.id] if kind.id < len(order) else kind.order


def by_number(attackers: Soldiers) -> Soldiers:
    """Return attackers by army id, as listed before the fight order applies."""
    return tuple(sorted(attackers, key=lambda soldier: soldier.army.id))


def last_made_first(defenders: Soldiers) -> Soldiers:
    """Return defenders by army id, highest first, as listed before the fight order applies."""
    return tuple(sorted(defenders, key=lambda soldier: -soldier.army.id))


def in_order(listed: Soldiers, order: FightOrder, field: Battleground) -> Soldiers:
    """Return a side in fight order, first fighter first; equal ranks keep their sequence.

    If mounts fight last and there is a hero, the first flyer of the list is moved to the back.
    """
    mount = NONE
    if field.mounts_last and any(soldier.is_hero for soldier in listed):
        flyers = (soldier for soldier in listed if soldier.flies and not soldier.is_hero)
        mount = next((soldier.army.id for soldier in flyers), NONE)
    return tuple(sorted(listed, key=lambda one: order(one.type) + MOUNT * (one.army.id == mount)))


def _soldier(world: World, army: Army) -> Soldier:
    kind = world.types[army.type]
    if "hero" not in kind.traits:
        return Soldier(army, kind)
    return Soldier(
        army,
        kind,
        weapons=item_records.weapons(world, army.id),
        command=item_records.command(world, army.id),
        standards=item_records.standards(world, army.id),
    )


def _line(
    rules: FightingRules, side: Soldiers, support: Support, field: Battleground
) -> BattleLine:
    fighters, why = [], []
    for one in side:
        fights = strength(rules, one, support.total, field)
        fighters.append(Fighter(one.army.id, one.type.id, fights, one.army.hp))
        why.append(reasons(one, fights, support.total, field))
    return BattleLine(tuple(fighters), support, tuple(why))


# -- Strength --------------------------------------------------------------------------------------


class Soldier(Record, frozen=True):
    """Army in a battle, with the bonuses of its items."""

    army: Army
    type: UnitType
    weapons: int = 0
    command: int = 0
    standards: int = 0

    @property
    def is_hero(self) -> bool:
        """True if the soldier is a hero."""
        return "hero" in self.type.traits

    @property
    def flies(self) -> bool:
        """True if its type flies and it is not aboard."""
        return "fly" in self.type.traits and not self.army.aboard


Soldiers: TypeAlias = tuple[Soldier, ...]


def attackers_support(
    rules: FightingRules, side: Soldiers, foes: Soldiers, field: Battleground
) -> Support:
    """Return the bonus of the attackers' armies, with its parts."""
    works = (
        [Part("works", 1, cancelled=has_trait(foes, "siege"))] if has_trait(side, "works") else []
    )
    return _support(rules, side, foes, field, works)


def defenders_support(
    rules: FightingRules, side: Soldiers, foes: Soldiers, field: Battleground, *, neutral: bool
) -> Support:
    """Return the bonus of the defenders' armies, with its parts."""
    walls = defence(side, field, neutral=neutral)
    works = [Part("defence", walls, cancelled=has_trait(foes, "siege"))] if walls else []
    return _support(rules, side, foes, field, works)


def defence(side: Soldiers, field: Battleground, *, neutral: bool) -> int:
    """Return the defenders' bonus from walls, tower, ruins or field works; half for neutral ones.

    Foes with the trait ``siege`` cancel it; that is not counted here.
    """
    value = field.defence if field.ground == "city" else int(has_trait(side, "works"))
    return value // 2 if neutral else value


def strength(rules: FightingRules, soldier: Soldier, support: int, field: Battleground) -> int:
    """Return the strength with which a soldier fights its duels, at least 1."""
    if soldier.army.aboard and field.at_sea:
        return rules.aboard
    own = bonus_on(soldier.type.own, field.ground)
    weapons = soldier.weapons if soldier.is_hero else 0
    return max(1, min(rules.most, soldier.army.strength + support + own + weapons))


def reasons(soldier: Soldier, fights: int, support: int, field: Battleground) -> tuple[Part, ...]:
    """Return the parts that lead from an army's strength plus support to its battle strength."""
    number, rest = soldier.army.id, fights - soldier.army.strength - support
    if soldier.army.aboard and field.at_sea:
        return (Part("aboard", rest, number),)
    own = bonus_on(soldier.type.own, field.ground)
    weapons = soldier.weapons if soldier.is_hero else 0
    if not (own or weapons or rest):
        return ()
    over = rest - own - weapons
    found = (Part("own", own, number), Part("weapons", weapons, number), Part("limit", over))
    return tuple(part for part in found if part.value)


def has_trait(side: Soldiers, trait: str) -> bool:
    """Return whether an army of a side has a trait."""
    return any(trait in soldier.type.traits for soldier in side)


def _support(
    rules: FightingRules, side: Soldiers, foes: Soldiers, field: Battleground, works: list[Part]
) -> Support:
    parts = [*_leading(rules, side, foes), *_pack(side, foes, field), *works]
    whole = sum(part.value for part in parts if not part.cancelled)
    if whole > rules.cap:
        parts.append(Part("cap", rules.cap - whole))
    parts.extend(_malus(foes))
    return Support(sum(part.value for part in parts if not part.cancelled), tuple(parts))


def _leading(rules: FightingRules, side: Soldiers, foes: Soldiers) -> Iterable[Part]:
    """Yield the bonuses of heroes: the best one's leadership, and the items of all."""
    heroes = [soldier for soldier in side if soldier.is_hero]
    if not heroes:
        return
    lost = has_trait(foes, "anti-hero")
    best = max(heroes, key=lambda hero: (_greatness(rules, hero), -hero.army.id))
    given = rules.leadership[_greatness(rules, best)]
    if given:
        yield Part("leader", given, best.army.id, lost)
    for hero in heroes:
        if hero.command:
            yield Part("command", hero.command, hero.army.id, lost)
        if hero.standards:
            yield Part("standard", hero.standards, hero.army.id, lost)


def _greatness(rules: FightingRules, hero: Soldier) -> int:
    return max(0, min(len(rules.leadership) - 1, hero.army.strength + hero.weapons))


def _pack(side: Soldiers, foes: Soldiers, field: Battleground) -> Iterable[Part]:
    best = max(
        side, key=lambda soldier: (bonus_on(soldier.type.pack, field.ground), -soldier.army.id)
    )
    if value := bonus_on(best.type.pack, field.ground):
        yield Part("pack", value, best.army.id, has_trait(foes, "anti-pack"))


def _malus(foes: Soldiers) -> Iterable[Part]:
    worst = min(foes, key=lambda soldier: (soldier.type.foe, soldier.army.id))
    if worst.type.foe < 0:
        yield Part("foe", worst.type.foe, worst.army.id)


# -- Forecast --------------------------------------------------------------------------------------


class BattleForecast(Record, frozen=True):
    """Forecast of an attack. Without defenders it has no line-up and no losses."""

    odds: BattleOdds
    lineup: Lineup | None = None

    @property
    def chance(self) -> float:
        """Chance that the attackers win."""
        return self.odds.chance


def forecast(
    world: World, settings: RuleSettings, group: Sequence[Army], at: Place
) -> BattleForecast:
    """Return the forecast of a group's attack on a tile, from a position or a view."""
    world = sight.reckoned(world, settings)
    if not defenders_at(world, at, group[0].owner):
        sure = (1.0,) * len(group)
        return BattleForecast(BattleOdds(1.0, (*(0.0,) * len(group), 1.0), (1.0,), sure, ()))
    lineup = line_up(world, settings, group, at)
    return BattleForecast(settings.fighting.odds(settings.fighting, lineup), lineup)


def odds_of(rules: FightingRules, lineup: Lineup) -> BattleOdds:
    """Return the odds of a line-up under the rule book's way of fighting."""
    return rules.odds(rules, lineup)


# -- Battles that were fought ----------------------------------------------------------------------


class Slain(NamedTuple):
    """An army that fell in battle, and the side that owned it."""

    army: int
    type: int
    owner: int


def slain_by(events: Iterable[Any], army: int) -> Iterator[Slain]:
    """Yield the foes that fell in the battles of an army that is still alive."""
    for battle in events:
        if isinstance(battle, BattleFought):
            if any(one.army == army for one in battle.attackers):
                foes, owner = battle.defenders, battle.defender
            elif any(one.army == army for one in battle.defenders):
                foes, owner = battle.attackers, battle.attacker
            else:
                continue
            yield from (Slain(one.army, one.type, owner) for one in foes)
