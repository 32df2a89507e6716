"""Reading keys from arbitrary bytes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from host.ssh.driver import MOST_PASTED
from host.ssh.probe import TerminalReplies, sorted_out
from tui.terminal.keyboard import Keyboard

PARTS = st.sampled_from(
    (
        *(b"\x1b", b"[", b"<", b";", b"M", b"m", b"u", b"t", b"R", b"48;", b"200~", b"201~", b"0"),
        *(b"\x1b[200~", b"\x1b[201~", b"\x1bP", b"\x1b\\", b"\x1b[?", b"c", b"O", b":", b"a"),
        *(b"9" * 12, b"\xff", b"\xc3"),
    )
)
TYPED = st.lists(st.lists(PARTS | st.binary(max_size=3), max_size=12).map(b"".join), max_size=8)


@settings(max_examples=60, deadline=None)
@given(TYPED)
def test_no_bytes_break_the_keyboard(chunks: list[bytes]) -> None:
    keyboard = Keyboard()
    for chunk in chunks:
        keyboard.feed(chunk)
        keyboard.tick()
    # These bytes end any unfinished sequence; afterwards a key is read as a key.
    for end in (b"\x1b[201~", b"\x1b\\", b"zzzz" * 10, b"\x1b[201~"):
        keyboard.feed(end)
    assert [getattr(event, "key", "") for event in keyboard.feed(b"a")] == ["a"]


def test_endless_paste_is_dropped_and_its_rest_gives_no_keys() -> None:
    keyboard = Keyboard(MOST_PASTED)
    keyboard.feed(b"\x1b[200~")
    heard = [keyboard.feed(b"a" * 1000) for _ in range(MOST_PASTED // 1000 + 50)]
    assert not any(heard)
    assert not keyboard.feed(b"aaa\x1b[20")
    assert [getattr(event, "key", "") for event in keyboard.feed(b"1~b")] == ["b"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([b"a", b"\x1b[A", b"\xc3\xa9", b"1"]), max_size=6), st.data())
def test_keys_typed_between_replies_keep_their_order(
    keys: list[bytes], data: st.DataObject
) -> None:
    told = [b"\x1b[1;2R", b"\x1bP1$r48;2;1;2;3m\x1b\\", b"\x1bP>|kitty(0.3)\x1b\\", b"\x1b[?62c"]
    mixed = list(keys)
    for answer in reversed(told):
        mixed.insert(data.draw(st.integers(0, len(mixed))), answer)
    order = [part for part in mixed if part in told]
    stream = b"".join(mixed)
    answers, typed, waiting = TerminalReplies(), b"", b""
    size = data.draw(st.integers(1, 9))
    for at in range(0, len(stream), size):
        answers, more, waiting = sorted_out(waiting + stream[at : at + size], answers)
        typed += more
    assert typed + waiting == b"".join(keys)
    assert answers.is_done
    assert answers.any_colour
    assert answers.is_utf8
    assert len(order) == len(told)
