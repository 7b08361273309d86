// A policy of which there can be as many builds as there are numbers: the tests write another number over the one in its
// file. It takes the legal action of its number, counted round and round, and says its number for a reason. It may be told
// to take its time.
#define _DEFAULT_SOURCE

#include "bot_policy.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Found by the tests in the file.
static const char number[] = "numbered build 0000";

struct bp_instance {
    int64_t pause_ms;
};

static bp_status create(const bp_create_args *args, bp_instance **instance, bp_text_buffer *error) {
    (void)error;
    *instance = calloc(1, sizeof **instance);
    if (args->params.len > 0) {
        (*instance)->pause_ms = BP_AT(bp_param_value, args->params, 0)->value.integer;
    }
    return BP_STATUS_OK;
}

static bp_status decide(bp_instance *instance, const bp_view *view, bp_decision *decision, bp_text_buffer *error) {
    (void)error;
    usleep((useconds_t)(instance->pause_ms * 1000));
    const volatile char *digits = &number[sizeof number - 5];
    uint32_t value = 0;
    for (int index = 0; index < 4; index++) {
        value = value * 10 + (uint32_t)(digits[index] - '0');
    }
    decision->index = value % view->legal.len;
    decision->question = view->question;
    uint32_t room = decision->reason.capacity < sizeof number - 1 ? decision->reason.capacity : sizeof number - 1;
    memcpy(decision->reason.data, number, room);
    decision->reason.len = room;
    return BP_STATUS_OK;
}

static bp_status destroy(bp_instance *instance, bp_text_buffer *error) {
    (void)error;
    free(instance);
    return BP_STATUS_OK;
}

static const bp_param_descriptor params[] = {{
    .name = BP_TEXT("pause_ms"),
    .help = BP_TEXT("How long each decision takes, milliseconds."),
    .kind = BP_VALUE_INTEGER,
    .default_value = {.kind = BP_VALUE_INTEGER, .integer = 0},
    .integer_min = 0,
    .integer_max = 1000,
}};

static const bp_policy_descriptor policies[] = {{
    .id = BP_TEXT("numbered"),
    .name = BP_TEXT("Numbered"),
    .version = BP_TEXT("1.0"),
    .summary = BP_TEXT("Takes the legal action of its number."),
    .players = BP_PLAYERS_FOUR,
    .params = {params, 1, sizeof(bp_param_descriptor)},
    .create = create,
    .decide = decide,
    .destroy = destroy,
}};

static const bp_entry entry = {
    .struct_size = sizeof(bp_entry),
    .magic = BP_ENTRY_MAGIC,
    .abi_major = BP_ABI_MAJOR,
    .abi_minor = BP_ABI_MINOR,
    .build_id = BP_TEXT("numbered"),
    .policies = {policies, 1, sizeof(bp_policy_descriptor)},
};

BP_EXPORT const bp_entry *bot_policy_entry(void) { return &entry; }
