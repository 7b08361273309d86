// A library of version 1.0 of the boundary, with a policy of each game. Each takes the first action that wins or else one that does
// no harm, and fails with the words of what is not as 1.0 promises.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot_policy.h"

struct bp_instance {
    const bp_host *host;
    uint32_t players;
    uint64_t last_question;
    uint64_t last_game;
};

static bp_status say(bp_text_buffer *buffer, const char *words) {
    size_t room = buffer->capacity - buffer->len;
    size_t len = strlen(words) < room ? strlen(words) : room;
    memcpy(buffer->data + buffer->len, words, len);
    buffer->len += (uint32_t)len;
    return BP_STATUS_FAILED;
}

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            return say(error, "not as in 1.0: " #condition);                                                           \
        }                                                                                                              \
    } while (0)

static int is(bp_text text, const char *words) {
    return text.len == strlen(words) && memcmp(text.data, words, text.len) == 0;
}

static bp_status create(const bp_create_args *args, bp_instance **instance, bp_text_buffer *error) {
    REQUIRE(args->struct_size >= sizeof *args);
    REQUIRE(args->players == 3 || args->players == 4);
    REQUIRE(args->host->struct_size >= sizeof *args->host);
    REQUIRE(args->host->reserved == 0);
    REQUIRE(args->library_folder.len > 0 && args->library_folder.data[0] == '/');
    REQUIRE(args->config_folder.len == 0 || args->config_folder.data[0] == '/');
    REQUIRE(args->budget_us >= 1000000);
    for (uint32_t index = 0; index < args->params.len; index++) {
        const bp_param_value *param = BP_AT(bp_param_value, args->params, index);
        if (is(param->name, "whole")) {
            REQUIRE(param->value.kind == BP_VALUE_INTEGER && param->value.integer == -7);
        } else if (is(param->name, "number")) {
            REQUIRE(param->value.kind == BP_VALUE_NUMBER && param->value.number == 0.5);
        } else if (is(param->name, "choice")) {
            REQUIRE(param->value.kind == BP_VALUE_CHOICE && is(param->value.text, "second"));
        } else {
            return say(error, "not as in 1.0: a parameter of another name");
        }
    }
    bp_instance *made = calloc(1, sizeof *made);
    REQUIRE(made != NULL);
    made->host = args->host;
    made->players = args->players;
    *instance = made;
    return BP_STATUS_OK;
}

// What the views of all games begin with, and the room for the decision.
static bp_status check(bp_instance *instance, const bp_view_head *head, uint32_t game, const bp_decision *decision,
                       bp_text_buffer *error) {
    REQUIRE(head->game == game);
    REQUIRE(head->question == instance->last_question + 1);
    REQUIRE(head->game_number >= instance->last_game);
    instance->last_question = head->question;
    instance->last_game = head->game_number;
    REQUIRE(head->legal.len > 1 && head->legal.items != NULL);
    REQUIRE(head->events.len > 0 && head->events.items != NULL);
    REQUIRE(head->deadline_us == 0 || head->deadline_us >= head->budget_us);
    REQUIRE(head->budget_us > 100 && head->budget_us < 3600ull * 1000000);
    REQUIRE(decision->struct_size >= sizeof *decision);
    REQUIRE(decision->index == BP_INDEX_NONE && decision->question == 0);
    REQUIRE(decision->values != NULL && decision->values_capacity >= head->legal.len && decision->values_len == 0);
    REQUIRE(decision->reason.capacity >= 64 && decision->reason.len == 0);
    const bp_host *host = instance->host;
    uint64_t before = host->monotonic_ns(host->context);
    REQUIRE(host->monotonic_ns(host->context) >= before);
    REQUIRE(host->still_wanted(host->context) == 1);
    const bp_text unknown = BP_TEXT("of-no-host/1");
    REQUIRE(host->get_extension(host->context, unknown) == NULL);
    return BP_STATUS_OK;
}

static bp_status answer(bp_instance *instance, const bp_view_head *head, uint32_t index, bp_decision *decision) {
    const bp_text line = BP_TEXT("a library of 1.0 decides");
    instance->host->log(instance->host->context, BP_LOG_INFO, line);
    for (uint32_t action = 0; action < head->legal.len; action++) {
        decision->values[action] = action == index ? 1.0f : 0.25f;
    }
    decision->values_len = head->legal.len;
    decision->index = index;
    decision->question = head->question;
    say(&decision->reason, "as 1.0 does");
    return BP_STATUS_OK;
}

// The tiles of riichi mahjong that can be seen come from sets of four.
static bp_status check_riichi(const bp_instance *instance, const bp_view *view, bp_text_buffer *error) {
    REQUIRE(view->struct_size >= sizeof *view);
    REQUIRE(view->rules.players == instance->players && view->seat < view->rules.players && view->oya < view->rules.players);
    REQUIRE(view->rules.length >= BP_LENGTH_SINGLE && view->rules.length <= BP_LENGTH_HALF);
    REQUIRE(view->rules.start_points > 0 && view->kyoku >= 1 && view->kyoku <= 4);
    REQUIRE(view->dora_count >= 1 && view->dora_count <= 5 && view->dora_markers[0] < 37);
    int32_t points = 1000 * view->kyotaku;
    uint32_t closed = 0;
    for (uint32_t seat = 0; seat < view->rules.players; seat++) {
        points += view->scores[seat];
        const bp_seat_view *shown = &view->seats[seat];
        REQUIRE(shown->meld_count <= BP_MAX_MELDS && shown->river_len <= BP_MAX_RIVER);
        for (uint32_t meld = 0; meld < shown->meld_count; meld++) {
            REQUIRE(shown->melds[meld].kind >= BP_MELD_CHI && shown->melds[meld].kind <= BP_MELD_KAKAN);
            REQUIRE(shown->melds[meld].tile_count == 3 || shown->melds[meld].tile_count == 4);
        }
        for (uint32_t place = 0; place < shown->river_len; place++) {
            REQUIRE(shown->river[place].tile < 37);
        }
    }
    REQUIRE(points == view->rules.start_points * view->rules.players);
    for (uint32_t kind = 0; kind < 34; kind++) {
        REQUIRE(view->closed[kind] + view->unseen[kind] <= 4);
        closed += view->closed[kind];
    }
    REQUIRE(closed + 3u * view->seats[view->seat].meld_count == (view->request == BP_REQUEST_OWN_TURN ? 14u : 13u));
    uint32_t starts = 0, ends = 0;
    for (uint32_t index = 0; index < view->events.len; index++) {
        const bp_log_event *event = BP_AT(bp_log_event, view->events, index);
        starts += event->kind == BP_EVENT_START_KYOKU;
        if (event->kind == BP_EVENT_HORA || event->kind == BP_EVENT_RYUKYOKU) {
            REQUIRE(starts == 0 && event->flags & BP_EVENT_DELTAS);
            ends++;
        }
        if (event->kind == BP_EVENT_TSUMO) {
            REQUIRE((event->tile == BP_NONE) == (event->actor != view->seat));
        }
    }
    REQUIRE(starts == 1 && ends <= 3);
    REQUIRE(view->bakaze == 0 && view->kyoku == 1 && view->honba == 0 ? ends == 0 : ends > 0);
    return BP_STATUS_OK;
}

static bp_status decide(bp_instance *instance, const bp_view *view, bp_decision *decision, bp_text_buffer *error) {
    const bp_view_head *head = (const bp_view_head *)(const void *)view;
    bp_status status = check(instance, head, BP_GAME_RIICHI, decision, error);
    if (status == BP_STATUS_OK) {
        status = check_riichi(instance, view, error);
    }
    if (status != BP_STATUS_OK) {
        return status;
    }
    // Later kinds of the list are better: what wins, else riichi, else passing, else the drawn tile.
    static const uint8_t kinds[] = {BP_ACTION_NONE, BP_ACTION_REACH, BP_ACTION_HORA};
    uint32_t best = 0, best_rank = 0;
    for (uint32_t index = 0; index < view->legal.len; index++) {
        const bp_legal_action *action = BP_AT(bp_legal_action, view->legal, index);
        uint32_t rank = action->kind == BP_ACTION_DAHAI && action->flags & BP_ACTION_TSUMOGIRI;
        for (uint32_t place = 0; place < sizeof kinds; place++) {
            rank = action->kind == kinds[place] ? place + 2 : rank;
        }
        if (rank > best_rank) {
            best = index;
            best_rank = rank;
        }
    }
    return answer(instance, head, best, decision);
}

static bp_status decide_standard(bp_instance *instance, const bp_view *shown, bp_decision *decision,
                                 bp_text_buffer *error) {
    const bp_standard_view *view = (const bp_standard_view *)(const void *)shown;
    const bp_view_head *head = (const bp_view_head *)(const void *)shown;
    bp_status status = check(instance, head, BP_GAME_CHINESE_STANDARD, decision, error);
    if (status != BP_STATUS_OK) {
        return status;
    }
    REQUIRE(view->struct_size >= sizeof *view && view->seat < 4 && view->prevalent_wind < 4);
    REQUIRE(BP_AT(bp_standard_log_event, view->events, 0)->kind == BP_STANDARD_EVENT_DEALT);
    uint32_t best = 0;
    for (uint32_t index = 0; index < view->legal.len; index++) {
        uint8_t kind = BP_AT(bp_standard_legal, view->legal, index)->kind;
        REQUIRE(kind != 0);
        if (kind == BP_STANDARD_WIN) {
            best = index;
        }
    }
    return answer(instance, head, best, decision);
}

static bp_status decide_cards(bp_instance *instance, const bp_view *shown, bp_decision *decision, bp_text_buffer *error) {
    const bp_card_view *view = (const bp_card_view *)(const void *)shown;
    const bp_view_head *head = (const bp_view_head *)(const void *)shown;
    bp_status status = check(instance, head, BP_GAME_DOUDIZHU, decision, error);
    if (status != BP_STATUS_OK) {
        return status;
    }
    REQUIRE(view->struct_size >= sizeof *view && view->seat < BP_CARD_SEATS);
    REQUIRE((view->hand & view->unseen) == 0 && view->hand != 0 && (view->hand | view->unseen) < 1ull << 54);
    REQUIRE(BP_AT(bp_card_log_event, view->events, 0)->kind == BP_CARD_EVENT_DEAL);
    // A play of many cards, which belong to the own hand.
    uint32_t best = 0;
    int most = -1;
    for (uint32_t index = 0; index < view->legal.len; index++) {
        uint64_t cards = BP_AT(bp_card_legal, view->legal, index)->cards;
        REQUIRE((cards & ~view->hand) == 0);
        int count = __builtin_popcountll(cards);
        if (count > most) {
            best = index;
            most = count;
        }
    }
    return answer(instance, head, best, decision);
}

static bp_status destroy(bp_instance *instance, bp_text_buffer *error) {
    (void)error;
    free(instance);
    return BP_STATUS_OK;
}

static const bp_text choices[] = {BP_TEXT("first"), BP_TEXT("second")};

static const bp_param_descriptor params[] = {
    {.name = BP_TEXT("whole"), .help = BP_TEXT("A whole number."), .kind = BP_VALUE_INTEGER,
     .default_value = {.kind = BP_VALUE_INTEGER, .integer = 1}, .integer_min = -10, .integer_max = 10},
    {.name = BP_TEXT("number"), .help = BP_TEXT("A number."), .kind = BP_VALUE_NUMBER, .flags = BP_PARAM_TUNABLE,
     .default_value = {.kind = BP_VALUE_NUMBER, .number = 1.0}, .number_min = 0.0, .number_max = 2.0},
    {.name = BP_TEXT("choice"), .help = BP_TEXT("One of a list."), .kind = BP_VALUE_CHOICE,
     .default_value = {.kind = BP_VALUE_CHOICE, .text = BP_TEXT("first")}, .choices = {choices, 2, sizeof choices[0]}},
};

#define POLICY(ID, GAME, PLAYERS, DECIDE)                                                                              \
    {                                                                                                                  \
        .id = BP_TEXT(ID), .name = BP_TEXT("C of 1.0"), .version = BP_TEXT("1.0"),                                      \
        .summary = BP_TEXT("Looks whether the boundary is as it was."), .players = (PLAYERS), .game = (GAME),           \
        .params = {params, 3, sizeof params[0]}, .create = create, .decide = (DECIDE), .destroy = destroy,              \
    }

static const bp_policy_descriptor policies[] = {
    POLICY("riichi", BP_GAME_RIICHI, BP_PLAYERS_FOUR | BP_PLAYERS_THREE, decide),
    POLICY("chinese-standard", BP_GAME_CHINESE_STANDARD, BP_PLAYERS_FOUR, decide_standard),
    POLICY("doudizhu", BP_GAME_DOUDIZHU, BP_PLAYERS_THREE, decide_cards),
};

static const bp_entry entry = {
    .struct_size = sizeof(bp_entry), .magic = BP_ENTRY_MAGIC, .abi_major = BP_ABI_MAJOR, .abi_minor = BP_ABI_MINOR,
    .build_id = BP_TEXT("C of 1.0"), .policies = {policies, 3, sizeof policies[0]},
};

BP_EXPORT const bp_entry *bot_policy_entry(void) {
    return &entry;
}
