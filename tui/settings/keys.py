"""Every key of every screen: ids, actions and texts, read from ``bindings.toml``."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Final, NamedTuple

from textual.binding import Binding, BindingType

_TABLES: Final = tomllib.loads(files("tui.settings").joinpath("bindings.toml").read_text("utf-8"))

FOR_PLAYERS: Final = frozenset[str](_TABLES["for_players"])
"""Ids of actions that spectators cannot use."""


class Context(NamedTuple):
    """Keys that are active together, such as a screen's; none may do two things."""

    name: str
    title: str
    bindings: list[Binding]
    beside: tuple[str, ...]
    """Names of other contexts that are active at the same time; the global one always is."""


def _binding(binding_id: str, keys: str, action: str, text: str, *marks: str) -> Binding:
    hidden, first = "hidden" in marks, "first" in marks
    return Binding(keys, action, text, id=binding_id, show=not hidden, priority=first)


CONTEXTS: Final = tuple(
    Context(
        name,
        table["title"],
        [_binding(binding_id, *row) for binding_id, row in table["keys"].items()],
        tuple(table.get("with", ())),
    )
    for name, table in _TABLES["contexts"].items()
)


def bindings(name: str) -> list[BindingType]:
    """Return the bindings of a context.

    Raises:
        KeyError: there is no such context.
    """
    return list({context.name: context.bindings for context in CONTEXTS}[name])
