"""Records built from records of another type."""

from __future__ import annotations

from typing import Any, TypeVar

from engine.core.record import Record

R = TypeVar("R", bound=Record)


def alike(kind: type[R], source: Record, /, **others: Any) -> R:
    """Build a record with the values of ``source`` in the fields that both types have.

    Args:
        kind: type of the result.
        source: record of another type.
        others: values of fields that ``source`` lacks or that differ.
    """
    shared = set(source.__struct_fields__).difference(others)
    values = {name: getattr(source, name) for name in kind.__struct_fields__ if name in shared}
    return kind(**values, **others)
