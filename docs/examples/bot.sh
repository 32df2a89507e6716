#!/bin/sh
# A bot for a POSIX shell with sed, grep and head. It takes an attack if one is offered, some other
# command up to a number in a turn, and then ends its turn.
#
#     banneret lab check weltendaemmerung 'cmd:sh docs/examples/bot.sh' --scenario ford

FIGHT='attack|invade|toxic|dynamite|search'
WORK='spawn|produce|buy|step|march|move|walk|gate'
END='end-phase|end-turn|seal'
NEVER='resign|concede|disband|raze|rename|unseal|drop|stop|park|goal'
MOST=12 # commands in a turn before it is ended
moves=0

# The offers, one command a line: they stand behind "commands":, and each begins with {"do":
offers() {
  printf '%s\n' "$1" | sed -e 's/.*"commands":\[//' -e 's/}\].*/}/' -e 's/,{"do":/\
{"do":/g'
}

# The line of standard input that is taken; none if there is none.
pick() {
  lines=$(cat)
  [ -n "$lines" ] || return 0
  count=$(printf '%s\n' "$lines" | grep -c .)
  printf '%s\n' "$lines" | sed -n "$((moves * 7 % count + 1))p"
}

choose() {
  found=$(printf '%s\n' "$1" | grep -E "^\\{\"do\":\"($FIGHT)\"" | pick)
  if [ -z "$found" ] && [ "$moves" -lt "$MOST" ]; then
    found=$(printf '%s\n' "$1" | grep -E "^\\{\"do\":\"($WORK)\"" | pick)
  fi
  [ -n "$found" ] || found=$(printf '%s\n' "$1" | grep -E "^\\{\"do\":\"($END)\"" | head -n 1)
  [ -n "$found" ] || found=$(printf '%s\n' "$1" | grep -v -E "^\\{\"do\":\"($NEVER)\"" | pick)
  [ -n "$found" ] || found=$(printf '%s\n' "$1" | head -n 1)
  printf '%s\n' "$found"
}

while IFS= read -r line; do
  case $line in
  '{"type":"hello"'*) printf '{"type":"ready"}\n' ;;
  '{"type":"turn"'*) printf '{"type":"offers"}\n' ;;
  '{"type":"error"'*)
    moves=$((moves + 1))
    printf '{"type":"offers"}\n'
    ;;
  '{"type":"offers"'*)
    command=$(choose "$(offers "$line")")
    case $command in
    '{"do":"end-'* | '{"do":"seal"'*) moves=0 ;;
    *) moves=$((moves + 1)) ;;
    esac
    [ -z "$command" ] || printf '{"type":"act","command":%s}\n' "$command"
    ;;
  '{"type":"bye"'*) exit 0 ;;
  esac
done
