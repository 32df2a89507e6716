"""An attack: whether it may be made, the battle, what comes of it."""

from __future__ import annotations

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.book import Book
from engine.strategic.desk import Desk
from engine.strategic.events import BattleFought
from engine.strategic.fighting.aftermath import settle
from engine.strategic.fighting.duels import fight
from engine.strategic.fighting.lineup import defenders_at, line_up
from engine.strategic.pieces import NOBODY, NONE, Army, side_bit
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.turns import diplomacy
from engine.strategic.world import World, city_at


def attack(work: Desk, book: Book, group: tuple[Army, ...], at: Place, *, betray: bool) -> bool:
    """A group attacks a tile beside it; True: nobody is left who could keep it out.

    Without defenders it is so at once, and nobody learns anything from it. The survivors stay
    where they are: entering the tile, and taking the city there, is up to the caller.

    Raises:
        Refused: a treaty forbids it and ``betray`` is not set.

    Rules: W2-8.1, W2-12.3.
    """
    side = group[0].owner
    betrayal = _permit(work, book, side, at, betray=betray)
    foes = defenders_at(work.state, at, side)
    if not foes:
        return True
    group = tuple(work.state.armies[army.id] for army in group)
    lineup = line_up(work.state, book, group, at)
    city = city_at(work.state, at)
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
    duels = fight(work.dice, book.fighting, lineup)
    battle = replace(battle, duels=duels, won=duels[-1].won)
    work.emit(battle)
    settle(work, book, battle, group, foes)
    return battle.won


def owner_at(world: World, at: Place, side: int) -> int | None:
    """Whom an attack of a side on a tile is directed at; None: at nobody."""
    city = city_at(world, at)
    if city is not None:
        return None if city.owner == side else city.owner
    foes = defenders_at(world, at, side)
    return foes[0].owner if foes else None


def _permit(work: Desk, book: Book, side: int, at: Place, *, betray: bool) -> bool:
    """Whether the attack breaks a treaty, which is broken then. Rules: W2-12.3."""
    other = owner_at(work.state, at, side)
    if other in (None, NOBODY) or diplomacy.may_attack(work.state, book, side, at):
        return False
    if not betray:
        text = "The treaty forbids that attack; it would be treachery."
        refuse(Refusal.TREACHERY, text, "W2-12.3")
    assert other is not None  # noqa: S101 - tells the type checker
    diplomacy.betray(work, book, side, other)
    return True
