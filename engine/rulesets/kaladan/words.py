"""Names and texts for players: seats, tiles, units and cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from engine.rulesets.kaladan.board import tile_name, tile_names
from engine.rulesets.kaladan.boxes import spot
from engine.rulesets.kaladan.state import (
    HIDDEN,
    NOBODY,
    UNIT_KINDS,
    BattleVerdict,
    Phase,
    StateOrView,
    Unit,
    UnitKind,
    View,
)
from engine.rulesets.kaladan.tables import event_cards, first_seat, magic_cards, realms
from engine.tabletop import english, narration
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

PHASES: Final[Mapping[Phase, str]] = {
    "world": "Building the world",
    "realms": "Choosing realms",
    "castles": "Placing Castles",
    "deployment": "First units",
    "event": "Event Phase",
    "income": "Income Phase",
    "spawn": "Free Spawn Phase",
    "action": "Action Phase",
    "purchase": "Purchase Phase",
    "reinforcement": "Reinforcement Phase",
}
"""Names of the set-up steps and of the phases. See: KA-5, KA-6."""

VERDICTS: Final[Mapping[BattleVerdict, str]] = {
    "attacker_wins": "the attacker wins",
    "defender_wins": "the defender wins",
    "defender_holds": "the defender holds",
    "both_destroyed": "both sides are destroyed",
    "abandoned": "the battle is over, for one side has given up",
}
"""Outcomes of battles as text. See: KA-7.9."""

TERRAIN: Final[Mapping[str, str]] = {"field": "Field", "forest": "Forest", "mountain": "Mountain"}

joined, many, one, sentence = english.joined, english.many, english.article, english.sentence
mood = narration.mood


# -- seats, tiles ----------------------------------------------------------------------------------


def called(seen: StateOrView, seat: int) -> str:
    """Return the name of a seat: its realm, or its number before it has one."""
    if seat == NOBODY or seat not in seen.players:
        return "nobody"
    realm = seen.players[seat].realm
    return realms()[realm].name if realm in realms() else f"Player {seat + 1}"


def on(seen: StateOrView, tile: int) -> str:
    """Return the id of a tile, such as B2."""
    fits = 1 <= tile <= len(tile_names(seen.layout))
    return tile_name(seen.layout, tile) if fits else f"tile {tile}"


def ground(seen: StateOrView, tile: int) -> str:
    """Describe the terrain of a tile and its Castle."""
    here = seen.tiles[tile]
    land = TERRAIN.get(here.terrain, "Open ground")
    return f"{land} with a Castle" if here.castle != NOBODY else land


# -- units -----------------------------------------------------------------------------------------


def kind_name(kind: UnitKind | str) -> str:
    """Return the name of a type of unit."""
    return "Special Unit" if kind == "special" else kind.capitalize()


def unit_name(seen: StateOrView, unit: Unit) -> str:
    """Return the name of a unit: its type, or a Special Unit's own name."""
    if unit.kind != "special":
        return f"{kind_name(unit.kind)}+" if unit.upgraded else kind_name(unit.kind)
    maker = seen.players.get(first_seat(unit.id))
    realm = realms().get(maker.realm) if maker is not None else None
    return realm.special_name if realm is not None else "Special Unit"


def company(seen: StateOrView, units: Iterable[int]) -> str:
    """Describe units by type, such as ``2 Swords, 1 Shield and Nanchi``; ``nothing`` if empty."""
    found = [seen.units[unit] for unit in units if unit in seen.units]
    counts = Counter(unit_name(seen, unit) for unit in found)
    unique = {unit_name(seen, unit) for unit in found if unit.kind == "special"}
    order = sorted(found, key=lambda unit: (UNIT_KINDS.index(unit.kind), unit.upgraded, unit.id))
    names = dict.fromkeys(unit_name(seen, unit) for unit in order)
    listed = [name if name in unique else _several(counts[name], name) for name in names]
    return joined(listed) or "nothing"


def _several(count: int, name: str) -> str:
    """Count units of a type, such as ``2 Swords+``."""
    plain = name.removesuffix("+")
    return many(count, plain) + name[len(plain) :]


# -- cards -----------------------------------------------------------------------------------------


def card_name(card: str) -> str:
    """Return the name of a Magic card or event card."""
    if card in magic_cards():
        return magic_cards()[card].name
    if card in event_cards():
        return event_cards()[card].name
    return "a Magic card" if card in ("", HIDDEN) else card


# -- sentences -------------------------------------------------------------------------------------


def said(
    view: View, text: str, seat: int, rule: str, tile: int = 0, *, tone: Tone = Tone.NORMAL
) -> Line:
    """Return a line about a seat, and about a tile unless that is 0."""
    at = spot(view.layout, tile) if tile else None
    return Line(sentence(text), tone, seat, rule, at)
