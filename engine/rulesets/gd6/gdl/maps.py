"""Maps and players between documents and scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.rulesets.gd6.gdl.document import Document, Member, Sketch
from engine.rulesets.gd6.orders import LayMines, Move, Promote
from engine.rulesets.gd6.state import LETTERS, Choices, Player, Seating, Setting, World
from engine.rulesets.gd6.world import MapFile, Placed, build, names, shipped

_CELLS = (20, 40)
"""A canvas is whole cells of the overview."""

NO_COLOUR = "#888"
"""For a seat whose colour the language cannot name."""


def setting_of(document: Document) -> Setting:
    """The scenario a document begins with. Rules: GD-GDL-6.

    Raises:
        ScenarioFault: the map cannot be played.
    """
    if not document.sketches:
        raise ScenarioFault("", "the text has no map: no SetNumTerritories", "GD-GDL-6")
    known = _known(document)
    players = tuple(
        Seating(seat, name=member.name, colour=member.colour)
        for seat, member in enumerate(document.members)
    )
    return Setting(
        name="gdl",
        title=known.title if known else "Imported game",
        about="Read from a text in the order language.",
        map=known.name if known else "",
        world=None if known else world_of(document),
        seats=0 if players else 2,
        players=players,
        options=Choices("advanced" if _is_advanced(document) else "base"),
    )


def sketch(world: World, players: Iterable[Player]) -> Document:
    """The set-up part of a document. Rules: GD-GDL-1, GD-GDL-6."""
    return Document(
        sketches=tuple(
            Sketch(land.id, " ".join(land.name.split()), land.polygon) for land in world.lands
        ),
        borders=tuple(
            (land.id, other) for land in world.lands for other in land.neighbours if land.id < other
        ),
        members=tuple(_members([*players])),
    )


def world_of(document: Document) -> World:
    """The map of a document, its sea routes and seams found from the polygons.

    Rules: GD-GDL-6, GD-MAP-3.

    Raises:
        ScenarioFault: it cannot be played or drawn.
    """
    corners = [corner for sketched in document.sketches for corner in sketched.polygon]
    far = [max((corner[axis] for corner in corners), default=0) for axis in (0, 1)]
    width, height = (-(-most // cell) * cell for most, cell in zip(far, _CELLS, strict=True))
    given = MapFile(
        name="imported",
        title="Imported map",
        borders=document.borders,
        territory=tuple(Placed(one.id, one.name, "", one.polygon) for one in document.sketches),
        canvas=(width, height),
    )
    return build(given)


def _known(document: Document) -> World | None:
    """The shipped map that a document draws, whatever it calls the territories.

    Rules: GD-GDL-6. It has what the language cannot say: labels, regions, routes round the world.
    Other names make it another map.
    """
    for world in map(shipped, names()):
        drawn = sketch(world, ())
        plain = tuple(replace(one, name="") for one in drawn.sketches)
        if document.borders == drawn.borders and document.sketches in (drawn.sketches, plain):
            return world
    return None


def _is_advanced(document: Document) -> bool:
    """Whether orders need the advanced variant."""
    orders = [one.order for block in document.blocks for _, own in block.lists for one in own]
    return any(
        isinstance(order, Promote | LayMines) or (isinstance(order, Move) and order.unit != "army")
        for order in orders
    )


def _members(players: Sequence[Player]) -> Iterable[Member]:
    """Players with names of one word, all different. Rules: GD-GDL-1."""
    taken: set[str] = set()
    for player in players:
        word = "_".join(player.name.split()) or LETTERS[player.id]
        while word in taken:
            word += "_"
        taken.add(word)
        yield Member(word, player.colour or NO_COLOUR)
