"""Fixtures that run tests about recorded games once for each registered ruleset."""

from __future__ import annotations

import pytest

from engine.core import registry
from engine.core.ruleset import AnyRuleset


@pytest.fixture(params=registry.names(), scope="session")
def rules(request: pytest.FixtureRequest) -> AnyRuleset:
    """A registered ruleset."""
    return registry.find(str(request.param))
