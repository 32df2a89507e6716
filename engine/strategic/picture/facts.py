"""Events as facts, for whoever counts, searches or draws them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Final

from engine.kit.grid import Place
from engine.strategic import events as ev
from engine.strategic.fighting.odds import odds
from engine.strategic.picture.context import PictureContext, seat_of
from engine.strategic.picture.fighting import fallen
from engine.strategic.picture.words import army_name, company, type_name
from engine.strategic.pieces import NONE, Army, City
from engine.tabletop.board import NOBODY
from engine.tabletop.fact import Fact

Meaning = Callable[[Any, PictureContext, PictureContext], Iterable[Fact]]

CHANCES: Final = 1_000_000
"""Chances are given as so many of a million."""


def facts(event: ev.AnyEvent, before: PictureContext, after: PictureContext) -> tuple[Fact, ...]:
    """What an event means; kinds that are not listed mean nothing to count."""
    meaning = _MEANINGS.get(type(event))
    return tuple(meaning(event, before, after)) if meaning is not None else ()


def begun(after: PictureContext) -> tuple[Fact, ...]:
    """What the first event of a game means: it is somebody's turn."""
    seat = after.actor if not after.is_over else NOBODY
    return Fact("round", target=f"round {after.world.turn}", amount=after.world.turn), Fact(
        "phase", seat if seat in after.world.sides else NOBODY, target="turn"
    )


# -- moves and battles -----------------------------------------------------------------------------


def _moved(event: ev.GroupMoved, before: PictureContext, _after: PictureContext) -> Iterator[Fact]:
    group = [before.world.armies[a] for a in event.armies if a in before.world.armies]
    if group and event.path and event.path[-1] != group[0].at:
        yield Fact(
            "move",
            seat_of(group[0].owner),
            at=event.path[-1],
            source=group[0].at,
            piece=company(before, group),
            amount=len(event.path),
        )


def _fought(
    event: ev.BattleFought, before: PictureContext, _after: PictureContext
) -> Iterator[Fact]:
    """The attack with the chance that it had, and the losses. Rules: W2-8.5."""
    attackers, defenders = fallen(event)
    one, other = seat_of(event.attacker), seat_of(event.defender)
    yield Fact(
        "attack",
        one,
        other,
        at=event.at,
        source=event.start if event.start != event.at else None,
        piece=_types(before, event.attackers),
        target=_types(before, event.defenders),
        won=event.won,
        chance=chance(event, before),
        amount=len(defenders),
    )
    yield from _losses(before, attackers, one, other, event.at)
    yield from _losses(before, defenders, other, one, event.at)


def chance(event: ev.BattleFought, before: PictureContext) -> tuple[int, int]:
    """How likely the attackers were to win, by the strengths in the lines. Rules: W2-8.5."""
    shielded = {duel.attacker for duel in event.duels if duel.shielded}
    found = odds(
        tuple(one.strength for one in event.attackers),
        tuple(one.strength for one in event.defenders),
        tuple(one.army in shielded for one in event.attackers),
        before.book.fighting.dice,
    )
    likely = round(found.chance * CHANCES)
    return min(max(likely, 1 if event.won else 0), CHANCES - (0 if event.won else 1)), CHANCES


def _types(context: PictureContext, line: Iterable[ev.Fighter]) -> str:
    return ", ".join(
        f"{len(list(same))} {type_name(context, kind)}"
        for kind, same in groupby(line, key=lambda one: one.type)
    )


def _losses(
    context: PictureContext, dead: Iterable[ev.Fighter], seat: int, foe: int, at: Place
) -> Iterator[Fact]:
    by_type: dict[int, int] = {}
    for one in dead:
        by_type[one.type] = by_type.get(one.type, 0) + 1
    for kind, count in by_type.items():
        yield Fact("loss", seat, foe, at=at, piece=type_name(context, kind), amount=count)


def _removed(
    event: ev.ArmiesRemoved, before: PictureContext, _after: PictureContext
) -> Iterator[Fact]:
    """Those who went otherwise than in a battle, which tells of its own dead. Rules: W2-8.6."""
    if event.reason == "battle":
        return
    for number in event.armies:
        army = before.world.armies.get(number)
        if army is not None:
            yield Fact(
                "loss", seat_of(army.owner), at=army.at, piece=army_name(before, army), amount=1
            )


# -- cities and armies -----------------------------------------------------------------------------


def _taken(event: ev.CityTaken, _before: PictureContext, _after: PictureContext) -> Iterator[Fact]:
    city = event.city
    at = city.x, city.y
    winner, loser = seat_of(city.owner), seat_of(event.loser)
    yield Fact("capture", winner, loser, at=at, target=city.name, amount=event.loot or None)


def _razed(event: ev.CityRazed, before: PictureContext, _after: PictureContext) -> Iterator[Fact]:
    city = event.city
    owner = before.world.cities[city.id].owner if city.id in before.world.cities else NONE
    other = seat_of(owner) if owner not in {NONE, event.side} else NOBODY
    seat = seat_of(event.side)
    yield Fact("capture", seat, other, at=(city.x, city.y), target=f"{city.name} (razed)")


def _built(event: ev.SlotBought, _before: PictureContext, after: PictureContext) -> Iterator[Fact]:
    city = event.city
    target = type_name(after, city.slots[event.slot].type)
    yield _work(city, f"{target} in {city.name}", event.price)


def _made(
    event: ev.ArmyMade | ev.ArmyArrived, _before: PictureContext, after: PictureContext
) -> Iterator[Fact]:
    army = event.army
    seat = seat_of(army.owner)
    yield Fact("work", seat, at=army.at, target=army_name(after, army), amount=1)


def _placed(
    event: ev.ArmiesPlaced, _before: PictureContext, after: PictureContext
) -> Iterator[Fact]:
    yield _joined(after, event.armies)


def _hired(event: ev.HeroHired, _before: PictureContext, after: PictureContext) -> Iterator[Fact]:
    yield _joined(after, (event.hero, *event.allies))


def _joined(after: PictureContext, armies: tuple[Army, ...]) -> Fact:
    seat, at = seat_of(armies[0].owner), armies[0].at
    return Fact("work", seat, at=at, target=company(after, armies), amount=len(armies))


def _work(city: City, target: str, amount: int | None) -> Fact:
    at = city.x, city.y
    return Fact("work", seat_of(city.owner), at=at, target=target, amount=amount)


def _towers(
    event: ev.TowersBuilt, _before: PictureContext, _after: PictureContext
) -> Iterator[Fact]:
    for tower in event.towers:
        yield Fact("work", seat_of(tower.owner), at=(tower.x, tower.y), target="tower")


# -- sites, money and turns ------------------------------------------------------------------------


def _searched(
    event: ev.SiteSearched, before: PictureContext, after: PictureContext
) -> Iterator[Fact]:
    """A search; against a guardian the die had a chance. Rules: W2-10.5."""
    hero = before.world.armies.get(event.army)
    if hero is None:
        return
    die = after.book.heroes.search.guardian_die
    kept = event.guardian > 0 and event.roll > 0
    safe = min(max(event.chance, 0), die)
    yield Fact(
        "attack" if kept else "work",
        seat_of(hero.owner),
        at=(event.site.x, event.site.y),
        piece=army_name(before, hero),
        target=event.site.name or "site",
        won=not event.died if kept else None,
        chance=(safe, die) if kept else None,
    )


def _gold(event: ev.GoldChanged, _before: PictureContext, _after: PictureContext) -> Iterator[Fact]:
    yield Fact("other", event.side, target=f"gold ({event.reason})", amount=event.change)


def _income(
    event: ev.IncomeCame, _before: PictureContext, _after: PictureContext
) -> Iterator[Fact]:
    yield Fact("other", event.side, target="income", amount=event.income - event.upkeep)


def _treaty(
    event: ev.TreatyChanged, _before: PictureContext, _after: PictureContext
) -> Iterator[Fact]:
    one, other = event.sides
    yield Fact("other", one.id, other.id, target="treachery" if event.betrayal else "treaty")


def _out(event: ev.SideOut, _before: PictureContext, _after: PictureContext) -> Iterator[Fact]:
    yield Fact("other", event.side.id, target="gave up" if event.resigned else "out of the game")


def _round(event: ev.RoundBegan, _before: PictureContext, _after: PictureContext) -> Iterator[Fact]:
    yield Fact("round", target=f"round {event.turn}", amount=event.turn)


def _turn(event: ev.TurnBegan, _before: PictureContext, _after: PictureContext) -> Iterator[Fact]:
    yield Fact("phase", event.side, target="turn")


def _ended(event: ev.GameEnded, _before: PictureContext, _after: PictureContext) -> Iterator[Fact]:
    for side in event.winners or (NOBODY,):
        yield Fact("end", side, target=event.reason.replace("_", " "))


_MEANINGS: Final[Mapping[type[Any], Meaning]] = {
    ev.GroupMoved: _moved,
    ev.BattleFought: _fought,
    ev.ArmiesRemoved: _removed,
    ev.CityTaken: _taken,
    ev.CityRazed: _razed,
    ev.SlotBought: _built,
    ev.ArmyMade: _made,
    ev.ArmyArrived: _made,
    ev.ArmiesPlaced: _placed,
    ev.HeroHired: _hired,
    ev.TowersBuilt: _towers,
    ev.SiteSearched: _searched,
    ev.GoldChanged: _gold,
    ev.IncomeCame: _income,
    ev.TreatyChanged: _treaty,
    ev.SideOut: _out,
    ev.RoundBegan: _round,
    ev.TurnBegan: _turn,
    ev.GameEnded: _ended,
}
