"""The test card, and the features that doctor reports."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from engine.core.record import replace
from tui.app.test_card import card, drawn_with, used
from tui.settings.preferences import Preferences
from tui.settings.settings import Settings
from tui.style.palette import chosen
from tui.terminal.capabilities import Depth, Terminal, detect

SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")


def terminal(**environ: str) -> Terminal:
    return detect(environ, lambda name: None, "UTF-8")


@pytest.mark.parametrize(
    ("depth", "never"),
    [
        ("256", r"[34]8;2;"),
        ("16", r"[34]8;"),
        ("8", r"[34]8;|;?(9|10)[0-7]m"),
        ("none", r"[34][0-8]"),
    ],
)
def test_card_uses_only_colours_of_its_depth(depth: Depth, never: str) -> None:
    sent = "".join(SEQUENCE.findall(card(chosen(depth), "rich")))
    assert sent
    assert not re.search(never, sent)


def test_every_row_of_the_card_fits_on_a_small_screen() -> None:
    for row in SEQUENCE.sub("", card(chosen("truecolor"), "rich")).splitlines():
        assert cell_len(row) <= 80, row


def test_card_of_a_terminal_without_unicode_is_ascii() -> None:
    assert card(chosen("none"), "ascii").isascii()


def test_detected_features_are_used_with_their_reason() -> None:
    told = used(terminal(TERM="xterm-256color"), Preferences())
    assert told["colours"] == "256 (TERM is xterm-256color)"
    assert told["signs"] == "rich (texts are written in UTF-8)"
    assert told["full screen"] == "yes"


def test_settings_override_detection() -> None:
    preferences = Preferences()
    preferences.settings = replace(Settings(), colours="16", glyphs="ascii", palette="tritanopia")
    here = terminal(TERM="xterm-256color")
    told = used(here, preferences)
    assert told["colours"] == "16 (set by you)"
    assert told["signs"] == "ascii (set by you)"
    palette, glyphs = drawn_with(here, preferences)
    assert (palette.theme, palette.depth, glyphs) == ("tritanopia", "16", "ascii")


def test_dumb_terminal_is_referred_to_line_mode() -> None:
    assert "--plain" in used(terminal(TERM="dumb"), Preferences())["full screen"]
