"""Whole games between documents and logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.core.game import Game
from engine.core.ids import Seat
from engine.core.log import Entry
from engine.core.notation import write as notation_of
from engine.core.options import Value
from engine.core.record import Record, replace
from engine.core.refused import Refused
from engine.core.ruleset import ScenarioFault
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import AnyCommand, SealList, WriteList
from engine.rulesets.gd6.drafting import project, with_list
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.gdl.document import Block, Document, Written
from engine.rulesets.gd6.gdl.maps import setting_of, sketch
from engine.rulesets.gd6.gdl.order_lines import write_order
from engine.rulesets.gd6.orders import AnyOrder, PlaceHq
from engine.rulesets.gd6.rules import RULES
from engine.rulesets.gd6.setup import EMPTY
from engine.rulesets.gd6.state import Setting, State, Territory, View
from engine.rulesets.gd6.view import view
from engine.rulesets.gd6.words import joined

_SEED = b"no chance"
"""This game throws no dice, so any seed does."""

GdGame = Game[State, AnyCommand, ev.AnyEvent, View]
"""A game in progress."""


class Recording(Record, frozen=True):
    """What a document comes to: a scenario, who gave which command then, and remarks.

    Rules: GD-GDL-7.
    """

    scenario: Setting
    play: tuple[tuple[Seat, AnyCommand], ...]
    remarks: tuple[str, ...] = ()
    whole: bool = True
    """False: the text goes on after the end of the game."""


def recording_of(document: Document, options: Mapping[str, Value] | None = None) -> Recording:
    """A document as commands, turn after turn. Rules: GD-GDL-7.

    Orders that the rules refuse are left out, each with a remark. Sites that clash stop a turn: a
    remark says so, and the next block is a settling round of the same turn. The language does not
    know when a game ends: where a text without ``options`` goes on after the end that is usual,
    there is no limit of turns and no domination.

    Raises:
        ScenarioFault: the set-up cannot be played, or a list is too long.
        OptionFault: an option cannot be set so.
    """
    scenario = setting_of(document)
    found = _played(document, scenario, options or {})
    if options or found.whole:
        return found
    endless = replace(scenario.options, domination=0, turn_limit=0)
    longer = _played(document, replace(scenario, options=endless), {})
    return longer if longer.whole else found


def _played(document: Document, scenario: Setting, options: Mapping[str, Value]) -> Recording:
    game: GdGame = Game.begin(RULES, scenario, options, _SEED)
    play: list[tuple[Seat, AnyCommand]] = []
    remarks: list[str] = []
    sealed: dict[Seat, tuple[Written, ...]] = {}
    for number, block in enumerate(document.blocks, 1):
        if RULES.outcome(game.state) is not None:
            remarks.append(f"The game is over; what follows list {number - 1} is left out.")
            return Recording(scenario, tuple(play), tuple(remarks), whole=False)
        remarks += _disregarded(document, block, game.state, sealed)
        lists = dict(block.lists)
        sealed |= {seat: lists.get(seat, ()) for seat in RULES.owes(game.state)}
        for seat, command in _commands(game.state, block, remarks):
            try:
                game.submit(seat, command)
            except Refused as problem:
                raise ScenarioFault(f"list {number}", problem.text, problem.rule) from None
            play.append((seat, command))
        if game.state.choosing:
            remarks.append(_clash(game.state, block, is_last=number == len(document.blocks)))
    return Recording(scenario, tuple(play), tuple(remarks))


def _clash(state: State, block: Block, *, is_last: bool) -> str:
    """The remark on a block in which sites clashed. Rules: GD-GDL-7, GD-HQ-5."""
    lists = dict(block.lists)
    failed = [
        written
        for seat in state.choosing
        for written in lists.get(seat, ())
        if isinstance(written.order, PlaceHq)
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
    block: Block,
    state: State,
    sealed: Mapping[Seat, tuple[Written, ...]],
) -> Iterator[str]:
    """Remarks on lists of seats that owe none: they are out, or others choose sites again.

    Rules: GD-GDL-7, GD-HQ-5. A settling round repeats the lists that stay sealed, without remark.
    """
    owing = RULES.owes(state)
    for seat, listed in block.lists:
        if seat in owing:
            continue
        if state.players[seat].status == "eliminated":
            why = "is out of the game"
        elif [one.order for one in listed] == [one.order for one in sealed.get(seat, ())]:
            continue
        else:
            why = "does not choose a site in this settling round, and the list sealed before stays"
        name = document.members[seat].name
        yield f"Line {listed[0].line}: {name} {why}; this list is left out."


def replayed(recording: Recording, options: Mapping[str, Value] | None = None) -> GdGame:
    """The game of a recording, played to its end. Rules: GD-GDL-7."""
    game: GdGame = Game.begin(RULES, recording.scenario, options or {}, _SEED)
    for seat, command in recording.play:
        game.submit(seat, command)
    return game


def _commands(state: State, block: Block, remarks: list[str]) -> Iterator[tuple[Seat, AnyCommand]]:
    """What the seats do that still owe a list; others cannot change theirs. Rules: GD-HQ-5."""
    lists = dict(block.lists)
    owing = sorted(RULES.owes(state))
    for seat in owing:
        good = _good(state, seat, lists.get(seat, ()), remarks)
        if good != state.players[seat].orders:
            yield seat, WriteList(tuple(map(notation_of, good)))
    for seat in owing:
        yield seat, SealList()


def _good(
    state: State, seat: Seat, listed: tuple[Written, ...], remarks: list[str]
) -> tuple[AnyOrder, ...]:
    """A list without what the rules refuse. Rules: GD-CHECK-2."""
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
    """The line of a game as a document: its set-up, and all lists that were carried out.

    Rules: GD-GDL-5, GD-GDL-6.

    Raises:
        ScenarioFault: the language cannot say it: the game began from a position, or somebody
            conceded.
    """
    state, blocks = EMPTY, list[Block]()
    for entry in entries:
        for event in entry.events:
            match event:
                case ev.GameStarted():
                    _check_start(event)
                case ev.Conceded():
                    text = "the order language has no word for giving up"
                    raise ScenarioFault(f"entry {entry.seq}", text, "GD-GDL-5")
                case ev.TurnClosed():
                    blocks.append(_block(state))
                case _:
                    pass
            state = evolve(state, event)
    return replace(sketch(state.world, state.players.rows()), blocks=tuple(blocks))


def _block(state: State) -> Block:
    """Everybody's sealed lists at this moment."""
    sealed = (player for player in state.players.rows() if player.sealed and player.orders)
    return Block(
        tuple((player.id, tuple(map(Written, player.orders))) for player in sealed),
    )


def _check_start(begun: ev.GameStarted) -> None:
    """Refuse a game that did not begin with an empty map. Rules: GD-GDL-5."""
    empty = all(here == Territory(here.id) for here in begun.territories)
    poor = all(
        not (player.ip or player.crop or player.dynamite or player.toxic or player.orders)
        and player.status == "unsettled"
        for player in begun.players
    )
    scene = begun.scenario
    if not (empty and poor and scene.turn == 1 and scene.phase == "natural"):
        text = "the order language knows only games that begin with an empty map"
        raise ScenarioFault("", text, "GD-GDL-5")
