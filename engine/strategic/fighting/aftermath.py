"""What comes of a battle: the dead, what they leave, what the living learn, what is counted."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.record import replace
from engine.strategic.book import Book
from engine.strategic.chance import pick, roll
from engine.strategic.desk import Desk
from engine.strategic.events import (
    ArmiesGrew,
    ArmiesRemoved,
    BattleFought,
    DeedsCounted,
    GoalSet,
    TowersFell,
)
from engine.strategic.heroes import items, quests
from engine.strategic.pieces import NOBODY, NONE, Army, Deeds
from engine.strategic.world import World, armies_of, tower_at

Armies = tuple[Army, ...]


def settle(
    work: Desk, book: Book, battle: BattleFought, attackers: Armies, defenders: Armies
) -> None:
    """Book what a battle led to; ``attackers`` and ``defenders`` are as they were before it.

    Rules: W2-8.6, W2-6.7, W2-10.6.
    """
    fallen = {duel.defender if duel.won else duel.attacker for duel in battle.duels}
    dead = _split(attackers, fallen)[0], _split(defenders, fallen)[0]
    alive = _split(attackers, fallen)[1], _split(defenders, fallen)[1]
    everybody = (*dead[0], *dead[1])
    work.emit(ArmiesRemoved(tuple(sorted(army.id for army in everybody)), "battle"))
    items.fall(work, book, everybody, battle.at)
    if battle.won:
        _raze_tower(work, battle)
    _learn(work, book, battle, alive)
    if battle.won and _is_worthy(work.state, book, battle, attackers, defenders):
        _give_medal(work, book, alive[0])
    _forget_goals(work, alive[0])
    _count(work, battle, dead)
    quests.after_battle(work, book, battle, dead[1] if battle.won else dead[0])


def _split(armies: Armies, fallen: set[int]) -> tuple[Armies, Armies]:
    """The dead and the living."""
    dead = tuple(army for army in armies if army.id in fallen)
    return dead, tuple(army for army in armies if army.id not in fallen)


def _raze_tower(work: Desk, battle: BattleFought) -> None:
    """An attacker who wins at a tower pulls it down. Rules: W2-6.7."""
    tower = tower_at(work.state, battle.at)
    if tower is not None:
        work.emit(TowersFell((tower.id,)))


def _learn(work: Desk, book: Book, battle: BattleFought, alive: tuple[Armies, Armies]) -> None:
    """Heroes who live have learnt something. Rules: W2-8.6, W2-10.2."""
    lore = book.fighting.experience
    gained = lore.won_city if battle.city != NONE else lore.won
    wiser = (
        *_wiser(work.state, alive[0], gained, lore.most),
        *_wiser(work.state, alive[1], lore.held, lore.most),
    )
    if wiser:
        work.emit(ArmiesGrew(wiser, "experience"))


def _wiser(world: World, armies: Armies, gained: int, most: int) -> Iterable[Army]:
    for army in armies:
        now = world.armies[army.id]
        if now.hero is not None and now.xp < most:
            yield replace(now, xp=min(most, now.xp + gained))


def _is_worthy(
    world: World, book: Book, battle: BattleFought, attackers: Armies, defenders: Armies
) -> bool:
    """Whether a battle that was won can bring a medal. Rules: W2-8.6."""
    medals = book.fighting.medals
    if any(army.aboard for army in (*attackers, *defenders)):
        return False
    if all(army.hero is None for army in attackers):
        return False
    early = world.turn < medals.early and battle.defenders[0].strength > medals.worthy
    return early or min(len(attackers), len(defenders)) > 1


def _give_medal(work: Desk, book: Book, alive: Armies) -> None:
    """Perhaps one of the living gets a medal and is stronger for it. Rules: W2-8.6."""
    medals, world = book.fighting.medals, work.state
    borne = armies_of(world, alive[0].owner)
    bearers = sum(army.medals > 0 and is_ordinary(world, army) for army in borne)
    if roll(work.dice, 1, 100) >= max(medals.least, medals.chance - medals.less * bearers):
        return
    able = [a for a in alive if is_ordinary(world, a) and a.medals < medals.most]
    if able:
        army = world.armies[pick(work.dice, able).id]
        strength = min(medals.strength, army.strength + 1)
        work.emit(ArmiesGrew((replace(army, medals=army.medals + 1, strength=strength),), "medal"))


def is_ordinary(world: World, army: Army) -> bool:
    """Whether an army is neither a hero nor a special creature."""
    return army.hero is None and not world.types[army.type].special


def _forget_goals(work: Desk, alive: Armies) -> None:
    """Attackers are where they wanted to go. Rules: W2-8.6."""
    now = (work.state.armies[army.id] for army in alive)
    bound = tuple(army.id for army in now if army.goal is not None or army.to_flag)
    if bound:
        work.emit(GoalSet(bound))


def _count(work: Desk, battle: BattleFought, dead: tuple[Armies, Armies]) -> None:
    """Count what both sides did; those of no side do not count. Rules: W2-14.1."""
    done = (
        (battle.attacker, _deeds(dead[1], clean=battle.won and not dead[0])),
        (battle.defender, _deeds(dead[0], clean=not battle.won and not dead[1])),
    )
    sides = work.state.sides
    counted = tuple(
        replace(sides[side], deeds=added(sides[side].deeds, deeds))
        for side, deeds in done
        if side != NOBODY
    )
    work.emit(DeedsCounted(counted))


def _deeds(killed: Armies, *, clean: bool) -> Deeds:
    return Deeds(
        heroes_killed=sum(army.hero is not None for army in killed),
        armies_killed=len(killed),
        battles=1,
        clean_wins=int(clean),
    )


def added(deeds: Deeds, more: Deeds) -> Deeds:
    """Both together; nobody refuses a surrender in a battle."""
    return replace(
        deeds,
        heroes_killed=deeds.heroes_killed + more.heroes_killed,
        armies_killed=deeds.armies_killed + more.armies_killed,
        battles=deeds.battles + more.battles,
        clean_wins=deeds.clean_wins + more.clean_wins,
        cities_won=deeds.cities_won + more.cities_won,
    )
