"""Lists of orders as text: a seat's orders can be copied out and read again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.core import notation
from engine.core.ruleset import AnyRuleset
from engine.tabletop.presenter import presenter_of
from tests.contract.walks import WALKS, begun, examples, walk


@examples(10)
@given(choices=WALKS)
def test_a_list_that_is_copied_out_can_be_read_line_by_line(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game, presenter = begun(rules, choices), presenter_of(rules)
    for step in walk(game, choices):
        view = rules.view(step.game.state, step.seat)
        text = presenter.listed(view)
        found = presenter.unlisted(view, text)
        assert [each.fault for each in found] == [""] * len(text.splitlines())
        assert [each.number for each in found] == [*range(1, len(found) + 1)]
        assert presenter.listing or not text
        for each in found:
            notation.read(each.line, rules.command_type)


@examples(25)
@given(text=st.text(max_size=60))
def test_any_text_gives_lines_with_notation_or_with_one_line_of_reason(
    rules: AnyRuleset, text: str
) -> None:
    game = begun(rules)
    view = rules.view(game.state, 0)
    for each in presenter_of(rules).unlisted(view, text):
        assert bool(each.line) != bool(each.fault)
        assert len(each.fault.splitlines()) <= 1
        assert each.text
