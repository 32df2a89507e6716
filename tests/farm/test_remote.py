"""Remote workers, behind an SSH server and on a real Dask cluster, both on this machine."""

from __future__ import annotations

import getpass
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import repeat, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from engine.core.codec import encode
from study.farm.checks import Checks, proofs_of
from study.farm.dask_workers import FARMS, DaskCluster, carried_out
from study.farm.links import Machine
from study.farm.machines import machines_of
from study.farm.protocol import (
    Assignment,
    Batch,
    Finished,
    Frames,
    Ready,
    Returned,
    Unfit,
    WorkerAnswer,
    framed,
)
from study.farm.runs import Done, FarmRun, Lost
from study.farm.supervisor import Farm, FarmFault
from tests.farm import works
from tests.farm.ssh_server import HERE
from tests.farm.test_endings import children, is_alive, marked, workers
from tests.farm.works import Order
from tests.patience import PATIENCE, wait_for
from tests.programs import SLEEPS, needs_proc, program

HOME = Path(__file__).parents[2]
SERVE = "from study.farm.worker import stdio_main; stdio_main()"
COMMAND = f"cd {shlex.quote(str(HOME))} && exec {shlex.join((sys.executable, '-c', SERVE))}"
LOSSES = {
    "raise": ("raised", "LookupError: nothing is there (works.py:"),
    "segfault": ("died", "the process died: SIGSEGV"),
    "swell": ("memory", "more than 4000 MB of memory"),
    "burn": ("deadline", "longer than 0.15 s of processor time"),
}
"""Kind of a loss and beginning of its cause, by the deed of the piece; the same as locally."""

LIMITS: dict[str, Any] = {"processor_time": 0.15, "memory": 4 * 10**9}

pytestmark = needs_proc


@pytest.fixture
def deaf_port() -> Iterator[int]:
    """Reserve a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        yield probe.getsockname()[1]


def told(results: Iterator[Any]) -> list[Any]:
    """Return results without their durations."""
    return [each[:3] if isinstance(each, Done) else each for each in results]


def assert_losses(results: Iterator[Any], *deeds: str) -> None:
    """Assert that results have the expected values, kinds and causes of loss."""
    for number, (deed, result) in enumerate(zip(deeds, results, strict=True)):
        assert result[:2] == (number, Order(deed, number))
        if deed in LOSSES:
            assert (result.kind, result.cause[: len(LOSSES[deed][1])]) == LOSSES[deed]
        else:
            assert result.value == number


@pytest.fixture(autouse=True)
def unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Say nothing of workers that begin slowly, as all do on a busy machine."""
    monkeypatch.setattr("study.farm.dispatch.QUIET", PATIENCE)


# -- a worker on standard input and output -----------------------------------------------------


def test_worker_on_standard_input_ends_with_it_and_its_children(
    tmp_path: Path,
) -> None:
    first = Assignment("tests.farm.works:deeds", encode(str(tmp_path)))
    with subprocess.Popen(
        ["/bin/sh", "-c", COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as keeper:
        assert keeper.stdin is not None
        assert keeper.stdout is not None
        keeper.stdin.write(framed(first) + framed(Batch([(0, encode(Order("start-hang")))])))
        keeper.stdin.flush()
        frames = Frames(WorkerAnswer)
        assert list(frames.messages(os.read(keeper.stdout.fileno(), 1000))) == [Ready()]
        wait_for(lambda: len(marked(tmp_path)) == 1)
        own = [*children(keeper.pid), *marked(tmp_path)]
        assert len(own) == 2
        keeper.stdin.close()
        assert keeper.wait(PATIENCE) == 0
    wait_for(lambda: not any(map(is_alive, own)))


# -- ssh ---------------------------------------------------------------------------------------


class Server(NamedTuple):
    """An SSH server on this machine, and the command of a client that may log in."""

    port: int
    client: tuple[str, ...]

    def machines(self, count: int = 1, *others: str, command: str = COMMAND) -> tuple[Machine, ...]:
        """Return the server as a machine with ``count`` workers, and ``others``."""
        word = f"ssh:{getpass.getuser()}@{HERE}:{self.port}*{count}"
        return machines_of([word, *others], command=command, client=self.client)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with its own keys on a free port."""
    client = program("ssh")
    folder = tmp_path / "ssh"
    folder.mkdir()
    options = ("StrictHostKeyChecking=no", f"UserKnownHostsFile={folder / 'known'}")
    said = [word for option in options for word in ("-o", option)]
    with subprocess.Popen(
        [sys.executable, "-m", "tests.farm.ssh_server", str(folder)],
        cwd=HOME,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        port = int(process.stdout.readline())
        yield Server(port, (client, "-F", os.devnull, "-i", str(folder / "user"), *said))
        process.stdin.close()


def ssh_clients() -> list[int]:
    """Return the processes of SSH clients started by this process."""
    names = {pid: Path(f"/proc/{pid}/comm").read_text("utf-8") for pid in children(os.getpid())}
    return [pid for pid, name in names.items() if name == "ssh\n"]


def test_results_and_losses_are_the_same_over_ssh(server: Server, tmp_path: Path) -> None:
    deeds = ("", *LOSSES, "print", "")
    pieces = [Order(deed, number) for number, deed in enumerate(deeds)]
    with Farm(works.deeds, str(tmp_path), machines=server.machines(2), **LIMITS) as farm:
        assert_losses(farm.run(pieces), *deeds)


def test_deadline_holds_over_ssh(server: Server, tmp_path: Path) -> None:
    pieces = [Order("hang", 1), Order("", 2)]
    with Farm(works.deeds, str(tmp_path), machines=server.machines(), deadline=3) as farm:
        lost, done = farm.run(pieces)
    assert lost[2:] == ("deadline", "longer than 3 s")
    assert isinstance(done, Done)


def test_farm_over_ssh_leaves_no_process(server: Server, tmp_path: Path) -> None:
    machines = server.machines(1, "local*1")
    with Farm(works.deeds, str(tmp_path), machines=machines) as farm:
        run = farm.run(
            [Order("start-hang", 0), Order("start", 1), Order("start", 2)], ordered=False
        )
        assert next(run).number > 0
        wait_for(lambda: len(marked(tmp_path)) >= 2)
        assert ssh_clients()
    assert ssh_clients() == []
    wait_for(lambda: not any(map(is_alive, marked(tmp_path))))


def test_broken_links_cost_no_result(server: Server) -> None:
    pieces = [0.01] * 120
    with Farm(works.naps, 0.0, machines=server.machines(2)) as farm:
        results = []
        for result in farm.run(pieces):
            results.append(result)
            if result.number in (3, 40, 80):
                os.kill(ssh_clients()[0], signal.SIGKILL)
    assert told(iter(results)) == [(number, piece, 0.01) for number, piece in enumerate(pieces)]


@pytest.mark.slow
def test_piece_that_keeps_breaking_links_is_lost_alone(server: Server, tmp_path: Path) -> None:
    pieces = [Order("cut" if number == 30 else "", number) for number in range(60)]
    with Farm(works.deeds, str(tmp_path), machines=server.machines(2)) as farm:
        results = list(farm.run(pieces))
    assert [each.number for each in results] == list(range(60))
    (lost,) = (each for each in results if isinstance(each, Lost))
    assert (lost.number, lost.kind) == (30, "died")
    assert lost.cause.startswith("the process died: the connection ended")


def test_piece_of_a_broken_link_is_sent_out_alone() -> None:
    run: FarmRun[int, int] = FarmRun(range(6), ordered=True, progress=None)
    run.most = 10
    pieces = run.taken(4)
    pieces[0].breaks = pieces[2].breaks = 1
    run.again(pieces)
    numbers = [[piece.number for piece in run.taken(4)] for _ in range(4)]
    assert numbers == [[0], [1], [2], [3, 4, 5]]


def test_unusable_machine_is_named_with_the_reason(server: Server, deaf_port: int) -> None:
    cases = [
        (server.machines(command="nosuchcommand"), "not found"),
        (server.machines(command="echo Welcome to this machine"), "something else than a worker"),
        (machines_of([f"ssh:{HERE}:{deaf_port}"], client=server.client), "Connection refused"),
    ]
    for machines, reason in cases:
        with Farm(works.squares, 0, machines=machines) as farm, pytest.raises(FarmFault) as fault:
            list(farm.run([1]))
        line = str(fault.value)
        assert f"workers end before they begin on {machines[0].name}: " in line
        assert reason in line
        assert "\n" not in line


def test_silent_machine_is_named_and_abandoned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("study.farm.dispatch.QUIET", 0.05)
    monkeypatch.setattr("study.farm.machines.SshMachine.patience", 2.0)
    notices: list[str] = []
    silent = machines_of(["ssh:far"], client=shlex.split(SLEEPS))
    with (
        Farm(works.squares, 0, machines=silent, notice=notices.append) as farm,
        pytest.raises(FarmFault, match=r"on ssh:far: no answer within 2 s"),
    ):
        list(farm.run([1]))
    assert notices == ["ssh:far has not answered yet; waiting up to 2 s"]


def test_other_machines_do_the_work_of_an_unusable_one(server: Server) -> None:
    notices: list[str] = []
    machines = server.machines(1, "local*1", command="exit 3")
    with Farm(works.naps, 0.0, machines=machines, notice=notices.append) as farm:
        pieces = takewhile(lambda _: not notices, repeat(0.02, 3000))
        assert all(isinstance(each, Done) for each in farm.run(pieces))
    assert notices[0].startswith(f"workers end before they begin on {machines[0].name}")


def test_faulty_remote_worker_is_named_and_its_results_voided(
    server: Server, tmp_path: Path
) -> None:
    """Its proofs are right, since only later seeds fail; repeating one piece in ten reveals it."""
    seeds = range(1000, 1200)
    notices: list[str] = []
    results: dict[int, Any] = {}
    checks = Checks(
        greet=works.same_greeting,
        proofs=proofs_of(works.throws, 1000, (1, 2)),
        twice=10,
        void=lambda void: results.pop(void.number),
    )
    command = f"{works.FLIP}={tmp_path / 'flip'}; export {works.FLIP}; {COMMAND}"
    machines = server.machines(2, "local*1", command=command)
    with Farm(works.throws, 1000, machines=machines, checks=checks, notice=notices.append) as farm:
        for result in farm.run(seeds, ordered=False):
            assert isinstance(result, Done)
            results[result.number] = result.value
    right = works.throws(0)
    assert results == {number: right(seed) for number, seed in enumerate(seeds)}
    (line,) = notices
    assert line.startswith(f"worker {machines[0].name} ")
    assert "came out otherwise than on" in line


# -- dask --------------------------------------------------------------------------------------


@pytest.fixture
def idle_farms() -> Iterator[None]:
    """Close the idle farms that this process holds as a cluster worker, after the test."""
    yield
    FARMS.close()


def answered(key: str, assignment: Assignment | None, pieces: list[Any]) -> list[WorkerAnswer]:
    """Return the answers of a cluster worker, run in this process."""
    first = None if assignment is None else msgspec.msgpack.encode(assignment)
    batch = [(number, encode(piece)) for number, piece in enumerate(pieces)]
    return list(Frames(WorkerAnswer).messages(carried_out(key, first, batch)))


@pytest.mark.usefixtures("idle_farms")
def test_cluster_worker_returns_pieces_not_begun_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("study.farm.dask_workers.BATCH_SECONDS", 1.5)
    naps = Assignment("tests.farm.works:naps", encode(0.0), greet="tests.farm.works:same_greeting")
    assert answered("naps", None, [0.0]) == []
    assert answered("naps", naps, []) == [Ready(b"rules 7f3a, numpy 2")]
    *done, back = answered("naps", None, [0.3] * 12)
    assert isinstance(back, Returned)
    assert all(isinstance(each, Finished) for each in done)
    assert len(done) + len(back.numbers) == 12
    assert len(done) >= 2
    assert workers(os.getpid())
    FARMS.close()
    assert not workers(os.getpid())


def test_cluster_worker_reports_why_its_setup_fails() -> None:
    missing = Assignment("tests.farm.works:missing", encode(0))
    (unfit,) = answered("missing", missing, [])
    assert isinstance(unfit, Unfit)
    assert "has no attribute 'missing'" in unfit.cause
    assert answered("unready", Assignment("tests.farm.works:unready", encode(5)), []) == [Ready()]
    (unfit,) = answered("unready", None, [1])
    assert isinstance(unfit, Unfit)
    assert "ValueError: no setup 5" in unfit.cause


class Cluster(NamedTuple):
    """A Dask cluster on this machine."""

    word: str
    workers: tuple[subprocess.Popen[bytes], ...]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler and two workers that are never restarted."""
    if find_spec("distributed") is None:
        pytest.skip("distributed is not installed")
    folder = tmp_path_factory.mktemp("dask")
    address = folder / "scheduler.json"
    begin = [sys.executable, "-m", "distributed.cli.dask_"]
    common = ["--host", HERE, "--no-dashboard", "--scheduler-file", str(address)]
    where: dict[str, Any] = {"cwd": HOME, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen(
        [*begin[:2], begin[2] + "scheduler", *common, "--port", "0"], **where
    )
    workers = tuple(
        subprocess.Popen(
            [
                *(*begin[:2], begin[2] + "worker", *common, "--no-nanny"),
                *("--nthreads", "1", "--local-directory", str(folder)),
            ],
            **where,
        )
        for _ in range(2)
    )
    try:
        wait_for(address.exists)
        told = json.loads(address.read_text(encoding="utf-8"))
        yield Cluster(told["address"].replace("tcp://", "dask://"), workers)
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def test_cluster_gives_the_same_results_when_a_worker_is_killed(
    cluster: Cluster, tmp_path: Path
) -> None:
    deeds = ("", "raise", "segfault", "print")
    pieces = [Order(deed, number) for number, deed in enumerate(deeds)]
    checks: Checks[Order] = Checks(greet=works.same_greeting, twice=4)
    machines = machines_of([cluster.word])
    with Farm(works.deeds, str(tmp_path), machines=machines, checks=checks, **LIMITS) as farm:
        assert_losses(farm.run(pieces), *deeds)
    naps = [0.01] * 150
    with Farm(works.naps, 0.0, machines=machines_of([cluster.word])) as farm:
        results = []
        for result in farm.run(naps):
            results.append(result)
            if result.number == 50:
                cluster.workers[0].kill()
    assert told(iter(results)) == [(number, nap, 0.01) for number, nap in enumerate(naps)]


def test_silent_scheduler_is_named(deaf_port: int) -> None:
    if find_spec("distributed") is None:
        pytest.skip("distributed is not installed")
    cluster = DaskCluster(f"{HERE}:{deaf_port}", patience=0.2)
    with (
        Farm(works.squares, 0, machines=(cluster,)) as farm,
        pytest.raises(FarmFault, match=f"{cluster.name}: no scheduler answers"),
    ):
        list(farm.run([1]))
