"""Text from outside cannot control a terminal or imitate another person."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from host.server.cleaning import BadName, cells, clean, clean_name

HOSTILE = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            "\x1b\x9b\x9d\x07[]m;31 \t\n\r\u200b\u202e\u2066\u3164\u0301\u0327\u1160\u2800\ufe0f"
            "\U000e0041界가\u1100\u1161\u09c7\u09be\ud800"
        ),
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Ann", "Ann"),
        ("  Ann \t\n of  Ely ", "Ann of Ely"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]52;c;aGVsbG8=\x1b\\text", "text"),
        ("\x1bPq#0\x1b\\text", "text"),
        ("\x1b(0text\x1bc", "text"),
        ("a\x00b\x7fc\x85d", "abc d"),
        ("abc\u202edcba", "abcdcba"),
        ("a\u200bb\ufeffc\u00add", "abcd"),
        ("e\u0301", "é"),
        ("a" + "\u0316" * 40, "a" + "\u0316" * 3),
        ("\u0301x", "x"),
        ("\u3164\u2800\uffa0", ""),
        ("\ud800x", "x"),
        ("界" * 9, "界" * 5),
        ("0123456789abc", "0123456789"),
        ("012345678 abc", "012345678"),
        ("", ""),
    ],
)
def test_text_is_cleaned_and_cut_to_ten_cells(text: str, cleaned: str) -> None:
    assert clean(text, 10) == cleaned


@given(HOSTILE, st.integers(min_value=1, max_value=40))
@example("\u0344\u0301x", 5)
def test_cleaned_text_is_harmless_short_and_stable(text: str, most: int) -> None:
    cleaned = clean(text, most)
    assert cleaned.isprintable()
    assert not {unicodedata.category(sign) for sign in cleaned} & {"Cc", "Cf", "Cs", "Co", "Cn"}
    assert unicodedata.is_normalized("NFC", cleaned)
    assert cleaned == cleaned.strip()
    assert "  " not in cleaned
    assert len(cleaned) <= most
    assert cells(cleaned) <= most
    assert clean(cleaned, most) == cleaned


@pytest.mark.parametrize(
    "name", ["Ann", "Jean-Luc", "O'Neil", "r2.d2_x", "Zoë", "王小明", "7 of 9", "अमित"]
)
def test_valid_names_of_people_are_accepted(name: str) -> None:
    assert clean_name(f"  {name}\n") == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\x1b[2J",
        "-x",
        "--json",
        "...",
        "a/b",
        "a=b",
        "$(id)",
        "<b>",
        "Admin",
        "GUEST",
        "\uff28ost",
        "computer",
        "x" * 21,
        "界" * 11,
        "\u3164",
        "ann",
        "\uff21nn",
        "Straße",
    ],
)
def test_invalid_names_of_people_are_refused(name: str) -> None:
    with pytest.raises(BadName):
        clean_name(name, ["Ann", "STRASSE"])


@given(HOSTILE)
def test_name_is_accepted_unchanged_or_refused(text: str) -> None:
    try:
        name = clean_name(text)
    except BadName:
        return
    assert 1 <= cells(name) <= 20
    assert clean_name(name) == name
    with pytest.raises(BadName):
        clean_name(name.upper(), [name])
