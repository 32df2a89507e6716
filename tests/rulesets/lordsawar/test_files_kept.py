"""Every part of an original's file, in any wrapping, is imported or has a remark."""

from __future__ import annotations

import bz2
import gzip
from collections import Counter
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.ruleset import Imported, ScenarioFault
from engine.rulesets.lordsawar.files.archive import FileKind
from engine.rulesets.lordsawar.files.originals import IMPORTERS
from engine.rulesets.lordsawar.scene import Map
from tests.rulesets.lordsawar import original_files as build
from tests.rulesets.lordsawar.test_files_real import named

(IMPORTER,) = IMPORTERS

START: Final = {
    "scenario": build.element(
        "scenario", build.OPTIONS.replace("<d_turn>3</d_turn>", "<d_turn>0</d_turn>")
    )
}
LISTED: Final = ("Axe", "Bell", "Crown")

WRAPPINGS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "tar": lambda xml: build.tar({"x.map": xml}),
    "XML alone": lambda xml: xml,
    "XML with a byte order mark": lambda xml: b"\xef\xbb\xbf" + xml,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "tar in gzip": lambda xml: gzip.compress(build.tar({"x.map": xml})),
}


def scene_of(found: Imported) -> Map:
    assert isinstance(found.scenario, Map)
    return found.scenario


def xml(version: str, **changed: str) -> bytes:
    return build.document("lordsawar", version, build.sections(**START, **changed))


@pytest.mark.rule("LW-19.1", "LW-19.3")
@pytest.mark.parametrize("version", ["0.2.1", "0.3.2"])
def test_scenario_is_the_same_in_every_wrapping(version: str) -> None:
    found = []
    for wrap in WRAPPINGS.values():
        data = wrap(xml(version))
        assert IMPORTER.sniff(data)
        found.append(IMPORTER.read(data, build.army_set()))
    assert found == [found[0]] * len(WRAPPINGS)


@pytest.mark.rule("LW-19.1", "LW-19.3")
@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_unknown_version_is_refused_with_the_known_ones(wrapping: str) -> None:
    data = WRAPPINGS[wrapping](xml("0.1.3"))
    assert IMPORTER.sniff(data)
    with pytest.raises(ScenarioFault) as told:
        IMPORTER.read(data)
    assert "version '0.1.3'; known: 0.2.1, 0.3.2, 0.3.3" in str(told.value)


@pytest.mark.rule("LW-19.1", "LW-19.5")
def test_missing_army_set_of_an_old_map_is_named() -> None:
    with pytest.raises(ScenarioFault) as told:
        IMPORTER.read(xml("0.2.1"))
    assert "army set" in str(told.value)


# -- items -----------------------------------------------------------------------------------------


def item_list() -> str:
    kinds = (build.element("itemproto", build.data(name=name)) for name in LISTED)
    return build.element("itemlist", *kinds)


def ruin_with(number: int, thing: str) -> str:
    rewarded = build.reward("Reward::ITEM", thing)
    return build.site("ruin", 40 + number, number, 8, rewarded, name="Crypt", searched=False)


@pytest.mark.rule("LW-11", "LW-19.3")
@settings(max_examples=10, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(st.sampled_from((*LISTED, "Unlisted")), st.sampled_from((0, 1, 2, 7))),
        max_size=4,
    )
)
def test_every_item_is_imported_once_for_any_numbers(held: list[tuple[str, int]]) -> None:
    ruins = [
        ruin_with(number, build.item(id=80 + number, type=kind, name=name, bonus=""))
        for number, (name, kind) in enumerate(held)
    ]
    changed = {"itemlist": item_list(), "ruinlist": build.element("ruinlist", *ruins)}
    scene = scene_of(IMPORTER.read(xml("0.3.2", **changed), build.army_set()))
    lying = Counter(item.name for item in scene.items if item.where == "ground")
    names = Counter(item.name for item in scene.items)
    assert names == (Counter(name for name, _ in held) + lying) | Counter(LISTED)
    sited = Counter(item.name for item in scene.items if item.where == "site")
    assert sited == Counter(name for name, _ in held)


@pytest.mark.skipif(not named(FileKind.MAP), reason="the package lordsawar-data is not installed")
@pytest.mark.rule("LW-11", "LW-19.3")
def test_maps_of_the_original_keep_every_item() -> None:
    names = {}
    for stem, path in named(FileKind.MAP).items():
        scene = scene_of(IMPORTER.read(path.read_bytes()))
        names[stem] = Counter(item.name for item in scene.items)
    assert names["dol"]["Shield of Courage"] == names["dol"]["Firesword"] == 1


# -- places ----------------------------------------------------------------------------------------


@pytest.mark.rule("LW-19.5")
@settings(max_examples=6, deadline=None, derandomize=True)
@given(burnt=st.integers(0, 2), stones=st.integers(0, 2), rewards=st.integers(0, 2))
def test_places_that_are_not_imported_have_a_remark(burnt: int, stones: int, rewards: int) -> None:
    cities = [build.city(10, 0, 1, 0, build.slot(7)), build.city(11, 8, 7, 5, build.slot(7))]
    cities += [build.city(20 + n, 5, 3 + 3 * n, burnt=True) for n in range(burnt)]
    changed = {
        "citylist": build.element("citylist", *cities),
        "stonelist": build.element(
            "stonelist", *(build.site("stone", 83 + n, 6 + n, 3, type=0) for n in range(stones))
        ),
        "rewardlist": build.element(
            "rewardlist", *(build.reward("Reward::GOLD", gold=5) for _ in range(rewards))
        ),
    }
    found = IMPORTER.read(xml("0.3.2", **changed), build.army_set())
    scene = scene_of(found)
    told = "\n".join(found.remarks)
    assert len(scene.cities) == 2
    for words, count in (
        ("burnt cities are left out", burnt),
        ("circles of stones are left out", stones),
        ("rewards that no ruin has yet are drawn anew", rewards),
    ):
        assert (f"{words}: {count}" in told) is bool(count)
    assert len(scene.sites) == 3
    assert len(scene.signs) == 1
