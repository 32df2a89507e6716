"""Read files of LordsAWar in memory: tar archives or plain XML, compressed or not (19.1)."""

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
"""Maximum bytes of an archive; a scenario with the original's largest sets has a third of it."""

MOST_MEMBERS: Final = 512
"""Maximum number of members of an archive."""

LONGEST_NAME: Final = 60
"""Maximum number of characters of a member's name in a message."""

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
"""Number of bytes of XML in which its root is searched for."""

Bytes: TypeAlias = bytes | memoryview


class _Decompressor(Protocol):
    """Decompressor of zlib or bz2 with a limit on its output."""

    def decompress(self, data: memoryview, limit: int, /) -> bytes:
        """Decompress data, and return at most ``limit`` bytes of the result."""
        ...


class FileKind(StrEnum):
    """Kind of a file of LordsAWar, by the ending of its name. See: LW-19.1."""

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
"""Kind of a file that is plain XML without an archive, as written by early versions, by root."""


class ArchiveMember(NamedTuple):
    """A member of an archive: its bytes, and its name without folders, safe for a message."""

    name: str
    data: memoryview

    @property
    def kind(self) -> FileKind | None:
        """Kind of file by the ending of the name; None for a picture or anything else."""
        return kind_of_name(self.name)

    @property
    def base(self) -> str:
        """Name without its ending; scenarios refer to their sets by it."""
        return self.name.rpartition(".")[0]


def kind_of_name(name: str) -> FileKind | None:
    """Return the kind of a file by the ending of its name, or None. See: LW-19.1."""
    ending = name.rpartition(".")[2].lower()
    return FileKind(ending) if ending in set(FileKind) else None


def kind_of(data: Bytes) -> FileKind | None:
    """Return the kind of a file by its first member or its root, or None. Rules: LW-19.1."""
    try:
        first = next(iter_members(data, "the file"), None)
    except ScenarioFault:
        return None
    return first.kind if first else None


def members(data: Bytes, file: str) -> tuple[ArchiveMember, ...]:
    """Return the files in an archive, in order; plain XML counts as an archive of one.

    Rules: LW-19.1.

    Args:
        data: the archive, which may be compressed.
        file: its name, for messages.

    Raises:
        ScenarioFault: the data are no tar archive, or are torn or too large.
    """
    return tuple(iter_members(data, file))


def document(data: Bytes, file: str, kinds: tuple[FileKind, ...]) -> ArchiveMember:
    """Return the member of an archive that holds its XML: the first one of ``kinds``.

    Rules: LW-19.1.

    Raises:
        ScenarioFault: the archive has no such member.
    """
    found = members(data, file)
    for member in found:
        if member.kind in kinds:
            return member
    wanted = " or ".join(f".{kind}" for kind in kinds)
    raise ScenarioFault(file, f"no XML member: none of {len(found)} members is a {wanted}", RULE)


def iter_members(data: Bytes, file: str) -> Iterator[ArchiveMember]:
    """Yield the files in an archive one by one, so that reading only the first costs little.

    Raises:
        ScenarioFault: as for ``members``, when the fault is reached.
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
    """Return the content of a file without its compression.

    Raises:
        ScenarioFault: the data are damaged, or larger than ``LARGEST``.
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
    """Return the kind of a plain XML file by its root, or None."""
    head = bytes(view[:_HEAD]).removeprefix(_BYTE_ORDER_MARK).lstrip()
    root = _ROOT.search(head) if head.startswith(b"<") else None
    return _ROOTS.get(root[1]) if root else None


def _header(view: memoryview, at: int, file: str) -> tarfile.TarInfo | None:
    """Return the header at a position, or None at the end of the archive.

    The library reads only this header; the caller computes the position of the next one, with
    bounds.
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
    """Name the format of a file that is no tar archive; empty if it is unknown."""
    for start, name in _OTHER_FORMATS:
        if block.startswith(start):
            return f", but {name}; unpack it first"
    return ", but XML of another kind" if block.lstrip().startswith(b"<?xml") else ""


def _plain(name: str) -> str:
    """Return a member's name without folders, printable, on one line and of bounded length."""
    last = name.rstrip("/").rpartition("/")[2]
    short = last if len(last) <= LONGEST_NAME else f"...{last[-LONGEST_NAME:]}"
    return "".join(sign if sign.isascii() and sign.isprintable() else "?" for sign in short)
