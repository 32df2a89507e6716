"""The only containers of a state besides tuples: records by id, and read-only planes."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from itertools import compress, islice
from operator import attrgetter, is_not
from typing import Any, Final, Protocol, Self, TypeVar, overload

import numpy as np
import numpy.typing as npt


class HasId(Protocol):
    """A record with an ``id``."""

    @property
    def id(self) -> int:
        """Id, unique in its roster and never reused."""
        ...


R = TypeVar("R", bound=HasId)
D = TypeVar("D")

_ID: Final[Callable[[HasId], int]] = attrgetter("id")
"""A C getter: much faster than a Python function, and every roster is sorted with it."""


class Roster(Mapping[int, R]):
    """Records by id, always iterated in id order; changing one gives a new roster.

    >>> from collections import namedtuple
    >>> Man = namedtuple("Man", "id name")
    >>> list(Roster([Man(2, "b"), Man(1, "a")]))
    [1, 2]
    """

    __slots__ = ("__weakref__", "_rows")
    _rows: dict[int, R]

    def __init__(self, rows: Iterable[R] = ()) -> None:
        listed = sorted(rows, key=_ID)
        self._rows = dict(zip(map(_ID, listed), listed, strict=True))
        if len(self._rows) != len(listed):
            raise ValueError("two records of a roster have the same id")

    def __getitem__(self, key: int) -> R:
        return self._rows[key]

    def __iter__(self) -> Iterator[int]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Roster):
            return NotImplemented
        return self._rows == other._rows

    def __hash__(self) -> int:
        return hash(tuple(self._rows.values()))

    def __repr__(self) -> str:
        return f"Roster({list(self._rows.values())!r})"

    @overload
    def get(self, key: int, /) -> R | None: ...

    @overload
    def get(self, key: int, /, default: R | D) -> R | D: ...

    def get(self, key: int, /, default: R | D | None = None) -> R | D | None:
        """Return the record with an id, or ``default`` if it is missing; a fast ``Mapping.get``."""
        return self._rows.get(key, default)

    def values(self) -> ValuesView[R]:
        """Return the records in id order; much faster than looking up each id."""
        return self._rows.values()

    def items(self) -> ItemsView[int, R]:
        """Return ids and records, in id order."""
        return self._rows.items()

    def rows(self) -> tuple[R, ...]:
        """Return the records in id order, as a tuple."""
        return tuple(self._rows.values())

    def put(self, *rows: R) -> Self:
        """Return a roster with ``rows`` added, or replacing those with the same id."""
        new = self._rows.copy()
        sort = False
        for row in rows:
            sort = sort or (row.id not in new and bool(new) and row.id < next(reversed(new)))
            new[row.id] = row
        return self._of({key: new[key] for key in sorted(new)} if sort else new)

    def drop(self, *ids: int) -> Self:
        """Return a roster without ``ids``.

        Raises:
            KeyError: an id is missing.
        """
        new = self._rows.copy()
        for key in ids:
            del new[key]
        return self._of(new)

    def _of(self, rows: dict[int, R]) -> Self:
        made = object.__new__(type(self))
        made._rows = rows
        return made


def changed_rows(before: Roster[R], after: Roster[R], most: int) -> tuple[tuple[R, R], ...] | None:
    """Return the changed records between two rosters as pairs (old, new), in id order.

    None if more than ``most`` records have changed, or if the rosters have different ids. It
    compares identities, which is much faster than comparing records.

    >>> from collections import namedtuple
    >>> Man = namedtuple("Man", "id name")
    >>> men = Roster([Man(1, "a"), Man(2, "b")])
    >>> changed_rows(men, men.put(Man(2, "c")), 1)
    ((Man(id=2, name='b'), Man(id=2, name='c')),)
    """
    if len(before) != len(after):
        return None
    old, new = before.values(), after.values()
    pairs = tuple(islice(compress(zip(old, new, strict=True), map(is_not, old, new)), most + 1))
    return pairs if len(pairs) <= most and all(one.id == other.id for one, other in pairs) else None


class Plane:
    """A read-only 2-D array of whole numbers with value equality, indexed ``[y, x]``.

    ``cells`` has shape (height, width) and the byte order of the machine; its dtype is a signed or
    unsigned integer type. Planes of different dtypes are different.
    """

    __slots__ = ("__weakref__", "cells")
    cells: npt.NDArray[Any]

    def __init__(self, cells: npt.ArrayLike) -> None:
        given = np.asarray(cells)
        if given.ndim != 2 or given.dtype.kind not in "iu":
            raise ValueError("a plane needs a 2-D array of whole numbers")
        own = np.array(given, dtype=given.dtype.newbyteorder("="), order="C")
        own.flags.writeable = False
        self.cells = own

    def __getitem__(self, at: tuple[int, int]) -> int:
        value: int = self.cells.item(at)
        return value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Plane):
            return NotImplemented
        return self.cells.dtype == other.cells.dtype and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.cells.shape, self.cells.tobytes()))

    def __repr__(self) -> str:
        return f"Plane({self.width}x{self.height} {self.cells.dtype})"

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.cells.shape[1])

    @property
    def height(self) -> int:
        """Number of rows."""
        return int(self.cells.shape[0])

    def has(self, x: int, y: int) -> bool:
        """Return whether (x, y) is on the plane."""
        return 0 <= x < self.width and 0 <= y < self.height

    def edit(self) -> npt.NDArray[Any]:
        """Return a writable copy of the cells, indexed [y, x]; wrap it in a new Plane when done."""
        return self.cells.copy()

    def put(self, x: int, y: int, value: int) -> Plane:
        """Return a plane with one cell changed."""
        cells = self.edit()
        cells[y, x] = value
        return Plane(cells)
