"""What a side gets for a quest."""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.strategic.book import Book
from engine.strategic.chance import pick
from engine.strategic.desk import Desk
from engine.strategic.events import GoldChanged, ItemsMoved
from engine.strategic.heroes import sites
from engine.strategic.heroes.goods import carried, is_good
from engine.strategic.heroes.joining import join_at
from engine.strategic.pieces import NOBODY, Army

Source: TypeAlias = Literal["site", "sage", "reward"]


def reward(work: Desk, book: Book, hero: Army) -> None:
    """An item, the place of a site, allies or gold for a quest that is done.

    Nothing is thrown for items and sites where there are none to give.

    Rules: W2-10.6.
    """
    rules = book.heroes.quests
    if _item(work, rules.item_die, hero) or _site(work, rules.site_die, hero.owner):
        return
    kinds = [kind for kind in work.state.types.values() if book.heroes.offers.may_join(kind)]
    if kinds and work.dice.roll(2) == 1:
        kind = pick(work.dice, kinds)
        join_at(work, book, hero, (kind.id, rules.allies.made(work.dice)), "reward")
    else:
        pay(work, book, hero.owner, rules.gold.made(work.dice), "reward")


def pay(work: Desk, book: Book, side: int, gold: int, source: Source) -> None:
    """A side gets gold, as far as its purse holds. Rules: W2-1.4, W2-10.5, W2-10.6."""
    had = work.state.sides[side].gold
    has = min(had + gold, book.heroes.most_gold)
    work.emit(GoldChanged(side, has - had, has, source))


def _item(work: Desk, die: int, hero: Army) -> bool:
    """Perhaps a good item that is not in the game yet. Rules: W2-10.6."""
    unused = [
        item
        for item in work.state.items.values()
        if item.where == "unused" and item.side == NOBODY and is_good(item)
    ]
    if not unused or work.dice.roll(die) != 1:
        return False
    work.emit(ItemsMoved((carried(pick(work.dice, unused), hero.id),), "reward"))
    return True


def _site(work: Desk, die: int, side: int) -> bool:
    """Perhaps word of a site, of a hidden one if there is any. Rules: W2-10.4, W2-10.6."""
    untold = sites.secrets(work.state, side)
    hidden = [site for site in untold if site.hidden]
    if not untold or work.dice.roll(die) != 1:
        return False
    sites.reveal(work, side, (pick(work.dice, hidden or untold),))
    return True
