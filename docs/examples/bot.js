// A bot for Node.js: it reads messages and writes its answers. It takes an attack if one is offered,
// some other command up to a number in a turn, and then ends its turn.
//
//     banneret lab check weltendaemmerung 'cmd:node docs/examples/bot.js' --scenario ford
"use strict";

const FIGHT = ["attack", "invade", "toxic", "dynamite", "search"];
const WORK = ["spawn", "produce", "buy", "step", "march", "move", "walk", "gate"];
const END = ["end-phase", "end-turn", "seal"];
const NEVER = ["resign", "concede", "disband", "raze", "rename", "unseal", "drop", "stop", "park", "goal"];
const MOST = 12; // commands in a turn before it is ended
let done = 0;

function choose(offers) {
  for (const names of [FIGHT, done < MOST ? WORK : [], END]) {
    const wanted = offers.filter((command) => names.includes(command.do));
    if (wanted.length) return wanted[(done * 7) % wanted.length];
  }
  const rest = offers.filter((command) => !NEVER.includes(command.do));
  return rest.length ? rest[(done * 7) % rest.length] : offers[0];
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

function answer(message) {
  if (message.type === "hello") {
    say({ type: "ready" });
  } else if (message.type === "turn" || message.type === "error") {
    if (message.type === "error") done += 1;
    say({ type: "offers" });
  } else if (message.type === "offers" && message.commands.length) {
    const command = choose(message.commands);
    done = END.includes(command.do) ? 0 : done + 1;
    say({ type: "act", command });
  } else if (message.type === "bye") {
    process.exit(0);
  }
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => answer(JSON.parse(line)));
