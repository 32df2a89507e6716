"""Finding rulesets by name."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import pytest

from engine.core import registry
from tests.toy import RULES


def test_shipped_rulesets_come_first_and_registered_ones_are_found() -> None:
    names = registry.names()
    assert "weltendaemmerung" in names
    assert names.index("weltendaemmerung") < names.index("toy")
    assert len(set(names)) == len(names)
    assert registry.find("toy") is RULES
    assert registry.find("weltendaemmerung").name == "weltendaemmerung"


def test_unknown_ruleset_error_lists_the_known_names() -> None:
    with pytest.raises(registry.UnknownRuleset, match=r"no ruleset 'chess'; known: .*toy"):
        registry.find("chess")


def test_entry_points_register_rulesets_of_other_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = EntryPoint("foreign", "tests.toy:RULES", registry.GROUP)

    def points(**wanted: Any) -> EntryPoints:
        return EntryPoints([point]).select(**wanted)

    monkeypatch.setattr(registry, "entry_points", points)
    assert "foreign" in registry.names()
    assert registry.find("foreign") is RULES
