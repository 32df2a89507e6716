"""Where a host keeps what it has."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path


def folder_of(wanted: str | None) -> Path:
    """The folder of a host: the one that is wanted, or the usual one of this user."""
    return Path(wanted) if wanted else user_data_path("banneret", appauthor=False) / "host"
