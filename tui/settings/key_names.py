"""Texts that name keys as they are set now."""

from __future__ import annotations

import re
from collections.abc import Mapping

_KEY = re.compile(r"\{key:([\w.-]+)\}")


def spelt(text: str, keys: Mapping[str, str]) -> str:
    """A text with the keys of bindings in it, as they are now: ``{key:game.fire}``."""
    return _KEY.sub(lambda found: keys.get(found[1], found[1]), text)
