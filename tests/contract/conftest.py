"""Every test in this folder runs once for each registered ruleset, or for those of ``--ruleset``.

Nothing here names a game. What a game promises follows from its traits, from what its presenter
offers and from its size; ``aids`` says how the tests of a ruleset may help.
"""

from __future__ import annotations

import pytest

from engine.core import registry
from tests.contract.chosen import names


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Hand each of the rulesets to a test that asks for ``rules``."""
    if "rules" in metafunc.fixturenames:
        found = [registry.find(name) for name in names()]
        metafunc.parametrize("rules", found, ids=names(), scope="session")
