"""Whole games in the order language: maps, recordings, importer and exporter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Final

from engine.core.ids import Seat
from engine.core.log import AnyEntry, Entry
from engine.core.notation import write as notation_of
from engine.core.options import Value
from engine.core.printable import composed
from engine.core.record import Record, replace
from engine.core.refused import Refused
from engine.core.ruleset import Exporter, Imported, Importer, ScenarioFault
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import AnyCommand, AnyOrder, SealList, WriteList, is_advanced
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.gdl.documents import (
    START,
    Document,
    Member,
    TerritoryText,
    TurnBlock,
    Written,
    read,
    write,
)
from engine.rulesets.gd6.gdl.lines import COMMENT, FaultCode, WrongText, write_order
from engine.rulesets.gd6.lists import decide, project, with_list
from engine.rulesets.gd6.setup import EMPTY, set_up
from engine.rulesets.gd6.state import (
    LETTERS,
    Choices,
    Player,
    Seating,
    Setting,
    State,
    Territory,
    World,
)
from engine.rulesets.gd6.turns import owing
from engine.rulesets.gd6.view import view
from engine.rulesets.gd6.words import joined
from engine.rulesets.gd6.world import MapFile, MapTerritory, build, names, shipped

# -- importer and exporter -------------------------------------------------------------------------


LARGEST: Final = 1_000_000
"""Maximum bytes of a text; a long game has a tenth of it."""

_BEGINNING: Final = 1 << 16
"""Bytes at the start of a file that are read to recognise it."""


class GdlImporter:
    """Importer of texts in the order language. See: GD-GDL-6."""

    name = "a Global Domination text in the order language (GDL)"
    companion = ""

    def sniff(self, data: bytes) -> bool:
        """Return whether the first line that is not a comment opens a set-up."""
        text = data[:_BEGINNING].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
        said = (line.strip() for line in text.split("\n"))
        first = next((line for line in said if line and not line.startswith(COMMENT)), "")
        return first.split()[:1] == [START]

    def read(self, data: bytes, companion: bytes | None = None) -> Imported:  # noqa: ARG002 - port
        """Read the scenario of a text, and the commands played. See: GD-GDL-6, GD-GDL-7.

        Raises:
            ScenarioFault: with the line of the first error.
        """
        if len(data) > LARGEST:
            raise ScenarioFault("the text", f"larger than {LARGEST} bytes", "GD-GDL-4")
        found = recording_of(parsed(data))
        return Imported(found.scenario, found.remarks, found.play)


def parsed(data: bytes) -> Document:
    """Read the document in the bytes of a file. See: GD-GDL-4.

    Raises:
        ScenarioFault: with the line of the first error.
    """
    try:
        text = composed(data.decode("utf-8"))
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        fault = f"{FaultCode.BAD_ARGUMENT.value}: no UTF-8 text"
        raise ScenarioFault(f"line {line}", fault, "GD-GDL-4") from None
    try:
        return read(text)
    except WrongText as problem:
        first = problem.faults[0]
        fault = f"{first.code.value}: {first.text}"
        raise ScenarioFault(f"line {first.line}", fault, "GD-GDL-4") from None


class GdlExporter:
    """Exporter of games to the order language. See: GD-GDL-5."""

    name = "gdl"
    text = "map, players and the lists of all turns in the order language (GDL)"

    def content(self, entries: Iterable[AnyEntry]) -> bytes:
        """Return the text of one line of a game.

        Raises:
            ScenarioFault: the language cannot express the game.
        """
        text = write(document_of(entries)).encode()
        if len(text) > LARGEST:
            raise ScenarioFault("the text", f"larger than {LARGEST} bytes", "GD-GDL-4")
        return text


IMPORTERS: Final[tuple[Importer, ...]] = (GdlImporter(),)
EXPORTERS: Final[tuple[Exporter, ...]] = (GdlExporter(),)


# -- games -----------------------------------------------------------------------------------------


class Recording(Record, frozen=True):
    """A document as a game: scenario, commands by seat, and remarks. See: GD-GDL-7."""

    scenario: Setting
    play: tuple[tuple[Seat, AnyCommand], ...]
    remarks: tuple[str, ...] = ()
    whole: bool = True
    """False if the text continues after the end of the game."""


def recording_of(document: Document, options: Mapping[str, Value] | None = None) -> Recording:
    """Convert a document to a recording by playing it turn by turn. Rules: GD-GDL-7.

    Refused orders are left out, each with a remark. Clashing sites stop a turn: a remark says so,
    and the next block is a settling round of the same turn. The language does not record when a
    game ends. If ``options`` is empty and the text continues after the usual end, the recording has
    no turn limit and no domination.

    Raises:
        ScenarioFault: the set-up cannot be played, or a list is too long.
        OptionFault: an option has an invalid value.
    """
    scenario = setting_of(document)
    found = _played(document, scenario, options or {})
    if options or found.whole:
        return found
    endless = replace(scenario.options, domination=0, turn_limit=0)
    longer = _played(document, replace(scenario, options=endless), {})
    return longer if longer.whole else found


def _played(document: Document, scenario: Setting, options: Mapping[str, Value]) -> Recording:
    state = evolve(EMPTY, set_up(scenario, options))
    play: list[tuple[Seat, AnyCommand]] = []
    remarks: list[str] = []
    sealed: dict[Seat, tuple[Written, ...]] = {}
    for number, block in enumerate(document.blocks, 1):
        if state.reason:
            remarks.append(f"The game is over; what follows list {number - 1} is left out.")
            return Recording(scenario, tuple(play), tuple(remarks), whole=False)
        remarks += _disregarded(document, block, state, sealed)
        lists = dict(block.lists)
        sealed |= {seat: lists.get(seat, ()) for seat in owing(state)}
        for seat, command in _commands(state, block, remarks):
            try:
                state = reduce(evolve, decide(state, seat, command), state)
            except Refused as problem:
                raise ScenarioFault(f"list {number}", problem.text, problem.rule) from None
            play.append((seat, command))
        if state.choosing:
            remarks.append(_clash(state, block, is_last=number == len(document.blocks)))
    return Recording(scenario, tuple(play), tuple(remarks))


def _clash(state: State, block: TurnBlock, *, is_last: bool) -> str:
    """Return the remark on a block in which sites clashed. See: GD-GDL-7, GD-HQ-5."""
    lists = dict(block.lists)
    failed = [
        written
        for seat in state.choosing
        for written in lists.get(seat, ())
        if isinstance(written.order, do.PlaceHq)
    ]
    failed.sort(key=lambda written: written.line)
    where = joined([str(written.line) for written in failed])
    what = joined([write_order(written.order) for written in failed])
    rest = "the text has none" if is_last else "the next list is that round"
    return (
        f"Lines {where}, {what}: these sites clash. Turn {state.turn} stops there until a settling"
        f" round is over; {rest}."
    )


def _disregarded(
    document: Document,
    block: TurnBlock,
    state: State,
    sealed: Mapping[Seat, tuple[Written, ...]],
) -> Iterator[str]:
    """Yield remarks on lists of seats that owe none: eliminated, or not in the settling round.

    Repeating a list that stays sealed in a settling round gives no remark.
    See: GD-GDL-7, GD-HQ-5.
    """
    for seat, listed in block.lists:
        if seat in owing(state):
            continue
        if state.players[seat].status == "eliminated":
            why = "is out of the game"
        elif [one.order for one in listed] == [one.order for one in sealed.get(seat, ())]:
            continue
        else:
            why = "does not choose a site in this settling round, and the list sealed before stays"
        name = document.members[seat].name
        yield f"Line {listed[0].line}: {name} {why}; this list is left out."


def _commands(
    state: State, block: TurnBlock, remarks: list[str]
) -> Iterator[tuple[Seat, AnyCommand]]:
    """Yield the commands of the seats that owe a list. See: GD-HQ-5."""
    lists = dict(block.lists)
    seats = sorted(owing(state))
    for seat in seats:
        good = _good(state, seat, lists.get(seat, ()), remarks)
        if good != state.players[seat].orders:
            yield seat, WriteList(tuple(map(notation_of, good)))
    for seat in seats:
        yield seat, SealList()


def _good(
    state: State, seat: Seat, listed: tuple[Written, ...], remarks: list[str]
) -> tuple[AnyOrder, ...]:
    """Return a list's accepted orders; add remarks on the refused ones. See: GD-CHECK-2."""
    seen = view(state, seat)
    while True:
        orders = tuple(written.order for written in listed)
        judged = project(with_list(seen, orders)).judged
        for written, line in zip(listed, judged, strict=True):
            if line.codes:
                where = f"Line {written.line}, {write_order(written.order)}"
                remarks.append(f"{where}: {line.text} It is left out.")
        if not any(line.codes for line in judged):
            return orders
        kept = zip(listed, judged, strict=True)
        listed = tuple(written for written, line in kept if not line.codes)


def document_of(entries: Iterable[Entry[AnyCommand, ev.AnyEvent]]) -> Document:
    """Return the document for one line of a game: its set-up, and all executed lists.

    See: GD-GDL-5, GD-GDL-6.

    Raises:
        ScenarioFault: the game began from a position, or a seat conceded; the language cannot
            express either.
    """
    state, blocks = EMPTY, list[TurnBlock]()
    for entry in entries:
        for event in entry.events:
            match event:
                case ev.GameStarted():
                    _check_start(event)
                case ev.Conceded():
                    text = "the order language has no word for giving up"
                    raise ScenarioFault(f"entry {entry.seq}", text, "GD-GDL-5")
                case ev.TurnClosed():
                    sealed = (player for player in state.players.rows() if player.sealed)
                    lists = ((seat.id, tuple(map(Written, seat.orders))) for seat in sealed)
                    blocks.append(TurnBlock(tuple(one for one in lists if one[1])))
                case _:
                    pass
            state = evolve(state, event)
    return replace(setup_of(state.world, state.players.rows()), blocks=tuple(blocks))


def _check_start(begun: ev.GameStarted) -> None:
    """Refuse a game that did not begin with an empty map. See: GD-GDL-5."""
    empty = all(here == Territory(here.id) for here in begun.territories)
    poor = all(
        not (player.ip or player.crop or player.dynamite or player.toxic)
        and not (player.orders or player.forced)
        and player.status == "unsettled"
        for player in begun.players
    )
    scene = begun.scenario
    if not (empty and poor and scene.turn == 1 and scene.phase == "natural"):
        text = "the order language knows only games that begin with an empty map"
        raise ScenarioFault("", text, "GD-GDL-5")


# -- maps ------------------------------------------------------------------------------------------

_CELLS = (20, 40)
"""Size of a cell in the overview; a canvas is rounded up to whole cells."""

NO_COLOUR = "#888"
"""Colour of seats whose own colour the language cannot express."""


def setting_of(document: Document) -> Setting:
    """Return the scenario of a document's set-up. Rules: GD-GDL-6.

    Raises:
        ScenarioFault: the map cannot be played.
    """
    if not document.sketches:
        raise ScenarioFault("", "the text has no map: no SetNumTerritories", "GD-GDL-6")
    known = _known(document)
    orders = [one.order for block in document.blocks for _, own in block.lists for one in own]
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
        options=Choices("advanced" if any(map(is_advanced, orders)) else "base"),
    )


def setup_of(world: World, players: Iterable[Player]) -> Document:
    """Return a document with the set-up of a game. See: GD-GDL-1, GD-GDL-6."""
    return Document(
        sketches=tuple(
            TerritoryText(land.id, " ".join(land.name.split()), land.polygon)
            for land in world.lands
        ),
        borders=tuple(
            (land.id, other) for land in world.lands for other in land.neighbours if land.id < other
        ),
        members=tuple(_members([*players])),
    )


def world_of(document: Document) -> World:
    """Build the map of a document, deriving sea routes and seams from the polygons.

    See: GD-GDL-6, GD-MAP-3.

    Raises:
        ScenarioFault: the map cannot be played or drawn.
    """
    corners = [corner for sketched in document.sketches for corner in sketched.polygon]
    far = [max((corner[axis] for corner in corners), default=0) for axis in (0, 1)]
    width, height = (-(-most // cell) * cell for most, cell in zip(far, _CELLS, strict=True))
    given = MapFile(
        name="imported",
        title="Imported map",
        borders=document.borders,
        territory=tuple(
            MapTerritory(one.id, one.name, "", one.polygon) for one in document.sketches
        ),
        canvas=(width, height),
    )
    return build(given)


def _known(document: Document) -> World | None:
    """Return the shipped map with the borders and polygons of a document, or None. See: GD-GDL-6.

    The shipped map has labels, regions and routes that the language lacks. Names must be those of
    the map, or missing.
    """
    for world in map(shipped, names()):
        drawn = setup_of(world, ())
        plain = tuple(replace(one, name="") for one in drawn.sketches)
        if document.borders == drawn.borders and document.sketches in (drawn.sketches, plain):
            return world
    return None


def _members(players: Sequence[Player]) -> Iterable[Member]:
    """Yield the players with distinct one-word names. See: GD-GDL-1."""
    taken: set[str] = set()
    for player in players:
        word = "_".join(player.name.split()) or LETTERS[player.id]
        while word in taken:
            word += "_"
        taken.add(word)
        yield Member(word, player.colour or NO_COLOUR)
