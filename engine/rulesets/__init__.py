"""The rule books, one folder per game."""

from __future__ import annotations

ORDER: tuple[str, ...] = ("weltendaemmerung", "gd6", "warlords2", "lordsawar", "kaladan")
"""As lists show them; a folder that is not named comes after these."""
