"""Reports of all sides: who is ahead, and how they stand with each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.strategic import diplomacy as treating
from engine.strategic.picture.report_rows import if_open
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.words import STANCES, TREATIES, joined, many, side_name
from engine.strategic.pieces import Army, Side
from engine.strategic.world import WAR, armies_of, cities_of, treaty
from engine.tabletop.report import UNKNOWN, Cell, Report, ReportRow, columns
from engine.tabletop.roles import Tone

_FOG: Final = "Of others only what you know: their cities that were discovered, no armies, no gold."
_OPEN: Final = "The gold of others is their secret."


def winners(scene: Scene) -> Iterator[Report]:
    """The sides from who has most known cities on. Rules: W2-11, W2-13.3."""
    headings = columns(
        ">#", "Side", ">Cities", ">Armies", ">Strength", ">Heroes", ">Gold", "Played by", "Is"
    )
    world = scene.world
    order = sorted(
        world.sides.values(),
        key=lambda side: (side.id not in world.winners, -len(cities_of(world, side.id)), side.id),
    )
    rows = tuple(_ranked(scene, place, side) for place, side in enumerate(order, 1))
    notes = []
    if not all(scene.is_open(side) for side in world.sides):
        notes.append(_OPEN if scene.sees_all else _FOG)
    notes += [_deeds(world.sides[scene.viewer])] if scene.is_player else []
    yield Report("winners", "Winners", headings, rows, tuple(notes))


def _ranked(scene: Scene, place: int, side: Side) -> ReportRow:
    world, known = scene.world, scene.is_open(side.id) or scene.sees_all
    there: tuple[Army, ...] = armies_of(world, side.id)
    counts = (
        len(there),
        sum(army.strength for army in there),
        sum(army.hero is not None for army in there),
    )
    cells: tuple[Cell, ...] = (
        place,
        side_name(scene, side.id),
        len(cities_of(world, side.id)),
        *(count if known else UNKNOWN for count in counts),
        if_open(scene, side.id, side.gold),
        "person" if side.human else "computer",
        _fate(scene, side),
    )
    tone = Tone.NORMAL if side.alive else Tone.QUIET
    return ReportRow(cells, tone, side.capital, side.id)


def _fate(scene: Scene, side: Side) -> str:
    if side.id in scene.world.winners:
        return "winner"
    return "in play" if side.alive else "out"


def _deeds(side: Side) -> str:
    """What a side has done in war, in a sentence."""
    deeds = side.deeds
    return (
        f"Yours so far: {many(deeds.battles, 'battle')}, {deeds.clean_wins} won without loss,"
        f" {many(deeds.armies_killed, 'army', 'armies')} and"
        f" {many(deeds.heroes_killed, 'hero', 'heroes')} destroyed,"
        f" {many(deeds.cities_won, 'city', 'cities')} taken."
    )


# -- treaties --------------------------------------------------------------------------------------


def diplomacy(scene: Scene) -> Iterator[Report]:
    """How the living sides stand; nothing where there is no diplomacy. Rules: W2-12.1."""
    if not scene.book.turns.diplomacy:
        return
    called = treating.titles(scene.world, scene.book)
    living = [side for side in scene.world.sides.values() if side.alive]
    rows = tuple(
        _treaties(scene, side, called.get(side.id, ""), living)
        for side in living
        if side.id != scene.viewer
    )
    headings: tuple[str, ...] = ("Side", "Reputation", "At war with")
    if scene.is_player:
        headings = ("Side", "Reputation", "With you", "You want", "At war with")
    own = called.get(scene.viewer, "")
    notes = (f"You are thought of as: {own}.",) if own else ()
    yield Report("treaties", "Treaties", columns(*headings), rows, notes)


def _treaties(scene: Scene, side: Side, called: str, living: list[Side]) -> ReportRow:
    """How a side stands with the viewer, and with others. Rules: W2-12.1, W2-12.2, W2-12.3."""
    world = scene.world
    foes = [
        side_name(scene, other.id)
        for other in living
        if other.id != side.id and treaty(world, side.id, other.id) == WAR
    ]
    cells = [side_name(scene, side.id), called]
    if scene.is_player:
        wanted = world.sides[scene.viewer].stances
        stance = STANCES[wanted[side.id]] if side.id < len(wanted) else ""
        cells += [TREATIES[treaty(world, scene.viewer, side.id)], stance]
    cells.append(joined(foes) or "nobody")
    return ReportRow(tuple(cells), at=side.capital, seat=side.id)
