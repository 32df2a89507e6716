"""Conversion of records to bytes and back, digests and layouts: the same on every machine."""

from __future__ import annotations

import hashlib
import types
import typing
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, TypeVar

import msgspec
import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.printable import escaped_json
from engine.core.record import Known, Record, UnsetType

D = TypeVar("D")

_lock: AbstractContextManager[object] = nullcontext()
"""Held by the one thread that builds a decoder."""

_decoders: dict[Any, msgspec.msgpack.Decoder[Any]] = {}
_json_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}
_complete: dict[Any, Any] = {}
"""Types whose msgspec description is complete. ``convert`` needs the very same type object."""

MAX_PLANE = 1 << 22
"""Maximum number of cells of a plane that is read from outside."""

_DTYPES = frozenset({"|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8"})


def share(lock: AbstractContextManager[object]) -> None:
    """Set the lock under which decoders are built, one at a time. Call it before starting threads.

    msgspec attaches the description of a record type to the type before its fields are filled in. A
    second thread that decodes with an incomplete description crashes the process with a
    segmentation fault. Later calls do nothing; complete decoders are used without the lock.
    """
    global _lock  # noqa: PLW0603 - a port of the process, as msgspec's descriptions are
    if isinstance(_lock, nullcontext):
        _lock = lock


def enc_hook(value: Any) -> Any:
    """Encode a roster as a list of its records, a plane as [dtype, width, height, bytes].

    Raises:
        NotImplementedError: the value is neither.
    """
    if isinstance(value, Roster):
        return value.rows()
    if isinstance(value, Plane):
        cells = value.cells.astype(value.cells.dtype.newbyteorder("<"), copy=False)
        return [cells.dtype.str, value.width, value.height, cells.tobytes()]
    raise NotImplementedError(f"{type(value).__name__} cannot be written")


def enc_hook_json(value: Any) -> Any:
    """Encode as ``enc_hook``, but a plane in a readable form: {"dtype": …, "rows": [[…], …]}."""
    if isinstance(value, Plane):
        return {"dtype": value.cells.dtype.newbyteorder("<").str, "rows": value.cells.tolist()}
    return enc_hook(value)


def dec_hook(kind: Any, raw: Any) -> Any:
    """Decode the containers that ``enc_hook`` encodes.

    Raises:
        ValueError: the data does not form such a container.
    """
    origin = typing.get_origin(kind) or kind
    try:
        if origin is Roster:
            (row,) = typing.get_args(kind)
            return Roster(convert(raw, types.GenericAlias(list, (row,))))
        if origin is Plane:
            return _plane(raw)
    except msgspec.ValidationError as problem:
        raise ValueError(str(problem)) from None  # msgspec then adds where the container is
    raise NotImplementedError(f"{kind} cannot be read")


def _plane(raw: Any) -> Plane:
    if isinstance(raw, dict):
        return _plane_of_rows(raw)
    dtype, width, height, data = msgspec.convert(raw, tuple[str, int, int, bytes])
    _check_plane(dtype, width, height)
    cells = np.frombuffer(data, dtype=dtype)
    if cells.size != width * height:
        raise ValueError(f"a plane of {width}x{height} has {cells.size} cells")
    return Plane(cells.reshape(height, width))


def _plane_of_rows(raw: dict[str, Any]) -> Plane:
    dtype, rows = raw.get("dtype"), msgspec.convert(raw.get("rows"), list[list[int]])
    width = len(rows[0]) if rows else 0
    _check_plane(dtype, width, len(rows))
    if any(len(row) != width for row in rows):
        raise ValueError("the rows of a plane have different lengths")
    kind: Any = np.dtype(dtype)
    fits = np.iinfo(kind)
    if not all(fits.min <= cell <= fits.max for row in rows for cell in row):
        raise ValueError(f"a number does not fit into {dtype}")
    return Plane(np.array(rows, dtype=kind).reshape(len(rows), width))


def _check_plane(dtype: object, width: int, height: int) -> None:
    known = isinstance(dtype, str) and dtype in _DTYPES
    if not known or min(width, height) < 0 or max(width, height, width * height) > MAX_PLANE:
        raise ValueError(f"no plane of {width}x{height} {dtype}")


_encoder = msgspec.msgpack.Encoder(enc_hook=enc_hook, order="deterministic")
_json = msgspec.json.Encoder(enc_hook=enc_hook_json)


def encode(value: Any) -> bytes:
    """Encode a value as MessagePack."""
    return _encoder.encode(value)


def encode_json(value: Any) -> bytes:
    """Encode a value as one line of JSON without control characters."""
    return escaped_json(_json.encode(value))


def decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    """Return a strict MessagePack decoder for ``kind``; cached."""
    return _built(_decoders, kind, msgspec.msgpack.Decoder)


def json_decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """Return a strict JSON decoder for ``kind``; cached."""
    return _built(_json_decoders, kind, msgspec.json.Decoder)


def _built(known: dict[Any, D], kind: Any, make: Callable[..., D]) -> D:
    """Return the cached decoder for ``kind``; build it under the lock if it is missing."""
    found = known.get(kind)
    if found is None:
        with _lock:
            found = known[kind] = make(kind, dec_hook=dec_hook)
    return found


def convert(raw: Any, kind: Any) -> Any:
    """Convert plain data (from TOML, JSON or MessagePack) to ``kind``.

    Raises:
        msgspec.ValidationError: with the path of the invalid field.
    """
    complete = _complete.get(kind)
    if complete is None:
        with _lock:
            msgspec.msgpack.Decoder(kind, dec_hook=dec_hook)
            complete = _complete.setdefault(kind, kind)
    return msgspec.convert(raw, complete, dec_hook=dec_hook)


def plain(value: Any) -> Any:
    """Convert a value to dicts, lists, strings and numbers."""
    return msgspec.to_builtins(value, enc_hook=enc_hook)


def plain_json(value: Any) -> Any:
    """Convert a value to plain data in its JSON form, which the published schema describes."""
    return msgspec.to_builtins(value, enc_hook=enc_hook_json)


def digest(state: Any) -> bytes:
    """Return a hash of the values of ``state``, 16 bytes."""
    return hashlib.blake2b(encode(state), digest_size=16).digest()


@cache
def _layout(kind: Any) -> bytes:
    text = _shape(kind, ())
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


def layout(kind: Any) -> bytes:
    """Return a fingerprint of a record type's shape (fields, order, types), 8 bytes.

    Fields that are omitted from the written form until they are set do not count.
    """
    return _layout(kind)


def _shape(kind: Any, above: tuple[Any, ...]) -> str:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return "literal " + "|".join(map(repr, args))
    if origin is typing.Annotated:
        known = next((extra for extra in args[1:] if isinstance(extra, Known)), None)
        return _shape(args[0] if known is None else typing.Literal[tuple(known)], above)
    if origin in (typing.Union, types.UnionType):
        return "|".join(sorted(_shape(arg, above) for arg in args))
    if origin is not None:
        inner = ",".join("…" if arg is ... else _shape(arg, above) for arg in args)
        return f"{origin.__name__}[{inner}]"
    if isinstance(kind, type) and issubclass(kind, Record):
        return _record_shape(kind, above)
    return getattr(kind, "__name__", str(kind))


def _record_shape(kind: type[Record], above: tuple[Any, ...]) -> str:
    if kind in above:
        return kind.__name__
    hints: Mapping[str, Any] = typing.get_type_hints(kind, include_extras=True)
    fields = ",".join(
        f"{name}:{_shape(hints[name], (*above, kind))}"
        for name in kind.__struct_fields__
        if UnsetType not in typing.get_args(hints[name])
    )
    return f"{kind.__name__}({fields})"
