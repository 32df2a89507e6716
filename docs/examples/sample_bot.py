"""A computer player in one file: talks the bot protocol with ``banneret bot``.

It attacks whatever it may, walks west where it can, and else ends its phase. Not clever, but legal.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from typing import IO, Any

WALKS = 40
"""Steps in a phase before it ends the phase."""


def main() -> int:
    """Play one game as Dailor; print how it ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--scenario", default="ford")
    args = parser.parse_args()
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "app", "bot", "--ruleset", "weltendaemmerung"),
            *("--seat", "Dailor", "--opponent", "bot:easy"),
            *("--scenario", args.scenario, "--seed", args.seed),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert server.stdin is not None
    assert server.stdout is not None
    ended = play(server.stdout, server.stdin)
    print(f"{ended['reason']}: {'won' if ended.get('won') else 'lost'}")
    return server.wait()


def play(ear: IO[str], mouth: IO[str]) -> dict[str, Any]:
    """Answer the server until it says goodbye; its last message."""

    def say(message: dict[str, Any]) -> None:
        mouth.write(json.dumps(message) + "\n")
        mouth.flush()

    walked = 0
    for line in ear:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                say({"type": "ready"})
            case "turn":
                say({"type": "offers"})
            case "offers":
                command = choose(message["commands"], walked)
                walked = 0 if command["do"] == "end-phase" else walked + 1
                say({"type": "act", "command": command})
            case "error":
                say({"type": "act", "command": "end-phase"})
            case "bye":
                mouth.close()
                return dict(message)
    return {"reason": "the server left"}


def choose(offers: list[dict[str, Any]], walked: int) -> dict[str, Any]:
    """Choose an attack if any, else a step west up to a limit, else the end."""
    for wanted in ("attack", "step"):
        for command in offers:
            if command["do"] != wanted:
                continue
            if wanted == "attack" or (command["direction"] == "left" and walked < WALKS):
                return command
    return next(command for command in offers if command["do"] == "end-phase")


if __name__ == "__main__":
    sys.exit(main())
