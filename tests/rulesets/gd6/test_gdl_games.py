"""Whole texts in the order language: maps, players and turns; exported and imported games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.codec import digest
from engine.core.containers import Roster
from engine.core.game import Game
from engine.core.ids import HOUSE
from engine.core.options import Value
from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.rulesets.gd6.commands import Concede, SealList, UnsealList, WriteList
from engine.rulesets.gd6.gdl.documents import Document, read, write
from engine.rulesets.gd6.gdl.games import (
    GdlExporter,
    GdlImporter,
    Recording,
    document_of,
    recording_of,
    setting_of,
    setup_of,
    world_of,
)
from engine.rulesets.gd6.generate import generate
from engine.rulesets.gd6.raster import FULL, cells
from engine.rulesets.gd6.rules import RULES
from engine.rulesets.gd6.state import Choices, Player, Setting, State
from engine.rulesets.gd6.world import names, shipped
from tests.contract.walks import examples
from tests.rulesets.gd6.table import Play

TEXT = """// A small map
InitStart
SetNumTerritories 4

SetBoundaries 1,2;3,2
// more borders
SetBoundaries 3,4;2,1
SetIdentifier 2 The  Long   Shore
AddPlayer Red #f00
// colour undecided
AddPlayer Blue #00F
InitEnd

//// Turn 1
Set Red
Con 1 Hq
//Con 2 Hq
Set Blue
Con 4 Hq
End
Con 4 2A
Set Red
Con 1 1A
Set Blue
Mov 4→3 1A
Set Red
Con 2 1A
"""


def replayed(found: Recording, options: Mapping[str, Value] | None = None) -> Play:
    """Play the game of a recording to its end."""
    game: Play = Game.begin(RULES, found.scenario, options or {}, b"")
    for seat, command in found.play:
        game.submit(seat, command)
    return game


def play(setting: Setting, choices: list[int], turns: int = 4) -> Play:
    """Play a game in which the numbers choose among the offers."""
    game: Play = Game.begin(RULES, setting, {}, b"seed")
    for number in range(len(choices) * 10):
        if RULES.outcome(game.state) is not None or game.state.turn > turns:
            break
        choice = choices[number % len(choices)] + number
        owing = sorted(RULES.owes(game.state))
        seat = owing[choice % len(owing)]
        given = RULES.offers(game.view(seat))
        offered = [one for one in given if not isinstance(one, Concede | UnsealList)]
        seals = [one for one in offered if isinstance(one, SealList)]
        game.submit(seat, seals[0] if seals and choice % 7 == 0 else offered[choice % len(offered)])
    return game


def plain(state: State) -> State:
    """Return a state without open lists and the scenario's texts."""
    players = (replace(player, orders=(), sealed=False) for player in state.players.values())
    return replace(state, name="", title="", about="", players=Roster(players))


def options_of(state: State) -> dict[str, Value]:
    """Return the options of a game, which the language cannot express."""
    chosen = state.options
    return {
        "variant": chosen.variant,
        "domination": chosen.domination,
        "turn_limit": chosen.turn_limit,
    }


@pytest.mark.rule("GD-GDL-1", "GD-GDL-2")
def test_text_has_a_map_players_and_turns() -> None:
    document = read(TEXT)
    assert document.borders == ((1, 2), (2, 3), (3, 4))
    assert [sketched.name for sketched in document.sketches] == ["", "The Long Shore", "", ""]
    assert [(member.name, member.colour) for member in document.members] == [
        ("Red", "#f00"),
        ("Blue", "#00F"),
    ]
    lists = [
        {seat: [one.line for one in written] for seat, written in block.lists}
        for block in document.blocks
    ]
    assert lists == [{0: [16], 1: [19]}, {0: [23, 27], 1: [21, 25]}]


@pytest.mark.rule("GD-GDL-2")
def test_turn_may_be_empty_and_the_last_needs_no_end() -> None:
    start = TEXT[: TEXT.index("//// Turn 1")] + "Set Red\n"
    assert len(read(start).blocks) == 0
    assert len(read(start + "End\nEnd\n").blocks) == 2
    assert len(read(start + "End\nCon 1 Hq").blocks) == 2
    assert write(read(start + "End\nEnd\nCon 1 Hq")).endswith(
        "InitEnd\n\nSet Red\nEnd\n\nEnd\n\nSet Red\nCon 1 Hq\nEnd\n"
    )


@pytest.mark.rule("GD-GDL-5")
def test_written_text_is_stable() -> None:
    text = write(read(TEXT))
    assert write(read(text)) == text
    assert "Set Blue\nCon 4 2A\nMov 4→3 1A\nEnd\n" in text
    assert "SetIdentifier 2 The Long Shore\n" in text


@pytest.mark.rule("GD-GDL-1")
def test_foreign_line_ends_and_byte_order_marks_are_read() -> None:
    assert read("\ufeff" + TEXT.replace("\n", "\r\n")) == read(TEXT)


@pytest.mark.rule("GD-GDL-7")
def test_text_is_played_turn_by_turn() -> None:
    found = recording_of(read(TEXT))
    state = replayed(found).state
    assert found.remarks == ()
    assert state.turn == 3
    assert [here.owner for here in state.territories.values()] == [0, 0, 1, 1]
    assert [here.army for here in state.territories.values()] == [1, 1, 1, 1]
    assert [player.name for player in state.players.values()] == ["Red", "Blue"]


@pytest.mark.rule("GD-GDL-7")
def test_refused_orders_are_skipped_with_a_remark() -> None:
    text = TEXT.replace("Con 2 1A", "Con 2 9A").replace("Mov 4→3 1A", "Mov 4→1 1A")
    found = recording_of(read(text))
    assert [remark.split(":")[0] for remark in found.remarks] == [
        "Line 23, Con 1 1A",
        "Line 27, Con 2 9A",
        "Line 25, Mov 4→1 1A",
    ]
    assert replayed(found).state.turn == 3


@pytest.mark.rule("GD-GDL-7")
def test_lists_after_the_end_of_the_game_are_skipped() -> None:
    text = TEXT + "End\nEnd\nEnd\n"
    document = read(text)
    found = recording_of(document, {"turn_limit": 2})
    assert found.remarks == ("The game is over; what follows list 2 is left out.",)
    assert replayed(found, {"turn_limit": 2}).state.reason == "turn_limit"


@pytest.mark.rule("GD-GDL-7")
def test_text_beyond_the_default_end_is_played_without_limits() -> None:
    longer = recording_of(read(TEXT + "End\n" * 40))
    state = replayed(longer).state
    assert longer.remarks == ()
    assert (state.turn, state.reason) == (42, "")
    assert longer.scenario.options == Choices("base", 0, 0)
    usual = replayed(recording_of(read(TEXT + "End\n" * 29))).state
    assert usual.reason == "turn_limit"


@pytest.mark.rule("GD-GDL-7")
def test_settling_round_is_a_separate_block() -> None:
    game: Play = Game.begin(RULES, Setting("a", "A", "", map="west16", seats=3), {}, b"")
    rounds: list[dict[int, tuple[str, ...]]] = [
        {0: ("hq at=1", "spawn at=1 count=1"), 1: ("hq at=2",), 2: ("hq at=12",)},
        {0: ("hq at=1",), 1: ("hq at=8",)},
        {2: ("spawn at=12 count=2",)},
    ]
    for lists in rounds:
        for seat in sorted(RULES.owes(game.state)):
            if seat in lists:
                game.submit(seat, WriteList(lists[seat]))
            game.submit(seat, SealList())
    assert game.state.turn == 3
    document = document_of(game.log.line())
    assert [len(block.lists) for block in document.blocks] == [3, 3, 1]
    assert [seat for seat, _ in document.blocks[1].lists] == [0, 1, 2]
    text = write(document)
    found = recording_of(read(text))
    clashing = [text.splitlines().index(f"Con {site} Hq") + 1 for site in (1, 2)]
    assert found.remarks == (
        (
            f"Lines {clashing[0]} and {clashing[1]}, Con 1 Hq and Con 2 Hq: these sites clash."
            " Turn 1 stops there until a settling round is over; the next list is that round."
        ),
    )
    assert plain(replayed(found).state) == plain(game.state)


CLASH = """InitStart
SetNumTerritories 9
SetBoundaries 1,2;2,3;3,4;4,5;5,6;6,7;7,8;8,9
AddPlayer Red #f00
AddPlayer Blue #00f
AddPlayer Green #0f0
InitEnd
Set Red
Con 1 Hq
Set Blue
Con 2 Hq
Con 2 1A
Set Green
Con 9 Hq
Con 9 2A
End
"""
"""Red and Blue choose sites too close to each other; Green settles."""


@pytest.mark.rule("GD-GDL-7", "GD-HQ-5")
def test_clash_and_already_sealed_lists_are_reported_by_line() -> None:
    round_2 = "Set Red\nCon 1 Hq\nSet Blue\nCon 5 Hq\nSet Green\nCon 9 Hq\nCon 8 2A\nEnd\n"
    found = recording_of(read(CLASH + round_2))
    assert found.remarks == (
        (
            "Lines 9 and 11, Con 1 Hq and Con 2 Hq: these sites clash. Turn 1 stops there until a"
            " settling round is over; the next list is that round."
        ),
        (
            "Line 22: Green does not choose a site in this settling round, and the list sealed"
            " before stays; this list is left out."
        ),
    )
    state = replayed(found).state
    assert (state.turn, state.territories[9].army, state.territories[8].army) == (2, 2, 0)
    whole = recording_of(read(CLASH + round_2.replace("Con 8 2A", "Con 9 2A")))
    assert whole.remarks == found.remarks[:1]
    assert replayed(whole).state == state


@pytest.mark.rule("GD-GDL-7", "GD-HQ-5")
def test_clash_at_the_end_of_a_text_leaves_the_turn_open() -> None:
    found = recording_of(read(CLASH))
    assert found.remarks == (
        (
            "Lines 9 and 11, Con 1 Hq and Con 2 Hq: these sites clash. Turn 1 stops there until a"
            " settling round is over; the text has none."
        ),
    )
    state = replayed(found).state
    assert (state.turn, state.choosing, state.territories[9].hq) == (1, (0, 1), 2)


@pytest.mark.rule("GD-GDL-7", "GD-REFUSE-4")
def test_list_of_an_eliminated_seat_is_skipped_with_a_remark() -> None:
    text = """InitStart
SetNumTerritories 7
SetBoundaries 1,2;2,3;3,4;4,5;5,6;6,7
AddPlayer Red #f00
AddPlayer Blue #00f
AddPlayer Green #0f0
InitEnd
Set Red
Con 1 Hq
Con 1 2A
Mov 1→2→3 2A
Set Green
Con 4 Hq
Set Blue
Con 7 Hq
End
Set Red
Con 2 3A
Mov 2→3 3A
End
Mov 3→4 5A
End
Set Green
Con 4 2A
End
"""
    found = recording_of(read(text))
    assert found.remarks == ("Line 24: Green is out of the game; this list is left out.",)
    assert replayed(found).state.turn == 5


@pytest.mark.rule("GD-GDL-5", "GD-GDL-6", "GD-GDL-7")
@examples(25)
@given(
    choices=st.lists(st.integers(0, 9999), min_size=4, max_size=12),
    name=st.sampled_from(names()),
    seats=st.integers(2, 4),
    variant=st.sampled_from(["base", "advanced"]),
)
def test_exported_game_imports_to_the_same_state(
    choices: list[int], name: str, seats: int, variant: Any
) -> None:
    setting = Setting("a", "A", "", map=name, seats=seats, options=Choices(variant))
    game = play(setting, choices)
    text = write(document_of(game.log.line()))
    found = recording_of(read(text), options_of(game.state))
    again = replayed(found, options_of(game.state))
    assert all("these sites clash" in remark for remark in found.remarks)
    assert write(document_of(again.log.line())) == text
    assert digest(plain(again.state)) == digest(plain(game.state))


@pytest.mark.rule("GD-GDL-6")
@pytest.mark.parametrize("name", names())
def test_shipped_map_is_recognised_with_or_without_its_names(name: str) -> None:
    players = [Player(seat, name=f"P{seat}", colour="#123") for seat in range(2)]
    document = setup_of(shipped(name), players)
    bare = tuple(replace(one, name="") for one in document.sketches)
    assert setting_of(read(write(document))).map == name
    assert setting_of(replace(document, sketches=bare)).map == name
    other = (replace(bare[0], name="Elsewhere"), *bare[1:])
    assert setting_of(replace(document, sketches=other)).map == ""
    fewer = setting_of(replace(document, borders=document.borders[1:]))
    assert fewer.world is not None
    assert fewer.map == ""


@pytest.mark.rule("GD-GDL-6")
def test_map_from_polygons_matches_the_shipped_one() -> None:
    known = shipped("world64")
    found = world_of(setup_of(known, ()))
    assert (found.sea_routes, found.seams) == (known.sea_routes, known.seams)
    assert cells(found, FULL).cells.max() == 64
    drawn = cells(known, FULL).cells
    assert (
        cells(found, FULL).cells == drawn[: found.canvas[1] // 20, : found.canvas[0] // 10]
    ).all()


@pytest.mark.rule("GD-GDL-6")
def test_generated_map_survives_the_text() -> None:
    made = generate("text", 16, 3)
    found = world_of(read(write(setup_of(made, ()))))
    assert [land.neighbours for land in found.lands] == [land.neighbours for land in made.lands]
    one, other = cells(made, FULL).cells, cells(found, FULL).cells
    height, width = min(one.shape[0], other.shape[0]), min(one.shape[1], other.shape[1])
    assert (one[:height, :width] == other[:height, :width]).all()
    assert one[height:].max(initial=0) == one[:, width:].max(initial=0) == 0


@pytest.mark.rule("GD-GDL-6")
def test_orders_for_other_units_set_the_advanced_variant() -> None:
    assert setting_of(read(TEXT)).options.variant == "base"
    for line in ("Con 1 1C", "Con 1 1M", "Mov 1→2 1S"):
        assert setting_of(read(TEXT + line)).options.variant == "advanced"


@pytest.mark.rule("GD-GDL-1")
def test_players_get_distinct_names_of_one_word() -> None:
    players = [Player(0, name="Ann  Lee"), Player(1, name="Ann_Lee"), Player(2)]
    members = setup_of(shipped("west16"), players).members
    assert [member.name for member in members] == ["Ann_Lee", "Ann_Lee_", "C"]
    assert {member.colour for member in members} == {"#888"}


@pytest.mark.rule("GD-GDL-5")
def test_inexpressible_games_are_refused() -> None:
    settled = RULES.scenarios()["ring"]
    game: Play = Game.begin(RULES, settled, {}, b"")
    with pytest.raises(ScenarioFault, match="begin with an empty map"):
        document_of(game.log.line())
    game = Game.begin(RULES, Setting("a", "A", "", map="west16", seats=2), {}, b"")
    game.submit(0, Concede())
    with pytest.raises(ScenarioFault, match="entry 1: the order language has no word for giving"):
        document_of(game.log.line())


@pytest.mark.rule("GD-GDL-5")
def test_unsealed_lists_are_not_exported() -> None:
    game: Play = Game.begin(RULES, Setting("a", "A", "", map="west16", seats=2), {}, b"")
    game.submit(0, WriteList(("hq at=1",)))
    game.submit(0, SealList())
    game.submit(1, WriteList(("hq at=12",)))
    game.submit(HOUSE, SealList())
    (block,) = document_of(game.log.line()).blocks
    assert [seat for seat, _ in block.lists] == [0]


@pytest.mark.rule("GD-GDL-4", "GD-GDL-6")
def test_importer_gives_a_scenario_or_the_line_of_the_error() -> None:
    importer = GdlImporter()
    data = TEXT.encode()
    assert importer.sniff(data)
    assert importer.sniff(b"\xef\xbb\xbf" + data)
    assert not importer.sniff(b"name = 'x'")
    assert not importer.sniff(b"")
    assert not importer.sniff(bytes(range(256)))
    found = importer.read(data)
    RULES.check(found.scenario)
    assert found.play == recording_of(read(TEXT)).play
    with pytest.raises(
        ScenarioFault, match=r"^line 16: gdl_unknown_territory: '9' is no territory"
    ):
        importer.read(data.replace(b"Con 1 Hq", b"Con 9 Hq"))
    with pytest.raises(ScenarioFault, match="line 3: gdl_bad_argument: no UTF-8 text"):
        importer.read(b"InitStart\n\n\xff\n")
    with pytest.raises(ScenarioFault, match="no map"):
        importer.read(b"InitStart\nInitEnd\n")


@pytest.mark.rule("GD-GDL-6")
def test_too_many_players_are_refused() -> None:
    crowd = "".join(f"AddPlayer P{seat} #123\n" for seat in range(14))
    text = "InitStart\nSetNumTerritories 2\nSetBoundaries 1,2\n" + crowd + "InitEnd\n"
    with pytest.raises(ScenarioFault):
        GdlImporter().read(text.encode())


@pytest.mark.rule("GD-GDL-5")
def test_exporter_writes_the_lines_of_a_game() -> None:
    game = replayed(recording_of(read(TEXT)))
    lines = GdlExporter().content(game.log.line()).decode().splitlines()
    assert lines[0] == "InitStart"
    assert lines[-1] == "End"
    assert read("\n".join(lines)).members == read(TEXT).members


def test_empty_document_can_be_written_and_read() -> None:
    assert read(write(Document())) == Document()


def test_too_long_text_is_refused_before_reading() -> None:
    text = b"StartGame\n" + b"Wait\n" * 200_000
    with pytest.raises(ScenarioFault, match="larger than 1000000 bytes"):
        GdlImporter().read(text)
