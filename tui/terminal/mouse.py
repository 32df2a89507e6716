"""Whether the terminal tells of the mouse: switched while the program runs."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from tui.terminal.driver import Remote


def set_mouse(app: App[Any], *, on: bool) -> None:
    """Ask the terminal to tell of clicks and the wheel, or not to."""
    driver = app._driver  # noqa: SLF001 - Textual sets the mouse only when it starts
    if isinstance(driver, Remote):
        driver.set_mouse(on=on)
        return
    if not isinstance(driver, LinuxDriver) or driver._mouse == on:  # noqa: SLF001 - the same
        return
    driver._mouse = True  # noqa: SLF001 - neither way does anything without it
    if on:
        driver._enable_mouse_support()  # noqa: SLF001 - the same
    else:
        driver._disable_mouse_support()  # noqa: SLF001 - the same
    driver._mouse = on  # noqa: SLF001 - the same
    driver.flush()
