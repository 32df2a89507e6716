"""A terminal that disappears while it is written to."""

from __future__ import annotations

import os
import pty
import threading

from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread
from textual.drivers.headless_driver import HeadlessDriver
from textual.drivers.linux_driver import LinuxDriver

from tests.patience import PATIENCE
from tui.terminal.driver import Outlet, tolerant_driver


def test_output_to_a_lost_terminal_is_dropped_without_waiting() -> None:
    master, slave = pty.openpty()
    outlet = Outlet(os.fdopen(slave, "w", encoding="utf-8"))
    outlet.write("seen")
    outlet.flush()
    assert os.read(master, 100) == b"seen"
    os.close(master)
    thread = WriterThread(outlet)  # type: ignore[arg-type]  # it writes, flushes and has a number
    thread.start()

    def flood() -> None:
        for _ in range(10 * MAX_QUEUED_WRITES):
            thread.write("x" * 1000)
        thread.stop()

    writer = threading.Thread(target=flood, daemon=True)
    writer.start()
    writer.join(PATIENCE)
    assert not writer.is_alive()
    assert not outlet.is_open


def test_only_the_driver_of_terminals_is_changed() -> None:
    assert tolerant_driver(HeadlessDriver) is HeadlessDriver
    assert issubclass(tolerant_driver(LinuxDriver), LinuxDriver)
