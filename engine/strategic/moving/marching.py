"""Orders to go: to a tile by the best way, or along a given way."""

from __future__ import annotations

from engine.kit.grid import Place, is_beside
from engine.strategic.book import Book
from engine.strategic.commands import March, Walk
from engine.strategic.desk import Desk
from engine.strategic.events import DefendSet, GoalSet
from engine.strategic.heroes.who import own_group
from engine.strategic.moving import advancing, costs, groups, ports, routes, sight
from engine.strategic.moving.advancing import Orders, Path
from engine.strategic.moving.groups import Mover
from engine.strategic.pieces import Army
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.turns import diplomacy, towers
from engine.strategic.world import World, is_on_map


def march(work: Desk, book: Book, side: int, command: March) -> None:
    """A group goes to a tile, as far as its points reach; the goal is kept in mind until then.

    Raises:
        Refused: no such group, no way, or the goal may not be attacked.

    Rules: W2-5.3, W2-6.1, W2-6.4, W2-6.5, W2-12.3.
    """
    world = sight.as_known(work.state, book, side)
    group = own_group(world, side, command.armies, "W2-6.1")
    if not is_on_map(world, command.to):
        refuse(Refusal.NO_SUCH_TILE, "There is no such tile.", "W2-1.1")
    who = need_mover(world, book, group)
    route = routes.ordered(world, book, side, group, command.to)
    if route is None:
        refuse(Refusal.NO_WAY, "No way leads there.", "W2-5.3")
    if not command.betray:
        _need_treaty(world, book, side, command.to)
    _need_use(world, book, who, group, route.path)
    go(work, book, who, Orders(command.armies, route.path, command.betray))


def walk(work: Desk, book: Book, side: int, command: Walk) -> None:
    """A group goes along given tiles, as far as its points reach.

    Raises:
        Refused: no such group, the tiles do not lie beside one another or a step is closed, or the
            goal may not be attacked.

    Rules: W2-5.2, W2-6.1, W2-6.4, W2-12.3.
    """
    who = judged(work.state, book, side, command)
    go(work, book, who, Orders(command.armies, command.path, command.betray))


def judged(world: World, book: Book, side: int, command: Walk) -> Mover:
    """The mover of a walk that is allowed; the same questions serve orders and plans.

    Args:
        world: the position, or what the side sees of it.
        book: the rule book.
        side: whose order it is.
        command: the order.

    Raises:
        Refused: as in ``walk``.

    Rules: W2-5.2, W2-6.1, W2-6.4, W2-12.3.
    """
    known = sight.as_known(world, book, side)
    group = own_group(known, side, command.armies, "W2-6.1")
    who = need_mover(known, book, group)
    line = (group[0].at, *command.path)
    if len(line) < 2:
        refuse(Refusal.NOTHING_TO_DO, "That way has no steps.", "W2-6.4")
    _check_line(known, book, who, line)
    if not command.betray:
        _need_treaty(known, book, side, line[-1])
    _need_use(known, book, who, group, command.path)
    return who


def need_mover(world: World, book: Book, group: tuple[Army, ...]) -> Mover:
    """How a group moves.

    Raises:
        Refused: its armies cannot go together.

    Rules: W2-6.1.
    """
    who = groups.mover(world, book.moving, group)
    if who is None:
        text = "Boats, armies aboard and armies on land cannot go together."
        refuse(Refusal.MIXED_GROUP, text, "W2-6.1")
    return who


def _need_treaty(world: World, book: Book, side: int, at: Place) -> None:
    """Refuse an attack that would break a treaty, before anybody moves. Rules: W2-12.3."""
    if costs.is_attack(world, book, side, at) and not diplomacy.may_attack(world, book, side, at):
        text = "The treaty forbids that attack; it would be treachery."
        refuse(Refusal.TREACHERY, text, "W2-12.3")


def _check_line(world: World, book: Book, who: Mover, line: Path) -> None:
    """Refuse a way that cannot be gone, as far as the side knows."""
    known = costs.prices(world, book, who)
    for number in range(1, len(line)):
        here, there = line[number - 1], line[number]
        if not is_on_map(world, there) or not is_beside(here, there, 8):
            refuse(Refusal.NOT_BESIDE, "Each tile of a way lies beside the one before.", "W2-6.4")
        if sight.is_unknown(world, book, who.side, there):
            continue
        last = number == len(line) - 1
        price, shut = known.steps[there[1], there[0]], known.shut[there[1], there[0]]
        is_plain = price and not ports.is_coast_step(world, book.moving, who, there)
        able = is_plain or advancing.may_step(world, book, who, here, there)
        if not able or (not last and (shut or not price)):
            refuse(Refusal.NO_WAY, f"The step to {there[0]},{there[1]} is closed.", "W2-5.2")


def _need_use(world: World, book: Book, who: Mover, group: tuple[Army, ...], path: Path) -> None:
    """Refuse orders that would change nothing, as far as the side knows. Rules: W2-6.4."""
    bound = all(army.goal == path[-1] and not army.to_flag and not army.defends for army in group)
    if bound and not advancing.gets_on(world, book, who, group, path):
        refuse(Refusal.NO_POINTS, "They cannot go on this turn.", "W2-6.4")


def go(work: Desk, book: Book, who: Mover, orders: Orders, *, flag: bool = False) -> None:
    """A group goes along its way, attacks at its end, and keeps in mind what is left of it.

    ``flag``: the goal is wherever the rally flag is.

    Rules: W2-6.4, W2-6.5, W2-6.7, W2-11.
    """
    wake(work, orders.armies)
    advancing.advance(work, book, who, orders)
    alive = tuple(army for army in orders.armies if army in work.state.armies)
    if all(work.state.armies[army].at == orders.goal for army in alive):
        aim(work, alive, None)
    else:
        aim(work, alive, None if flag else orders.goal, flag=flag)
    if work.state.towers:
        towers.drop_unmanned(work)


def wake(work: Desk, armies: tuple[int, ...]) -> None:
    """Any order to move ends defending. Rules: W2-6.7."""
    awake = tuple(army for army in armies if work.state.armies[army].defends)
    if awake:
        work.emit(DefendSet(awake, on=False))


def aim(work: Desk, armies: tuple[int, ...], goal: Place | None, *, flag: bool = False) -> None:
    """Armies have a goal, or none; nothing happens where that is so already. Rules: W2-6.5."""
    rows = (work.state.armies[army] for army in armies)
    other = tuple(army.id for army in rows if army.goal != goal or army.to_flag != flag)
    if other:
        work.emit(GoalSet(other, goal, flag))
