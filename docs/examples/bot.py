"""A bot in one file of the standard library: it reads messages and writes its answers.

It plays any of the games: it takes an attack if one is offered, some other command up to a number
in a turn, and then ends its turn.

    banneret lab check weltendaemmerung 'cmd:python3 docs/examples/bot.py' --scenario ford
"""

import json
import sys

FIGHT = ("attack", "invade", "toxic", "dynamite", "search")
WORK = ("spawn", "produce", "buy", "step", "march", "move", "walk", "gate")
END = ("end-phase", "end-turn", "seal")
NEVER = ("resign", "concede", "disband", "raze", "rename", "unseal", "drop", "stop", "park", "goal")
MOST = 12
"""Commands in a turn before it is ended."""


def choose(offers, done):
    """Return the command to try in a turn after ``done`` others."""
    for names in (FIGHT, WORK if done < MOST else (), END):
        wanted = [command for command in offers if command["do"] in names]
        if wanted:
            return wanted[done * 7 % len(wanted)]
    rest = [command for command in offers if command["do"] not in NEVER]
    return rest[done * 7 % len(rest)] if rest else offers[0]


def main():
    """Answer messages until the game is over."""
    done = 0
    for line in sys.stdin:
        message = json.loads(line)
        answer = None
        if message["type"] == "hello":
            answer = {"type": "ready"}
        elif message["type"] in ("turn", "error"):
            done += message["type"] == "error"
            answer = {"type": "offers"}
        elif message["type"] == "offers" and message["commands"]:
            command = choose(message["commands"], done)
            done = 0 if command["do"] in END else done + 1
            answer = {"type": "act", "command": command}
        elif message["type"] == "bye":
            return
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
