"""Annals: notable events by round, newest first, with counts of moves."""

from __future__ import annotations

from engine.tabletop.board import Line
from engine.tabletop.fact import Fact
from engine.tabletop.roles import Tone
from tui.play.annals import Annals

NAMES = ["Eldoin", "Dailor"]


def step(annals: Annals, piece: int, seat: int, x: int, entry: int) -> None:
    line = Line("went on", Tone.QUIET, seat, group=f"way of {piece}")
    annals.hear([line], [Fact("move", seat, at=(x, 0), source=(x - 1, 0))], 1, entry)


def strike(annals: Annals, text: str, seat: int, entry: int, round_: int = 1) -> None:
    annals.hear(
        [Line(text, seat=seat), Line("a die", Tone.QUIET)], [Fact("attack", seat)], round_, entry
    )


def told(annals: Annals, viewer: int = 0, most: int = 20) -> list[str]:
    return [line.text for line in annals.lines(NAMES, viewer, most)]


def test_steps_are_counted_by_piece_and_fights_are_listed() -> None:
    annals = Annals()
    annals.begin(1)
    for entry, (piece, x) in enumerate([(1, 1), (1, 2), (2, 7)]):
        step(annals, piece, 1, x, entry)
    strike(annals, "Axe men hit archers.", 1, 3)
    step(annals, 5, 0, 9, 4)
    assert told(annals) == [
        "Round 1",
        "Axe men hit archers.",
        "Eldoin: 1 unit moved",
        "Dailor: 2 units moved",
    ]


def test_newest_round_comes_first_and_old_ones_are_left_out() -> None:
    annals = Annals()
    annals.begin(1)
    strike(annals, "one", 0, 1)
    annals.hear([Line("Round 2 begins.")], [Fact("round")], 2, 2)
    strike(annals, "two", 0, 3, 2)
    strike(annals, "three", 0, 4, 2)
    assert told(annals) == ["Round 2", "three", "two", "Round 1", "one"]
    assert told(annals, most=3) == ["Round 2", "three", "two"]


def test_lines_about_other_seats_are_quiet() -> None:
    annals = Annals()
    annals.begin(1)
    strike(annals, "theirs", 1, 1)
    strike(annals, "mine", 0, 2)
    tones = {line.text: (line.tone, line.seat) for line in annals.lines(NAMES, 0, 9)}
    assert tones["mine"] == (Tone.NORMAL, 0)
    assert tones["theirs"] == (Tone.QUIET, -1)


def test_undone_entries_are_forgotten() -> None:
    annals = Annals()
    annals.begin(1)
    strike(annals, "kept", 0, 4)
    step(annals, 1, 0, 5, 5)
    strike(annals, "taken back", 0, 6)
    annals.rewind(4)
    assert told(annals) == ["Round 1", "kept"]


def test_secret_orders_and_bare_phases_are_not_listed() -> None:
    annals = Annals()
    annals.begin(1)
    annals.hear([Line("seals a list")], [Fact("order", 0)], 1, 1)
    annals.hear([Line("The attack begins.")], [Fact("phase")], 1, 2)
    assert told(annals) == []


def test_marches_that_name_no_piece_are_counted_as_moves() -> None:
    annals = Annals()
    annals.begin(1)
    for entry in range(3):
        annals.hear([Line("marches")], [Fact("move", 0, at=(4, 4), amount=1)], 1, entry)
    assert told(annals) == ["Round 1", "Eldoin: 3 moves"]
    annals.rewind(0)
    assert told(annals) == ["Round 1", "Eldoin: 1 move"]
