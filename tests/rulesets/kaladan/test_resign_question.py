"""The question before giving up counts what leaves the board."""

from __future__ import annotations

import pytest

from engine.rulesets.kaladan.picture import PRESENTER
from engine.rulesets.kaladan.view import view
from engine.tabletop.ask import AskConfirm
from tests.rulesets.kaladan.positions import position


@pytest.mark.parametrize(
    ("map_text", "leaves"),
    [
        (
            "FF FFF FF\nA1 0 crown sword sword archer archer\nC1 1 crown",
            "Your Crown and 4 units leave",
        ),
        ("FF FFF FF\nA1 0 crown sword\nC1 1 crown", "Your Crown and 1 unit leave"),
        ("FF FFF FF\nA1 0 crown\nC1 1 crown", "Your Crown leaves"),
        ("FF FFF FF\nC1 1 crown", "You leave"),
    ],
)
def test_giving_up_counts_the_crown_once(map_text: str, leaves: str) -> None:
    seen = view(position(map_text, seats=2), 0)
    asked = PRESENTER.ask(seen, PRESENTER.start(seen), "resign", [])
    assert isinstance(asked, AskConfirm)
    assert asked.lines[0].text == f"{leaves} the war. This cannot be taken back."
