"""Containers around a file to be imported are named, with advice."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import app


def zipped(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("game.map", "x")


CONTAINERS: dict[str, Callable[[Path], object]] = {
    "a ZIP archive": zipped,
    "gzip data": lambda path: path.write_bytes(gzip.compress(b"x")),
    "a disk image of a C64 (D64)": lambda path: path.write_bytes(bytes(174_848)),
    "a tape image of a C64 (TAP)": lambda path: path.write_bytes(b"C64-TAPE-RAW" + bytes(20)),
}


@pytest.mark.parametrize("kind", CONTAINERS)
def test_container_around_an_import_is_named(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    CONTAINERS[kind](tmp_path / "x")
    assert app.main(["import", str(tmp_path / "x")]) == 2
    told = capsys.readouterr().err
    assert (
        told == f"banneret: {tmp_path / 'x'}: is {kind}; take the file out of it and import that\n"
    )
