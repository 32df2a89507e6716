"""The program with a faulty toy game; takes FAULT, then a command of ``banneret``."""

from __future__ import annotations

import sys

import app
from engine.core import registry
from tests.debug.faulty import Faulty

if __name__ == "__main__":
    registry.register(Faulty(sys.argv[1]))
    sys.exit(app.main(sys.argv[2:]))
