"""Dialogues of a battle: Magic, aims of cards, casualties, cards after the battle, invasion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from engine.core.record import Command
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.aims import levy_kinds, levy_tiles, shift_pairs, victims
from engine.rulesets.kaladan.asking import (
    Dialogue,
    ask_tile,
    picked,
    some_units,
    tile_of,
    unit_choices,
    units_of,
)
from engine.rulesets.kaladan.board import room, standing, tile_name
from engine.rulesets.kaladan.dice_columns import dice_lines
from engine.rulesets.kaladan.magic import can_join, can_play_after, most_saved, savable
from engine.rulesets.kaladan.odds import current_odds
from engine.rulesets.kaladan.outcome import removed, side_of
from engine.rulesets.kaladan.panels import battle_lines, kind_text, percent
from engine.rulesets.kaladan.state import HIDDEN, BasicKind, Battle, View
from engine.rulesets.kaladan.tables import MagicCard, magic_cards
from engine.rulesets.kaladan.words import called, company, kind_name, many, on, sentence
from engine.tabletop.ask import AnyAsk, AskConfirm, AskOne, AskSome, Choice
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

_OUT: Final = "out"


def _battle(view: View) -> Battle:
    if view.battle is None:
        raise ValueError("there is no battle")
    return view.battle


def _hand(view: View) -> tuple[MagicCard, ...]:
    hand = view.players[view.viewer].hand
    return tuple(magic_cards()[card] for card in hand if card != HIDDEN)


def _cards(
    view: View, out: str, unfit: str, fits: Callable[[MagicCard], bool]
) -> tuple[Choice, ...]:
    """Return the choice to stay out and all cards in hand; unfit ones have a reason."""
    cards = (
        Choice(card.id, f"{card.name}: {card.text}", "" if fits(card) else unfit)
        for card in _hand(view)
    )
    return Choice(_OUT, out), *cards


# -- before the roll -------------------------------------------------------------------------------


def _magic(view: View, _focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    """Ask for a Magic card, or to stay out. Rules: KA-7.3."""
    battle = _battle(view)
    choices = tuple(
        Choice(choice.value, _changed(view, choice.value) + choice.label, choice.reason)
        for choice in _cards(
            view,
            "No Magic",
            "no effect in this battle",
            lambda card: can_join(view, battle, view.viewer, card),
        )
    )
    if not answers:
        return AskOne("Play a Magic card, face down?", choices, _before(view, battle))
    chosen = picked(choices, answers[0])
    return do.DeclareMagic("" if chosen == _OUT else chosen)


def _before(view: View, battle: Battle) -> tuple[Line, ...]:
    """Return lines with both sides, their Magic so far, and a note on the odds. Rules: KA-7.3."""
    tile = on(view, battle.sides[1].tile)
    note = f"Below, before each choice: the chance that {tile} is cleared."
    return (*battle_lines(view, battle), Line(note, Tone.QUIET, rule="KA-18.1"))


def _fought(view: View, battle: Battle) -> Iterator[Line]:
    """Yield the units that each side has lost and has left. Rules: KA-7.8."""
    for side in battle.sides:
        lost = company(view, [unit.id for unit in removed(view, side.seat)])
        left = company(view, [unit.id for unit in standing(view, side.tile)])
        text = f"{called(view, side.seat)} loses {lost}, and has {left} on {on(view, side.tile)}"
        yield Line(sentence(text), seat=side.seat, rule="KA-7.8")


def _changed(view: View, card: str) -> str:
    """Return the chance, as a prefix, that the tile is cleared with a card. Rules: KA-18.1."""
    odds = current_odds(view, "" if card == _OUT else card)
    return f"{percent(odds.roll.clears):>5}  " if odds is not None else ""


def _aim(view: View, _focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    """Ask for the targets of the viewer's card. Rules: KA-10.2."""
    card = magic_cards()[side_of(_battle(view), view.viewer).card]
    match card.op:
        case "shift":
            return _shift(view, answers)
        case "levy":
            return _levy(view, card, answers)
        case _:
            return _assassinate(view, card, answers)


def _shift(view: View, answers: Sequence[str]) -> AnyAsk | Command:
    """Ask for two adjacent tiles, then for the units that swap places. Rules: KA-10.2."""
    pairs, rest = shift_pairs(view, view.viewer), list(answers)
    choices = (
        *(
            Choice(f"{one}-{other}", f"{on(view, one)} and {on(view, other)}")
            for one, other in pairs
        ),
        Choice(_OUT, "Nobody"),
    )
    if not rest:
        return AskOne("Between which two tiles?", choices)
    chosen = picked(choices, rest.pop(0))
    if chosen == _OUT:
        return do.AimCard()
    one, other = map(int, chosen.split("-"))
    units = (*standing(view, one), *standing(view, other))
    if not rest:
        title = "Which units change tiles?"
        return AskSome(title, unit_choices(view, units, placed=True), 0, len(units))
    names = tile_name(view.layout, one), tile_name(view.layout, other)
    return do.AimCard(names, units_of(rest[0]))


def _levy(view: View, card: MagicCard, answers: Sequence[str]) -> AnyAsk | Command:
    """Ask for a tile, then for types from the reserve. Rules: KA-10.2."""
    tiles, rest = levy_tiles(view, _battle(view), view.viewer, card), list(answers)
    if len(tiles) > 1 and not rest:
        return ask_tile(view, "Bring them to which tile?", tiles, action="Bring them to")
    tile = tile_of(view, tiles, rest.pop(0)) if len(tiles) > 1 else tiles[0]
    kinds = levy_kinds(view, view.viewer)
    choices = tuple(
        Choice(f"{kind}-{number}", f"{kind_name(kind)}, {kind_text(kind)}")
        for number, kind in enumerate(kinds)
    )
    most = min(card.n, room(view, tile), len(choices))
    if not rest:
        return AskSome(f"Which units come to {on(view, tile)}?", choices, 0, most)
    words = [word.partition("-")[0] for word in rest[0].split(">") if word]
    chosen: tuple[BasicKind, ...] = tuple(
        next(kind for kind in kinds if kind == word) for word in words
    )
    return do.AimCard((tile_name(view.layout, tile),), (), chosen) if chosen else do.AimCard()


def _assassinate(view: View, card: MagicCard, answers: Sequence[str]) -> AnyAsk | Command:
    """Ask for the enemy units to remove. Rules: KA-10.2."""
    found = victims(view, _battle(view), view.viewer, card)
    if not answers:
        return some_units(view, "Remove which units?", found, 0, min(card.n, len(found)))
    return do.AimCard(units=units_of(answers[0]))


# -- after the roll --------------------------------------------------------------------------------


def _losses(view: View, _focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    """Ask for casualties; confirm giving up the Crown while others remain. Rules: KA-7.7."""
    battle = _battle(view)
    side = side_of(battle, view.viewer)
    units = standing(view, side.tile)
    if not answers:
        title = f"You lose {many(side.losses, 'unit')}. Which?"
        pairs = tuple(dice_lines(view, battle))
        return some_units(view, title, units, side.losses, side.losses, pairs)
    chosen = units_of(answers[0])
    crown = any(view.units[unit].kind == "crown" for unit in chosen if unit in view.units)
    if crown and len(chosen) < len(units) and len(answers) == 1:
        lines = (
            Line("If your Crown falls you are out of the war.", Tone.BAD, rule="KA-8.1"),
            *dice_lines(view, battle),
        )
        return AskConfirm("Give up your Crown?", lines)
    return do.ChooseLosses(chosen)


def _after(view: View, _focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    """Ask for an after-battle card, and for the units that it takes back. Rules: KA-7.8."""
    battle, rest = _battle(view), list(answers)
    choices = _cards(
        view,
        "No Magic",
        "not playable now",
        lambda card: can_play_after(view, battle, view.viewer, card),
    )
    if not rest:
        return AskOne("Play Magic after the dice?", choices, tuple(_fought(view, battle)))
    chosen = picked(choices, rest.pop(0))
    if chosen == _OUT:
        return do.AfterMagic()
    card = magic_cards()[chosen]
    if card.op != "save":
        return do.AfterMagic(chosen)
    found = savable(view, view.viewer, card)
    most = min(most_saved(view, battle, card), len(found))
    if len(found) == 1:
        return do.AfterMagic(chosen, (found[0].id,))
    if not rest:
        return some_units(view, "Which units come back?", found, 1, most)
    return do.AfterMagic(chosen, units_of(rest[0]))


def _invasion(view: View, _focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    """Ask for the exact number of units that move in. Rules: KA-7.10."""
    battle = _battle(view)
    source, target = (side.tile for side in battle.sides)
    units = standing(view, source)
    if not answers:
        title = f"{many(battle.invaders, 'unit')} must move into {on(view, target)}. Which?"
        return some_units(view, title, units, battle.invaders, battle.invaders)
    return do.Invade(units_of(answers[0]))


DIALOGUES: Final[Mapping[str, Dialogue]] = {
    "magic": _magic,
    "aim": _aim,
    "losses": _losses,
    "after": _after,
    "invasion": _invasion,
}
"""Dialogues by the battle step that they answer."""
