"""Archives of LordsAWar: plain tar, read in memory and by position, never unpacked (19.1)."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

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
_OTHER_FORMATS: Final = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ", "xz"),
    (b"PK", "zip"),
)

Bytes: TypeAlias = bytes | memoryview


class FileKind(StrEnum):
    """Kind of a file of LordsAWar, by the ending of its name. Rules: LW-19.1."""

    MAP = "map"
    SAVE = "sav"
    ARMY_SET = "lwa"
    CITY_SET = "lwc"
    TILE_SET = "lwt"
    SHIELD_SET = "lws"


class ArchiveMember(NamedTuple):
    """A member of an archive: its name without folders, fit for a message, and its bytes."""

    name: str
    data: memoryview

    @property
    def kind(self) -> FileKind | None:
        """Kind of file by the ending of the name, None for a picture or anything else."""
        ending = self.name.rpartition(".")[2].lower()
        return FileKind(ending) if ending in set(FileKind) else None

    @property
    def base(self) -> str:
        """Name without its ending, by which a scenario names its sets."""
        return self.name.rpartition(".")[0]


def kind_of(data: Bytes) -> FileKind | None:
    """Kind of a file by the name of its first member, None if it is no such archive.

    Rules: LW-19.1.
    """
    try:
        first = next(iter_members(data, "the file"), None)
    except ScenarioFault:
        return None
    return first.kind if first else None


def members(data: Bytes, file: str) -> tuple[ArchiveMember, ...]:
    """Files in an archive, in order. Rules: LW-19.1.

    Args:
        data: the archive.
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
    view = memoryview(data)
    if len(view) > LARGEST:
        raise ScenarioFault(file, f"larger than {LARGEST} bytes", RULE)
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
            return f", but {name}; the original does not compress its files"
    return ", but XML without an archive" if block.lstrip().startswith(b"<?xml") else ""


def _plain(name: str) -> str:
    """A member's name without folders, on one line and of bounded length."""
    last = name.rstrip("/").rpartition("/")[2]
    short = last if len(last) <= LONGEST_NAME else f"...{last[-LONGEST_NAME:]}"
    return "".join(sign if sign.isascii() and sign.isprintable() else "?" for sign in short)
