"""Sites and items: searches, sages, temples, and items that change hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import numpy as np

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic import commands as cmd
from engine.strategic import item_records, quests, sight
from engine.strategic.cities import add_gold, lose_flag
from engine.strategic.decision import Decision, answer, ask, asked_of, grow_armies, remove_armies
from engine.strategic.events.heroes import FlagSet, SiteSearched
from engine.strategic.hero_settings import SearchRules
from engine.strategic.heroes import gain, join_at, learned
from engine.strategic.item_records import (
    carried,
    inside,
    laid,
    lost,
    lying,
    move_items,
    planted,
    weapons,
)
from engine.strategic.pieces import Army, Item, Question, Site, SiteKind, Wish
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, armies_at, items_of, own_group, own_hero, site_at

# -- searching ---------------------------------------------------------------------------------


def searched_by(decision: Decision, side: int, order: cmd.Search) -> tuple[Army, Site]:
    """Return the hero that can search a site, and the site.

    Raises:
        Refused: There is no such hero, it has no points left, or there is nothing to search.
    """
    hero = own_hero(decision.state, side, order.army, "search")
    site = item_records.shown_at(decision.state, side, hero.at)
    if site is None or site.kind == "temple":
        refuse(Refusal.NO_SITE, "There is nothing to search here.", "search")
    if site.searched:
        refuse(Refusal.NOTHING_TO_DO, "This place has been searched.", "search")
    if hero.points <= 0:
        refuse(Refusal.NO_POINTS, "That hero has no moves left.", "search")
    return hero, site


def search(decision: Decision, settings: RuleSettings, side: int, order: cmd.Search) -> None:
    """Search the site of a hero, which costs no points.

    A guardian may kill the hero; the site then stays as it was. Otherwise the hero finds the
    contents.
    """
    hero, site = searched_by(decision, side, order)
    if not meets(decision, settings, hero, site):
        return
    gain(decision, settings, (hero.id,), settings.heroes.search.xp)
    find = settings.heroes.search.finds.get(site.kind) or _FINDS.get(site.kind)
    if find is not None:
        find(decision, settings, decision.state.armies[hero.id], site)


def meets(decision: Decision, settings: RuleSettings, hero: Army, site: Site) -> bool:
    """Let a hero meet the guardian of a site, if any; return whether the hero survives."""
    roll, chance = _against_guardian(decision, settings, hero, site)
    died = roll > chance
    after = site if died else replace(site, searched=True, hidden=False, guardian=0)
    decision.emit(SiteSearched(hero.id, after, site.guardian, roll, chance, died=died))
    if died:
        _die(decision, settings, hero)
    return not died


def chance(world: World, settings: RuleSettings, hero: Army, site: Site) -> int:
    """Return the highest roll with which the hero survives the search of a site.

    It is 0 if no roll is low enough, and at least the number of sides if every roll is. Without a
    known guardian, every roll is low enough.
    """
    rules = settings.heroes.search
    guardian = item_records.guardian_of(world, site.guardian)
    if guardian is None:
        return rules.guardian_die
    strength = hero.strength + weapons(world, hero.id)
    return max(0, rules.survives(strength, guardian.strength, len(armies_at(world, hero.at))))


def _against_guardian(
    decision: Decision, settings: RuleSettings, hero: Army, site: Site
) -> tuple[int, int]:
    """Return the roll against the guardian, 0 without one, and the highest surviving roll."""
    most = chance(decision.state, settings, hero, site)
    if item_records.guardian_of(decision.state, site.guardian) is None:
        return 0, most
    return decision.dice.roll(settings.heroes.search.guardian_die), most


def _die(decision: Decision, settings: RuleSettings, hero: Army) -> None:
    """Remove a hero that a guardian has killed."""
    fall(decision, settings, (hero,), hero.at)
    remove_armies(decision, (hero,), "guardian")
    quests.check_all(decision, settings)


def _find_relic(decision: Decision, settings: RuleSettings, hero: Army, site: Site) -> None:
    """Give the hero all items inside."""
    found = inside(decision.state, site.id)
    if found:
        move_items(decision, (carried(item, hero.id) for item in found), "found")
        quests.check_all(decision, settings)


def _find_gold(decision: Decision, settings: RuleSettings, hero: Army, site: Site) -> None:
    throw = settings.heroes.search.gold[site.rich]
    add_gold(decision, settings, hero.owner, throw.made(decision.dice), "site")


def _find_allies(decision: Decision, settings: RuleSettings, hero: Army, site: Site) -> None:
    if site.ally not in decision.state.types:
        return
    count = settings.heroes.search.allies[site.rich].made(decision.dice)
    join_at(decision, settings, hero, (site.ally, count), "allies")


def _find_sage(decision: Decision, _settings: RuleSettings, hero: Army, site: Site) -> None:
    wishes = _wishes(decision.state, hero.owner)
    ask(decision, Question("sage", hero.owner, site=site.id, army=hero.id, wishes=wishes))


_FINDS: Final[Mapping[SiteKind, Callable[[Decision, RuleSettings, Army, Site], None]]] = {
    "relic": _find_relic,
    "gold": _find_gold,
    "allies": _find_allies,
    "sage": _find_sage,
}


# -- sages -------------------------------------------------------------------------------------


def ask_sage(decision: Decision, settings: RuleSettings, side: int, order: cmd.AskSage) -> None:
    """Grant a wish of the sage: places of items or allies, gold, or a part of the map.

    Raises:
        Refused: No sage is waiting, or the sage cannot grant this wish.
    """
    question = asked_of(decision.state, side, "sage")
    if question is None:
        refuse(Refusal.NO_QUESTION, "No sage is waiting for your wish.", "search")
    if order.wish not in question.wishes:
        refuse(Refusal.NOTHING_TO_DO, "The sage knows no more of that than you.", "search")
    answer(decision, question, order.wish)
    match order.wish:
        case "gold":
            add_gold(
                decision,
                settings,
                side,
                settings.heroes.search.sage_gold.made(decision.dice),
                "sage",
            )
        case "items":
            item_records.reveal(decision, side, _relics(decision.state, side))
        case "allies":
            known = item_records.secrets(decision.state, side)
            item_records.reveal(decision, side, (site for site in known if site.kind == "allies"))
        case "maps":
            _show_map(decision, settings, side, decision.state.sites[question.site])


def _wishes(world: World, side: int) -> tuple[Wish, ...]:
    """Return the wishes that a sage can grant, without those that would reveal nothing new."""
    known = world.lifted or bool((world.discovered.cells >> side & 1).all())
    wishes: dict[Wish, bool] = {
        "items": bool(_relics(world, side)),
        "gold": True,
        "maps": not known,
    }
    return tuple(wish for wish, is_open in wishes.items() if is_open)


def _relics(world: World, side: int) -> tuple[Site, ...]:
    """Return the sites with items whose contents the side does not know."""
    return tuple(site for site in item_records.secrets(world, side) if inside(world, site.id))


def _show_map(decision: Decision, settings: RuleSettings, side: int, site: Site) -> None:
    """Reveal a box of the map: draw x and y of its corner, then its size."""
    rules = settings.heroes.search
    left = site.x - rules.map_offset.made(decision.dice)
    top = site.y - rules.map_offset.made(decision.dice)
    width, height = rules.map_size.made(decision.dice), rules.map_size.made(decision.dice)
    box = np.zeros(decision.state.discovered.cells.shape, dtype=np.bool_)
    box[max(top, 0) : max(top + height, 0), max(left, 0) : max(left + width, 0)] = True
    sight.discover(decision, settings, side, box)


# -- temples -----------------------------------------------------------------------------------


def bless(decision: Decision, settings: RuleSettings, side: int, order: cmd.Bless) -> None:
    """Bless armies at a temple: each gets stronger once, and heroes gain experience.

    Raises:
        Refused: There are no such armies, they are not together on a temple, an army has too few
            points, or the temple has blessed all of them.
    """
    world = decision.state
    group = own_group(world, side, order.armies, "search")
    site = site_at(world, group[0].at)
    if site is None or site.kind != "temple":
        refuse(Refusal.NO_SITE, "There is no temple here.", "search")
    if min(army.points for army in group) < settings.heroes.search.blessing_points:
        refuse(Refusal.NO_POINTS, "They have no moves left.", "search")
    grown = tuple(_blessed(settings, army, site) for army in group if site.id not in army.blessed)
    if not grown:
        refuse(Refusal.NOTHING_TO_DO, "This temple has blessed them already.", "search")
    grow_armies(decision, grown, "blessing")


def _blessed(settings: RuleSettings, army: Army, site: Site) -> Army:
    rules: SearchRules = settings.heroes.search
    strength = max(army.strength, min(army.strength + 1, rules.most_strength))
    blessed = replace(army, strength=strength, blessed=(*army.blessed, site.id))
    return learned(settings.heroes.levels, blessed, rules.blessing_xp)


# -- Items that change hands -----------------------------------------------------------------------


def pick_up_all(decision: Decision, settings: RuleSettings, armies: tuple[int, ...]) -> None:
    """Let the first hero of a group pick up everything on its tile.

    The side's own planted standard stays; one of another side is captured.
    """
    world = decision.state
    heroes = (world.armies[army] for army in armies if world.armies[army].hero is not None)
    hero = next(heroes, None)
    if hero is None:
        return
    found = [
        item for item in lying(world, hero.at) if item.where == "ground" or item.side != hero.owner
    ]
    if found:
        _take(decision, settings, hero, found)


def pick_up(decision: Decision, settings: RuleSettings, side: int, order: cmd.PickUp) -> None:
    """Pick up an item that lies, or is planted, on the hero's tile.

    Raises:
        Refused: There is no such hero, or no such item on its tile.
    """
    hero = own_hero(decision.state, side, order.army, "item")
    found = [item for item in lying(decision.state, hero.at) if item.id == order.item]
    if not found:
        refuse(Refusal.NO_SUCH_ITEM, "That does not lie here.", "item")
    _take(decision, settings, hero, found)


def _take(decision: Decision, settings: RuleSettings, hero: Army, found: Iterable[Item]) -> None:
    """Give items to a hero, remove the flags they marked, and check the side's quest."""
    things = tuple(found)
    move_items(decision, (carried(item, hero.id) for item in things), "picked")
    for item in things:
        if item.where == "planted":
            decision.emit(FlagSet(item.side, None))
            if settings.cities.loses_sent:
                lose_flag(decision, item.side)
    quests.check(decision, settings, hero.owner)


def drop(decision: Decision, settings: RuleSettings, side: int, order: cmd.Drop) -> None:
    """Put down an item of a hero.

    Raises:
        Refused: There is no such hero, it does not carry the item, or it is on water.
    """
    hero, item = _thing(decision.state, side, order.army, order.item)
    _need_ground(decision.state, settings, hero.at)
    move_items(decision, (laid(item, hero.at),), "dropped")


def plant_flag(decision: Decision, settings: RuleSettings, side: int, order: cmd.PlantFlag) -> None:
    """Plant the side's standard; the hero's tile becomes the rally flag.

    Raises:
        Refused: There is no such hero, it does not carry the standard, or it is on water.
    """
    hero = own_hero(decision.state, side, order.army, "item")
    flags = [
        i for i in items_of(decision.state, hero.id) if i.kind == "standard" and i.side == side
    ]
    if not flags:
        refuse(Refusal.NO_SUCH_ITEM, "That hero does not carry your standard.", "item")
    _need_ground(decision.state, settings, hero.at)
    move_items(decision, (planted(flags[0], hero.at),), "planted")
    decision.emit(FlagSet(side, hero.at))


def _thing(world: World, side: int, army: int, item: int) -> tuple[Army, Item]:
    hero = own_hero(world, side, army, "item")
    things = [thing for thing in items_of(world, hero.id) if thing.id == item]
    if not things:
        refuse(Refusal.NO_SUCH_ITEM, "That hero does not carry that.", "item")
    return hero, things[0]


def _need_ground(world: World, settings: RuleSettings, at: Place) -> None:
    """Refuse an order on a tile where items cannot lie."""
    if world.terrain[at[1], at[0]] in settings.heroes.items.afloat:
        refuse(Refusal.NOT_ALLOWED, "Nothing can be laid down on water.", "command")


def fall(decision: Decision, settings: RuleSettings, dead: tuple[Army, ...], at: Place) -> None:
    """Drop the items of dead heroes on a tile; where items sink, they are lost.

    Call it for every hero that leaves the map for any reason; other armies carry nothing.
    """
    world = decision.state
    things = [item for army in dead for item in items_of(world, army.id)]
    if not things:
        return
    if world.terrain[at[1], at[0]] in settings.heroes.items.sinks:
        move_items(decision, map(lost, things), "lost")
    else:
        move_items(decision, (laid(item, at) for item in things), "fallen")
