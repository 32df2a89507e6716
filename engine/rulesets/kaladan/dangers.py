"""Dangers for a Crown and its Castles, to be told before a turn ends."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from engine.rulesets.kaladan.board import controlled, controller, crown, has_castle, neighbours
from engine.rulesets.kaladan.odds import battle_odds
from engine.rulesets.kaladan.panels import percent
from engine.rulesets.kaladan.state import NOBODY, View
from engine.rulesets.kaladan.words import called, on, said
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone


def dangers(view: View) -> Iterator[Line]:
    """Lines about the viewer's Crown and Castles that enemies beside them can strike.

    The Crown comes first, then what is likeliest to be lost; each against its best attacker.

    Rules: KA-8.2, KA-18.1.
    """
    own = crown(view, view.viewer)
    home = own.tile if own is not None else 0
    found: list[tuple[bool, Fraction, int, int]] = []
    for tile in controlled(view, view.viewer):
        if tile != home and not has_castle(view, tile):
            continue
        for source in neighbours(view.layout, tile):
            if controller(view, source) not in (NOBODY, view.viewer):
                roll = battle_odds(view, source, tile).roll
                lost = roll.crowns[1] if tile == home else roll.clears
                found.append((tile != home, -lost, tile, source))
    named = set[int]()
    for not_home, chance, tile, source in sorted(found):
        if chance and tile not in named:
            named.add(tile)
            what = f"Castle of {on(view, tile)}" if not_home else "Your Crown"
            enemy = called(view, controller(view, source))
            text = f"{what} can fall to {enemy}: {percent(-chance)}."
            rule = "KA-18.1" if not_home else "KA-8.2"
            yield said(view, text, view.viewer, rule, tile, tone=Tone.BAD)
