// The header of version 1.0 without its comments.
#ifndef BOT_POLICY_H
#define BOT_POLICY_H
#include <stddef.h>
#include <stdint.h>
#if UINTPTR_MAX != UINT64_MAX
#error "the policy boundary is defined for 64-bit targets"
#endif
#if defined(_WIN32)
#define BP_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define BP_EXPORT __attribute__((visibility("default")))
#else
#define BP_EXPORT
#endif
#define BP_TEXT(literal) {(const uint8_t *)("" literal), sizeof(literal) - 1}
#define BP_AT(type, array, index)                                                                                      \
    ((const type *)(const void *)((const unsigned char *)(array).items + (size_t)(array).stride * (size_t)(index)))
#ifdef __cplusplus
extern "C" {
#endif
typedef struct bp_instance bp_instance;
#define BP_NONE 255
#define BP_SEATS 4
#define BP_KINDS 34
typedef int32_t bp_status;
#define BP_STATUS_OK 0
#define BP_STATUS_FAILED 1
#define BP_STATUS_PANICKED 2
#define BP_STATUS_POISONED 3
#define BP_STATUS_BAD_ARGUMENT 4
#define BP_STATUS_BAD_VIEW 5
#define BP_STATUS_BAD_PARAMETER 6
#define BP_STATUS_UNAVAILABLE 7
typedef struct bp_text {
    const uint8_t *data;
    uint64_t len;
} bp_text;
typedef struct bp_text_array {
    const bp_text *items;
    uint32_t len;
    uint32_t stride;
} bp_text_array;
typedef struct bp_text_buffer {
    uint8_t *data;
    uint32_t capacity;
    uint32_t len;
} bp_text_buffer;
#define BP_VALUE_NONE 0
#define BP_VALUE_INTEGER 1
#define BP_VALUE_NUMBER 2
#define BP_VALUE_BOOLEAN 3
#define BP_VALUE_TEXT 4
#define BP_VALUE_CHOICE 5
#define BP_VALUE_PATH 6
#define BP_PARAM_TUNABLE 1
typedef struct bp_value {
    uint32_t kind;
    uint32_t boolean;
    int64_t integer;
    double number;
    bp_text text;
} bp_value;
typedef struct bp_param_descriptor {
    bp_text name;
    bp_text help;
    uint32_t kind;
    uint32_t flags;
    bp_value default_value;
    int64_t integer_min;
    int64_t integer_max;
    double number_min;
    double number_max;
    bp_text_array choices;
} bp_param_descriptor;
typedef struct bp_param_descriptor_array {
    const bp_param_descriptor *items;
    uint32_t len;
    uint32_t stride;
} bp_param_descriptor_array;
typedef struct bp_param_value {
    bp_text name;
    bp_value value;
} bp_param_value;
typedef struct bp_param_value_array {
    const bp_param_value *items;
    uint32_t len;
    uint32_t stride;
} bp_param_value_array;
#define BP_ACTION_DAHAI 1
#define BP_ACTION_REACH 2
#define BP_ACTION_CHI 3
#define BP_ACTION_PON 4
#define BP_ACTION_DAIMINKAN 5
#define BP_ACTION_ANKAN 6
#define BP_ACTION_KAKAN 7
#define BP_ACTION_KITA 8
#define BP_ACTION_HORA 9
#define BP_ACTION_RYUKYOKU 10
#define BP_ACTION_NONE 11
#define BP_ACTION_TSUMOGIRI 1
#define BP_MAX_LEGAL 64
typedef struct bp_legal_action {
    uint8_t kind;
    uint8_t tile;
    uint8_t target;
    uint8_t flags;
    uint8_t consumed[4];
} bp_legal_action;
typedef struct bp_legal_action_array {
    const bp_legal_action *items;
    uint32_t len;
    uint32_t stride;
} bp_legal_action_array;
#define BP_EVENT_START_KYOKU 1
#define BP_EVENT_TSUMO 2
#define BP_EVENT_DAHAI 3
#define BP_EVENT_CHI 4
#define BP_EVENT_PON 5
#define BP_EVENT_DAIMINKAN 6
#define BP_EVENT_ANKAN 7
#define BP_EVENT_KAKAN 8
#define BP_EVENT_KITA 9
#define BP_EVENT_DORA 10
#define BP_EVENT_REACH 11
#define BP_EVENT_REACH_ACCEPTED 12
#define BP_EVENT_HORA 13
#define BP_EVENT_RYUKYOKU 14
#define BP_DRAW_UNKNOWN 0
#define BP_DRAW_EXHAUSTIVE 1
#define BP_DRAW_NAGASHI_MANGAN 2
#define BP_DRAW_NINE_TERMINALS 3
#define BP_DRAW_FOUR_WINDS 4
#define BP_DRAW_FOUR_KANS 5
#define BP_DRAW_FOUR_RIICHI 6
#define BP_DRAW_THREE_WINNERS 7
#define BP_DRAW_PENALTY 8
#define BP_EVENT_TSUMOGIRI 1
#define BP_EVENT_DELTAS 2
#define BP_MAX_EVENTS 256
typedef struct bp_log_event {
    uint8_t kind;
    uint8_t actor;
    uint8_t target;
    uint8_t tile;
    uint8_t consumed[4];
    uint8_t flags;
    uint8_t order;
    uint8_t reason;
    uint8_t tenpai;
    uint8_t noten;
    uint8_t reserved[3];
    int32_t deltas[BP_SEATS];
} bp_log_event;
typedef struct bp_log_event_array {
    const bp_log_event *items;
    uint32_t len;
    uint32_t stride;
} bp_log_event_array;
#define BP_GAME_RIICHI 0
#define BP_GAME_CHINESE_STANDARD 1
#define BP_GAME_DOUDIZHU 2
typedef struct bp_element_array {
    const void *items;
    uint32_t len;
    uint32_t stride;
} bp_element_array;
typedef struct bp_view_head {
    uint32_t struct_size;
    uint32_t game;
    uint64_t question;
    uint64_t game_number;
    uint64_t seed;
    uint32_t decision;
    uint32_t flags;
    bp_element_array events;
    bp_element_array legal;
    uint64_t grace_us;
    uint64_t bank_us;
    uint64_t deadline_us;
    uint64_t budget_us;
    uint64_t reserved[4];
} bp_view_head;
#define BP_MELD_CHI 1
#define BP_MELD_PON 2
#define BP_MELD_DAIMINKAN 3
#define BP_MELD_ANKAN 4
#define BP_MELD_KAKAN 5
#define BP_MAX_MELDS 4
#define BP_RIVER_TSUMOGIRI 1
#define BP_RIVER_RIICHI 2
#define BP_MAX_RIVER 32
#define BP_RIICHI_DECLARED 1
#define BP_RIICHI_ACCEPTED 2
#define BP_RIICHI_DOUBLE 4
#define BP_RIICHI_IPPATSU 8
typedef struct bp_meld {
    uint8_t kind;
    uint8_t tile_count;
    uint8_t tiles[4];
    uint8_t called;
    uint8_t from;
    uint8_t order;
    uint8_t reserved[3];
} bp_meld;
typedef struct bp_river_tile {
    uint8_t tile;
    uint8_t flags;
    uint8_t called_by;
    uint8_t order;
} bp_river_tile;
typedef struct bp_seat_view {
    bp_meld melds[BP_MAX_MELDS];
    bp_river_tile river[BP_MAX_RIVER];
    uint8_t meld_count;
    uint8_t river_len;
    uint8_t riichi;
    uint8_t riichi_order;
    uint8_t kita_count;
    uint8_t reserved[11];
} bp_seat_view;
#define BP_LENGTH_SINGLE 1
#define BP_LENGTH_EAST 2
#define BP_LENGTH_HALF 3
#define BP_PRESET_TENHOU 1
#define BP_PRESET_MAHJONG_SOUL 2
#define BP_FURITEN_RIVER 1
#define BP_FURITEN_TEMPORARY 2
#define BP_FURITEN_RIICHI 4
#define BP_REQUEST_OWN_TURN 1
#define BP_REQUEST_DISCARD 2
#define BP_REQUEST_KAKAN 3
#define BP_REQUEST_ANKAN 4
#define BP_REQUEST_KITA 5
typedef struct bp_rules {
    uint8_t players;
    uint8_t length;
    uint8_t red_fives;
    uint8_t open_tanyao;
    uint8_t kuikae_forbidden;
    uint8_t ron_on_ankan_by_kokushi;
    uint8_t triple_ron_is_draw;
    uint8_t preset;
    int32_t start_points;
    int32_t return_points;
    uint8_t reserved[16];
} bp_rules;
typedef struct bp_cannot_ron {
    uint64_t river;
    uint64_t since_riichi;
    uint64_t since_discard;
} bp_cannot_ron;
typedef struct bp_view {
    uint32_t struct_size;
    uint32_t game;
    uint64_t question;
    uint64_t game_number;
    uint64_t seed;
    uint32_t decision;
    uint32_t flags;
    bp_log_event_array events;
    bp_legal_action_array legal;
    uint64_t grace_us;
    uint64_t bank_us;
    uint64_t deadline_us;
    uint64_t budget_us;
    uint64_t reserved[4];
    uint64_t waits;
    bp_cannot_ron cannot_ron[BP_SEATS];
    bp_rules rules;
    int32_t scores[BP_SEATS];
    int32_t start_scores[BP_SEATS];
    uint8_t seat;
    uint8_t bakaze;
    uint8_t kyoku;
    uint8_t honba;
    uint8_t kyotaku;
    uint8_t start_kyotaku;
    uint8_t oya;
    uint8_t placements[BP_SEATS];
    uint8_t closed[BP_KINDS];
    uint8_t closed_reds[3];
    uint8_t drawn;
    uint8_t start_hand[13];
    uint8_t furiten;
    bp_seat_view seats[BP_SEATS];
    uint8_t dora_markers[5];
    uint8_t dora_count;
    uint8_t tiles_left;
    uint8_t first_turn;
    uint8_t after_kan;
    uint8_t unseen[BP_KINDS];
    uint8_t unseen_reds[3];
    uint8_t request;
    uint8_t offered;
    uint8_t offered_by;
} bp_view;
#define BP_STANDARD_PASS 1
#define BP_STANDARD_WIN 2
#define BP_STANDARD_DISCARD 3
#define BP_STANDARD_CONCEALED_KONG 4
#define BP_STANDARD_ADD_KONG 5
#define BP_STANDARD_CLAIM_KONG 6
#define BP_STANDARD_CLAIM_PUNG 7
#define BP_STANDARD_CLAIM_CHOW 8
#define BP_MAX_STANDARD_LEGAL 64
#define BP_STANDARD_EVENT_DEALT 1
#define BP_STANDARD_EVENT_DRAWN 2
#define BP_STANDARD_EVENT_FLOWER 3
#define BP_STANDARD_EVENT_DISCARDED 4
#define BP_STANDARD_EVENT_PUNG 5
#define BP_STANDARD_EVENT_CHOW 6
#define BP_STANDARD_EVENT_KONG 7
#define BP_STANDARD_EVENT_CONCEALED_KONG 8
#define BP_STANDARD_EVENT_KONG_ADDED 9
#define BP_MAX_STANDARD_EVENTS 256
#define BP_STANDARD_SET_CHOW 1
#define BP_STANDARD_SET_PUNG 2
#define BP_STANDARD_SET_MELDED_KONG 3
#define BP_STANDARD_SET_CONCEALED_KONG 4
#define BP_STANDARD_RIVER_CLAIMED 1
#define BP_MAX_STANDARD_RIVER 32
#define BP_STANDARD_COUNTING_JUDGE 1
#define BP_STANDARD_COUNTING_BOOK 2
#define BP_STANDARD_REQUEST_OWN_TURN 1
#define BP_STANDARD_REQUEST_DISCARD 2
#define BP_STANDARD_REQUEST_KONG_ADDED 3
typedef struct bp_standard_legal {
    uint8_t kind;
    uint8_t tile;
    uint8_t discard;
    uint8_t reserved;
} bp_standard_legal;
typedef struct bp_standard_log_event {
    uint8_t kind;
    uint8_t seat;
    uint8_t tile;
    uint8_t discard;
} bp_standard_log_event;
typedef struct bp_standard_set {
    uint8_t kind;
    uint8_t tile;
} bp_standard_set;
typedef struct bp_standard_river_tile {
    uint8_t tile;
    uint8_t flags;
} bp_standard_river_tile;
typedef struct bp_standard_seat_view {
    bp_standard_river_tile river[BP_MAX_STANDARD_RIVER];
    bp_standard_set sets[4];
    uint8_t river_len;
    uint8_t set_count;
    uint8_t flowers;
    uint8_t wall;
    uint8_t concealed;
    uint8_t reserved[11];
} bp_standard_seat_view;
typedef struct bp_standard_view {
    uint32_t struct_size;
    uint32_t game;
    uint64_t question;
    uint64_t game_number;
    uint64_t seed;
    uint32_t decision;
    uint32_t flags;
    bp_element_array events;
    bp_element_array legal;
    uint64_t grace_us;
    uint64_t bank_us;
    uint64_t deadline_us;
    uint64_t budget_us;
    uint64_t reserved[4];
    uint8_t seat;
    uint8_t prevalent_wind;
    uint8_t with_flowers;
    uint8_t counting;
    uint8_t request;
    uint8_t drawn;
    uint8_t offered;
    uint8_t offered_by;
    uint16_t win_fan;
    uint8_t closed[BP_KINDS];
    uint8_t unseen[BP_KINDS];
    bp_standard_seat_view seats[BP_SEATS];
    uint8_t start_hand[13];
    uint8_t start_flowers[BP_SEATS];
    uint8_t padding[1];
} bp_standard_view;
#define BP_CARD_SEATS 3
#define BP_CARD_ACTION_BID 1
#define BP_CARD_ACTION_PASS 2
#define BP_CARD_ACTION_PLAY 3
#define BP_CARD_SINGLE 1
#define BP_CARD_PAIR 2
#define BP_CARD_TRIO 3
#define BP_CARD_STRAIGHT 4
#define BP_CARD_PAIR_STRAIGHT 5
#define BP_CARD_PLANE 6
#define BP_CARD_FOUR_WITH_TWO 7
#define BP_CARD_SHUTTLE 8
#define BP_CARD_BOMB 9
#define BP_CARD_ROCKET 10
#define BP_MAX_CARD_LEGAL 1024
#define BP_CARD_EVENT_DEAL 1
#define BP_CARD_EVENT_BID 2
#define BP_CARD_EVENT_LANDLORD 3
#define BP_CARD_EVENT_PLAY 4
#define BP_MAX_CARD_EVENTS 256
#define BP_CARD_REQUEST_BID 1
#define BP_CARD_REQUEST_LEAD 2
#define BP_CARD_REQUEST_ANSWER 3
typedef struct bp_card_legal {
    uint8_t kind;
    uint8_t bid;
    uint8_t combination;
    uint8_t wings;
    uint8_t low;
    uint8_t length;
    uint8_t reserved[2];
    uint64_t cards;
} bp_card_legal;
typedef struct bp_card_log_event {
    uint8_t kind;
    uint8_t seat;
    uint8_t bid;
    uint8_t reserved[5];
    uint64_t cards;
} bp_card_log_event;
typedef struct bp_card_seat_view {
    uint64_t played;
    uint8_t left;
    uint8_t bid;
    uint8_t reserved[6];
} bp_card_seat_view;
typedef struct bp_card_view {
    uint32_t struct_size;
    uint32_t game;
    uint64_t question;
    uint64_t game_number;
    uint64_t seed;
    uint32_t decision;
    uint32_t flags;
    bp_element_array events;
    bp_element_array legal;
    uint64_t grace_us;
    uint64_t bank_us;
    uint64_t deadline_us;
    uint64_t budget_us;
    uint64_t reserved[4];
    uint64_t hand;
    uint64_t unseen;
    uint64_t public_cards;
    uint64_t to_beat;
    bp_card_seat_view seats[BP_CARD_SEATS];
    uint8_t seat;
    uint8_t landlord;
    uint8_t to_beat_by;
    uint8_t highest_bid;
    uint8_t bidding;
    uint8_t shuttle_wings;
    uint8_t request;
    uint8_t padding[1];
} bp_card_view;
#define BP_INDEX_NONE 4294967295
typedef struct bp_decision {
    uint32_t struct_size;
    uint32_t index;
    uint64_t question;
    float *values;
    uint32_t values_capacity;
    uint32_t values_len;
    bp_text_buffer reason;
} bp_decision;
#define BP_LOG_ERROR 1
#define BP_LOG_WARN 2
#define BP_LOG_INFO 3
#define BP_LOG_DEBUG 4
#define BP_LOG_TRACE 5
typedef void (*bp_log_fn)(void *context, uint32_t level, bp_text text);
typedef uint64_t (*bp_monotonic_fn)(void *context);
typedef uint32_t (*bp_still_wanted_fn)(void *context);
typedef const void *(*bp_host_extension_fn)(void *context, bp_text name);
typedef struct bp_host {
    uint32_t struct_size;
    uint32_t reserved;
    void *context;
    bp_log_fn log;
    bp_monotonic_fn monotonic_ns;
    bp_still_wanted_fn still_wanted;
    bp_host_extension_fn get_extension;
} bp_host;
typedef struct bp_create_args {
    uint32_t struct_size;
    uint32_t players;
    const bp_host *host;
    bp_param_value_array params;
    bp_text library_folder;
    bp_text config_folder;
    uint64_t budget_us;
} bp_create_args;
#define BP_PLAYERS_THREE (1 << 3)
#define BP_PLAYERS_FOUR (1 << 4)
typedef bp_status (*bp_create_fn)(const bp_create_args *args, bp_instance **instance, bp_text_buffer *error);
typedef bp_status (*bp_decide_fn)(bp_instance *instance,
                                  const bp_view *view,
                                  bp_decision *decision,
                                  bp_text_buffer *error);
typedef bp_status (*bp_destroy_fn)(bp_instance *instance, bp_text_buffer *error);
typedef const void *(*bp_get_extension_fn)(bp_instance *instance, bp_text name);
typedef struct bp_policy_descriptor {
    bp_text id;
    bp_text name;
    bp_text version;
    bp_text summary;
    uint32_t players;
    uint32_t game;
    bp_param_descriptor_array params;
    bp_create_fn create;
    bp_decide_fn decide;
    bp_destroy_fn destroy;
    bp_get_extension_fn get_extension;
} bp_policy_descriptor;
typedef struct bp_policy_descriptor_array {
    const bp_policy_descriptor *items;
    uint32_t len;
    uint32_t stride;
} bp_policy_descriptor_array;
#define BP_ABI_MAJOR 1
#define BP_ABI_MINOR 0
#define BP_ENTRY_MAGIC 1349807938
typedef struct bp_entry {
    uint32_t struct_size;
    uint32_t magic;
    uint32_t abi_major;
    uint32_t abi_minor;
    bp_text build_id;
    bp_policy_descriptor_array policies;
} bp_entry;
typedef const bp_entry *(*bp_entry_fn)(void);
BP_EXPORT const bp_entry *bot_policy_entry(void);
#ifdef __cplusplus
}
#endif
#endif // BOT_POLICY_H
