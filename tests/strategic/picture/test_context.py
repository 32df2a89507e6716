"""Results computed for a view live exactly as long as that view."""

from __future__ import annotations

import gc
from weakref import ref

from engine.tabletop.focus import Focus
from tests.strategic import ground
from tests.strategic.picture.stage import PICTURE, shown

STATE = ground.world(["#..#", "...."], armies=[ground.army(1, 1, 1), ground.army(2, 2, 0)])


def test_view_has_one_context_and_one_board() -> None:
    views = [shown(STATE) for _ in range(200)]
    contexts = [PICTURE.context(view) for view in views]
    boards = [PICTURE.board(view, "map") for view in views]
    assert len({id(context) for context in contexts}) == len(views)
    assert all(
        PICTURE.context(view) is context for view, context in zip(views, contexts, strict=True)
    )
    assert all(
        PICTURE.board(view, "map") is board for view, board in zip(views, boards, strict=True)
    )


def test_results_are_freed_with_their_view() -> None:
    view = shown(STATE)
    context = ref(PICTURE.context(view))
    board = ref(PICTURE.board(view, "map").ground)
    held = PICTURE.fire(view, Focus(1, 1)).focus
    PICTURE.overlay(view, held)
    PICTURE.overlay(view, Focus(3, 0, held.held))
    PICTURE.layer(view, held, "danger")
    assert context() is not None
    assert board() is not None
    gone = ref(view)
    del view
    gc.collect()
    assert gone() is None
    assert context() is None
    assert board() is None
