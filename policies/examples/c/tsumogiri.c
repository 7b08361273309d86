// A policy in C: it throws what it draws, and wins when it can. With `random = 20`, 20 of 100 discards are of any tile
// instead.

#include "bot_policy.h"

#include <stdlib.h>
#include <string.h>

// What an instance remembers: its parameter, and what the host offers.
struct bp_instance {
    int64_t random;
    const bp_host *host;
};

// Appends text to a buffer of the host's, as far as there is room.
static void say(bp_text_buffer *buffer, const char *text) {
    if (buffer == NULL || buffer->data == NULL) {
        return;
    }
    size_t room = buffer->capacity - buffer->len;
    size_t length = strlen(text);
    size_t fits = length < room ? length : room;
    memcpy(buffer->data + buffer->len, text, fits);
    buffer->len += (uint32_t)fits;
}

static int is(bp_text text, const char *name) {
    return text.len == strlen(name) && memcmp(text.data, name, text.len) == 0;
}

static bp_status create(const bp_create_args *args, bp_instance **instance, bp_text_buffer *error) {
    if (args->struct_size < sizeof(bp_create_args)) {
        say(error, "the host is older than this library");
        return BP_STATUS_BAD_ARGUMENT;
    }
    bp_instance *made = malloc(sizeof *made);
    if (made == NULL) {
        say(error, "out of memory");
        return BP_STATUS_FAILED;
    }
    // Only what the config sets is passed; the rest has its default.
    *made = (bp_instance){.random = 0, .host = args->host};
    for (uint32_t i = 0; i < args->params.len; i++) {
        const bp_param_value *param = BP_AT(bp_param_value, args->params, i);
        if (!is(param->name, "random") || param->value.kind != BP_VALUE_INTEGER) {
            free(made);
            say(error, "the only parameter is random, a whole number");
            return BP_STATUS_BAD_PARAMETER;
        }
        made->random = param->value.integer;
    }
    if (made->host != NULL && made->host->log != NULL && made->random > 0) {
        static const bp_text line = BP_TEXT("throws tiles at random");
        made->host->log(made->host->context, BP_LOG_INFO, line);
    }
    *instance = made;
    return BP_STATUS_OK;
}

// How much an action is wanted; the one that is wanted most is taken.
static int wanted(const bp_legal_action *action) {
    switch (action->kind) {
    case BP_ACTION_HORA:
        return 4;
    case BP_ACTION_NONE:
        return 3;
    case BP_ACTION_DAHAI:
        return (action->flags & BP_ACTION_TSUMOGIRI) != 0 ? 2 : 1;
    default: // Calls, kans, riichi, and the draw by nine terminals.
        return 0;
    }
}

static uint64_t mixed(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

// A random number that is the same when the same game is played again.
static uint64_t random_of(const bp_view *view) {
    return mixed(mixed(mixed(view->seed + view->game_number) + view->seat) + view->decision);
}

static bp_status decide(bp_instance *instance, const bp_view *view, bp_decision *decision, bp_text_buffer *error) {
    if (view->struct_size < sizeof(bp_view) || decision->struct_size < sizeof(bp_decision)) {
        say(error, "the host is older than this library");
        return BP_STATUS_BAD_ARGUMENT;
    }
    uint32_t best = 0;
    for (uint32_t i = 1; i < view->legal.len; i++) {
        if (wanted(BP_AT(bp_legal_action, view->legal, i)) > wanted(BP_AT(bp_legal_action, view->legal, best))) {
            best = i;
        }
    }
    uint64_t random = random_of(view);
    int discards = BP_AT(bp_legal_action, view->legal, best)->kind == BP_ACTION_DAHAI;
    if (discards && (int64_t)(random % 100) < instance->random) {
        // Begins anywhere in the list, and takes the first discard from there on.
        best = (uint32_t)(random >> 32) % view->legal.len;
        while (BP_AT(bp_legal_action, view->legal, best)->kind != BP_ACTION_DAHAI) {
            best = (best + 1) % view->legal.len;
        }
        say(&decision->reason, "at random");
    }
    decision->index = best;
    decision->question = view->question;
    return BP_STATUS_OK;
}

static bp_status destroy(bp_instance *instance, bp_text_buffer *error) {
    (void)error;
    free(instance);
    return BP_STATUS_OK;
}

static const bp_param_descriptor params[] = {{
    .name = BP_TEXT("random"),
    .help = BP_TEXT("How many of 100 discards are of any tile instead of the drawn one."),
    .kind = BP_VALUE_INTEGER,
    .default_value = {.kind = BP_VALUE_INTEGER, .integer = 0},
    .integer_min = 0,
    .integer_max = 100,
}};

static const bp_policy_descriptor policies[] = {{
    .id = BP_TEXT("c-tsumogiri"),
    .name = BP_TEXT("Tsumogiri in C"),
    .version = BP_TEXT("1.0"),
    .summary = BP_TEXT("Throws what it draws, and wins when it can."),
    .players = BP_PLAYERS_FOUR | BP_PLAYERS_THREE,
    .params = {params, sizeof params / sizeof *params, sizeof *params},
    .create = create,
    .decide = decide,
    .destroy = destroy,
}};

static const bp_entry entry = {
    .struct_size = sizeof(bp_entry),
    .magic = BP_ENTRY_MAGIC,
    .abi_major = BP_ABI_MAJOR,
    .abi_minor = BP_ABI_MINOR,
    .build_id = BP_TEXT("c-tsumogiri 1.0"),
    .policies = {policies, sizeof policies / sizeof *policies, sizeof *policies},
};

BP_EXPORT const bp_entry *bot_policy_entry(void) { return &entry; }
