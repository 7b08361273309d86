// A policy: it keeps tiles that have neighbours, declares riichi at once, and against a riichi throws what that seat
// cannot win on. bot_policy.h describes the boundary; begin with the overview at its top.

#include "bot_policy.h"

#include <stdlib.h>
#include <string.h>

// One seat's instance. The view says all there is to know, so nothing of the game is kept here.
struct bp_instance {
    int careful;
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
    // Only what the config sets is passed, checked against the descriptor below; the rest has its default.
    *made = (bp_instance){.careful = 1};
    for (uint32_t i = 0; i < args->params.len; i++) {
        const bp_param_value *param = BP_AT(bp_param_value, args->params, i);
        if (param->value.kind == BP_VALUE_BOOLEAN) {
            made->careful = param->value.boolean != 0;
        }
    }
    *instance = made;
    return BP_STATUS_OK;
}

// What the hand loses with a tile of this kind: its other copies count, and its neighbours in the same suit.
static int usefulness(const bp_view *view, int kind) {
    int useful = 4 * (view->closed[kind] - 1);
    if (kind >= 27) { // Honours have no neighbours.
        return useful;
    }
    int number = kind % 9;
    for (int step = -2; step <= 2; step++) {
        if (step == 0 || number + step < 0 || number + step > 8 || view->closed[kind + step] == 0) {
            continue;
        }
        useful += step == -1 || step == 1 ? 3 : 2;
    }
    return useful;
}

// How many of the seats in riichi cannot win on this kind.
static int safe_against(const bp_view *view, int kind) {
    int safe = 0;
    for (int seat = 0; seat < view->rules.players; seat++) {
        const bp_cannot_ron *cannot = &view->cannot_ron[seat];
        uint64_t kinds = cannot->river | cannot->since_riichi | cannot->since_discard;
        if (seat != view->seat && view->seats[seat].riichi != 0 && (kinds >> kind & 1) != 0) {
            safe++;
        }
    }
    return safe;
}

// A red five is of the kind of the plain one.
static int kind_of(uint8_t tile) { return tile < BP_KINDS ? tile : 9 * (tile - BP_KINDS) + 4; }

// How good an action is; the one with the highest value is taken.
static float value_of(const bp_instance *instance, const bp_view *view, const bp_legal_action *action) {
    switch (action->kind) {
    case BP_ACTION_HORA:
        return 3000;
    case BP_ACTION_RYUKYOKU:
        return 2000;
    case BP_ACTION_NONE:
        return 1000;
    case BP_ACTION_REACH:
        return 500 - (float)usefulness(view, kind_of(action->tile));
    case BP_ACTION_DAHAI: {
        int kind = kind_of(action->tile);
        int safe = instance->careful ? safe_against(view, kind) : 0;
        return 100 * (float)safe - (float)usefulness(view, kind);
    }
    default: // Calls and kans: never.
        return -1000;
    }
}

static bp_status decide(bp_instance *instance, const bp_view *view, bp_decision *decision, bp_text_buffer *error) {
    if (view->struct_size < sizeof(bp_view) || decision->struct_size < sizeof(bp_decision)) {
        say(error, "the host is older than this library");
        return BP_STATUS_BAD_ARGUMENT;
    }
    uint32_t best = 0;
    float highest = 0;
    int valued = decision->values != NULL && decision->values_capacity >= view->legal.len;
    for (uint32_t i = 0; i < view->legal.len; i++) {
        float value = value_of(instance, view, BP_AT(bp_legal_action, view->legal, i));
        if (valued) {
            decision->values[i] = value;
        }
        if (i == 0 || value > highest) {
            best = i;
            highest = value;
        }
    }
    decision->values_len = valued ? view->legal.len : 0;
    decision->index = best;
    decision->question = view->question;
    if (BP_AT(bp_legal_action, view->legal, best)->kind == BP_ACTION_DAHAI && highest > 50) {
        say(&decision->reason, "careful: a riichi cannot win on it");
    }
    return BP_STATUS_OK;
}

static bp_status destroy(bp_instance *instance, bp_text_buffer *error) {
    (void)error;
    free(instance);
    return BP_STATUS_OK;
}

static const bp_param_descriptor params[] = {{
    .name = BP_TEXT("careful"),
    .help = BP_TEXT("Whether it throws what a riichi cannot win on."),
    .kind = BP_VALUE_BOOLEAN,
    .default_value = {.kind = BP_VALUE_BOOLEAN, .boolean = 1},
}};

static const bp_policy_descriptor policies[] = {{
    .id = BP_TEXT("my-policy"),
    .name = BP_TEXT("my-policy"),
    .version = BP_TEXT("0.1.0"),
    .summary = BP_TEXT("Keeps tiles with neighbours, and is careful against a riichi."),
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
    // What logs show: give each build its own.
    .build_id = BP_TEXT("my-policy 0.1.0"),
    .policies = {policies, sizeof policies / sizeof *policies, sizeof *policies},
};

BP_EXPORT const bp_entry *bot_policy_entry(void) { return &entry; }
