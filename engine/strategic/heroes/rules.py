"""What rule books differ in, for this chapter."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class HeroRules:
    """Values, tables and policies."""
