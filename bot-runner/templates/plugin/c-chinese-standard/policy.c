// A policy of Chinese Standard mahjong: it goes for tiles of one suit alone, keeps tiles that have neighbours, wins when it can, and
// claims nothing. bot_policy.h describes the boundary; begin with the overview at its top.

#include "bot_policy.h"

#include <stdlib.h>
#include <string.h>

// One seat's instance. The view says all there is to know, so nothing of the game is kept here.
struct bp_instance {
    float flush;
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
    *made = (bp_instance){.flush = 100};
    for (uint32_t i = 0; i < args->params.len; i++) {
        const bp_param_value *param = BP_AT(bp_param_value, args->params, i);
        if (param->value.kind == BP_VALUE_NUMBER) {
            made->flush = (float)param->value.number;
        }
    }
    *instance = made;
    return BP_STATUS_OK;
}

// The suit of a kind: 0 characters, 1 dots, 2 bamboo, 3 for honours.
static int suit_of(int kind) { return kind / 9; }

// The suit of which the hand has the most tiles.
static int longest_suit(const bp_standard_view *view) {
    int tiles[4] = {0};
    for (int kind = 0; kind < BP_KINDS; kind++) {
        tiles[suit_of(kind)] += view->closed[kind];
    }
    int longest = 0;
    for (int suit = 1; suit < 3; suit++) {
        longest = tiles[suit] > tiles[longest] ? suit : longest;
    }
    return longest;
}

// What the hand loses with a tile of this kind: its other copies count, and its neighbours in the same suit.
static int usefulness(const bp_standard_view *view, int kind) {
    int useful = 4 * (view->closed[kind] - 1);
    if (suit_of(kind) == 3) { // Honours have no neighbours.
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

// How good an action is; the one with the highest value is taken.
static float value_of(const bp_instance *instance, const bp_standard_view *view, const bp_standard_legal *action) {
    switch (action->kind) {
    case BP_STANDARD_WIN: // It is among the legal actions when it is worth the fan that it needs.
        return 3000;
    case BP_STANDARD_PASS:
        return 1000;
    case BP_STANDARD_DISCARD: {
        float keeps = suit_of(action->discard) == longest_suit(view) ? instance->flush : 0;
        return -keeps - (float)usefulness(view, action->discard);
    }
    default: // Claims and kongs: never.
        return -1000;
    }
}

// A view of this game comes as a pointer to one of riichi mahjong.
static bp_status decide(bp_instance *instance, const bp_view *shown, bp_decision *decision, bp_text_buffer *error) {
    const bp_standard_view *view = (const bp_standard_view *)(const void *)shown;
    if (view->struct_size < sizeof(bp_standard_view) || decision->struct_size < sizeof(bp_decision)) {
        say(error, "the host is older than this library");
        return BP_STATUS_BAD_ARGUMENT;
    }
    uint32_t best = 0;
    float highest = 0;
    int valued = decision->values != NULL && decision->values_capacity >= view->legal.len;
    for (uint32_t i = 0; i < view->legal.len; i++) {
        float value = value_of(instance, view, BP_AT(bp_standard_legal, view->legal, i));
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
    return BP_STATUS_OK;
}

static bp_status destroy(bp_instance *instance, bp_text_buffer *error) {
    (void)error;
    free(instance);
    return BP_STATUS_OK;
}

static const bp_param_descriptor params[] = {{
    .name = BP_TEXT("flush"),
    .help = BP_TEXT("So much a tile of the longest suit is worth besides."),
    .kind = BP_VALUE_NUMBER,
    .default_value = {.kind = BP_VALUE_NUMBER, .number = 100},
    .number_min = 0,
    .number_max = 400,
}};

static const bp_policy_descriptor policies[] = {{
    .id = BP_TEXT("my-policy"),
    .name = BP_TEXT("my-policy"),
    .version = BP_TEXT("0.1.0"),
    .summary = BP_TEXT("Goes for tiles of one suit alone."),
    .game = BP_GAME_CHINESE_STANDARD,
    .players = BP_PLAYERS_FOUR,
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
