"""Private names of Textual and Rich, behind functions that describe their purpose.

Written for the pinned versions. ``tests/tui/test_internals.py`` lists every such name that
``tui.terminal`` uses, and reports which of them another version has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.keys import _character_to_key

if TYPE_CHECKING:
    from rich.style import Style
    from textual.binding import Binding
    from textual.geometry import Region
    from textual.message import Message
    from textual.screen import Screen
    from textual.widget import Widget
    from textual.widgets import OptionList

WidgetPlaces: TypeAlias = "Mapping[Widget, tuple[Region, Region]]"
"""Regions of the widgets of a screen, the frontmost first, and their visible parts."""


# -- keys ----------------------------------------------------------------------------------------

PAD_SEQUENCES: Final = {
    "\x1bOl": ",",
    "\x1bOX": "=",
    "\x1bOE": "5",
}
"""Keys by sequences of a number pad in application mode that Textual does not know.

It already reads most others as digits and signs. The 5 without NumLock arrives as ``kp_begin``,
which bindings name.
"""


def key_of(character: str) -> str:
    """Return Textual's name of the key that types a character."""
    return _character_to_key(character)


def binding_of(screen: Screen[Any], key: str) -> Binding | None:
    """Return the present binding of a key on a screen; None if it is missing or disabled.

    Equal to ``screen.active_bindings[key]``, which computes the state of every action first.
    """
    found = None
    for namespace, bindings in screen._modal_binding_chain:  # noqa: SLF001 - all at once is slow
        for binding in bindings.key_to_bindings.get(key, ()):
            if found is not None and (found.priority or not binding.priority):
                continue
            if screen.app._check_action_state(binding.action, namespace) is not False:  # noqa: SLF001 - the same
                found = binding
    return found


def keys_of_sequence(sequence: str) -> tuple[str, ...] | None:
    """Return Textual's names of the keys, or the character, for an escape sequence.

    None if Textual does not know the sequence; empty if it ignores it.
    """
    found = PAD_SEQUENCES.get(sequence) or ANSI_SEQUENCES_KEYS.get(sequence)
    if isinstance(found, str):
        return (found,)
    if isinstance(found, tuple):
        return tuple(key.value for key in found)
    return None if found is None else ()


def mouse_event() -> Callable[[str], Message | None]:
    """Return a function that parses the mouse reports of one terminal into events."""
    from textual._xterm_parser import XTermParser  # noqa: PLC0415 - loads much

    return XTermParser().parse_mouse_code


def forget_parsed() -> None:
    """Empty caches of Textual that keep whole programs alive."""
    from textual._styles_cache import StylesCache  # noqa: PLC0415 - loads much

    StylesCache.get_inner_outer.cache_clear()


# -- screens -------------------------------------------------------------------------------------


def is_idle(screen: Screen[Any]) -> bool:
    """Return whether a screen is mounted and has nothing to do before it is shown."""
    return screen.is_mounted and not screen.message_queue_size and not screen._callbacks  # noqa: SLF001 - the only way to know


def is_settled(screen: Screen[Any]) -> bool:
    """Return whether a screen's layout matches its compositor's."""
    return not (
        screen._layout_required or screen._scroll_required or screen._recompose_required  # noqa: SLF001 - not told otherwise
    )


def places_of(screen: Screen[Any]) -> WidgetPlaces:
    """Return the regions of the widgets of a screen; a new object when they have changed."""
    places: WidgetPlaces = screen._compositor.visible_widgets  # noqa: SLF001 - not told otherwise
    return places


# -- lists and styles ----------------------------------------------------------------------------


def row_of_option(choices: OptionList, number: int) -> int:
    """Return the row of a list in which an option begins."""
    row: int = choices._index_to_line.get(number, 0)  # noqa: SLF001 - not told otherwise
    return row


def turn_page(choices: OptionList, by: int) -> None:
    """Move the cursor of a list by ``by`` pages, if the list has any visible rows."""
    if choices.scrollable_content_region:
        choices._move_page(1 if by > 0 else -1)  # noqa: SLF001 - the actions do not look for room


def attributes_of(style: Style) -> int:
    """Return the attributes that a style turns on, as Rich's bits."""
    bits: int = style._attributes & style._set_attributes & 0x1FF  # noqa: SLF001 - no public way
    return bits
