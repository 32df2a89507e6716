"""Panel cards: danger to the viewer's tiles, chances to attack, income, and all seats' forces."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from engine.kit.identity_cache import identity_cache
from engine.rulesets.kaladan.board import capacity, controller, neighbours, standing
from engine.rulesets.kaladan.odds import battle_odds
from engine.rulesets.kaladan.state import NOBODY, View
from engine.rulesets.kaladan.tables import tables
from engine.rulesets.kaladan.turns import income_of, statistics
from engine.rulesets.kaladan.words import called, on
from engine.tabletop.board import Line
from engine.tabletop.english import whole_percent
from engine.tabletop.panel import chance_line, force_lines, heading
from engine.tabletop.roles import Tone


def attacks_on(view: View, tile: int, attacker: int | None = None) -> list[tuple[int, Fraction]]:
    """Return the adjacent tiles from which a held tile can be attacked, the strongest first.

    Each has its chance to clear the tile. By default all seats except the holder are attackers.
    See: KA-7.2, KA-18.1.
    """
    spared = (NOBODY, controller(view, tile))
    found = [
        (other, battle_odds(view, other, tile).roll.clears)
        for other in neighbours(view.layout, tile)
        if (seat := controller(view, other)) not in spared and attacker in (None, seat)
    ]
    return sorted(found, key=lambda attack: (-attack[1], attack[0]))


def threats(view: View, tile: int) -> tuple[str, ...]:
    """Name who can attack one of the viewer's tiles, from where, and with what chance to clear it.

    Enemies who must step first are named without a chance. See: KA-6.4, KA-7.2, KA-18.1.
    """
    if controller(view, tile) != view.viewer:
        return ()
    beside = [
        f"{called(view, controller(view, source))} from {on(view, source)},"
        f" {whole_percent(chance)} %"
        for source, chance in attacks_on(view, tile)
    ]
    nearer = [
        f"{called(view, controller(view, source))} from {on(view, source)}, after a step"
        for source in _stepping(view, tile)
    ]
    return (*beside, *nearer)


def _stepping(view: View, tile: int) -> list[int]:
    """Return the tiles from which enemies can step beside a tile of the viewer, and attack it."""
    beside = neighbours(view.layout, tile)
    open_tiles = [
        via
        for via in beside
        if (ground := view.tiles[via]).terrain
        and controller(view, via) != view.viewer
        and len(standing(view, via)) < capacity(ground)
    ]
    return sorted(
        source
        for source in {far for via in open_tiles for far in neighbours(view.layout, via)}
        if source not in beside
        and (seat := controller(view, source)) not in (NOBODY, view.viewer)
        and any(
            source in neighbours(view.layout, via) and controller(view, via) in (NOBODY, seat)
            for via in open_tiles
        )
    )


def danger_lines(view: View, tile: int) -> Iterator[Line]:
    """Yield the worst attack that one of the viewer's tiles faces now. See: KA-7.2, KA-18.1."""
    if controller(view, tile) != view.viewer:
        return
    for source, chance in attacks_on(view, tile)[:1]:
        yield heading("If it stays so", rule="KA-18.1")
        seat = controller(view, source)
        text = f"{called(view, seat)} can attack from {on(view, source)}"
        yield Line(text, Tone.NORMAL, seat, "KA-7.2")
        yield chance_line("Holds", 1 - chance, "KA-18.1")


def chances_lines(view: View, tile: int) -> Iterator[Line]:
    """Yield the viewer's best chance against an adjacent enemy tile. See: KA-18.1."""
    if controller(view, tile) in (NOBODY, view.viewer):
        return
    if found := attacks_on(view, tile, view.viewer):
        yield chance_line("You clear it", found[0][1], "KA-18.1")


def income(view: View, seat: int) -> int:
    """Return the gold that a seat would be paid now. See: KA-6.2."""
    tiles, built = income_of(view, seat)
    turn = tables().turn
    return tiles * turn.income_per_tile + built * turn.income_per_castle_extra


@identity_cache
def forces(view: View) -> tuple[Line, ...]:
    """Return lines with the tiles, castles and units of all seats."""
    numbers = statistics(view)
    names = [called(view, seat) for seat in view.players]
    return force_lines(names, [(word, numbers[word]) for word in ("tiles", "castles", "units")])
