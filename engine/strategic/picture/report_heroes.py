"""Reports of heroes, of what they carry, of quests and of sites."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kit.grid import Place
from engine.strategic.heroes import title
from engine.strategic.item_records import guardian_of
from engine.strategic.picture.canvas import known_as
from engine.strategic.picture.report_rows import Entry, if_open, is_own, table, whose
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.words import army_name, effect, joined, named, quest_text, spot, where
from engine.strategic.pieces import NOBODY, Army, Item, Quest, Site
from engine.strategic.world import armies_of, items_of
from engine.tabletop.report import UNKNOWN, Report, ReportRow, columns
from engine.tabletop.roles import Tone


def heroes(scene: Scene) -> Iterator[Report]:
    """Who they are, what they can, where they are. Rules: W2-10.2."""
    headings = ("Hero", "Rank", ">Experience", ">Strength", ">Moves", "At", "Carries")
    rows = [
        _hero(scene, army)
        for side in whose(scene)
        for army in armies_of(scene.world, side)
        if army.hero is not None
    ]
    yield table(scene, "heroes", "Heroes", headings, rows)


def _hero(scene: Scene, hero: Army) -> Entry:
    side = hero.owner
    carries = joined([item.name for item in items_of(scene.world, hero.id)]) or "nothing"
    cells = (
        army_name(scene, hero),
        title(scene.book.heroes.levels, hero),
        if_open(scene, side, hero.xp),
        hero.strength,
        if_open(scene, side, f"{hero.points}/{hero.max_move}"),
        where(scene, hero.at),
        if_open(scene, side, carries),
    )
    return Entry(side, cells, hero.at)


# -- items -----------------------------------------------------------------------------------------


def items(scene: Scene) -> Iterator[Report]:
    """What is carried, and what lies where it is known. Rules: W2-10.3."""
    rows = []
    for item in scene.world.items.values():
        found = _place(scene, item)
        if found is not None:
            text, at = found
            rows.append(ReportRow((item.name, effect(item), text), at=at))
    notes = ("Carried by your heroes, in sight, or known to be at a site.",)
    headings = columns("Item", "Does", "Is")
    yield Report("items", "Items", headings, tuple(rows), notes if is_own(scene) else ())


def _place(scene: Scene, item: Item) -> tuple[str, Place | None] | None:
    """Where an item is, in words and as a tile; None if it is nowhere."""
    bearer, site = scene.world.armies.get(item.holder), scene.world.sites.get(item.holder)
    match item.where:
        case "carried" if bearer is not None:
            return f"carried by {army_name(scene, bearer)}, {where(scene, bearer.at)}", bearer.at
        case "site" if site is not None:
            return f"hidden in {where(scene, (site.x, site.y))}", (site.x, site.y)
        case "ground" | "planted":
            word = "lies" if item.where == "ground" else "planted"
            return f"{word} at {where(scene, (item.x, item.y))}", (item.x, item.y)
        case "lost":
            return "lost", None
        case _:
            return None


# -- quests ----------------------------------------------------------------------------------------


def quests(scene: Scene) -> Iterator[Report]:
    """What temples have sent heroes out for. Rules: W2-10.6."""
    rows = []
    for side in whose(scene):
        quest = scene.world.sides[side].quest
        if quest is not None:
            text = quest_text(scene, quest)
            cells = (named(scene, quest.hero), text[:1].upper() + text[1:], _done(quest))
            rows.append(Entry(side, cells, _target(scene, quest)))
    note = "What a quest brings is drawn when it is done: an item, a site, allies or gold."
    yield table(scene, "quests", "Quests", ("Hero", "Task", "Done"), rows, (note,))


def _done(quest: Quest) -> str:
    return f"{quest.done} of {quest.count}" if quest.count > 1 else "not yet"


def _target(scene: Scene, quest: Quest) -> Place | None:
    """Where a quest leads, if that is known."""
    world = scene.world
    if quest.kind in {"keep-city", "raze-city"}:
        city = world.cities.get(quest.target)
        return (city.x, city.y) if city is not None else None
    if quest.kind == "kill-hero":
        army = world.armies.get(quest.target)
        return army.at if army is not None else None
    if quest.kind == "fetch-item" and (item := world.items.get(quest.target)) is not None:
        found = _place(scene, item)
        return found[1] if found is not None else None
    foes = [army.at for army in world.armies.values() if _is_wanted(quest, army)]
    return foes[0] if foes else None


def _is_wanted(quest: Quest, army: Army) -> bool:
    if quest.side == NOBODY or army.owner != quest.side:
        return False
    return quest.kind == "kill-armies" or (quest.kind == "kill-type" and army.type == quest.target)


# -- sites -----------------------------------------------------------------------------------------

_KNOWN: Final = {
    "unknown": "not searched yet",
    "temple": "a temple",
    "relic": "holds a relic",
    "sage": "a sage lives there",
    "gold": "holds gold",
    "allies": "allies wait there",
    "searched": "searched",
}


def sites(scene: Scene) -> Iterator[Report]:
    """The sites that are known, and what is known of them. Rules: W2-10.4, W2-10.5."""
    rows = tuple(_site(scene, site) for site in scene.world.sites.values())
    searched = sum(known_as(site) == "searched" for site in scene.world.sites.values())
    notes = (f"{len(rows)} known, {searched} of them searched.",)
    headings = columns("Site", "At", "What is known", "Kept by", ">Strength")
    yield Report("sites", "Sites", headings, rows, notes)


def _site(scene: Scene, site: Site) -> ReportRow:
    at, known = (site.x, site.y), known_as(site)
    keeper = guardian_of(scene.world, site.guardian)
    secret = UNKNOWN if known == "unknown" else ""
    cells = (
        site.name or "A site",
        spot(at),
        _KNOWN[known],
        keeper.name if keeper is not None else secret,
        keeper.strength if keeper is not None else secret,
    )
    return ReportRow(cells, Tone.QUIET if known == "searched" else Tone.NORMAL, at)
