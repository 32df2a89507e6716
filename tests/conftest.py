"""Set-up that all tests share.

* The toy ruleset of ``tests/toy`` is registered, so ``registry.find("toy")`` works in every test.
* ``golden(path, text)`` compares a text with a committed file, or rewrites the file when pytest is
  run with ``--regenerate``: read the diff then, it is the change of behaviour.
* Hypothesis has two profiles: ``ci`` (the default: the same examples on every machine, no
  deadline) and ``explore`` (random examples, more of them; ``--hypothesis-profile=explore``).
* Modules are compiled once before the tests, and bytecode is kept even if the environment forbids
  it. Otherwise each worker process would spend a quarter of a minute on it, and the tests start
  programs some hundred times.
* Programs that tests start react to Ctrl-C even if the parent process ignores it, as a shell does
  for background jobs.
* Processes start without numpy threads, as the program's own do, and skip the search for
  translations of help texts, because none exist.
* TERM is set if it is missing, so that programs in terminals draw.
* The garbage collector is off while tests are collected, and the objects left then are frozen:
  each full collection would visit them again. Later it runs less often than by default: screens
  make many short-lived objects, and cycle detection took a sixth of their tests.
* ``@pytest.mark.slow`` keeps a test out of the default run; ``pytest -m slow`` runs those.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from threading import RLock

import pytest
from hypothesis import HealthCheck, settings

from engine.core import codec, registry
from study.lab import keeper
from tests import toy
from tests.compiled import compile_once
from tests.contract import chosen

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "explore", settings.get_profile("ci"), derandomize=False, max_examples=500
)
settings.load_profile("ci")

gc.disable()
registry.register(toy.RULES)
codec.share(RLock())

os.environ.setdefault("TERM", "xterm")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("LANGUAGE", "C")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate",
        action="store_true",
        help="rewrite golden files with what comes out now; read the diff",
    )
    parser.addoption(
        "--ruleset",
        action="append",
        default=[],
        metavar="NAME",
        help="run the contract suite on this ruleset only; may be given several times",
    )


def pytest_configure(config: pytest.Config) -> None:
    chosen.choose(config.getoption("--ruleset"))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile all tests before the worker processes start."""
    if session.config.getoption("numprocesses", None):
        compile_once()


def pytest_collection_finish() -> None:
    """Freeze modules and collected tests, some million objects that live to the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 100)
    gc.enable()


def pytest_runtest_teardown() -> None:
    """Unmark what is started next: the keeper of the test's bots must not kill shared servers."""
    os.environ.pop(keeper.MARK, None)


def pytest_sessionfinish() -> None:
    """Freeze what the tests left: pytest collects garbage several times before it ends."""
    gc.freeze()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with a committed file, or rewrite the file with ``--regenerate``."""
    rewrite = bool(request.config.getoption("--regenerate"))

    def compare(path: Path, text: str) -> None:
        if rewrite:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"there is no {path.name}; run pytest with --regenerate"
        assert text == path.read_text(encoding="utf-8"), (
            f"{path.name} differs; if that is meant, run pytest with --regenerate"
        )

    return compare
