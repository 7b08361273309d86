// A policy of Dou Dizhu: it gets rid of many low cards at once, keeps its bombs, and lets its partner's cards be. bot_policy.h
// describes the boundary; begin with the overview at its top.

#include "bot_policy.h"

#include <stdlib.h>
#include <string.h>

// One seat's instance. The view says all there is to know, so nothing of the game is kept here.
struct bp_instance {
    int bid_from;
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
    *made = (bp_instance){.bid_from = 4};
    for (uint32_t i = 0; i < args->params.len; i++) {
        const bp_param_value *param = BP_AT(bp_param_value, args->params, i);
        if (param->value.kind == BP_VALUE_INTEGER) {
            made->bid_from = (int)param->value.integer;
        }
    }
    *instance = made;
    return BP_STATUS_OK;
}

// How many cards a set has.
static int count(uint64_t cards) {
    int found = 0;
    for (; cards != 0; cards &= cards - 1) {
        found++;
    }
    return found;
}

// The rank of a card, 0 (a three) to 14 (the big joker).
static int rank_of(int card) { return card < 52 ? card / 4 : card - 39; }

// How strong a hand is: the cards from a two on, and four of a rank twice.
static int strength(uint64_t hand) {
    int strong = count(hand >> 48);
    for (int rank = 0; rank < 13; rank++) {
        strong += (hand >> 4 * rank & 15) == 15 ? 2 : 0;
    }
    return strong;
}

// Whether the own seat plays together with another one against the landlord.
static int are_partners(const bp_card_view *view, uint8_t other) {
    return other != BP_NONE && view->landlord != view->seat && view->landlord != other;
}

// How good an action is; the one with the highest value is taken.
static float value_of(const bp_instance *instance, const bp_card_view *view, const bp_card_legal *action) {
    switch (action->kind) {
    case BP_CARD_ACTION_BID:
        return action->bid == (strength(view->hand) >= instance->bid_from ? 3 : 0) ? 1 : 0;
    case BP_CARD_ACTION_PASS:
        return 0;
    default: {
        if (action->cards == view->hand) {
            return 1000;
        }
        int is_bomb = action->combination == BP_CARD_BOMB || action->combination == BP_CARD_ROCKET;
        if (is_bomb || are_partners(view, view->to_beat_by)) {
            return -1;
        }
        int highest = 53;
        while ((action->cards >> highest & 1) == 0) {
            highest--;
        }
        return 10 + 5 * (float)count(action->cards) - (float)rank_of(highest);
    }
    }
}

// A view of this game comes as a pointer to one of riichi mahjong.
static bp_status decide(bp_instance *instance, const bp_view *shown, bp_decision *decision, bp_text_buffer *error) {
    const bp_card_view *view = (const bp_card_view *)(const void *)shown;
    if (view->struct_size < sizeof(bp_card_view) || decision->struct_size < sizeof(bp_decision)) {
        say(error, "the host is older than this library");
        return BP_STATUS_BAD_ARGUMENT;
    }
    uint32_t best = 0;
    float highest = 0;
    int valued = decision->values != NULL && decision->values_capacity >= view->legal.len;
    for (uint32_t i = 0; i < view->legal.len; i++) {
        float value = value_of(instance, view, BP_AT(bp_card_legal, view->legal, i));
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
    .name = BP_TEXT("bid_from"),
    .help = BP_TEXT("Bids three with a hand that has so many twos and jokers, or more; four of a rank count for two of them."),
    .kind = BP_VALUE_INTEGER,
    .default_value = {.kind = BP_VALUE_INTEGER, .integer = 4},
    .integer_min = 1,
    .integer_max = 17,
}};

static const bp_policy_descriptor policies[] = {{
    .id = BP_TEXT("my-policy"),
    .name = BP_TEXT("my-policy"),
    .version = BP_TEXT("0.1.0"),
    .summary = BP_TEXT("Gets rid of many low cards at once, and keeps its bombs."),
    .game = BP_GAME_DOUDIZHU,
    .players = BP_PLAYERS_THREE,
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
