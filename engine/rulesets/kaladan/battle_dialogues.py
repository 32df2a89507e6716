"""Dialogues of a battle: Magic, aims of cards, casualties, cards after the battle, invasion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from engine.core.record import Command, replace
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.aims import levy_kinds, levy_tiles, shift_pairs, victims
from engine.rulesets.kaladan.asking import ask_tile, ask_units
from engine.rulesets.kaladan.board import room, standing
from engine.rulesets.kaladan.dice_columns import dice_lines
from engine.rulesets.kaladan.magic import can_join, can_play_after, most_saved, savable
from engine.rulesets.kaladan.odds import current_odds
from engine.rulesets.kaladan.outcome import removed, side_of
from engine.rulesets.kaladan.panels import battle_lines, kind_text, percent
from engine.rulesets.kaladan.state import HIDDEN, BasicKind, Battle, View
from engine.rulesets.kaladan.tables import MagicCard, magic_cards
from engine.rulesets.kaladan.words import called, company, kind_name, many, on, sentence
from engine.tabletop.ask import AskConfirm, Choice
from engine.tabletop.board import Line
from engine.tabletop.dialogue import Dialogue, choose, choose_some, confirm
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone


def _battle(view: View) -> Battle:
    if view.battle is None:
        raise ValueError("there is no battle")
    return view.battle


def _hand(view: View) -> tuple[MagicCard, ...]:
    hand = view.players[view.viewer].hand
    return tuple(magic_cards()[card] for card in hand if card != HIDDEN)


def _card_choice(card: MagicCard | None, unfit: str) -> Choice:
    """Return the choice of a card, or of no card; ``unfit`` says why it cannot be played."""
    if card is None:
        return Choice("out", "No Magic")
    return Choice(card.id, f"{card.name}: {card.text}", unfit)


# -- before the roll -------------------------------------------------------------------------------


def _magic(view: View, _focus: Focus) -> Dialogue[Command]:
    """Ask for a Magic card, or to stay out. See: KA-7.3."""
    battle = _battle(view)

    def choice(card: MagicCard | None) -> Choice:
        fits = card is None or can_join(view, battle, view.viewer, card)
        plain = _card_choice(card, "" if fits else "no effect in this battle")
        return replace(plain, label=_changed(view, card) + plain.label)

    title = "Play a Magic card, face down?"
    card = yield from choose(title, (None, *_hand(view)), choice, _before(view, battle))
    return do.DeclareMagic(card.id if card else "")


def _before(view: View, battle: Battle) -> tuple[Line, ...]:
    """Return lines with both sides, their Magic so far, and a note on the odds. See: KA-7.3."""
    tile = on(view, battle.sides[1].tile)
    note = f"Below, before each choice: the chance that {tile} is cleared."
    return (*battle_lines(view, battle), Line(note, Tone.QUIET, rule="KA-18.1"))


def _fought(view: View, battle: Battle) -> Iterator[Line]:
    """Yield the units that each side has lost and has left. See: KA-7.8."""
    for side in battle.sides:
        lost = company(view, [unit.id for unit in removed(view, side.seat)])
        left = company(view, [unit.id for unit in standing(view, side.tile)])
        text = f"{called(view, side.seat)} loses {lost}, and has {left} on {on(view, side.tile)}"
        yield Line(sentence(text), seat=side.seat, rule="KA-7.8")


def _changed(view: View, card: MagicCard | None) -> str:
    """Return the chance, as a prefix, that the tile is cleared with a card. See: KA-18.1."""
    odds = current_odds(view, card.id if card else "")
    return f"{percent(odds.roll.clears):>5}  " if odds is not None else ""


def _aim(view: View, _focus: Focus) -> Dialogue[Command]:
    """Ask for the targets of the viewer's card. See: KA-10.2."""
    card = magic_cards()[side_of(_battle(view), view.viewer).card]
    match card.op:
        case "shift":
            return _shift(view)
        case "levy":
            return _levy(view, card)
        case _:
            return _assassinate(view, card)


def _shift(view: View) -> Dialogue[Command]:
    """Ask for two adjacent tiles, then for the units that swap places. See: KA-10.2."""

    def choice(pair: tuple[int, int] | None) -> Choice:
        if pair is None:
            return Choice("out", "Nobody")
        one, other = pair
        return Choice(f"{one}-{other}", f"{on(view, one)} and {on(view, other)}")

    pairs = shift_pairs(view, view.viewer)
    pair = yield from choose("Between which two tiles?", (*pairs, None), choice)
    if pair is None:
        return do.AimCard()
    units = [unit for tile in pair for unit in standing(view, tile)]
    chosen = yield from ask_units(view, "Which units change tiles?", units, 0, len(units))
    return do.AimCard(tuple(on(view, tile) for tile in pair), chosen)


def _levy(view: View, card: MagicCard) -> Dialogue[Command]:
    """Ask for a tile, then for types from the reserve. See: KA-10.2."""
    tiles = levy_tiles(view, _battle(view), view.viewer, card)
    tile = yield from ask_tile(view, "Bring them to which tile?", tiles, action="Bring them to")
    reserve = tuple(enumerate(levy_kinds(view, view.viewer)))

    def choice(unit: tuple[int, BasicKind]) -> Choice:
        number, kind = unit
        return Choice(f"{kind}-{number}", f"{kind_name(kind)}, {kind_text(kind)}")

    title, most = f"Which units come to {on(view, tile)}?", min(card.n, room(view, tile))
    chosen = yield from choose_some(title, reserve, choice, 0, min(most, len(reserve)))
    kinds = tuple(kind for _, kind in chosen)
    return do.AimCard((on(view, tile),), (), kinds) if kinds else do.AimCard()


def _assassinate(view: View, card: MagicCard) -> Dialogue[Command]:
    """Ask for the enemy units to remove. See: KA-10.2."""
    found = victims(view, _battle(view), view.viewer, card)
    most = min(card.n, len(found))
    return do.AimCard(units=(yield from ask_units(view, "Remove which units?", found, 0, most)))


# -- after the roll --------------------------------------------------------------------------------


def _losses(view: View, _focus: Focus) -> Dialogue[Command]:
    """Ask for casualties; confirm giving up the Crown while others remain. See: KA-7.7."""
    battle = _battle(view)
    side = side_of(battle, view.viewer)
    units, count, pairs = standing(view, side.tile), side.losses, tuple(dice_lines(view, battle))
    title = f"You lose {many(count, 'unit')}. Which?"
    chosen = yield from ask_units(view, title, units, count, count, pairs)
    if count < len(units) and any(view.units[unit].kind == "crown" for unit in chosen):
        line = Line("If your Crown falls you are out of the war.", Tone.BAD, rule="KA-8.1")
        yield from confirm(AskConfirm("Give up your Crown?", (line, *pairs)))
    return do.ChooseLosses(chosen)


def _after(view: View, _focus: Focus) -> Dialogue[Command]:
    """Ask for an after-battle card, and for the units that it takes back. See: KA-7.8."""
    battle = _battle(view)

    def choice(card: MagicCard | None) -> Choice:
        fits = card is None or can_play_after(view, battle, view.viewer, card)
        return _card_choice(card, "" if fits else "not playable now")

    title = "Play Magic after the dice?"
    card = yield from choose(title, (None, *_hand(view)), choice, _fought(view, battle))
    if card is None or card.op != "save":
        return do.AfterMagic(card.id if card else "")
    found = savable(view, view.viewer, card)
    if len(found) == 1:
        return do.AfterMagic(card.id, (found[0].id,))
    most = min(most_saved(view, battle, card), len(found))
    saved = yield from ask_units(view, "Which units come back?", found, 1, most)
    return do.AfterMagic(card.id, saved)


def _invasion(view: View, _focus: Focus) -> Dialogue[Command]:
    """Ask for the exact number of units that move in. See: KA-7.10."""
    battle = _battle(view)
    source, target = (side.tile for side in battle.sides)
    count = battle.invaders
    title = f"{many(count, 'unit')} must move into {on(view, target)}. Which?"
    return do.Invade((yield from ask_units(view, title, standing(view, source), count, count)))


DIALOGUES: Final[Mapping[str, Callable[[View, Focus], Dialogue[Command]]]] = {
    "magic": _magic,
    "aim": _aim,
    "losses": _losses,
    "after": _after,
    "invasion": _invasion,
}
"""Dialogues by the battle step that they answer."""
