"""Read a scenario or saved game of the original, with the sets that it uses (19.1, 19.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from engine.core.record import replace
from engine.rulesets.lordsawar.files import sites
from engine.rulesets.lordsawar.files.archive import Bytes, FileKind, document, members
from engine.rulesets.lordsawar.files.fields import HIGHEST, LARGEST, Fields, row
from engine.rulesets.lordsawar.files.pieces import (
    MOST_ARMIES,
    NO_OWNER,
    RULE,
    References,
    army_set,
    item_kind,
    reward,
    stack,
)
from engine.rulesets.lordsawar.files.records import (
    MOST_PLAYERS,
    OriginalCitySet,
    OriginalFile,
    OriginalHeroTemplate,
    OriginalOptions,
    OriginalPlayer,
    OriginalScenario,
    OriginalStack,
)
from engine.rulesets.lordsawar.files.sets import SetFiles, by_number, embedded, named, with_others
from engine.rulesets.lordsawar.files.tree import SCENARIO, Element, needed, parse, rows, section
from engine.rulesets.lordsawar.files.words import TERRAINS

VERSIONS: Final = ("0.2.1", "0.3.2", "0.3.3")
"""Supported versions of scenarios. See: LW-19.3."""


LONGEST_SIDE: Final = 1000
MOST_TILES: Final = 65_536
"""Maximum tiles of a map; the largest of the original has 17,472."""

_STACKS: Final = ("stacklist", "stack")
_NUMBERED: Final = (("citylist", "city"), ("templelist", "temple"), ("ruinlist", "ruin"))
_OPPONENTS: Final = 8
_USUAL: Final = OriginalCitySet(id=0, name="", file="", city_width=2, temple_width=1, ruin_width=1)
"""Sizes of buildings, which are the same in all city sets of the original. See: LW-19.3."""


def read_scenario(
    data: Bytes, beside: Iterable[Bytes] = (), name: str = "the scenario"
) -> OriginalFile:
    """Read the scenario in a file (``.map``, ``.sav``).

    Rules: LW-19.3. See: LW-19.1.

    Args:
        data: the file.
        beside: files of sets in the folders beside it, for sets that are not embedded.
        name: the file's name, for messages.

    Raises:
        ScenarioFault: with the first fault of the file.
    """
    main = document(data, name, (FileKind.MAP, FileKind.SAVE))
    root = parse(main, SCENARIO, VERSIONS)
    sets = with_others(embedded(members(data, name), name), beside)
    plan = needed(root, "map")
    terrain = _terrain(plan)
    references = _references(root, sets, terrain)
    plan_fields, about = Fields(plan), Fields(needed(root, "scenario"))
    players = tuple(_players(root, references))
    city_set = named(sets.cities, plan_fields.text("d_cityset"))
    widths = city_set or _USUAL
    counter = section(root, "counter")
    made = row(
        OriginalScenario,
        about,
        version=root.version,
        file_kind=main.kind or FileKind.MAP,
        next_id=Fields(counter).whole("d_curID", 0, LARGEST, 0) if counter else 0,
        active=references.owner(Fields(needed(root, "playerlist")), "d_active"),
        neutral=references.neutral,
        tileset=plan_fields.text("d_tileset"),
        cityset=plan_fields.text("d_cityset"),
        shieldset=plan_fields.text("d_shieldset"),
        terrain=terrain,
        buildings=(),
        items=tuple(item_kind(each) for each in rows(root, "itemlist", "itemproto")),
        players=players,
        bags=tuple(sites.bags(plan, references)),
        cities=tuple(sites.cities(root, references, widths.city_width)),
        temples=tuple(sites.temples(root, references, widths.temple_width)),
        ruins=tuple(sites.ruins(root, references, widths.ruin_width)),
        rewards=tuple(reward(each, references) for each in rows(root, "rewardlist", "reward")),
        signposts=tuple(sites.signposts(root, references)),
        roads=tuple(sites.pieces(root, references, "road")),
        bridges=tuple(sites.pieces(root, references, "bridge")),
        stones=tuple(sites.pieces(root, references, "stone")),
        ports=tuple(sites.pieces(root, references, "port")),
        hero_templates=tuple(_hero_templates(root, references)),
        vectored=tuple(sites.vectored(root, references)),
        options=row(OriginalOptions, about),
        army_sets=tuple(references.sets.values()),
        tile_set=named(sets.tiles, plan_fields.text("d_tileset")),
        city_set=city_set,
    )
    _check_ids(root)
    made = replace(made, buildings=sites.building_rows(root, made, widths))
    return OriginalFile(made, (*sets.remarks, *_remarks(made, root)))


# -- the map and its players -----------------------------------------------------------------------


def _terrain(plan: Element) -> tuple[str, ...]:
    """Read the rows of terrain. See: LW-19.3."""
    fields = Fields(plan)
    width = fields.whole("d_width", 1, LONGEST_SIDE)
    height = fields.whole("d_height", 1, LONGEST_SIDE)
    if width * height > MOST_TILES:
        raise plan.fault(f"{width} x {height} are more than {MOST_TILES} tiles", RULE)
    return _digits(fields, "d_types", (width, height), len(TERRAINS))


def _digits(fields: Fields, tag: str, size: tuple[int, int], kinds: int) -> tuple[str, ...]:
    """Read rows of digits below ``kinds``; the line breaks in the file do not matter."""
    width, height = size
    digits = "".join(fields.raw(tag).split())
    if len(digits) != width * height:
        wanted = f"{width * height} ({width} x {height})"
        raise fields.fault(tag, f"{len(digits)} digits, not {wanted}", RULE)
    known = "0123456789"[:kinds]
    if digits.strip(known):
        at = next(at for at, digit in enumerate(digits) if digit not in known)
        place = f"({at % width}, {at // width})"
        raise fields.fault(tag, f"{digits[at]!a} at {place} is none of {known}", RULE)
    return tuple(digits[at : at + width] for at in range(0, len(digits), width))


def _references(root: Element, sets: SetFiles, terrain: tuple[str, ...]) -> References:
    """Collect the players and sets that other elements refer to. See: LW-19.3."""
    listing = needed(root, "playerlist")
    owners: set[int] = set()
    for element in listing.every("player"):
        fields = Fields(element)
        number = fields.whole("d_id", 0, MOST_PLAYERS - 1)
        if number in owners:
            raise fields.fault("d_id", f"the player {number} stands there twice", RULE)
        owners.add(number)
    fields = Fields(listing)
    neutral = fields.whole("d_neutral", 0, MOST_PLAYERS - 1, NO_OWNER)
    if neutral not in owners:
        raise fields.fault("d_neutral", f"there is no player {neutral}", RULE)
    armies = {each.id: each for each in by_number(sets.armies)}
    return References(
        sets=armies,
        types={(each.id, unit.id): unit for each in armies.values() for unit in each.units},
        owners=frozenset(owners),
        neutral=neutral,
        width=len(terrain[0]),
        height=len(terrain),
    )


def _players(root: Element, references: References) -> Iterator[OriginalPlayer]:
    """Yield the players with their stacks and fog. See: LW-19.3."""
    for element in needed(root, "playerlist").every("player"):
        fields = Fields(element)
        number = fields.whole("d_id", 0, MOST_PLAYERS - 1)
        yield row(
            OriginalPlayer,
            fields,
            army_set=army_set(fields, "d_armyset", references.sets),
            fight_order=_fight_order(fields, references),
            diplomatic_states=_opponents(fields, "d_diplomatic_states"),
            diplomatic_proposals=_opponents(fields, "d_diplomatic_proposals"),
            diplomatic_scores=_opponents(fields, "d_diplomatic_scores"),
            stacks=_stacks(element, number, references),
            unseen=_fog(element, references),
        )


def _fight_order(fields: Fields, references: References) -> tuple[int, ...]:
    """Read the unit types of a player in fight order. See: LW-2.2."""
    order = fields.wholes("d_fight_order", 0, HIGHEST)
    number = fields.whole("d_armyset", 0, HIGHEST)
    for kind in order:
        if (number, kind) not in references.types:
            text = f"army set {number} has no unit type {kind}"
            raise fields.fault("d_fight_order", text, RULE)
    if len(set(order)) != len(order):
        raise fields.fault("d_fight_order", "a unit type stands there twice", RULE)
    return order


def _opponents(fields: Fields, tag: str) -> tuple[int, ...]:
    """Read eight numbers, one for each opponent; empty if the data are missing."""
    numbers = fields.wholes(tag, 0, 255)
    if numbers and len(numbers) != _OPPONENTS:
        raise fields.fault(tag, f"{len(numbers)} numbers, not {_OPPONENTS}", RULE)
    return numbers


def _stacks(player: Element, number: int, references: References) -> tuple[OriginalStack, ...]:
    """Read a player's stacks; all are on the map, with at most eight armies on a tile."""
    found: list[OriginalStack] = []
    armies: Counter[tuple[int, int]] = Counter()
    for element in rows(player, "stacklist", "stack"):
        made = stack(element, references)
        place = references.place(Fields(element))
        if made.owner != number:
            text = f"the owner is {made.owner}, but this is the list of player {number}"
            raise element.fault(text, RULE)
        armies[place] += len(made.armies)
        if armies[place] > MOST_ARMIES:
            text = f"more than {MOST_ARMIES} armies of player {number} at {place}"
            raise element.fault(text, RULE)
        found.append(made)
    return tuple(found)


def _fog(player: Element, references: References) -> tuple[str, ...]:
    """Read the rows of a player's fog; empty without fog. See: LW-19.3, LW-17."""
    found = section(player, "fogmap")
    if found is None:
        return ()
    fields = Fields(found)
    size = fields.whole("d_width", 1, LONGEST_SIDE), fields.whole("d_height", 1, LONGEST_SIDE)
    if size != (references.width, references.height):
        text = f"{size[0]} x {size[1]}, but the map has {references.width} x {references.height}"
        raise found.fault(text, RULE)
    return _digits(fields, "d_map", size, 2)


def _hero_templates(root: Element, references: References) -> Iterator[OriginalHeroTemplate]:
    """Yield the heroes that can be offered. See: LW-19.3."""
    found = section(root, "herotemplates")
    for element in found.children if found else ():
        if element.tag.startswith("d_"):
            continue
        fields = Fields(element)
        yield row(OriginalHeroTemplate, fields, owner=references.owner(fields, "d_owner"))


# -- checks and remarks ----------------------------------------------------------------------------


def _check_ids(root: Element) -> None:
    """Check that no two objects of one kind have the same number. See: LW-19.3."""
    players = needed(root, "playerlist")
    stacks = [each for player in players.every("player") for each in rows(player, *_STACKS)]
    armies = [each for stack_element in stacks for each in stack_element.every("army", "hero")]
    numbered = [list(rows(root, *tags)) for tags in _NUMBERED]
    for elements in (*numbered, stacks, armies):
        seen: set[int] = set()
        for element in elements:
            number = Fields(element).whole("d_id", 0, LARGEST, 0)
            if number in seen:
                raise element.fault(f"the d_id {number} stands there twice", RULE)
            seen.add(number)


def _remarks(made: OriginalScenario, root: Element) -> Iterator[str]:
    """Yield one line for each oddity that is kept, and for each part that is not read."""
    capitals = {city.capital_owner for city in made.cities if city.capital}
    for player in made.players:
        if player.id not in {made.neutral, *capitals} and not player.dead:
            yield f"player {player.id} ({player.name[:30]!a}) has no capital"
    if made.tile_set is None:
        yield f"no tile set {made.tileset[:30]!a}: terrains cost what the rule book says"
    if made.city_set is None:
        yield f"no city set {made.cityset[:30]!a}: cities are 2 x 2 tiles"
    quests = section(root, "questlist")
    count = sum(not each.tag.startswith("d_") for each in quests.children) if quests else 0
    if count:
        yield f"questlist: {count} quests are not read"
