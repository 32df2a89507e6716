"""The invariants of section 21 of the rule book, checked along a whole game.

``Watch`` follows the events of a game and yields faults, each with the number of its invariant.
Invariant 9 concerns exact odds; 13 and 17 need more than events and are checked by ``soak``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from engine.kit.dice_pools import pair_losses
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import (
    capacity,
    controller,
    living,
    neighbours,
    on_board,
    standing,
)
from engine.rulesets.kaladan.pools import ATTACK, DEFENCE, cards_at_work
from engine.rulesets.kaladan.purchases import special_places
from engine.rulesets.kaladan.state import NOBODY, SETUP_PHASES, State, Unit
from engine.rulesets.kaladan.tables import first_seat, magic_cards, realm_deck, unit_rows

_COUNTS: Final = {kind: row.count for kind, row in unit_rows().items()} | {"special": 1}
_SPECIAL_PRICE: Final = 2


class Watch:
    """A game that is checked event by event."""

    def __init__(self, state: State) -> None:
        self._battles = int(state.battle_used)
        self._castles = {tile.id: tile.castle for tile in state.tiles.values()}

    def event(self, before: State, event: ev.AnyEvent, after: State) -> Iterator[str]:
        """Yield the faults of an event and of the state after it."""
        yield from _of_units(after)
        yield from _of_tiles(after)
        yield from _of_cards(after)
        yield from self._of_castles(after)
        for player in after.players.values():
            if player.gold < 0:
                yield f"11: seat {player.id} has {player.gold} gold"
        yield from _of_returns(before, event, after)
        yield from _of_purchase(before, event, after)
        yield from _of_battle(before, event, after)
        match event:
            case ev.TurnBegan():
                self._battles = 0
            case ev.BattleDeclared():
                self._battles += 1
                yield from self._of_declaration(before, event)
            case _:
                pass

    def entry(self, events: tuple[ev.AnyEvent, ...], after: State) -> Iterator[str]:
        """Yield the faults of a state in which a seat has to choose or the game is over."""
        begun = after.phase not in SETUP_PHASES
        for seat, player in after.players.items():
            own = on_board(after, seat)
            crowns = sum(unit.kind == "crown" for unit in own)
            if begun and player.alive and after.battle is None and crowns != 1:
                yield f"3: seat {seat} has {crowns} Crowns"
            if not player.alive and (own or player.gold or player.hand or player.deck):
                yield f"3: seat {seat} is out, but not all that it had"
        limit = after.options.round_limit
        last_round = any(isinstance(one, ev.RoundEnded) and one.round == limit for one in events)
        over = (after.battle is None and len(living(after)) <= 1) or (bool(limit) and last_round)
        if bool(after.reason) != over or bool(after.winners) != over:
            yield f"18: {after.reason!r} with {living(after)} alive"
        if after.reason == "last_crown" and after.winners != living(after):
            yield f"18: {after.winners} won, {living(after)} is left"
        if limit and after.round > limit:
            yield f"18: round {after.round} of {limit}"

    def _of_castles(self, after: State) -> Iterator[str]:
        for tile in after.tiles.values():
            known = self._castles.setdefault(tile.id, tile.castle)
            if known not in (NOBODY, tile.castle):
                yield f"16: the Castle on tile {tile.id} moved"
            self._castles[tile.id] = tile.castle
        built = sum(tile.castle != NOBODY for tile in after.tiles.values())
        if after.phase not in SETUP_PHASES and built != len(after.players):
            yield f"16: {built} Castles of {len(after.players)} seats"

    def _of_declaration(self, before: State, event: ev.BattleDeclared) -> Iterator[str]:
        if self._battles > 1:
            yield "4: a second battle in one turn"
        owners = controller(before, event.source), controller(before, event.target)
        if owners != (event.attacker, event.defender) or NOBODY in owners:
            yield f"4: the tiles belong to {owners}"
        if event.target not in neighbours(before.layout, event.source):
            yield "4: the tiles are not adjacent"
        if event.attacker == event.defender or not before.players[event.defender].alive:
            yield "4: no living enemy is attacked"


# -- units, tiles, cards ---------------------------------------------------------------------------


def _of_units(after: State) -> Iterator[str]:
    chosen = [player.id for player in after.players.values() if player.realm]
    army = Counter((first_seat(unit.id), unit.kind) for unit in after.units.values())
    if army != {(seat, kind): count for seat in chosen for kind, count in _COUNTS.items()}:
        yield f"1: the armies are {army}"
    for unit in after.units.values():
        if (unit.place == "board") != (unit.tile > 0):
            yield f"1: {unit.id} is in two places or in none"
        if unit.owner != first_seat(unit.id) and unit.kind != "special":
            yield f"1: {unit.id} changed hands"
        if unit.place == "removed" and after.battle is None and not after.reason:
            yield f"1: {unit.id} is removed without a battle"
        if unit.upgraded and unit.place in ("reserve", "fallen"):
            yield f"1: {unit.id} is upgraded in the reserve"


def _of_tiles(after: State) -> Iterator[str]:
    for tile in after.tiles.values():
        here = standing(after, tile.id)
        if len({unit.owner for unit in here}) > 1:
            yield f"2: two armies on tile {tile.id}"
        if here and len(here) > capacity(tile):
            yield f"2: {len(here)} units on tile {tile.id}"


def _of_cards(after: State) -> Iterator[str]:
    for player in after.players.values():
        cards = (*player.hand, *player.deck, *player.spent)
        if len({*cards}) != len(cards):
            yield f"12: seat {player.id} has a card twice"
        dealt = after.options.magic == "on" and after.phase not in SETUP_PHASES
        if player.alive and sorted(cards) != sorted(realm_deck(player.realm) if dealt else cards):
            yield f"12: seat {player.id} has {len(cards)} cards"
        if after.options.magic == "off" and cards:
            yield f"12: seat {player.id} has cards although there are none"


def _of_returns(before: State, event: ev.AnyEvent, after: State) -> Iterator[str]:
    """Check units that come onto the board or return from the dead."""
    if before.units is after.units:
        return
    for unit in after.units.values():
        if unit.id not in before.units:
            continue
        old = before.units[unit.id]
        if old.place == unit.place:
            continue
        if old.place == "dead":
            basic = unit.kind not in ("general", "crown")
            if not (basic and isinstance(event, ev.EventApplied) and unit.place == "board"):
                yield f"14: {unit.id} came back from the dead by {type(event).__name__}"
        if unit.kind == "special" and unit.place == "board" and old.place != "removed":
            yield from _of_special(before, event, old)


def _of_special(before: State, event: ev.AnyEvent, old: Unit) -> Iterator[str]:
    """Check a Special Unit that came onto the board; one removed in this battle may return."""
    match event:
        case ev.SpecialBroughtIn():
            if event.tile not in special_places(before, event.seat):
                yield f"15: {old.id} came in on tile {event.tile}"
        case ev.SpecialTransferred():
            battle = before.battle
            if battle is None or event.tile != battle.sides[DEFENCE].tile:
                yield f"15: {old.id} appeared on tile {event.tile}"
        case _:
            yield f"15: {old.id} came in by {type(event).__name__}"


# -- purchases -------------------------------------------------------------------------------------


def _of_purchase(before: State, event: ev.AnyEvent, after: State) -> Iterator[str]:
    match event:
        case ev.UnitBought() | ev.UnitUpgraded() | ev.SpecialBroughtIn():
            yield from _of_price(before, event)
        case ev.CardBought() | ev.CardSwapped():
            yield from _of_card_price(before, event, after)
        case _:
            pass


def _of_price(
    before: State, event: ev.UnitBought | ev.UnitUpgraded | ev.SpecialBroughtIn
) -> Iterator[str]:
    row = unit_rows().get(before.units[event.unit].kind)
    match event:
        case ev.UnitBought() if row is not None:
            price = row.price
        case ev.UnitUpgraded() if row is not None:
            price = row.upgrade_price
        case _:
            price = _SPECIAL_PRICE
    paid = before.players[event.seat].gold - event.gold
    if paid != price or before.phase != "purchase":
        yield f"11: {paid} gold for {type(event).__name__} in the {before.phase} phase"


def _of_card_price(
    before: State, event: ev.CardBought | ev.CardSwapped, after: State
) -> Iterator[str]:
    own, now = before.players[event.seat], after.players[event.seat]
    bought = isinstance(event, ev.CardBought)
    price = (4 if bought else 2) if before.phase == "purchase" else 0
    if own.gold - now.gold != price:
        yield f"11: {own.gold - now.gold} gold for {type(event).__name__}"
    if len(now.hand) - len(own.hand) != bought:
        yield f"12: a hand of {len(own.hand)} cards became one of {len(now.hand)}"


# -- battles ---------------------------------------------------------------------------------------


def _of_battle(before: State, event: ev.AnyEvent, after: State) -> Iterator[str]:
    match event:
        case ev.DiceRolled():
            yield from _of_pools(before, event)
        case ev.PairsCompared():
            yield from _of_pairs(before, event)
        case ev.BattleJudged():
            yield from _of_verdict(after, event)
        case ev.Invaded():
            yield from _of_invasion(before, event, after)
        case ev.BattleEnded():
            yield from _of_end(before, event, after)
        case _:
            pass


def _of_pools(before: State, event: ev.DiceRolled) -> Iterator[str]:
    battle = before.battle
    if battle is None:
        yield "8: dice without a battle"
        return
    cards = [magic_cards().get(card) for card in cards_at_work(battle)]
    for side, terrain in ((ATTACK, "forest"), (DEFENCE, "mountain")):
        mine, enemy = cards[side], cards[1 - side]
        units = standing(before, battle.sides[side].tile)
        stripped = enemy is not None and enemy.op == "strip_terrain"
        tile = before.tiles[battle.sides[side].tile]
        due = len(units) + (tile.terrain == terrain and not stripped)
        if side == ATTACK:
            due += sum(unit.kind == "catapult" for unit in units)
        elif before.options.castle_die == "d8" and tile.castle != NOBODY:
            due += 1
        due += mine.n if mine is not None and mine.op == "extra_die" else 0
        dice = [die for die in event.dice if die.side == side]
        if len(dice) != due:
            yield f"8: {len(dice)} dice, not {due}, for side {side}"
        if not all(1 <= die.value <= die.sides for die in dice):
            yield f"8: a die of side {side} shows what it cannot"
    sizes = [tuple(sorted(d.sides for d in event.dice if d.side == side)) for side in (0, 1)]
    yield from _of_odds(sizes[0], sizes[1])


def _of_odds(attack: tuple[int, ...], defence: tuple[int, ...]) -> Iterator[str]:
    found, total = pair_losses(attack, defence), 1
    for size in (*attack, *defence):
        total *= size
    if sum(found.values()) != total:
        yield f"9: the counts of {attack} against {defence} do not sum to {total}"
    mirrored = {(lost[1], lost[0]): count for lost, count in found.items()}
    if mirrored != dict(pair_losses(defence, attack)):
        yield f"9: {attack} against {defence} is not mirrored"


def _of_pairs(before: State, event: ev.PairsCompared) -> Iterator[str]:
    battle = before.battle
    if battle is None:
        return
    cards = [magic_cards().get(card) for card in cards_at_work(battle)]
    ops = [card.op if card is not None else "" for card in cards]
    left: list[list[int]] = []
    for side in (ATTACK, DEFENCE):
        values = sorted((die.value for die in battle.dice if die.side == side), reverse=True)
        enemy = cards[1 - side]
        drops = enemy.n if enemy is not None and enemy.op == "drop_highest" else 0
        left.append(values[drops:])
    pairs = tuple(zip(*left, strict=False))
    if event.pairs != pairs or len(pairs) != min(map(len, left)):
        yield f"5: pairs {event.pairs}, not {pairs}"
    ties = sum(one == other for one, other in pairs)
    lost = [sum(one < other for one, other in pairs), sum(one > other for one, other in pairs)]
    if ops.count("ties_win") == 1:
        lost[1 - ops.index("ties_win")] += ties
        ties = 0
    if list(event.lost) != lost or sum(event.lost) + ties != len(pairs):
        yield f"5: {event.lost} lost, not {lost}"
    for side in (ATTACK, DEFENCE):
        card = cards[side]
        units = len(standing(before, battle.sides[side].tile))
        cap = card.n if card is not None and card.op == "loss_cap" else units
        if event.losses[side] != min(event.lost[side], units, cap):
            yield f"6: {event.losses[side]} casualties of side {side}"


def _of_verdict(after: State, event: ev.BattleJudged) -> Iterator[str]:
    battle = after.battle
    if battle is None or event.verdict != "attacker_wins":
        if event.invaders:
            yield "10: an invasion without a victory"
        return
    source, target = (side.tile for side in battle.sides)
    kept = 1 if battle.arrivals else 0
    due = min(len(standing(after, source)), capacity(after.tiles[target]) - kept)
    if event.invaders != due or standing(after, target):
        yield f"10: {event.invaders} must move in, not {due}"


def _of_invasion(before: State, event: ev.Invaded, after: State) -> Iterator[str]:
    battle = before.battle
    if battle is None or len(event.units) != battle.invaders:
        yield f"10: {len(event.units)} moved in"
    if controller(after, event.target) != event.seat:
        yield "10: the battle tile is not the attacker's"


def _of_end(before: State, event: ev.BattleEnded, after: State) -> Iterator[str]:
    battle = before.battle
    if battle is None:
        yield "10: a battle ended that was none"
        return
    attacker, defender = battle.sides
    owner = controller(after, defender.tile)
    due = {"attacker_wins": attacker.seat, "defender_wins": defender.seat}
    due["defender_holds"] = defender.seat
    if event.verdict in due and owner != due[event.verdict]:
        yield f"10: {event.verdict}, and the battle tile belongs to {owner}"
    for side in battle.sides:
        if not all(unit.done for unit in standing(after, side.tile)):
            yield "10: a unit that fought is not done"
