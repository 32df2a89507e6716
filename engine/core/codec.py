"""Records to bytes and back, digests and layouts: the same on every machine."""

from __future__ import annotations

import hashlib
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.printable import escaped_json
from engine.core.record import Record

MAX_PLANE = 1 << 22
"""Most cells a plane read from outside may have."""

_DTYPES = frozenset({"|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8"})


def enc_hook(value: Any) -> Any:
    """A roster as a list of its records, a plane as [dtype, width, height, bytes]."""
    if isinstance(value, Roster):
        return value.rows()
    if isinstance(value, Plane):
        cells = value.cells.astype(value.cells.dtype.newbyteorder("<"), copy=False)
        return [cells.dtype.str, value.width, value.height, cells.tobytes()]
    raise NotImplementedError(f"{type(value).__name__} cannot be written")


def enc_hook_json(value: Any) -> Any:
    """As ``enc_hook``, but a plane is {"dtype": …, "rows": [[…], …]}, to be read by people."""
    if isinstance(value, Plane):
        return {"dtype": value.cells.dtype.newbyteorder("<").str, "rows": value.cells.tolist()}
    return enc_hook(value)


def dec_hook(kind: Any, raw: Any) -> Any:
    """The reverse of ``enc_hook``.

    Raises:
        ValueError: the data does not make such a container.
    """
    origin = typing.get_origin(kind) or kind
    try:
        if origin is Roster:
            (row,) = typing.get_args(kind)
            return Roster(msgspec.convert(raw, _list_of(row), dec_hook=dec_hook))
        if origin is Plane:
            return _plane(raw)
    except msgspec.ValidationError as problem:
        raise ValueError(str(problem)) from None  # msgspec then adds where the container is
    raise NotImplementedError(f"{kind} cannot be read")


def _list_of(row: Any) -> Any:
    return list[row]


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
    """A value as MessagePack."""
    return _encoder.encode(value)


def encode_json(value: Any) -> bytes:
    """A value as one line of JSON, which steers no terminal."""
    return escaped_json(_json.encode(value))


def decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    """A strict MessagePack decoder for ``kind``."""
    return _decoder(kind)


def json_decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """A strict JSON decoder for ``kind``."""
    return _json_decoder(kind)


@cache
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind, dec_hook=dec_hook)


@cache
def _json_decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind, dec_hook=dec_hook)


def convert(raw: Any, kind: Any) -> Any:
    """Plain data (from TOML, JSON or MessagePack) as ``kind``.

    Raises:
        msgspec.ValidationError: with the path of the field that does not fit.
    """
    return msgspec.convert(raw, kind, dec_hook=dec_hook)


def plain(value: Any) -> Any:
    """A value as dicts, lists, strings and numbers."""
    return msgspec.to_builtins(value, enc_hook=enc_hook)


def digest(state: Any) -> bytes:
    """16 bytes that name the values of ``state``."""
    return hashlib.blake2b(encode(state), digest_size=16).digest()


@cache
def _layout(kind: Any) -> bytes:
    text = _shape(kind, ())
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


def layout(kind: Any) -> bytes:
    """8 bytes that name the shape of a record type: its fields, their order and their types."""
    return _layout(kind)


def _shape(kind: Any, above: tuple[Any, ...]) -> str:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return "literal " + "|".join(map(repr, args))
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
    hints: Mapping[str, Any] = typing.get_type_hints(kind)
    fields = ",".join(
        f"{name}:{_shape(hints[name], (*above, kind))}" for name in kind.__struct_fields__
    )
    return f"{kind.__name__}({fields})"
