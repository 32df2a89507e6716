"""Style sheets that many programs in one process parse only once.

Written for the Textual version that is pinned: it replaces the cache of parsed rules that Textual
keeps for each app. Rules are only read once they are parsed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet

_MOST_RULES = 256
"""Parsed texts of one palette that are kept."""


class SharedSheet(Stylesheet):
    """A style sheet whose parsed rules serve all programs with the same colours."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._share()

    def copy(self) -> Stylesheet:
        """Another one with the same texts."""
        made = SharedSheet(variables=self._variables.copy())
        made.source = self.source.copy()
        return made

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take other colours; what others have parsed stays."""
        self._parse_cache = LRUCache(1)
        super().set_variables(variables)
        self._share()

    def _share(self) -> None:
        self._parse_cache = _parsed(tuple(sorted(self._variables.items())))


@lru_cache(maxsize=16)
def _parsed(variables: tuple[tuple[str, str], ...]) -> LRUCache[Any, Any]:  # noqa: ARG001 - the key of the cache
    return LRUCache(_MOST_RULES)
