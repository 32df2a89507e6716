"""Describe tiles, units, cards and battles, for the panel beside the map and for looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from engine.rulesets.kaladan import cursor
from engine.rulesets.kaladan.board import (
    capacity,
    controller,
    has_castle,
    neighbours,
    owned,
    standing,
    tile_names,
)
from engine.rulesets.kaladan.canvas import LETTERS
from engine.rulesets.kaladan.cards import chances_lines, danger_lines, income
from engine.rulesets.kaladan.dice_columns import dice_lines
from engine.rulesets.kaladan.odds import AttackForecast, battle_odds, worst_magic
from engine.rulesets.kaladan.pools import ATTACK, DEFENCE, SourcedPool, cards_at_work
from engine.rulesets.kaladan.state import (
    HIDDEN,
    NOBODY,
    SETUP_PHASES,
    Battle,
    Tile,
    Unit,
    View,
)
from engine.rulesets.kaladan.tables import (
    event_cards,
    first_seat,
    magic_cards,
    realms,
    terrains,
    unit_rows,
)
from engine.rulesets.kaladan.words import (
    TERRAIN,
    called,
    card_name,
    company,
    ground,
    joined,
    many,
    on,
    said,
    sentence,
    unit_name,
)
from engine.tabletop.board import Line
from engine.tabletop.english import whole_percent
from engine.tabletop.focus import NOTHING, Focus
from engine.tabletop.panel import chance_line, heading
from engine.tabletop.roles import Tone

# -- dice ------------------------------------------------------------------------------------------


def pool_text(dice: Sequence[int]) -> str:
    """Format dice in short, such as ``D12 2xD10``, largest first."""
    counts = {sides: list(dice).count(sides) for sides in sorted(set(dice), reverse=True)}
    return " ".join(
        f"{count}xD{sides}" if count > 1 else f"D{sides}" for sides, count in counts.items()
    )


def kind_text(kind: str) -> str:
    """Describe the dice of a type in attack and defence. See: KA-2.1."""
    row = unit_rows()[kind]
    return f"attack {pool_text(row.attack)}, defence {pool_text(row.defence)}"


def dice_text(view: View, unit: Unit) -> str:
    """Format the dice of a unit in attack and defence, such as ``D8/D8``. See: KA-2.1, KA-2.3."""
    row = unit_rows().get(unit.kind)
    if row is None:
        realm = realms().get(view.players[first_seat(unit.id)].realm)
        return pool_text(realm.dice) if realm is not None else ""
    attack = row.upgraded_attack if unit.upgraded else row.attack
    defence = row.upgraded_defence if unit.upgraded else row.defence
    if row.defence_on_castle and unit.tile and has_castle(view, unit.tile):
        defence = row.defence_on_castle
    return f"{pool_text(attack)}/{pool_text(defence)}"


_BONUS: Final = {
    "own_tile_castle": "in a Castle",
    "own_terrain_field": "from a Field",
    "own_terrain_forest": "from a Forest",
    "own_terrain_mountain": "on a Mountain",
    "with_own_general_or_crown": "beside a General or Crown",
    "enemy_tile_castle": "against a Castle",
}
_ROLES: Final = {"attack": "attacking", "defence": "defending", "both": "fighting"}


def special_text(realm: str) -> str:
    """Describe the Special Unit of a realm with its dice and their condition. See: KA-2.3."""
    row = realms()[realm]
    when = f"{_ROLES[row.bonus_role]} {_BONUS[row.bonus_when]}"
    return f"{row.special_name}, {pool_text(row.dice)}, {pool_text(row.bonus_dice)} {when}"


def special_dice(realm: str) -> str:
    """Format the dice of a realm's Special Unit, with its conditional ones. See: KA-2.3."""
    row = realms()[realm]
    return f"{pool_text(row.dice)} ({pool_text(row.bonus_dice)})"


def number_of(view: View, name: str) -> int:
    """Return the number of a tile from its id."""
    return tile_names(view.layout).index(name) + 1


# -- forecasts -------------------------------------------------------------------------------------


def percent(chance: Fraction) -> str:
    """Format a chance as whole percent; 0 and 100 only if it is certain."""
    return f"{whole_percent(chance)} %"


def chance_text(view: View, source: int, target: int) -> str:
    """Format the chance to clear a tile, in percent."""
    return percent(battle_odds(view, source, target).roll.clears).replace(" ", "")


def forecast(view: View, source: int, target: int) -> Iterator[Line]:
    """Forecast an attack: pools, chances, losses and Magic. See: KA-7.5, KA-7.6, KA-18.1."""
    odds = battle_odds(view, source, target)
    roll = odds.roll
    for side, name in ((ATTACK, "Attack"), (DEFENCE, "Defence")):
        yield Line(f"{name}: {_pool(odds.pools[side])}", rule="KA-7.5")
    tone = Tone.GOOD if roll.clears > Fraction(1, 2) else Tone.NORMAL
    pairs = many(roll.pairs, "pair")
    yield Line(f"{pairs}; {percent(roll.clears)} to clear {on(view, target)}.", tone, rule="KA-7.6")
    own, other = (f"{float(count):.1f}" for count in roll.expected)
    yield Line(f"Expected losses: {own} of yours, {other} of theirs.", rule="KA-7.7")
    if roll.invaders[1]:
        least, most = roll.invaders
        count = str(least) if least == most else f"{least} to {most}"
        yield Line(f"Then {count} must move in.", rule="KA-7.10")
    yield from _crowns(view, odds)
    yield from _magic(view, odds)


def _pool(pool: SourcedPool) -> str:
    sizes = pool_text([die.sides for die in pool])
    extra = sorted({die.source for die in pool} - {"unit"})
    return f"{sizes} ({', '.join(extra)} included)" if extra else sizes


def _crowns(view: View, odds: AttackForecast) -> Iterator[Line]:
    own, other = odds.roll.crowns
    if own:
        yield Line(f"{percent(own)} that your Crown must fall.", Tone.BAD, rule="KA-8.2")
    if other:
        enemy = called(view, controller(view, odds.target))
        text = f"{percent(other)} that the Crown of {enemy} must fall."
        yield Line(text, Tone.GOOD, rule="KA-8.2")


def _magic(view: View, odds: AttackForecast) -> Iterator[Line]:
    """Yield the worst possible effects of the enemy's Magic. See: KA-7.3."""
    seat = controller(view, odds.target)
    if view.options.magic == "off" or seat == NOBODY or not view.players[seat].hand:
        return
    worst = worst_magic(view, odds.source, odds.target, ATTACK)
    if worst.roll.clears < odds.roll.clears:
        card = card_name(worst.cards[DEFENCE])
        text = f"Enemy Magic at worst: {percent(worst.roll.clears)} ({card})."
        yield Line(text, Tone.QUIET, rule="KA-7.3")
    feared = worst_magic(view, odds.source, odds.target, ATTACK, fear="crown")
    if feared.roll.crowns[ATTACK] > odds.roll.crowns[ATTACK]:
        card, chance = card_name(feared.cards[DEFENCE]), percent(feared.roll.crowns[ATTACK])
        text = f"With {card}: {chance} that your Crown must fall."
        yield Line(text, Tone.BAD, rule="KA-8.2")


# -- tiles -----------------------------------------------------------------------------------------


def look(view: View, at: int) -> Iterator[Line]:
    """Describe a tile. See: KA-1.1, KA-1.2."""
    if at not in view.tiles:
        yield Line("Beyond the edge of the world.", Tone.QUIET, rule="KA-3.1")
        return
    tile = view.tiles[at]
    seat = controller(view, tile.id)
    held = f"held by {called(view, seat)}" if seat != NOBODY else "free"
    text = f"{on(view, tile.id)}, {ground(view, tile.id)}: {held}"
    yield said(view, text, seat, "KA-1.1", tile.id)
    beside = joined([on(view, other) for other in neighbours(view.layout, tile.id)])
    yield Line(f"Beside it: {beside}.", Tone.QUIET, rule="KA-3.2")
    if not tile.terrain:
        return
    units = standing(view, tile.id)
    room = f"{len(units)} of {capacity(tile)} units"
    if units:
        text = f"{company(view, [unit.id for unit in units])} ({room})"
        yield said(view, text, seat, "KA-1.2", tile.id)
    else:
        yield said(view, f"It holds {capacity(tile)} units", NOBODY, "KA-1.2", tile.id)
    row = terrains()[tile.terrain]
    for bonus, verb in (
        (row.attack_bonus_dice, "Attacks from here throw"),
        (row.defence_bonus_dice, "Its defence throws"),
    ):
        if bonus:
            yield Line(f"{verb} a {pool_text(bonus)} more.", rule="KA-1.2")
    attack = "" if view.battle_used else ", but may attack"
    for unit in units:
        done = f", no step left this turn{attack}" if unit.done else ""
        text = f"{unit_name(view, unit)}: {dice_text(view, unit)}{done}"
        yield said(view, text, seat, "KA-2.1", tile.id)


# -- the panel -------------------------------------------------------------------------------------


def panel(view: View, focus: Focus) -> Iterator[Line]:
    """Yield the lines beside the map: question, battle, tile, gold and hand."""
    tile = cursor.here(view, focus)
    if view.battle is not None:
        yield from battle_lines(view, view.battle, short=True)
    elif view.event is not None:
        yield from _event(view)
    elif view.drawn:
        yield Line(f"{TERRAIN[view.drawn]} to be placed", Tone.STRONG, rule="KA-5.2")
    if view.battle is None and focus.held != NOTHING and tile in cursor.attacks(view, focus.held):
        text = f"{on(view, focus.held)} against {on(view, tile)}"
        yield heading(text, rule="KA-7.2")
        chance = battle_odds(view, focus.held, tile).roll.clears
        yield chance_line("Clears it", chance, "KA-18.1")
        yield from forecast(view, focus.held, tile)
        return
    if tile and view.battle is None:
        yield from _tile(view, view.tiles[tile])
        if focus.held == NOTHING:
            yield from danger_lines(view, tile)
            yield from chances_lines(view, tile)
    if view.viewer in view.players:
        yield from _own(view)


def _tile(view: View, tile: Tile) -> Iterator[Line]:
    name = f"{on(view, tile.id)} {TERRAIN.get(tile.terrain, 'open')}"
    castle = ", Castle" if has_castle(view, tile.id) else ""
    seat = controller(view, tile.id)
    yield heading(f"{name}{castle}", seat, "KA-1.2")
    if not tile.terrain:
        return
    if seat == NOBODY:
        yield Line(f"free, holds {capacity(tile)}", Tone.QUIET, rule="KA-1.1")
        return
    units = standing(view, tile.id)
    yield Line(f"{called(view, seat)}, {len(units)} of {capacity(tile)}", seat=seat, rule="KA-1.2")
    for unit in units:
        sign = "+" if unit.upgraded else " "
        name = unit_name(view, unit).removesuffix("+")
        text = f"{LETTERS[unit.kind]}{sign} {name} {dice_text(view, unit)}"
        tone = Tone.QUIET if unit.done else Tone.NORMAL
        yield Line(text + (" no step" if unit.done else ""), tone, seat, "KA-2.1")


def _event(view: View) -> Iterator[Line]:
    card = event_cards().get(view.event.card) if view.event is not None else None
    if card is not None:
        yield heading(card.name, rule="KA-11")
        yield Line(card.text, rule="KA-11")


def _own(view: View) -> Iterator[Line]:
    """Yield the gold, reserve and hand of the viewer. See: KA-1, KA-15."""
    player = view.players[view.viewer]
    if view.phase in SETUP_PHASES and not player.realm:
        return
    title = f"{called(view, view.viewer)}: {player.gold} gold"
    yield heading(title, view.viewer, "KA-6.2")
    if view.phase not in SETUP_PHASES and (gain := income(view, view.viewer)):
        yield Line(f"income {gain} a turn", Tone.QUIET, view.viewer, "KA-6.2")
    waiting = [unit.id for unit in owned(view, view.viewer) if unit.place in ("reserve", "fallen")]
    if waiting and view.battle is None:
        yield Line(f"Reserve: {_stock(view, waiting)}", Tone.QUIET, view.viewer, "KA-1")
    for card in player.hand:
        row = magic_cards().get(card)
        if row is not None:
            when = "in battle" if row.timing == "declare" else "after battle"
            who = "" if row.role == "any" else f", {row.role}"
            yield Line(f"{row.name} ({when}{who})", Tone.STRONG, view.viewer, "KA-10.3")
            yield Line(row.text, Tone.QUIET, view.viewer, "KA-10.3")


def _letters(units: Sequence[Unit]) -> str:
    """Name units by the letters of the map, such as ``S S+ K``."""
    return " ".join(LETTERS[unit.kind] + "+" * unit.upgraded for unit in units) or "nobody is left"


def _stock(view: View, units: Sequence[int]) -> str:
    """Count units by the letters of the map, such as ``3S 2A G X``."""
    counts = Counter(LETTERS[view.units[unit].kind] for unit in units)
    return " ".join(f"{count}{letter}" if count > 1 else letter for letter, count in counts.items())


# -- battles ---------------------------------------------------------------------------------------


def battle_lines(view: View, battle: Battle, *, short: bool = False) -> Iterator[Line]:
    """Yield the battle so far: both sides, Magic, and the dice pair by pair.

    If ``short``, units are letters of the map. See: KA-7.
    """
    attacker, defender = battle.sides
    title = f"Battle of {on(view, defender.tile)}"
    yield heading(title, rule="KA-7.1")
    for side, word in ((attacker, "attacks"), (defender, "defends")):
        units = standing(view, side.tile)
        there = _letters(units) if short else company(view, [unit.id for unit in units])
        text = f"{called(view, side.seat)} {word}{':' if short else ' with'} {there}"
        yield Line(text if short else sentence(text), seat=side.seat, rule="KA-7.2")
        if side.card and side.card != HIDDEN:
            struck = " (struck by a negation)" if side.cancelled else ""
            yield Line(f"  Magic: {card_name(side.card)}{struck}", Tone.STRONG, side.seat, "KA-7.3")
        elif side.statement:
            said_so = "a card face down" if side.statement == "in" else "none"
            yield Line(f"  Magic: {said_so}", Tone.QUIET, side.seat, "KA-7.3")
    if battle.dice:
        yield from dice_lines(view, battle)
    else:
        yield from _forecast_in_battle(view, battle)


def _forecast_in_battle(view: View, battle: Battle) -> Iterator[Line]:
    source, target = (side.tile for side in battle.sides)
    if not standing(view, source) or not standing(view, target):
        return
    cards = cards_at_work(battle)
    odds = battle_odds(view, source, target, cards).roll
    text = f"{percent(odds.clears)} to clear the tile, {many(odds.pairs, 'pair')}"
    yield Line(sentence(text), Tone.QUIET, rule="KA-18.1")
