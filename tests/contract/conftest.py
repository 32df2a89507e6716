"""Run every test in this folder once for each ruleset that the suite runs on.

Nothing here names a game. What a ruleset promises follows from its traits, from what its presenter
offers and from its size; see ``aids`` for how the tests of a ruleset may help.
"""

from __future__ import annotations

import pytest

from engine.core import registry
from tests.contract.chosen import names


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that has an argument ``rules`` once for each ruleset."""
    if "rules" in metafunc.fixturenames:
        found = [registry.find(name) for name in names()]
        metafunc.parametrize("rules", found, ids=names(), scope="session")
