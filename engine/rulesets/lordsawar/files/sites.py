"""Read everything on the map of a scenario, up to the first fault (19.3).

The readers raise ``ScenarioFault`` with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from engine.rulesets.lordsawar.files.fields import LARGEST, Fields, row
from engine.rulesets.lordsawar.files.pieces import RULE, References, item, reward, stack
from engine.rulesets.lordsawar.files.records import (
    SLOTS,
    OriginalBag,
    OriginalCity,
    OriginalCitySet,
    OriginalKeeper,
    OriginalPiece,
    OriginalReward,
    OriginalRuin,
    OriginalScenario,
    OriginalSignpost,
    OriginalSite,
    OriginalSlot,
    OriginalTemple,
    OriginalVectored,
)
from engine.rulesets.lordsawar.files.tree import Element, rows
from engine.rulesets.lordsawar.files.words import BUILDING_SIGNS, OriginalBuilding


def cities(root: Element, references: References, width: int) -> Iterator[OriginalCity]:
    """Yield the cities, which are ``width`` tiles wide. See: LW-19.3."""
    for element in rows(root, "citylist", "city"):
        fields = Fields(element)
        x, y = references.place(fields, width)
        owner = references.owner(fields, "d_owner")
        capital = fields.switch("d_capital")
        slots = tuple(slot(each, references) for each in element.every("slot"))
        if len(slots) > SLOTS:
            raise element.fault(f"{len(slots)} slots, not {SLOTS}", RULE)
        yield row(
            OriginalCity,
            fields,
            x=x,
            y=y,
            owner=references.neutral if owner is None else owner,
            capital_owner=references.owner(fields, "d_capital_owner") if capital else None,
            vectoring=_target(fields, references),
            slots=slots + (None,) * (SLOTS - len(slots)),
        )


def _target(fields: Fields, references: References) -> tuple[int, int] | None:
    """Return the tile to which a city sends its armies, or None."""
    numbers = fields.wholes("d_vectoring", -1, LARGEST) or (-1, -1)
    if len(numbers) != 2:
        raise fields.fault("d_vectoring", f"{len(numbers)} numbers, not 2", RULE)
    x, y = numbers
    if x < 0 or y < 0:
        return None
    if x >= references.width or y >= references.height:
        raise fields.fault("d_vectoring", f"({x}, {y}) is off the map", RULE)
    return x, y


def slot(element: Element, references: References) -> OriginalSlot | None:
    """Read the unit type in a slot, or None; missing values come from the type. See: LW-19.3."""
    inner = element.first("armyprodbase")
    if inner is None:
        return None
    fields = Fields(inner)
    kind = references.unit_type(fields, "d_type", "d_armyset")
    name = fields.text("d_name") or kind.name
    return row(OriginalSlot, fields, kind, name=name, unit_type=kind.id)


def temples(root: Element, references: References, width: int) -> Iterator[OriginalTemple]:
    """Yield the temples, which are ``width`` tiles wide. See: LW-19.3."""
    for element in rows(root, "templelist", "temple"):
        fields = Fields(element)
        x, y = references.place(fields, width)
        yield row(OriginalTemple, fields, x=x, y=y)


def ruins(root: Element, references: References, width: int) -> Iterator[OriginalRuin]:
    """Yield the ruins, which are ``width`` tiles wide. See: LW-19.3."""
    for element in rows(root, "ruinlist", "ruin"):
        fields = Fields(element)
        x, y = references.place(fields, width)
        owner = references.owner(fields, "d_owner")
        yield row(
            OriginalRuin,
            fields,
            x=x,
            y=y,
            owner=None if owner == references.neutral else owner,
            reward=_reward(element, references),
            keeper=_keeper(element, references),
        )


def _reward(element: Element, references: References) -> OriginalReward | None:
    """Read the reward of a ruin, which may be inside its keeper."""
    keeper = element.first("keeper")
    found = element.first("reward") or (keeper.first("reward") if keeper else None)
    return reward(found, references) if found else None


def _keeper(element: Element, references: References) -> OriginalKeeper | None:
    """Read the keeper of a ruin; in the oldest version it is only a stack."""
    keeper = element.first("keeper")
    found = (keeper or element).first("stack")
    if keeper is None and found is None:
        return None
    return OriginalKeeper(
        name=Fields(keeper).text("d_name") if keeper else "",
        stack=stack(found, references) if found else None,
    )


def signposts(root: Element, references: References) -> Iterator[OriginalSignpost]:
    """Yield the signposts. See: LW-19.3."""
    for element in rows(root, "signpostlist", "signpost"):
        fields = Fields(element)
        yield OriginalSignpost(*references.place(fields), fields.text("d_name"))


def pieces(root: Element, references: References, tag: str) -> Iterator[OriginalPiece]:
    """Yield the ports, roads, bridges or stones, which have the given tag. See: LW-19.3."""
    for element in rows(root, f"{tag}list", tag):
        fields = Fields(element)
        drawing = fields.text("d_type").rpartition("::")[2]
        yield OriginalPiece(*references.place(fields), drawing[:80])


def bags(map_element: Element, references: References) -> Iterator[OriginalBag]:
    """Yield the bags of items on the ground. See: LW-19.3."""
    for element in map_element.every("itemstack"):
        items = tuple(item(each, references) for each in element.every("item"))
        yield OriginalBag(*references.place(Fields(element)), items)


def vectored(root: Element, references: References) -> Iterator[OriginalVectored]:
    """Yield the armies in transit of a saved game. See: LW-19.3, LW-13.4."""
    for element in rows(root, "vectoredunitlist", "vectoredunit"):
        fields = Fields(element)
        unit = slot(element, references)
        owner = references.owner(fields, "d_owner")
        if unit is None or owner is None:
            missing = "unit" if unit is None else "owner"
            raise element.fault(f"the {missing} is missing", RULE)
        to_x = fields.whole("d_dest_x", 0, references.width - 1)
        to_y = fields.whole("d_dest_y", 0, references.height - 1)
        rounds = fields.whole("d_duration", 0, 1000)
        yield OriginalVectored(*references.place(fields), to_x, to_y, owner, rounds, unit)


# -- rows of buildings -----------------------------------------------------------------------------

_Placed: TypeAlias = OriginalSite | OriginalSignpost | OriginalPiece


def building_rows(
    root: Element, made: OriginalScenario, widths: OriginalCitySet
) -> tuple[str, ...]:
    """Return rows with the signs of buildings, set in the order of the file's sections.

    If two are on a tile, the later one counts, except that a stone does not replace a road.
    See: LW-1, LW-19.3.
    """
    placed: dict[str, tuple[OriginalBuilding, Sequence[_Placed], int]] = {
        "citylist": (OriginalBuilding.CITY, made.cities, widths.city_width),
        "templelist": (OriginalBuilding.TEMPLE, made.temples, widths.temple_width),
        "ruinlist": (OriginalBuilding.RUIN, made.ruins, widths.ruin_width),
        "signpostlist": (OriginalBuilding.SIGNPOST, made.signposts, 1),
        "roadlist": (OriginalBuilding.ROAD, made.roads, 1),
        "stonelist": (OriginalBuilding.STONE, made.stones, 1),
        "portlist": (OriginalBuilding.PORT, made.ports, 1),
        "bridgelist": (OriginalBuilding.BRIDGE, made.bridges, 1),
    }
    signs = [[BUILDING_SIGNS[OriginalBuilding.NONE]] * made.width for _ in range(made.height)]
    road = BUILDING_SIGNS[OriginalBuilding.ROAD]
    for section in root.children:
        if section.tag not in placed:
            continue
        kind, objects, size = placed[section.tag]
        for each in objects:
            for x, y in _tiles(each.x, each.y, size):
                if kind is not OriginalBuilding.STONE or signs[y][x] != road:
                    signs[y][x] = BUILDING_SIGNS[kind]
    return tuple("".join(row) for row in signs)


def _tiles(x: int, y: int, size: int) -> Iterable[tuple[int, int]]:
    return ((x + right, y + down) for down in range(size) for right in range(size))
