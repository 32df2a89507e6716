"""Hostile files of LordsAWar raise a single class of error in bounded time and memory."""

from __future__ import annotations

import contextlib
import time
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core.ruleset import ScenarioFault
from engine.rulesets.lordsawar.files.archive import LARGEST, kind_of
from engine.rulesets.lordsawar.files.scenario import read_scenario
from engine.rulesets.lordsawar.files.sets import read_army_set, read_city_set, read_tile_set
from tests.rulesets.lordsawar import original_files as build

ROOM = LARGEST - 12_000
SECONDS = 2.0
MEMORY = 40_000_000
"""Maximum memory in bytes: twice what the worst of these files takes now."""
MANY = 10_000
"""Number of rows of one kind. Comparing all pairs would exceed the time limit by far."""

SMALL = build.scenario()
XML = build.document("lordsawar", "0.3.2", build.sections())
LINES = tuple(XML.decode().splitlines(keepends=True))


def refusal(data: bytes) -> str:
    """Return the reason for a refusal, or "" if the file is read. No other error may occur."""
    reason = ""
    begun = time.process_time()
    try:
        read_scenario(data)
    except ScenarioFault as fault:
        reason = str(fault)
    assert time.process_time() - begun < SECONDS
    assert "\n" not in reason
    assert len(reason) < 700
    return reason


FAST = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@pytest.mark.rule("LW-19.5", "LW-22")
@FAST
@given(
    cut=st.integers(0, 2 * len(SMALL)),
    places=st.lists(st.tuples(st.integers(0, len(SMALL) - 1), st.integers(0, 255)), max_size=12),
)
def test_flipped_bytes_and_torn_files_are_refused_or_read(
    cut: int, places: list[tuple[int, int]]
) -> None:
    data = bytearray(SMALL)
    for at, value in places:
        data[at] = value
    refusal(bytes(data[:cut] if cut < len(data) else data))


@pytest.mark.rule("LW-19.1", "LW-22")
@FAST
@given(
    at=st.integers(0, 511),
    value=st.integers(0, 255),
    member=st.integers(0, 3),
)
def test_member_headers_with_a_changed_byte_are_refused_or_read(
    at: int, value: int, member: int
) -> None:
    data = bytearray(SMALL)
    start = [at for at in range(0, len(data), 512) if data[at + 257 : at + 262] == b"ustar"][member]
    data[start + at] = value
    header = data[start : start + 512]
    header[148:156] = b" " * 8
    data[start + 148 : start + 156] = b"%06o\0 " % sum(header)
    refusal(bytes(data))


@pytest.mark.rule("LW-19.3", "LW-22")
@FAST
@given(
    st.lists(
        st.tuples(
            st.sampled_from(("drop", "repeat", "swap", "number", "word")),
            st.integers(0, len(LINES) - 1),
            st.integers(0, len(LINES) - 1),
            st.sampled_from(
                ("-1", "99999999999", "4294967295", "", "1e9", "x" * 50, "\N{DIGIT ZERO}٣", "Z::Z")
            ),
        ),
        max_size=6,
    )
)
def test_changed_document_lines_are_refused_or_read(
    changes: list[tuple[str, int, int, str]],
) -> None:
    lines = list(LINES)
    for what, one, other, word in changes:
        if what == "drop":
            lines[one] = ""
        elif what == "repeat":
            lines[one] *= 3
        elif what == "swap":
            lines[one], lines[other] = lines[other], lines[one]
        else:
            head, found, rest = lines[one].partition(">")
            lines[one] = f"{head}>{word}<{rest.partition('<')[2]}" if found else word
    refusal(build.tar({"small.map": "".join(lines).encode(), **build.sets()}))


@pytest.mark.rule("LW-19.1", "LW-22")
@FAST
@given(st.binary(max_size=3000), st.sampled_from(("map", "sav", "lwa", "lwt", "lwc", "png")))
def test_any_bytes_are_refused_or_read(data: bytes, ending: str) -> None:
    assert refusal(data)
    refusal(build.tar({f"a.{ending}": data, **build.sets()}))
    refusal(build.scenario(others={**build.sets(), f"a.{ending}": data}))
    kind_of(data)
    for read in (read_army_set, read_tile_set, read_city_set):
        with pytest.raises(ScenarioFault):
            read(data)


# -- inflated files --------------------------------------------------------------------------------


def inside(xml: bytes) -> bytes:
    """Build a scenario with this XML and no sets."""
    return build.tar({"a.map": xml})


def filled(unit: bytes, head: bytes = b'<lordsawar version="0.3.2">') -> bytes:
    """Build a scenario with XML full of one element."""
    room = ROOM - len(head) - 20
    return inside(head + unit * (room // len(unit)) + b"</lordsawar>")


def listed(section: str, row: str, number: int) -> bytes:
    """Build a scenario with a row repeated in a section."""
    inner = build.element(section, row * number)
    return build.scenario(build.sections(**{section: inner}))


def matryoshka(depth: int) -> bytes:
    """Build nested archives of this depth."""
    data = build.scenario()
    for _ in range(depth):
        data = build.tar({"a.lwa": data})
    return build.scenario(others={"a.lwa": data})


def many_sets() -> bytes:
    """Build a scenario whose sets have the maximum number of elements."""
    rows = '<x a=""/>' * 9000
    return build.scenario(
        others={f"{n}.lwa": build.army_set(number=n, more=rows) for n in range(4, 20)}
    )


def of_a_thousand_units() -> bytes:
    """Build a scenario with full stacks on every tile."""
    stacks = (
        build.stack(y * 100 + x, x, y, 0, *[build.army(10_000 + 8 * (y * 100 + x))] * 8)
        for x in range(12)
        for y in range(10)
    )
    return build.scenario(
        build.sections(
            playerlist=build.element(
                "playerlist",
                build.data(neutral=8),
                build.player(0, stacks=tuple(stacks)),
                build.player(8),
            )
        )
    )


INFLATED: dict[str, Callable[[], bytes]] = {
    "skipped elements": lambda: filled(b"<path/>"),
    "skipped attributes": lambda: filled(b'<path b="" c="" d="" e="" f="" g="" h="" i=""/>'),
    "opened": lambda: filled(b"<a>"),
    "attributes": lambda: inside(
        b"<a " + b"".join(b'a%d=">" ' % n for n in range(600_000)) + b"/>"
    ),
    "attributes of many": lambda: filled(b'<a b="" c="" d="" e="" f="" g="" h="" i=""/>'),
    "kept data": lambda: filled(b"<d_a>text of this</d_a>"),
    "one text": lambda: filled(b"0"),
    "one kept text": lambda: inside(b"<a><d_b>" + b"0" * 7_000_000 + b"</d_b></a>"),
    "kept texts": lambda: filled(b"<d_a>" + b"0" * 190_000 + b"</d_a>"),
    "one comment": lambda: inside(b"<!--" + b"0" * 7_000_000 + b"--><a/>"),
    "one tag": lambda: inside(b"<" + b"a" * 7_000_000 + b"/>"),
    "one value": lambda: inside(b'<a b="' + b"0" * 7_000_000 + b'"/>'),
    "references": lambda: filled(b"&#65;&amp;"),
    "kept references": lambda: filled(b"<d_a>" + b"&amp;" * 20_000 + b"</d_a>"),
    "sections of data": lambda: filled(b"<![CDATA[]]>"),
    "instructions": lambda: filled(b"<?a?>"),
    "names": lambda: inside(
        b"<lordsawar>" + b"".join(b"<d_%d/>" % n for n in range(600_000)) + b"</lordsawar>"
    ),
    "signposts": lambda: listed("signpostlist", build.site("signpost", 1, 1, 1), MANY),
    "cities": lambda: listed("citylist", build.city(1, 1, 1), 4500),
    "flags": lambda: listed(
        "itemlist", f"<itemproto><d_bonus>{'1 ' * 99_000}</d_bonus></itemproto>", 40
    ),
    "numbers": lambda: listed(
        "citylist", f"<city><d_vectoring>{'1 ' * 90_000}</d_vectoring></city>", 40
    ),
    "bags": lambda: build.scenario(
        build.sections(map=build.plan(build.TYPES, build.site("itemstack", 1, 1, 1) * MANY))
    ),
    "armies": of_a_thousand_units,
    "sets": many_sets,
    "archives in archives": lambda: matryoshka(40),
    "members": lambda: build.tar({"a.map": XML, **{f"{n}.png": b"" for n in range(2000)}}),
    "largest": lambda: bytes(LARGEST),
    "long names": lambda: build.tar({"a/" * 400_000 + "b.map": XML}),
}


@pytest.mark.rule("LW-19.1", "LW-19.2", "LW-22")
@pytest.mark.parametrize("name", INFLATED)
def test_inflated_files_are_refused_or_read_quickly(name: str) -> None:
    refusal(INFLATED[name]())


@pytest.mark.rule("LW-19.1", "LW-19.2", "LW-22")
@pytest.mark.parametrize("name", ["attributes", "kept data", "kept texts", "one tag"])
def test_inflated_files_take_little_memory(name: str) -> None:
    """More elements and texts and longer tags than the bounds allow. Sets have the same bounds."""
    data = INFLATED[name]()
    tracemalloc.start()
    try:
        with contextlib.suppress(ScenarioFault):
            read_scenario(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MEMORY
