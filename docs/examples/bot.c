/* A bot in C with the standard library alone. It takes an attack if one is offered, some other
 * command up to a number in a turn, and then ends its turn.
 *
 *     cc -O2 -o mybot docs/examples/bot.c
 *     banneret lab check weltendaemmerung cmd:./mybot --scenario ford
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12 }; /* commands in a turn before it is ended */

static const char *const FIGHT[] = {"attack", "invade", "toxic", "dynamite", "search", NULL};
static const char *const WORK[] = {"spawn", "produce", "buy", "step", "march", "move", "walk", "gate", NULL};
static const char *const END[] = {"end-phase", "end-turn", "seal", NULL};
static const char *const NEVER[] = {"resign", "concede", "disband", "raze", "rename", "unseal",
                                    "drop",   "stop",    "park",    "goal", NULL};
static int done;

/* A line of any length without its end; NULL at the end of the input. */
static char *read_line(void) {
    static char *line;
    static size_t room;
    size_t length = 0;
    int sign;
    while ((sign = getchar()) != EOF && sign != '\n') {
        if (length + 2 > room) {
            room = room ? 2 * room : 4096;
            line = realloc(line, room);
            if (line == NULL) exit(1);
        }
        line[length++] = (char)sign;
    }
    if (sign == EOF && length == 0) return NULL;
    if (line == NULL) line = calloc(room = 4096, 1);
    line[length] = '\0';
    return line;
}

static int has_type(const char *line, const char *type) {
    char wanted[64];
    int length = snprintf(wanted, sizeof wanted, "{\"type\":\"%s\"", type);
    return strncmp(line, wanted, (size_t)length) == 0;
}

/* The place behind a JSON object that begins here. */
static const char *behind(const char *text) {
    int depth = 0, in_string = 0;
    for (; *text; text++) {
        if (in_string) {
            if (*text == '\\' && text[1]) text++;
            else if (*text == '"') in_string = 0;
        } else if (*text == '"') in_string = 1;
        else if (*text == '{') depth++;
        else if (*text == '}' && --depth == 0) return text + 1;
    }
    return text;
}

static int is_one_of(const char *command, const char *const *names) {
    for (; *names; names++) {
        char wanted[64];
        int length = snprintf(wanted, sizeof wanted, "{\"do\":\"%s\"", *names);
        if (strncmp(command, wanted, (size_t)length) == 0) return 1;
    }
    return 0;
}

/* One of the offers that are among names (or, if flipped, that are not); NULL if there is none. */
static const char *pick(const char *offers, const char *const *names, int flipped) {
    for (int count = 0, wanted = -1;; count = 0) {
        for (const char *at = offers; *at == '{'; at = behind(at), at += *at == ',') {
            if (is_one_of(at, names) == flipped) continue;
            if (count++ == wanted) return at;
        }
        if (count == 0) return NULL;
        wanted = done * 7 % count;
    }
}

static void answer_offers(const char *line) {
    const char *offers = strstr(line, "\"commands\":[");
    if (offers == NULL) return;
    offers += strlen("\"commands\":[");
    const char *command = pick(offers, FIGHT, 0);
    if (command == NULL && done < MOST) command = pick(offers, WORK, 0);
    if (command == NULL) command = pick(offers, END, 0);
    if (command == NULL) command = pick(offers, NEVER, 1);
    if (command == NULL) command = *offers == '{' ? offers : NULL;
    if (command == NULL) return;
    done = is_one_of(command, END) ? 0 : done + 1;
    printf("{\"type\":\"act\",\"command\":%.*s}\n", (int)(behind(command) - command), command);
}

int main(void) {
    const char *line;
    while ((line = read_line()) != NULL) {
        if (has_type(line, "hello")) puts("{\"type\":\"ready\"}");
        if (has_type(line, "error")) done++;
        if (has_type(line, "turn") || has_type(line, "error")) puts("{\"type\":\"offers\"}");
        if (has_type(line, "offers")) answer_offers(line);
        if (has_type(line, "bye")) return 0;
        fflush(stdout);
    }
    return 0;
}
