"""Run the program as a host on which a connection may stay unused for as long as tests take."""

from __future__ import annotations

import sys

from app import main
from host.ssh import ssh_connection
from tests.patience import PATIENCE

ssh_connection.EMPTY = PATIENCE  # type: ignore[misc]  # half a minute may pass on a busy machine

if __name__ == "__main__":
    sys.exit(main())
