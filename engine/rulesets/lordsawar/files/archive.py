"""Files of LordsAWar: tar archives or XML alone, compressed or not, read in memory (19.1)."""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple, Protocol, TypeAlias

from engine.core.ruleset import ScenarioFault

RULE: Final = "LW-19.1"

LARGEST: Final = 1 << 24
"""Most bytes of an archive; a scenario with the largest sets of the original has a third of it."""

MOST_MEMBERS: Final = 512
"""Most members of an archive."""

LONGEST_NAME: Final = 60
"""Most characters of a member's name in a message."""

_BLOCK: Final = 512
_FILES: Final = (tarfile.REGTYPE, tarfile.AREGTYPE)
_GZIP: Final = b"\x1f\x8b"
_BZIP2: Final = b"BZh"
_GZIP_BITS: Final = 31
"""Window size that makes zlib read a gzip header."""

_OTHER_FORMATS: Final = ((b"\xfd7zXZ", "xz"), (b"PK", "zip"))
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_ROOT: Final = re.compile(rb"<([A-Za-z_][\w.-]{0,30})")
_HEAD: Final = 4096
"""Bytes of XML among which its root is looked for."""

Bytes: TypeAlias = bytes | memoryview


class _Decompressor(Protocol):
    """Decompressor of zlib or bz2, which stops at a number of bytes."""

    def decompress(self, data: memoryview, limit: int, /) -> bytes:
        """Return at most ``limit`` bytes."""
        ...


class FileKind(StrEnum):
    """Kind of a file of LordsAWar, by the ending of its name. Rules: LW-19.1."""

    MAP = "map"
    SAVE = "sav"
    ARMY_SET = "lwa"
    CITY_SET = "lwc"
    TILE_SET = "lwt"
    SHIELD_SET = "lws"


_ROOTS: Final = {
    b"lordsawar": FileKind.MAP,
    b"armyset": FileKind.ARMY_SET,
    b"cityset": FileKind.CITY_SET,
    b"tileset": FileKind.TILE_SET,
    b"shieldset": FileKind.SHIELD_SET,
}
"""Kind of a file that is XML without an archive, as early versions wrote it, by its root."""


class ArchiveMember(NamedTuple):
    """A member of an archive: its name without folders, fit for a message, and its bytes."""

    name: str
    data: memoryview

    @property
    def kind(self) -> FileKind | None:
        """Kind of file by the ending of the name, None for a picture or anything else."""
        return kind_of_name(self.name)

    @property
    def base(self) -> str:
        """Name without its ending, by which a scenario names its sets."""
        return self.name.rpartition(".")[0]


def kind_of_name(name: str) -> FileKind | None:
    """Kind of file by the ending of its name, None for any other. Rules: LW-19.1."""
    ending = name.rpartition(".")[2].lower()
    return FileKind(ending) if ending in set(FileKind) else None


def kind_of(data: Bytes) -> FileKind | None:
    """Kind of a file by its first member or its root, None if it is of none of these kinds.

    Rules: LW-19.1.
    """
    try:
        first = next(iter_members(data, "the file"), None)
    except ScenarioFault:
        return None
    return first.kind if first else None


def members(data: Bytes, file: str) -> tuple[ArchiveMember, ...]:
    """Files in an archive, in order; XML alone is an archive of one. Rules: LW-19.1.

    Args:
        data: the archive, which may be compressed.
        file: its name, for messages.

    Raises:
        ScenarioFault: it is no tar archive, is torn, or is larger than any of the original.
    """
    return tuple(iter_members(data, file))


def document(data: Bytes, file: str, kinds: tuple[FileKind, ...]) -> ArchiveMember:
    """The member of an archive that holds its XML: the first one of these kinds.

    Rules: LW-19.1.

    Raises:
        ScenarioFault: there is none.
    """
    found = members(data, file)
    for member in found:
        if member.kind in kinds:
            return member
    wanted = " or ".join(f".{kind}" for kind in kinds)
    raise ScenarioFault(file, f"no XML member: none of {len(found)} members is a {wanted}", RULE)


def iter_members(data: Bytes, file: str) -> Iterator[ArchiveMember]:
    """Files in an archive one after another, so that the first costs little.

    Raises:
        ScenarioFault: as ``members``, when the fault is reached.
    """
    view = _plain_bytes(data, file)
    if kind := _xml_kind(view):
        yield ArchiveMember(f"{file}.{kind}" if kind_of_name(file) is None else file, view)
        return
    at, count, long_name = 0, 0, ""
    while header := _header(view, at, file):
        count += 1
        if count > MOST_MEMBERS:
            raise ScenarioFault(file, f"more than {MOST_MEMBERS} members", RULE)
        name = _plain(long_name or header.name)
        start = at + _BLOCK
        if header.size < 0 or start + header.size > len(view):
            raise ScenarioFault(file, f"the archive ends inside of {name}", RULE)
        content = view[start : start + header.size]
        at = start + -(-header.size // _BLOCK) * _BLOCK
        long_name = ""
        if header.type == tarfile.GNUTYPE_LONGNAME:
            long_name = bytes(content[:_BLOCK]).rstrip(b"\0").decode("ascii", "replace")
        elif header.type in _FILES:
            yield ArchiveMember(name, content)


def _plain_bytes(data: Bytes, file: str) -> memoryview:
    """Content of a file without a compression around it.

    Raises:
        ScenarioFault: it is damaged or larger than any of the original.
    """
    view = memoryview(data)
    start = bytes(view[:3])
    if start.startswith(_GZIP):
        view = _expanded(zlib.decompressobj(_GZIP_BITS), view, file, "gzip")
    elif start == _BZIP2:
        import bz2  # noqa: PLC0415 - some builds of Python lack it

        view = _expanded(bz2.BZ2Decompressor(), view, file, "bzip2")
    if len(view) > LARGEST:
        raise ScenarioFault(file, f"larger than {LARGEST} bytes", RULE)
    return view


def _expanded(reader: _Decompressor, view: memoryview, file: str, name: str) -> memoryview:
    try:
        found = reader.decompress(view, LARGEST + 1)
    except (zlib.error, OSError, EOFError):
        raise ScenarioFault(file, f"the {name} data are damaged", RULE) from None
    return memoryview(found)


def _xml_kind(view: memoryview) -> FileKind | None:
    """Kind of a file that is XML, by its root; None for any other."""
    head = bytes(view[:_HEAD]).removeprefix(_BYTE_ORDER_MARK).lstrip()
    root = _ROOT.search(head) if head.startswith(b"<") else None
    return _ROOTS.get(root[1]) if root else None


def _header(view: memoryview, at: int, file: str) -> tarfile.TarInfo | None:
    """The header at a position, None at the end of the archive.

    The library reads the header only: where the next one is, is computed here, with bounds.
    """
    block = bytes(view[at : at + _BLOCK])
    if at and not block.strip(b"\0"):
        return None
    try:
        return tarfile.TarInfo.frombuf(block, "utf-8", "replace")
    except tarfile.HeaderError:
        reason = f"the header at byte {at} is broken" if at else f"no tar archive{_other(block)}"
        raise ScenarioFault(file, reason, RULE) from None


def _other(block: bytes) -> str:
    """Words about a file of another format, empty if it is not known."""
    for start, name in _OTHER_FORMATS:
        if block.startswith(start):
            return f", but {name}; unpack it first"
    return ", but XML of another kind" if block.lstrip().startswith(b"<?xml") else ""


def _plain(name: str) -> str:
    """A member's name without folders, on one line and of bounded length."""
    last = name.rstrip("/").rpartition("/")[2]
    short = last if len(last) <= LONGEST_NAME else f"...{last[-LONGEST_NAME:]}"
    return "".join(sign if sign.isascii() and sign.isprintable() else "?" for sign in short)
