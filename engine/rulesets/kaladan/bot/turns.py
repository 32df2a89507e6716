"""The turn of a computer player: free units, moves, attacks, purchases, marches.

Each option is tried on a board; the one that makes the board worth most is chosen. See: KA-18.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.core.record import replace
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.actions import joined
from engine.rulesets.kaladan.board import tile_name
from engine.rulesets.kaladan.bot.board import (
    BotBoard,
    Roll,
    losses_by_count,
    worth,
)
from engine.rulesets.kaladan.bot.choices import balance, feared
from engine.rulesets.kaladan.bot.values import TILE, Judge, assaults
from engine.rulesets.kaladan.odds import battle_odds, with_units
from engine.rulesets.kaladan.pools import ATTACK
from engine.rulesets.kaladan.purchases import is_upgradable, special_places, upgrade_price
from engine.rulesets.kaladan.state import BASIC, NOBODY, Unit
from engine.rulesets.kaladan.tables import tables, unit_rows

# -- purchases -------------------------------------------------------------------------------------


class Purchase(NamedTuple):
    """A purchase: a unit, and the tile where it appears or is upgraded."""

    unit: Unit
    tile: int
    upgrade: bool = False


def spend(board: BotBoard, seat: int) -> list[Purchase]:
    """Spend the gold of a seat on the board; return the purchases, in the book's order.

    Buy General, Special Unit, Catapult, then Basic units while there is room: Shields for the
    Crown, Archers elsewhere. Then upgrade units, first on the Crown's tile.
    Rules: KA-18.2. See: KA-6.5.
    """
    made: list[Purchase] = []
    while (bought := _next_unit(board, seat)) is not None:
        board.muster(bought.unit, bought.tile, _price(bought.unit))
        made.append(bought)
    crown = board.crown_tile(seat)
    tiles = sorted(board.held(seat), key=lambda tile: (tile != crown, tile))
    for tile in tiles:
        for unit in sorted(board.stacks[tile], key=lambda unit: (-worth(unit), unit.id)):
            price = upgrade_price(unit)
            if is_upgradable(unit) and price <= board.gold[seat]:
                board.upgrade(unit, tile, price)
                made.append(Purchase(unit, tile, upgrade=True))
    return made


def _price(unit: Unit) -> int:
    row = unit_rows().get(unit.kind)
    return row.price if row is not None else tables().prices.special


_DEAREST: Final = ("general", "special", "catapult")


def _next_unit(board: BotBoard, seat: int) -> Purchase | None:
    """Return the next unit that a seat buys, with its tile, or None."""
    gold, waiting = board.gold[seat], board.reserve[seat]
    if gold <= 0 or not waiting:
        return None
    crown = board.crown_tile(seat)
    held = board.held(seat)
    places = [tile for tile in held if tile in board.land.castles and board.room(tile) > 0]
    if not places and crown and board.room(crown) > 0:
        places = [crown]
    if not places:
        return None
    tile = crown if crown in places else places[0]
    wanted = [*_DEAREST, *_basics(board, tile, guards=tile == crown)]
    for kind in wanted:
        for unit in waiting:
            if unit.kind == kind and _price(unit) <= gold:
                return Purchase(unit, tile)
    return None


def _basics(board: BotBoard, tile: int, *, guards: bool) -> tuple[str, ...]:
    """Return the types of Basic units in the order in which a tile needs them."""
    shields = sum(unit.kind == "shield" for unit in board.stacks.get(tile, ()))
    if guards and shields < _SHIELDS:
        return "shield", "sword", "archer"
    return "archer", "sword", "shield"


_SHIELDS: Final = 2
"""Number of Shields beside a Crown before other units are raised there."""


# -- the turn --------------------------------------------------------------------------------------


def settled(judge: Judge, board: BotBoard) -> float:
    """Return the value of a board after spending the gold."""
    after = board.copy()
    if judge.seat in after.alive and len(after.alive) > 1:
        spend(after, judge.seat)
    return judge.value(after)


class StepPlan(NamedTuple):
    """A move of some units by one step."""

    source: int
    target: int
    units: tuple[int, ...]

    def command(self, layout: int) -> do.MoveUnits:
        """Return the command of the move."""
        here, there = tile_name(layout, self.source), tile_name(layout, self.target)
        return do.MoveUnits(here, there, self.units)


def action_plan(judge: Judge) -> list[do.AnyCommand]:
    """Return the commands of an Action Phase; the last one attacks or ends it."""
    board = judge.board()
    quiet = board.copy()
    moves = best_moves(judge, quiet)
    value = settled(judge, quiet)
    names = judge.layout
    if not board.fought:
        found = best_attack(judge, board)
        if found is not None and found[0] > value + judge.mood.margin:
            _, gathering, source, target = found
            attack = do.Attack(tile_name(names, source), tile_name(names, target))
            return [*(move.command(names) for move in gathering), attack]
    return [*(move.command(names) for move in moves), do.EndPhase()]


def best_moves(judge: Judge, board: BotBoard) -> list[StepPlan]:
    """Make moves on the board while each improves it, and return them."""
    made: list[StepPlan] = []
    value = settled(judge, board)
    while len(made) < _MOST_MOVES:
        best: tuple[float, StepPlan, BotBoard] | None = None
        for move in _moves(judge, board):
            tried = board.copy()
            chosen = [unit for unit in tried.stacks[move.source] if unit.id in move.units]
            tried.move(move.source, move.target, chosen)
            gain = settled(judge, tried)
            if gain > value + _LEAST_GAIN and (best is None or gain > best[0]):
                best = gain, move, tried
        if best is None:
            break
        value, move, after = best
        made.append(move)
        board.stacks, board.done = after.stacks, after.done
    return made


_MOST_MOVES: Final = 8
_LEAST_GAIN: Final = 0.02


def _moves(judge: Judge, board: BotBoard) -> Iterator[StepPlan]:
    """Yield moves worth trying: single units, all, and all but the Crown."""
    for source in board.held(judge.seat):
        units = [unit for unit in board.stacks[source] if unit.id not in board.done]
        if not units:
            continue
        for target in board.land.beside[source]:
            if board.owner(target) not in (NOBODY, judge.seat):
                continue
            for group in _groups(judge, units, board.room(target)):
                yield StepPlan(source, target, group)


def _groups(judge: Judge, units: Sequence[Unit], most: int) -> list[tuple[int, ...]]:
    if most <= 0:
        return []
    first = {(unit.kind, unit.upgraded): unit.id for unit in reversed(units)}
    found: list[tuple[int, ...]] = [(number,) for number in first.values()]
    others = [unit.id for unit in units if unit.kind != "crown"]
    if 1 < len(others) <= most:
        found.append(tuple(others))
    elif len(others) > most > 1:
        worths = judge.mood.worths
        ranked = sorted((u for u in units if u.kind != "crown"), key=lambda u: -worth(u, worths))
        found.append(tuple(sorted(unit.id for unit in ranked[:most])))
    if 1 < len(units) <= most and len(others) < len(units):
        found.append(tuple(unit.id for unit in units))
    return list(dict.fromkeys(found))


def best_attack(judge: Judge, board: BotBoard) -> tuple[float, list[StepPlan], int, int] | None:
    """Return the best attack: expected value, moves before it, source and target; or None."""
    found: list[tuple[float, int, int, list[Unit], Roll]] = []
    for target, defenders in board.stacks.items():
        if defenders[0].owner == judge.seat:
            continue
        for source, stack, roll in assaults(board, judge.seat, target, fresh=False):
            hasty = _hasty(board, stack, target, roll)
            found.append((hasty, source, target, stack, roll))
    found.sort(key=lambda one: (-one[0], one[1], one[2]))
    best: tuple[float, list[StepPlan], int, int] | None = None
    for _, source, target, stack, roll in found[: judge.mood.tries]:
        before = board.copy()
        gathering = _gather(before, source, stack)
        value = _expected(judge, before, source, target, roll) - _fear(judge, source, target, stack)
        if best is None or value > best[0]:
            best = value, gathering, source, target
    return best


def _fear(judge: Judge, source: int, target: int, stack: Sequence[Unit]) -> float:
    """Return the average loss of an attack to the defender's Magic. See: KA-18.2."""
    coming = [replace(unit, tile=source) for unit in stack if unit.tile != source]
    seen = with_units(judge.view, coming)
    worths = judge.mood.worths
    plain = balance(seen, battle_odds(seen, source, target), ATTACK, worths)
    return plain - feared(seen, (source, target), ATTACK, worths=worths)


def _hasty(board: BotBoard, stack: Sequence[Unit], target: int, roll: Roll) -> float:
    """Return the value of an attack by losses alone."""
    defenders = board.stacks[target]
    theirs, mine = (losses_by_count(units, board.worths) for units in (defenders, stack))
    found = sum(chance * (theirs[other] - mine[one]) for one, other, chance in roll.rows)
    if any(unit.kind == "crown" for unit in defenders):
        found += 30 * roll.clears
    if any(unit.kind == "crown" for unit in stack):
        found -= 30 * roll.beaten
    return found + TILE * roll.clears


def _gather(board: BotBoard, source: int, stack: Sequence[Unit]) -> list[StepPlan]:
    """Bring the units of a stack to its tile; return the moves."""
    moves = []
    ids = {unit.id for unit in stack}
    for tile in board.land.beside[source]:
        coming = [unit for unit in board.stacks.get(tile, ()) if unit.id in ids]
        if coming:
            board.move(tile, source, coming)
            moves.append(StepPlan(tile, source, tuple(unit.id for unit in coming)))
    return moves


def _expected(judge: Judge, board: BotBoard, source: int, target: int, roll: Roll) -> float:
    """Return the average value after an attack; the likeliest outcomes represent the rest."""
    defenders = len(board.stacks[target])
    value = 0.0
    for cleared in (True, False):
        rows = [row for row in roll.rows if (row[1] >= defenders) is cleared]
        whole = sum(row[2] for row in rows)
        if whole < _LEAST_CHANCE:
            continue
        rows = sorted(rows, key=lambda row: (-row[2], row))[: judge.mood.leaves]
        part = sum(row[2] for row in rows)
        for one, other, chance in rows:
            after = board.copy()
            after.strike(source, target, (one, other))
            value += chance / part * whole * settled(judge, after)
    return value


_LEAST_CHANCE: Final = 0.002


# -- other phases ----------------------------------------------------------------------------------


def spawn_plan(judge: Judge) -> list[do.AnyCommand]:
    """Return a free unit for each castle tile, then the end of the phase. See: KA-6.3."""
    board = judge.board()
    crown = board.crown_tile(judge.seat)
    made: list[do.AnyCommand] = []
    for tile in board.held(judge.seat):
        if tile not in board.land.castles or tile in judge.view.spawned or board.room(tile) <= 0:
            continue
        for kind in _basics(board, tile, guards=tile == crown):
            unit = next((u for u in board.reserve[judge.seat] if u.kind == kind), None)
            if unit is not None and unit.kind in BASIC:
                board.muster(unit, tile, 0)
                made.append(do.Spawn(tile_name(judge.layout, tile), unit.kind))
                break
    return [*made, do.EndPhase()]


def purchase_plan(judge: Judge) -> list[do.AnyCommand]:
    """Return purchases; a blind card comes last, because a new plan follows it. See: KA-18.2."""
    view, seat, names = judge.view, judge.seat, judge.layout
    board = judge.board()
    made: list[do.AnyCommand] = []
    for unit, tile, upgrade in spend(board, seat):
        if upgrade:
            made.append(do.UpgradeUnit(unit.id))
        elif unit.kind == "special":
            made.append(do.BringIn(unit.id, tile_name(names, tile)))
        else:
            made.append(do.BuyUnit(unit.kind, tile_name(names, tile)))
    prices, player = tables().prices, view.players[seat]
    specials = [unit for unit in board.reserve[seat] if unit.kind == "special"]
    if not made and specials and board.gold[seat] >= prices.special:
        places = special_places(view, seat)
        if places:
            return [do.BringIn(specials[0].id, tile_name(names, places[0]))]
    if player.deck and board.gold[seat] >= prices.buy_card + 2:
        return [*made, do.BuyCard()]
    return [*made, do.EndPhase()]


def march_plan(judge: Judge) -> list[do.AnyCommand]:
    """Return the march that most improves the position, or the end of the turn. See: KA-6.6."""
    board = judge.board()
    value = judge.value(board)
    best: tuple[float, do.AnyCommand] = (value + _LEAST_GAIN, do.EndPhase())
    for source in board.held(judge.seat):
        units = board.stacks[source]
        for target in joined(judge.view, judge.seat, source):
            for group in _groups(judge, units, board.room(target)):
                tried = board.copy()
                tried.move(source, target, [unit for unit in units if unit.id in group])
                gain = judge.value(tried)
                if gain > best[0]:
                    names = tile_name(judge.layout, source), tile_name(judge.layout, target)
                    best = gain, do.March(*names, group)
    return [best[1]]
