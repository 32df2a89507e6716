"""Examples in the docstrings of modules that texts of all games go through."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from engine.tabletop import english, narration


@pytest.mark.parametrize("module", [english, narration], ids=["english", "narration"])
def test_examples_are_right(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
