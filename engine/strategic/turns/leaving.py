"""What becomes of a side that is out of the game."""

from __future__ import annotations

from typing import Literal

from engine.core.record import replace
from engine.strategic.book import Book
from engine.strategic.desk import Desk
from engine.strategic.events import ArmiesRemoved, ItemsMoved, SideOut, TransitsLost
from engine.strategic.heroes import items
from engine.strategic.pieces import Army
from engine.strategic.turns.towers import drop_unmanned
from engine.strategic.world import HOSTILE, armies_of


def leave(work: Desk, book: Book, side: int, why: Literal["side_out", "resigned"]) -> None:
    """A side is out: its armies go, what heroes carry drops, its gold and its treaties are gone.

    Rules: W2-13.1, W2-17.
    """
    _disband_all(work, book, side, why)
    world = work.state
    own = world.sides[side]
    gone = replace(
        own,
        alive=False,
        gold=0,
        flag=None,
        quest=None,
        stances=tuple(own.stances[k] if k == side else HOSTILE for k in range(len(own.stances))),
    )
    work.emit(SideOut(side=gone, resigned=why == "resigned"))
    drop_unmanned(work)


def _disband_all(work: Desk, book: Book, side: int, why: Literal["side_out", "resigned"]) -> None:
    world = work.state
    armies = armies_of(world, side)
    if armies:
        work.emit(ArmiesRemoved(armies=tuple(army.id for army in armies), reason=why))
    for hero in armies:
        if hero.hero is not None:
            _fall(work, book, hero)
    lost = tuple(t.id for t in world.transits.values() if t.army.owner == side)
    if lost:
        work.emit(TransitsLost(transits=lost))
    planted = tuple(i for i in world.items.values() if i.where == "planted" and i.side == side)
    if planted:
        lying = tuple(replace(item, where="ground") for item in planted)
        work.emit(ItemsMoved(items=lying, reason="fallen"))


def _fall(work: Desk, book: Book, hero: Army) -> None:
    items.fall(work, book, (hero,), hero.at)
