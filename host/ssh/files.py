"""Files of a host over SFTP and scp: a virtual, read-only tree.

``/finished/NAME.bnr`` are the saves of finished games, ``/games/NUMBER-NAME/dump.txt`` and
``dump.jsonl`` the parts of each game that the person may know; ``/README.txt`` explains this.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import posixpath
import re
import stat
import weakref
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import Any, Final, NoReturn

import asyncssh
from asyncssh import SFTPAttrs, SFTPName
from asyncssh.constants import (
    ACE4_READ_ATTRIBUTES,
    ACE4_READ_DATA,
    FXF_ACCESS_DISPOSITION,
    FXF_OPEN_EXISTING,
    FXF_READ,
)

from engine.core.archive import SaveFault
from engine.core.ids import PUBLIC, REFEREE
from engine.core.record import Record
from engine.core.replay import BrokenLog
from host.server.people import Person
from host.server.ports import GameInfo, GameServerPort, HostedGamePort, ParticipantPort, Ports

MOST_HANDLES: Final = 8
"""Maximum open files, and maximum open folders, of one connection."""

MOST_READ: Final = 1 << 18
"""Maximum bytes of one read; clients ask again for more."""

MOST_BYTES: Final = 16 << 20
"""Maximum bytes of a file; a larger one is refused."""

_SUFFIX: Final = ".bnr"
_LONGEST_PATH: Final = 1024
_LONGEST_NAME: Final = 80
_NO_NAME = re.compile(r"[^\w .+()-]")
_FOLDER: Final = stat.S_IFDIR | 0o555
_FILE: Final = stat.S_IFREG | 0o444

README: Final = """\
Files of a Banneret host. Everything here can only be read.

finished/NAME.bnr             the whole save of a game that is over
games/NUMBER-NAME/dump.txt    a game as text: what your seat was told, or everybody
games/NUMBER-NAME/dump.jsonl  the same as JSON lines

'banneret replay NAME.bnr' walks through a save. 'ssh HOST help' lists what else can be done.
"""


class Leaf(Record, frozen=True):
    """File of a game: ``save``, ``text`` or ``json``; without a game, the README."""

    kind: str = ""
    game: int = 0


Node = Mapping[str, "Node"] | Leaf
"""A folder of names, or a file."""


def _refuse(*_given: object) -> NoReturn:
    raise asyncssh.SFTPPermissionDenied("everything here can only be read")


_READ_ONLY: Final[Any] = _refuse
"""Handler of all operations that would change something."""


class _Open:
    """Open file."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Return the start of data or of a hole; these files have no holes."""
        if offset >= len(self.data):
            raise OSError(errno.ENXIO, "behind the end")
        return len(self.data) if whence == os.SEEK_HOLE else offset


class Files(asyncssh.SFTPServer):
    """SFTP server of one person."""

    def __init__(
        self, chan: Any, person: Person, game_server: GameServerPort, ports: Ports
    ) -> None:
        """Serve files to ``person`` on a channel."""
        super().__init__(chan)
        self._person = person
        self._house = game_server
        self._ports = ports
        self._files: set[_Open] = set()
        self._folders: weakref.WeakSet[AsyncIterator[SFTPName]] = weakref.WeakSet()
        self._made: tuple[str, bytes] = ("", b"")
        """Path and content of the last ``stat``: usually opened next, with that size."""

    # -- read operations -------------------------------------------------------------------------

    async def open(self, path: bytes, pflags: int, attrs: SFTPAttrs) -> object:  # noqa: ARG002 - as it is inherited
        """Open a file to read it."""
        if pflags & ~FXF_READ:
            _refuse()
        return await self._open(path)

    async def open56(
        self,
        path: bytes,
        desired_access: int,
        flags: int,
        attrs: SFTPAttrs,  # noqa: ARG002 - as it is inherited
    ) -> object:
        """Open a file to read it, as newer clients request it."""
        disposition = flags & FXF_ACCESS_DISPOSITION
        if desired_access & ~(ACE4_READ_DATA | ACE4_READ_ATTRIBUTES):
            _refuse()
        if disposition != FXF_OPEN_EXISTING:
            _refuse()
        return await self._open(path)

    async def _open(self, path: bytes) -> object:
        if len(self._files) >= MOST_HANDLES:
            raise asyncssh.SFTPFailure("too many open files")
        node = self._node(path)
        if not isinstance(node, Leaf):
            raise asyncssh.SFTPFailure("this is a folder")
        made, self._made = self._made, ("", b"")
        data = made[1] if made[0] == plain_path(path) else await self._content(node)
        opened = _Open(data)
        self._files.add(opened)
        return opened

    def close(self, file_obj: object) -> None:
        """Close a file."""
        if isinstance(file_obj, _Open):
            self._files.discard(file_obj)

    def read(self, file_obj: object, offset: int, size: int) -> bytes:
        """Return bytes of a file from an offset."""
        assert isinstance(file_obj, _Open)  # noqa: S101 - tells the type checker
        return file_obj.data[offset : offset + min(size, MOST_READ)]

    async def stat(self, path: bytes) -> SFTPAttrs:
        """Return the attributes of a file or folder."""
        node = self._node(path)
        if not isinstance(node, Leaf):
            return SFTPAttrs(permissions=_FOLDER)
        if self._made[0] != plain_path(path):
            self._made = plain_path(path), await self._content(node)
        return SFTPAttrs(size=len(self._made[1]), permissions=_FILE)

    async def lstat(self, path: bytes) -> SFTPAttrs:
        """Return the same as ``stat``: there are no links."""
        return await self.stat(path)

    def fstat(self, file_obj: object) -> SFTPAttrs:
        """Return the attributes of an open file."""
        assert isinstance(file_obj, _Open)  # noqa: S101 - tells the type checker
        return SFTPAttrs(size=len(file_obj.data), permissions=_FILE)

    def realpath(self, path: bytes) -> bytes:
        """Return the normalized absolute path, which never leaves the tree."""
        return plain_path(path).encode()

    def scandir(self, path: bytes) -> AsyncIterator[SFTPName]:
        """Return the entries of a folder; the number of open folders is limited."""
        if len(self._folders) >= MOST_HANDLES:
            raise asyncssh.SFTPFailure("too many open folders")
        node = self._node(path)
        if isinstance(node, Leaf):
            raise asyncssh.SFTPFailure("this is no folder")
        names = _names(node)
        self._folders.add(names)
        return names

    def exit(self) -> None:
        """Exit with code 0, or ``scp`` would report a failure."""
        with contextlib.suppress(OSError):
            self.channel.exit(0)

    # -- refused operations ----------------------------------------------------------------------

    write = setstat = lsetstat = fsetstat = remove = mkdir = rmdir = _READ_ONLY
    rename = posix_rename = link = symlink = readlink = _READ_ONLY
    lock = unlock = statvfs = fstatvfs = fsync = _READ_ONLY

    # -- the tree --------------------------------------------------------------------------------

    def _node(self, path: bytes) -> Node:
        """Return the node at a path.

        Raises:
            SFTPNoSuchFile: the path does not exist.
        """
        node: Node = self._root()
        for part in plain_path(path).split("/"):
            if not part:
                continue
            if isinstance(node, Leaf) or part not in node:
                raise asyncssh.SFTPNoSuchFile("no such file")
            node = node[part]
        return node

    def _root(self) -> Mapping[str, Node]:
        infos = self._house.games()
        return {
            "README.txt": Leaf(),
            "finished": dict(_finished(infos)),
            "games": {
                f"{info.number}-{clean_name(info.name)}": {
                    "dump.txt": Leaf("text", info.number),
                    "dump.jsonl": Leaf("json", info.number),
                }
                for info in infos
            },
        }

    # -- content of files ------------------------------------------------------------------------

    async def _content(self, leaf: Leaf) -> bytes:
        """Return the content of a file, built in another thread."""
        if not leaf.game:
            return README.encode()
        try:
            hosted = await self._house.game(leaf.game)
            if leaf.kind == "save":
                return await asyncio.to_thread(self._ports.raw, hosted.opened().name)
            return await self._dump(hosted, as_json=leaf.kind == "json")
        except LookupError:
            raise asyncssh.SFTPNoSuchFile("no such file") from None
        except PermissionError:
            raise asyncssh.SFTPPermissionDenied("this is not for you") from None
        except (SaveFault, BrokenLog):
            raise asyncssh.SFTPFailure("the save of that game cannot be read") from None

    async def _dump(self, hosted: HostedGamePort, *, as_json: bool) -> bytes:
        place = hosted.place(self._person)
        try:
            lines = self._lines(hosted, place, as_json=as_json)
            return await asyncio.to_thread(_joined, lines)
        finally:
            place.leave()

    def _lines(
        self, hosted: HostedGamePort, place: ParticipantPort, *, as_json: bool
    ) -> Iterator[str]:
        if place.is_over:
            dump = self._ports.dump_json if as_json else self._ports.dump
            return dump(hosted.opened(), REFEREE)
        own = place.seats or place.own_seats
        chronicle = place.chronicle(own[0] if own else PUBLIC)
        return chronicle.as_json() if as_json else chronicle.as_text()


def plain_path(path: bytes) -> str:
    """Return a path normalized, from the root of the tree."""
    text = path[:_LONGEST_PATH].decode("utf-8", "replace").replace("\0", "?")
    return posixpath.normpath("/" + text.lstrip("/"))


def clean_name(name: str) -> str:
    """Return the file name for a game's name, without separators and characters to be quoted."""
    return _NO_NAME.sub("_", name)[:_LONGEST_NAME].strip(" .") or "game"


def _finished(infos: Iterable[GameInfo]) -> Iterator[tuple[str, Leaf]]:
    taken: set[str] = set()
    for info in infos:
        if info.stage == "finished":
            name = clean_name(info.name)
            name = f"{name} {info.number}" if name in taken else name
            taken.add(name)
            yield f"{name}{_SUFFIX}", Leaf("save", info.number)


async def _names(folder: Mapping[str, Node]) -> AsyncIterator[SFTPName]:
    for name in (".", ".."):
        yield SFTPName(name.encode(), attrs=SFTPAttrs(permissions=_FOLDER))
    for name, node in folder.items():
        mode = _FILE if isinstance(node, Leaf) else _FOLDER
        yield SFTPName(name.encode(), attrs=SFTPAttrs(permissions=mode))


def _joined(lines: Iterable[str]) -> bytes:
    """Return lines as the bytes of a file.

    Raises:
        SFTPFailure: the file is too long to be sent.
    """
    whole = bytearray()
    for line in lines:
        whole += line.encode("utf-8", "replace") + b"\n"
        if len(whole) > MOST_BYTES:
            raise asyncssh.SFTPFailure("this file is too long to be handed out")
    return bytes(whole)
