"""Run the program as a host on which a connection may stay unused for as long as tests take."""

from __future__ import annotations

import sys

from app import main
from host.ssh import ssh_connection
from tests.patience import PATIENCE


def be_patient() -> None:
    """Keep unused connections: half a minute may pass on a busy machine."""
    ssh_connection.EMPTY = PATIENCE  # type: ignore[misc]


if __name__ == "__main__":
    be_patient()
    sys.exit(main())
