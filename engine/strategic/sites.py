"""Sites and items: searches, sages, temples, and items that change hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import numpy as np

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic import commands as cmd
from engine.strategic import item_records, quests, sight
from engine.strategic.decision import Decision
from engine.strategic.events import (
    Answered,
    ArmiesGrew,
    ArmiesRemoved,
    Asked,
    FlagSet,
    ItemsMoved,
    SiteSearched,
    TilesFound,
)
from engine.strategic.heroes import gain, join_at, learned
from engine.strategic.item_records import (
    carried,
    inside,
    laid,
    lost,
    lying,
    planted,
    weapons,
)
from engine.strategic.pieces import Army, Item, Question, Site, SiteKind, Wish
from engine.strategic.quests import pay
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings, SearchRules
from engine.strategic.world import World, armies_at, items_of, own_group, own_hero, site_at

# -- searching ---------------------------------------------------------------------------------


def search(work: Decision, book: RuleSettings, side: int, order: cmd.Search) -> None:
    """A hero searches the site where it stands, which costs no points.

    A guardian may kill it; then all is as before. Otherwise what is there is found.

    Rules: W2-10.5.

    Raises:
        Refused: no such hero, it has no points left, or there is nothing to search.
    """
    hero = own_hero(work.state, side, order.army, "W2-10.5")
    site = item_records.shown_at(work.state, side, hero.at)
    if site is None or site.kind == "temple":
        refuse(Refusal.NO_SITE, "There is nothing to search here.", "W2-10.5")
    if site.searched:
        refuse(Refusal.NOTHING_TO_DO, "This place has been searched.", "W2-10.5")
    if hero.points <= 0:
        refuse(Refusal.NO_POINTS, "That hero has no movement points left.", "W2-10.5")
    roll, chance = _against_guardian(work, book, hero, site)
    died = roll > chance
    after = site if died else replace(site, searched=True, hidden=False, guardian=0)
    work.emit(SiteSearched(hero.id, after, site.guardian, roll, chance, died=died))
    if died:
        _die(work, book, hero)
        return
    gain(work, book, (hero.id,), book.heroes.search.xp)
    if site.kind in _FINDS:
        _FINDS[site.kind](work, book, work.state.armies[hero.id], site)


def chance(world: World, book: RuleSettings, hero: Army, site: Site) -> int:
    """The most that the die may show for the hero to live through the search of a site.

    As much as the die has sides where there is no guardian, or where none is known.

    Rules: W2-10.5.
    """
    rules = book.heroes.search
    guardian = item_records.guardian_of(world, site.guardian)
    if guardian is None:
        return rules.guardian_die
    strength = hero.strength + weapons(world, hero.id)
    return rules.survives(strength, guardian.strength, len(armies_at(world, hero.at)))


def _against_guardian(
    work: Decision, book: RuleSettings, hero: Army, site: Site
) -> tuple[int, int]:
    """The die against the guardian, 0 without one, and what it must not be above."""
    most = chance(work.state, book, hero, site)
    if item_records.guardian_of(work.state, site.guardian) is None:
        return 0, most
    return work.dice.roll(book.heroes.search.guardian_die), most


def _die(work: Decision, book: RuleSettings, hero: Army) -> None:
    """A guardian has killed a hero. Rules: W2-10.5, W2-10.6."""
    fall(work, book, (hero,), hero.at)
    work.emit(ArmiesRemoved((hero.id,), "guardian"))
    quests.check_all(work, book)


def _find_relic(work: Decision, book: RuleSettings, hero: Army, site: Site) -> None:
    """What was inside is taken up at once. Rules: W2-10.5, W2-6.4."""
    found = tuple(carried(item, hero.id) for item in inside(work.state, site.id))
    if found:
        work.emit(ItemsMoved(found, "found"))
        quests.check_all(work, book)


def _find_gold(work: Decision, book: RuleSettings, hero: Army, site: Site) -> None:
    throw = book.heroes.search.gold[site.rich]
    pay(work, book, hero.owner, throw.made(work.dice), "site")


def _find_allies(work: Decision, book: RuleSettings, hero: Army, site: Site) -> None:
    if site.ally not in work.state.types:
        return
    count = book.heroes.search.allies[site.rich].made(work.dice)
    join_at(work, book, hero, (site.ally, count), "allies")


def _find_sage(work: Decision, _book: RuleSettings, hero: Army, site: Site) -> None:
    wishes = _wishes(work.state, hero.owner)
    work.emit(Asked(Question("sage", hero.owner, site=site.id, army=hero.id, wishes=wishes)))


_FINDS: Final[Mapping[SiteKind, Callable[[Decision, RuleSettings, Army, Site], None]]] = {
    "relic": _find_relic,
    "gold": _find_gold,
    "allies": _find_allies,
    "sage": _find_sage,
}


# -- sages -------------------------------------------------------------------------------------


def ask_sage(work: Decision, book: RuleSettings, side: int, order: cmd.AskSage) -> None:
    """The sage tells where items are, gives gold, or shows a part of the map.

    Rules: W2-10.5.

    Raises:
        Refused: no sage has been found, or there is nothing that the sage could tell or show.
    """
    question = work.state.question
    if question is None or question.kind != "sage" or question.side != side:
        refuse(Refusal.NO_QUESTION, "No sage is waiting for your wish.", "W2-10.5")
    if order.wish not in question.wishes:
        refuse(Refusal.NOTHING_TO_DO, "The sage knows no more of that than you.", "W2-10.5")
    work.emit(Answered("sage", side, order.wish))
    match order.wish:
        case "gold":
            pay(work, book, side, book.heroes.search.sage_gold.made(work.dice), "sage")
        case "items":
            item_records.reveal(work, side, _relics(work.state, side))
        case "maps":
            _show_map(work, book, side, work.state.sites[question.site])


def _wishes(world: World, side: int) -> tuple[Wish, ...]:
    """What can be asked of a sage; what is known already cannot. Rules: W2-10.5."""
    known = world.lifted or bool((world.discovered.cells >> side & 1).all())
    wishes: dict[Wish, bool] = {
        "items": bool(_relics(world, side)),
        "gold": True,
        "maps": not known,
    }
    return tuple(wish for wish, is_open in wishes.items() if is_open)


def _relics(world: World, side: int) -> tuple[Site, ...]:
    """Sites with items in them that the side has not been told of."""
    return tuple(site for site in item_records.secrets(world, side) if inside(world, site.id))


def _show_map(work: Decision, book: RuleSettings, side: int, site: Site) -> None:
    """A box of the map becomes known: x and y of its corner are thrown, then its size.

    Rules: W2-10.5, W2-11.
    """
    rules = book.heroes.search
    left = site.x - rules.map_offset.made(work.dice)
    top = site.y - rules.map_offset.made(work.dice)
    width, height = rules.map_size.made(work.dice), rules.map_size.made(work.dice)
    box = np.zeros(work.state.discovered.cells.shape, dtype=np.bool_)
    box[max(top, 0) : max(top + height, 0), max(left, 0) : max(left + width, 0)] = True
    new = box & (work.state.discovered.cells >> side & 1 == 0)
    if new.any():
        work.emit(TilesFound(side, tuple(int(tile) for tile in np.flatnonzero(new))))
        sight.lift(work, book)


# -- temples -----------------------------------------------------------------------------------


def bless(work: Decision, book: RuleSettings, side: int, order: cmd.Bless) -> None:
    """A temple makes each army stronger, once for each temple and army; heroes learn by it.

    Rules: W2-10.2, W2-10.5.

    Raises:
        Refused: no such armies, they stand apart or on no temple, or all have its blessing.
    """
    world = work.state
    group = own_group(world, side, order.armies, "W2-10.5")
    site = site_at(world, group[0].at)
    if site is None or site.kind != "temple":
        refuse(Refusal.NO_SITE, "There is no temple here.", "W2-10.5")
    grown = tuple(_blessed(book, army, site) for army in group if site.id not in army.blessed)
    if not grown:
        refuse(Refusal.NOTHING_TO_DO, "This temple has blessed them already.", "W2-10.5")
    work.emit(ArmiesGrew(grown, "blessing"))


def _blessed(book: RuleSettings, army: Army, site: Site) -> Army:
    rules: SearchRules = book.heroes.search
    strength = max(army.strength, min(army.strength + 1, rules.most_strength))
    blessed = replace(army, strength=strength, blessed=(*army.blessed, site.id))
    return learned(book.heroes.levels, blessed, rules.blessing_xp)


# -- Items that change hands -----------------------------------------------------------------------


def pick_up_all(work: Decision, book: RuleSettings, armies: tuple[int, ...]) -> None:
    """The first hero of a group takes what lies where it stands.

    The side's own planted standard stays; one of another side is captured.

    Rules: W2-6.4, W2-10.3.
    """
    world = work.state
    heroes = (world.armies[army] for army in armies if world.armies[army].hero is not None)
    hero = next(heroes, None)
    if hero is None:
        return
    found = [
        item for item in lying(world, hero.at) if item.where == "ground" or item.side != hero.owner
    ]
    if found:
        _take(work, book, hero, found)


def pick_up(work: Decision, book: RuleSettings, side: int, order: cmd.PickUp) -> None:
    """A hero takes one thing that lies, or is planted, where it stands.

    Rules: W2-10.3, W2-17.

    Raises:
        Refused: no such hero, or nothing like that lies there.
    """
    hero = own_hero(work.state, side, order.army, "W2-10.3")
    found = [item for item in lying(work.state, hero.at) if item.id == order.item]
    if not found:
        refuse(Refusal.NO_SUCH_ITEM, "That does not lie here.", "W2-10.3")
    _take(work, book, hero, found)


def _take(work: Decision, book: RuleSettings, hero: Army, found: Iterable[Item]) -> None:
    """Things go to a hero, planted ones no longer mark a flag, and a quest may be done."""
    things = tuple(found)
    work.emit(ItemsMoved(tuple(carried(item, hero.id) for item in things), "picked"))
    for item in things:
        if item.where == "planted":
            work.emit(FlagSet(item.side, None))
    quests.check(work, book, hero.owner)


def drop(work: Decision, book: RuleSettings, side: int, order: cmd.Drop) -> None:
    """A hero lays something down.

    Rules: W2-10.3, W2-17.

    Raises:
        Refused: no such hero, it does not have that, or there is only water.
    """
    hero, item = _thing(work.state, side, order.army, order.item)
    _need_ground(work.state, book, hero.at)
    work.emit(ItemsMoved((laid(item, hero.at),), "dropped"))


def plant_flag(work: Decision, book: RuleSettings, side: int, order: cmd.PlantFlag) -> None:
    """A hero plants its side's standard: the tile is the rally flag.

    Rules: W2-10.3, W2-9.5.

    Raises:
        Refused: no such hero, it does not carry the standard, or there is only water.
    """
    hero = own_hero(work.state, side, order.army, "W2-10.3")
    flags = [i for i in items_of(work.state, hero.id) if i.kind == "standard" and i.side == side]
    if not flags:
        refuse(Refusal.NO_SUCH_ITEM, "That hero does not carry your standard.", "W2-10.3")
    _need_ground(work.state, book, hero.at)
    work.emit(ItemsMoved((planted(flags[0], hero.at),), "planted"))
    work.emit(FlagSet(side, hero.at))


def _thing(world: World, side: int, army: int, item: int) -> tuple[Army, Item]:
    hero = own_hero(world, side, army, "W2-10.3")
    things = [thing for thing in items_of(world, hero.id) if thing.id == item]
    if not things:
        refuse(Refusal.NO_SUCH_ITEM, "That hero does not carry that.", "W2-10.3")
    return hero, things[0]


def _need_ground(world: World, book: RuleSettings, at: Place) -> None:
    """Refuse where things cannot lie. Rules: W2-17."""
    if world.terrain[at[1], at[0]] in book.heroes.items.afloat:
        refuse(Refusal.NOT_ALLOWED, "Nothing can be laid down on water.", "W2-17")


def fall(work: Decision, book: RuleSettings, dead: tuple[Army, ...], at: Place) -> None:
    """What dead heroes carried drops on a tile; on the open sea it is lost.

    Call it for every army that goes, however it goes; others than heroes carry nothing.

    Rules: W2-8.6, W2-13.1.
    """
    world = work.state
    things = [item for army in dead for item in items_of(world, army.id)]
    if not things:
        return
    if world.terrain[at[1], at[0]] in book.heroes.items.sinks:
        work.emit(ItemsMoved(tuple(lost(item) for item in things), "lost"))
    else:
        work.emit(ItemsMoved(tuple(laid(item, at) for item in things), "fallen"))
