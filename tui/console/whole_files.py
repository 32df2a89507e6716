"""Files that are written whole or not at all, without touching what lies beside them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Context of a new file beside the path, moved there if nothing fails; else removed.

    It has the ending of the path, and a name that no file had.

    Raises:
        OSError: it cannot be written.
    """
    part = _new_beside(path)
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _new_beside(path: Path) -> Path:
    names = (f".{path.stem[:200]}-{os.getpid()}-{number}{path.suffix}" for number in count())
    return next(part for part in map(path.with_name, names) if _made(part))


def _made(part: Path) -> bool:
    """True if the file is new; False if there was one."""
    with suppress(FileExistsError):
        part.open("xb").close()
        return True
    return False
