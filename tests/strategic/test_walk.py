"""A traced attack runs through few files of the layer."""

from __future__ import annotations

import bench.walk


def test_attack_on_a_city_runs_through_few_files() -> None:
    found = bench.walk.attack()
    assert "strategic/battle.py" in found.files, "the walk ends before the city"
    assert "strategic/aftermath.py" in found.files, "nobody fell"
    assert found.layers["strategic"] <= 12, sorted(found.files)
    assert found.layers["rulesets"] <= 3, sorted(found.files)
    assert len(found.files) <= 23, sorted(found.files)
