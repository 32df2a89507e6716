"""Sites: searching them, what is found, temples and sages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from engine.core.record import replace
from engine.strategic import commands as cmd
from engine.strategic.book import Book
from engine.strategic.desk import Desk
from engine.strategic.events import (
    Answered,
    ArmiesGrew,
    ArmiesRemoved,
    Asked,
    ItemsMoved,
    SiteSearched,
    TilesFound,
)
from engine.strategic.heroes import items, quests, sites
from engine.strategic.heroes.goods import carried, inside
from engine.strategic.heroes.joining import join_at
from engine.strategic.heroes.levels import gain, learned
from engine.strategic.heroes.rewards import pay
from engine.strategic.heroes.rules import SearchRules
from engine.strategic.heroes.who import own_group, own_hero
from engine.strategic.moving import sight
from engine.strategic.pieces import Army, Question, Site, SiteKind, Wish
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.world import World, armies_at, site_at

# -- searching ---------------------------------------------------------------------------------


def search(work: Desk, book: Book, side: int, order: cmd.Search) -> None:
    """A hero searches the site where it stands, which costs no points.

    A guardian may kill it; then all is as before. Otherwise what is there is found.

    Rules: W2-10.5.

    Raises:
        Refused: no such hero, it has no points left, or there is nothing to search.
    """
    hero = own_hero(work.state, side, order.army, "W2-10.5")
    site = sites.shown_at(work.state, side, hero.at)
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


def chance(world: World, book: Book, hero: Army, site: Site) -> int:
    """The most that the die may show for the hero to live through the search of a site.

    As much as the die has sides where there is no guardian, or where none is known.

    Rules: W2-10.5.
    """
    rules = book.heroes.search
    guardian = sites.guardian_of(world, site.guardian)
    if guardian is None:
        return rules.guardian_die
    strength = hero.strength + items.weapons(world, hero.id)
    return rules.survives(strength, guardian.strength, len(armies_at(world, hero.at)))


def _against_guardian(work: Desk, book: Book, hero: Army, site: Site) -> tuple[int, int]:
    """The die against the guardian, 0 without one, and what it must not be above."""
    most = chance(work.state, book, hero, site)
    if sites.guardian_of(work.state, site.guardian) is None:
        return 0, most
    return work.dice.roll(book.heroes.search.guardian_die), most


def _die(work: Desk, book: Book, hero: Army) -> None:
    """A guardian has killed a hero. Rules: W2-10.5, W2-10.6."""
    items.fall(work, book, (hero,), hero.at)
    work.emit(ArmiesRemoved((hero.id,), "guardian"))
    quests.check_all(work, book)


def _find_relic(work: Desk, book: Book, hero: Army, site: Site) -> None:
    """What was inside is taken up at once. Rules: W2-10.5, W2-6.4."""
    found = tuple(carried(item, hero.id) for item in inside(work.state, site.id))
    if found:
        work.emit(ItemsMoved(found, "found"))
        quests.check_all(work, book)


def _find_gold(work: Desk, book: Book, hero: Army, site: Site) -> None:
    throw = book.heroes.search.gold[site.rich]
    pay(work, book, hero.owner, throw.made(work.dice), "site")


def _find_allies(work: Desk, book: Book, hero: Army, site: Site) -> None:
    if site.ally not in work.state.types:
        return
    count = book.heroes.search.allies[site.rich].made(work.dice)
    join_at(work, book, hero, (site.ally, count), "allies")


def _find_sage(work: Desk, _book: Book, hero: Army, site: Site) -> None:
    wishes = _wishes(work.state, hero.owner)
    work.emit(Asked(Question("sage", hero.owner, site=site.id, army=hero.id, wishes=wishes)))


_FINDS: Final[Mapping[SiteKind, Callable[[Desk, Book, Army, Site], None]]] = {
    "relic": _find_relic,
    "gold": _find_gold,
    "allies": _find_allies,
    "sage": _find_sage,
}


# -- sages -------------------------------------------------------------------------------------


def ask_sage(work: Desk, book: Book, side: int, order: cmd.AskSage) -> None:
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
            sites.reveal(work, side, _relics(work.state, side))
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
    return tuple(site for site in sites.secrets(world, side) if inside(world, site.id))


def _show_map(work: Desk, book: Book, side: int, site: Site) -> None:
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


def bless(work: Desk, book: Book, side: int, order: cmd.Bless) -> None:
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


def _blessed(book: Book, army: Army, site: Site) -> Army:
    rules: SearchRules = book.heroes.search
    strength = max(army.strength, min(army.strength + 1, rules.most_strength))
    blessed = replace(army, strength=strength, blessed=(*army.blessed, site.id))
    return learned(book.heroes.levels, blessed, rules.blessing_xp)
