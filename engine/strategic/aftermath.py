"""Aftermath of battles: the dead, experience, medals and captured cities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic import diplomacy, quests, sight, sites, turns
from engine.strategic.commands import Raze, Settle
from engine.strategic.decision import (
    Decision,
    aim,
    answer,
    ask,
    asked_of,
    grow_armies,
    lose_transits,
    pick,
    remove_armies,
    roll,
)
from engine.strategic.events.battle import DeedsCounted, FoughtBattle
from engine.strategic.events.cities import CityRazed, CitySettled, CityTaken
from engine.strategic.pieces import NOBODY, NONE, Army, City, Deeds, Question, Slot, side_bit
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import Fate, Medals, RuleSettings
from engine.strategic.world import World, armies_of, cities_of, has_quests, own_city, tower_at

# -- After a battle --------------------------------------------------------------------------------


ArmyRows = tuple[Army, ...]


def settle_battle(decision: Decision, settings: RuleSettings, fought: FoughtBattle) -> None:
    """Emit everything that follows from a battle: deaths, experience, medals, deeds, quests.

    The fate of a city is not included; see ``take_city``.
    """
    attackers, defenders = _fallen(fought, fought.attackers), _fallen(fought, fought.defenders)
    remove_armies(decision, (*attackers, *defenders), "battle")
    for at, dead in _resting(settings, fought, attackers, defenders):
        if any(army.hero is not None for army in dead):
            sites.fall(decision, settings, dead, at)
    if fought.event.won:
        _raze_tower(decision, fought.event.at)
    for consequence in settings.fighting.after_battle:
        consequence(decision, settings, fought)
    aim(decision, tuple(army.id for army in survivors(fought, fought.attackers)), None)
    _count(decision, fought)
    if has_quests(decision.state):
        quests.after_battle(decision, settings, fought)


def _resting(
    settings: RuleSettings, fought: FoughtBattle, attackers: ArmyRows, defenders: ArmyRows
) -> tuple[tuple[Place, ArmyRows], ...]:
    """Return the tiles where the dead of a battle leave their items, each with its dead."""
    event = fought.event
    if settings.fighting.stands and event.city == NONE:
        return (event.start, attackers), (event.at, defenders)
    return ((event.at, (*attackers, *defenders)),)


def survivors(fought: FoughtBattle, side: ArmyRows) -> ArmyRows:
    """Return the surviving armies of a side as they were before the battle, without its wounds."""
    return tuple(army for army in side if army.id not in fought.fallen)


class SettledCity(NamedTuple):
    """A city whose fate was decided: by which side, how, and the gold gained."""

    city: City
    side: int
    fate: Fate
    gain: int


def settled_in(events: Iterable[Any]) -> Iterator[SettledCity]:
    """Yield the cities whose fate was decided in the events."""
    for event in events:
        if isinstance(event, CitySettled):
            yield SettledCity(event.city, event.side, event.fate, event.gain)
        elif isinstance(event, CityRazed):
            yield SettledCity(event.city, event.side, "raze", 0)


def _fallen(fought: FoughtBattle, side: ArmyRows) -> ArmyRows:
    return tuple(army for army in side if army.id in fought.fallen)


def _raze_tower(decision: Decision, at: Place) -> None:
    """Remove the tower of a tile whose defenders lost."""
    tower = tower_at(decision.state, at)
    if tower is not None:
        turns.drop_towers(decision, (tower,))


def learn(decision: Decision, settings: RuleSettings, fought: FoughtBattle) -> None:
    """Give experience to the surviving heroes: for a city taken, a battle won, or a tile held."""
    lore = settings.fighting.experience
    gained = lore.won_city if fought.event.city != NONE else lore.won
    wiser = (
        *_wiser(decision.state, survivors(fought, fought.attackers), gained, lore.most),
        *_wiser(decision.state, survivors(fought, fought.defenders), lore.held, lore.most),
    )
    grow_armies(decision, wiser, "experience")


def _wiser(world: World, armies: ArmyRows, gained: int, most: int) -> Iterable[Army]:
    for army in armies:
        now = world.armies[army.id]
        if now.hero is not None and now.xp < most:
            yield replace(now, xp=min(most, now.xp + gained))


def _is_worthy(world: World, medals: Medals, fought: FoughtBattle) -> bool:
    """Return whether a won battle can bring a medal."""
    attackers, defenders = fought.attackers, fought.defenders
    if any(army.aboard for army in (*attackers, *defenders)):
        return False
    if all(army.hero is None for army in attackers):
        return False
    early = world.turn < medals.early and fought.event.defenders[0].strength > medals.worthy
    return early or min(len(attackers), len(defenders)) > 1


def award_medal(decision: Decision, settings: RuleSettings, fought: FoughtBattle) -> None:
    """Draw a medal, which adds to strength, for one of the surviving attackers after a victory."""
    alive = survivors(fought, fought.attackers)
    medals, world = settings.fighting.medals, decision.state
    if not fought.event.won or not _is_worthy(world, medals, fought):
        return
    borne = armies_of(world, alive[0].owner)
    bearers = sum(army.medals > 0 and is_ordinary(world, army) for army in borne)
    if roll(decision.dice, 1, 100) >= max(medals.least, medals.chance - medals.less * bearers):
        return
    able = [a for a in alive if is_ordinary(world, a) and a.medals < medals.most]
    if able:
        army = world.armies[pick(decision.dice, able).id]
        strength = min(max(medals.strength, army.strength), army.strength + 1)
        decorated = replace(army, medals=army.medals + 1, strength=strength)
        grow_armies(decision, (decorated,), "medal")


def is_ordinary(world: World, army: Army) -> bool:
    """Return whether an army is neither a hero nor a special creature."""
    return army.hero is None and not world.types[army.type].special


def _count(decision: Decision, fought: FoughtBattle) -> None:
    """Add the battle to the deeds of both sides; NOBODY has none."""
    battle = fought.event
    dead = _fallen(fought, fought.attackers), _fallen(fought, fought.defenders)
    done = (
        (battle.attacker, _deeds(dead[1], clean=battle.won and not dead[0])),
        (battle.defender, _deeds(dead[0], clean=not battle.won and not dead[1])),
    )
    sides = decision.state.sides
    known = ((side, deeds) for side, deeds in done if side != NOBODY)
    set_deeds(decision, *((side, added(sides[side].deeds, deeds)) for side, deeds in known))


def set_deeds(decision: Decision, *done: tuple[int, Deeds]) -> None:
    """Replace the deeds of sides, given as (side, deeds)."""
    sides = decision.state.sides
    decision.emit(DeedsCounted(tuple(replace(sides[side], deeds=deeds) for side, deeds in done)))


def _deeds(killed: ArmyRows, *, clean: bool) -> Deeds:
    return Deeds(
        heroes_killed=sum(army.hero is not None for army in killed),
        armies_killed=len(killed),
        battles=1,
        clean_wins=int(clean),
    )


def added(deeds: Deeds, more: Deeds) -> Deeds:
    """Return the sum of two records of deeds; ``refused`` is that of the first."""
    return replace(
        deeds,
        heroes_killed=deeds.heroes_killed + more.heroes_killed,
        armies_killed=deeds.armies_killed + more.armies_killed,
        battles=deeds.battles + more.battles,
        clean_wins=deeds.clean_wins + more.clean_wins,
        cities_won=deeds.cities_won + more.cities_won,
    )


# -- Cities that are taken -------------------------------------------------------------------------


def take_city(decision: Decision, settings: RuleSettings, city: int, side: int) -> None:
    """Capture a city and ask the new owner for its fate.

    If it can only be occupied, do that without a question.
    """
    world = decision.state
    town = world.cities[city]
    loot, purses = looted(world, settings, town, side)
    own = replace(
        _idle(town),
        owner=side,
        original=_original(town, side),
        attacked_by=town.attacked_by | side_bit(side),
    )
    taken = CityTaken(
        city=own if settings.cities.seized is None else settings.cities.seized(own),
        loser=town.owner,
        loot=loot,
        gold=purses,
        art=settings.cities.art[side],
        others=_unvectored(world, city),
    )
    decision.emit(taken)
    sight.look_from_city(decision, settings, side, taken.city)
    _lose_transits(decision, city, town.owner, sent=settings.cities.loses_sent)
    if settings.turns.last_taken is not None and not cities_of(decision.state, town.owner):
        settings.turns.last_taken(decision, settings, side, town.owner)
    set_deeds(decision, (side, added(decision.state.sides[side].deeds, Deeds(cities_won=1))))
    if has_quests(decision.state):
        quests.on_gold(decision, settings, side, city, loot)
    if fates(decision.state, settings, city) == ("occupy",):
        _keep(decision, settings, decision.state.cities[city], side, "occupy")
    else:
        ask(decision, Question("fate", side, city=city))


def looted(
    world: World, settings: RuleSettings, city: City, side: int
) -> tuple[int, tuple[tuple[int, int], ...]]:
    """Return the loot of a captor, and the gold of both sides afterwards as (side, gold).

    The loser loses twice as much as the captor gains. Neutral cities have no loot, unless NOBODY is
    a row among the sides and so has gold.
    """
    if city.owner not in world.sides:
        return 0, ()
    loser, winner = world.sides[city.owner], world.sides[side]
    count = len(cities_of(world, city.owner))
    part = loser.gold if count < 2 else loser.gold // count
    loot = part // 2
    most = settings.cities.most_gold
    purses = (side, min(most, winner.gold + loot)), (city.owner, max(0, loser.gold - 2 * loot))
    return loot, tuple(sorted(purses))


def fates(world: World, settings: RuleSettings, city: int) -> tuple[Fate, ...]:
    """Return the fates that a captured city can have."""
    if settings.cities.fates is not None:
        return settings.cities.fates(world, city)
    slots = len(world.cities[city].slots)
    found: list[Fate] = ["occupy"]
    if slots >= 1:
        found.append("pillage")
    if slots >= 2:
        found.append("sack")
    if settings.fighting.spoils.may_raze:
        found.append("raze")
    return tuple(found)


def settle_city(decision: Decision, settings: RuleSettings, side: int, command: Settle) -> None:
    """Answer the question about the fate of a city.

    Raises:
        Refused: There is no such question, or the city cannot have this fate.
    """
    question = asked_of(decision.state, side, "fate")
    if question is None:
        refuse(Refusal.NO_QUESTION, "No city waits for your decision.", "capture")
    if command.fate not in fates(decision.state, settings, question.city):
        refuse(Refusal.NOT_ALLOWED, _why_not(command.fate), "capture")
    answer(decision, question, command.fate)
    if command.fate == "raze":
        _destroy(decision, settings, question.city, side)
        if settings.turns.razed is not None:
            settings.turns.razed(decision, settings, side)
    else:
        _keep(decision, settings, decision.state.cities[question.city], side, command.fate)


def raze_city(decision: Decision, settings: RuleSettings, side: int, command: Raze) -> None:
    """Raze a city of the side.

    Raises:
        Refused: The side does not own the city, or cities cannot be razed.
    """
    city = own_city(decision.state, side, command.city, "capture")
    if not settings.fighting.spoils.may_raze:
        refuse(Refusal.NOT_ALLOWED, _why_not("raze"), "capture")
    _destroy(decision, settings, city.id, side)


def ruin_city(decision: Decision, settings: RuleSettings, city: int, side: int) -> None:
    """Turn a city into ruins without an owner, with ``side`` as the one that razed it."""
    spoils, town = settings.fighting.spoils, decision.state.cities[city]
    if settings.cities.loses_sent:
        _lose_transits(decision, city, town.owner, sent=False)
    fallen = replace(_idle(town), owner=NOBODY, slots=(), defence=0, razed=True)
    decision.emit(
        CityRazed(
            city=fallen,
            side=side,
            terrain=spoils.ruin,
            art=spoils.ruin_art[side],
            others=_unvectored(decision.state, city),
        )
    )


def worth(world: World, slots: Iterable[Slot]) -> int:
    """Return the gold for plundering production slots: half of each slot's price."""
    return sum(abs(world.types[slot.type].price) // 2 for slot in slots)


def plundered(world: World, settings: RuleSettings, city: City, fate: Fate) -> tuple[City, int]:
    """Return a captured city after its fate, and the gold gained."""
    if fate not in {"pillage", "sack"}:
        return city, 0
    if settings.cities.plunder is not None:
        return settings.cities.plunder(world, city, fate)
    kept = len(city.slots) - 1 if fate == "pillage" else 1
    left = replace(city, slots=city.slots[:kept], defence=settings.cities.defence(kept))
    return left, worth(world, city.slots[kept:])


def _keep(
    decision: Decision,
    settings: RuleSettings,
    city: City,
    side: int,
    fate: Literal["occupy", "pillage", "sack"],
) -> None:
    """Occupy a city, with the plunder of the chosen fate."""
    left, gain = plundered(decision.state, settings, city, fate)
    gold = min(settings.cities.most_gold, decision.state.sides[side].gold + gain)
    decision.emit(CitySettled(city=left, side=side, fate=fate, gain=gain, gold=gold))
    _worsen(decision, settings, side, fate)
    if has_quests(decision.state):
        quests.on_gold(decision, settings, side, city.id, gain)
        quests.after_city(decision, settings, side, city.id, fate)


def _destroy(decision: Decision, settings: RuleSettings, city: int, side: int) -> None:
    """Raze a city, with the effects on the side's rating and on quests."""
    ruin_city(decision, settings, city, side)
    _worsen(decision, settings, side, "raze")
    if has_quests(decision.state):
        quests.after_city(decision, settings, side, city, "raze")


def _worsen(decision: Decision, settings: RuleSettings, side: int, fate: Fate) -> None:
    """Raise the rating of a side for the fate of a city; a high rating is bad."""
    penalty = settings.fighting.spoils.penalties.get(fate)
    if penalty is not None:
        diplomacy.worsen(decision, settings, side, penalty)


def _idle(city: City) -> City:
    return replace(city, making=NONE, left=0, vector=NONE)


def _original(city: City, taker: int) -> int:
    """Return the owner before the first capture, or NOBODY if that side has the city back."""
    if city.original == taker:
        return NOBODY
    return city.owner if city.original == NOBODY else city.original


def _unvectored(world: World, city: int) -> tuple[City, ...]:
    """Return the cities whose vector was this city, with the vector cleared."""
    return tuple(replace(c, vector=NONE) for c in world.cities.values() if c.vector == city)


def _lose_transits(decision: Decision, city: int, loser: int, *, sent: bool) -> None:
    """Remove the loser's transits to a city and, if ``sent``, those that the city made."""
    own = [t for t in decision.state.transits.values() if t.army.owner == loser]
    lose_transits(decision, (t for t in own if t.target == city or (sent and t.army.home == city)))


def _why_not(fate: Fate) -> str:
    if fate == "raze":
        return "Cities are not razed in this game."
    return "The city has too little left for that."
