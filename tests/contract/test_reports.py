"""Reports and numbers: well-formed tables that show only what the viewer may know."""

from __future__ import annotations

from hypothesis import given

from engine.core.codec import encode
from engine.core.dice import Seeded
from engine.core.ids import REFEREE
from engine.core.ruleset import AnyRuleset
from engine.tabletop.board import NOBODY, Board
from engine.tabletop.presenter import presenter_of
from engine.tabletop.report import Report
from tests.contract.test_pictures import assert_on
from tests.contract.walks import SEED, WALKS, begun, examples, viewers, walk


def assert_tables(reports: tuple[Report, ...], board: Board) -> None:
    """Check that reports are valid tables with distinct names, whose rows lead onto the board."""
    names = [report.name for report in reports]
    assert len(names) == len({*names})
    assert all(name.isidentifier() and name == name.casefold() for name in names)
    for report in reports:
        assert report.title
        for row in report.rows:
            assert len(row.cells) == len(report.columns)
            assert all(str(cell).isprintable() for cell in row.cells)
            assert row.seat >= NOBODY
            if row.at is not None:
                assert_on(board, *row.at)


@examples(15)
@given(choices=WALKS)
def test_every_row_of_a_report_has_a_cell_for_each_column(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game, presenter = begun(rules, choices), presenter_of(rules)
    list(walk(game, choices))
    for viewer in viewers(rules):
        view = game.view(viewer)
        board = presenter.board(view, presenter.zooms[0])
        assert_tables(presenter.reports(view), board)


@examples(15)
@given(choices=WALKS)
def test_numbers_are_the_statistics_as_far_as_they_are_known(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game, presenter = begun(rules, choices), presenter_of(rules)
    list(walk(game, choices))
    truth = rules.statistics(game.state)
    assert dict(presenter.numbers(game.view(REFEREE))) == dict(truth)
    for viewer in viewers(rules):
        found = presenter.numbers(game.view(viewer))
        assert list(found) == list(truth)
        for name, values in found.items():
            pairs = list(zip(values, truth[name], strict=True))
            assert all(told in (None, true) for told, true in pairs)
            assert viewer not in range(len(values)) or values[viewer] is not None


@examples(10)
@given(choices=WALKS)
def test_twins_that_differ_in_hidden_things_have_the_same_reports(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game, presenter = begun(rules, choices), presenter_of(rules)
    list(walk(game, choices))
    for viewer in viewers(rules):
        seen = game.view(viewer)
        twin = rules.view(rules.imagine(seen, Seeded(SEED, len(choices), "imagine")), viewer)
        assert encode(presenter.reports(twin)) == encode(presenter.reports(seen))
        assert encode(dict(presenter.numbers(twin))) == encode(dict(presenter.numbers(seen)))
