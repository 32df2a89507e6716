"""Run the core of the tests on every supported Python, with the lowest and newest dependencies.

Run as ``python -m tests.pythons UV``, with the path of ``uv``. It looks for Pythons on the path and
among the versions of pyenv. Only wheels are installed. If ``CI`` is set, fewer than two Pythons are
a failure.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Final, NamedTuple, TypeAlias

HOME: Final = Path(__file__).resolve().parents[1]

Version: TypeAlias = tuple[int, int]

SUPPORTED: Final[tuple[Version, ...]] = ((3, 11), (3, 12), (3, 13), (3, 14))
RESOLUTIONS: Final = {"lowest": "lowest-direct", "newest": "highest"}
"""Names of the resolutions, with their names in ``uv``."""

MARK: Final = "pytest.mark." + "portable"

_MINIMUM: Final = 2
"""Minimum number of Pythons for a comparison."""

_SAY_VERSION: Final = "import sys, venv; print(*sys.version_info[:2])"


class CoreRun(NamedTuple):
    """The result of the core in one environment."""

    is_green: bool
    output: str
    seconds: float


def candidates(env: Mapping[str, str]) -> Iterator[Path]:
    """Yield files that may be Pythons. A shim of pyenv may be among them that does not start."""
    names = [f"python{major}.{minor}" for major, minor in SUPPORTED]
    folders = [Path(word) for word in env.get("PATH", "").split(os.pathsep) if word]
    root = Path(env.get("PYENV_ROOT") or Path(env.get("HOME", "/")) / ".pyenv")
    for folder in (*folders, *sorted(root.glob("versions/*/bin"))):
        yield from filter(Path.is_file, (folder / name for name in names))


def pythons(paths: Iterable[Path]) -> dict[Version, Path]:
    """Return the first Python of each supported version that starts."""
    found: dict[Version, Path] = {}
    for path in paths:
        try:
            done = subprocess.run([path, "-c", _SAY_VERSION], capture_output=True, check=True)
            major, minor = map(int, done.stdout.split())
        except (OSError, ValueError, subprocess.CalledProcessError):
            continue
        if (major, minor) in SUPPORTED:
            found.setdefault((major, minor), path)
    return dict(sorted(found.items()))


def core() -> list[str]:
    """Return the test files of the core. Other files may import packages of developers."""
    files = sorted(HOME.glob("tests/**/test_*.py"))
    return [str(file) for file in files if MARK in file.read_text(encoding="utf-8")]


def run(uv: str, python: Path, resolution: str) -> CoreRun:
    """Install the dependencies of the core into an empty environment, and run its tests there."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        there = str(Path(folder, "bin", "python"))
        wanted = ["-r", "pyproject.toml", "--extra", "test", "--resolution", resolution]
        chosen = ["-m", "portable and not slow", "-n", "0", "-p", "no:cacheprovider", *core()]
        steps: tuple[list[str], ...] = (
            [uv, "venv", "-q", "--python", str(python), folder],
            [uv, "pip", "install", "-q", "--python", there, "--only-binary", ":all:", *wanted],
            [there, "-m", "pytest", *chosen],
        )
        own = {"UV_PYTHON_DOWNLOADS": "never", "PYTHONPYCACHEPREFIX": str(Path(folder, "compiled"))}
        said, code = "", 0
        for step in steps:
            done = subprocess.run(
                step, cwd=HOME, env={**os.environ, **own}, stdout=PIPE, stderr=STDOUT, check=False
            )
            said += done.stdout.decode(errors="replace")
            code = done.returncode
            if code:
                break
    return CoreRun(code == 0, said, time.monotonic() - begun)


def main(uv: str) -> int:
    """Run all; return 1 if a run failed, or if ``CI`` is set and too few Pythons were found."""
    found = pythons(candidates(os.environ))
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {
            f"Python {named([version])}, {name} dependencies": pool.submit(run, uv, python, how)
            for version, python in found.items()
            for name, how in RESOLUTIONS.items()
        }
        for name, future in runs.items():
            good, said, seconds = future.result()
            failed += not good
            _say(f"{said}core on {name}: {'green' if good else 'FAILED'}, {seconds:.0f} s\n")
    absent = [version for version in SUPPORTED if version not in found]
    _say(f"the core ran on Python {named(found)}; not found here: {named(absent)}")
    if len(found) < _MINIMUM and os.environ.get("CI"):
        _say(f"fewer than {_MINIMUM} Pythons were found")
        return 1
    return 1 if failed else 0


def named(versions: Iterable[Version]) -> str:
    """Return versions as text, or "none"."""
    return ", ".join(f"{major}.{minor}" for major, minor in versions) or "none"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
