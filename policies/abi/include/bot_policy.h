// bot_policy.h: the boundary between a host that seats mahjong bots and a library that decides for them.
//
// Generated from the definitions in policies/abi/src; a test there compares it and names the command that rewrites
// it.
//
// OVERVIEW
//
// A policy is a shared library with one exported function, bot_policy_entry, declared at the end of this file. It
// returns a static bp_entry, which lists the policies in the library; each is a bp_policy_descriptor: its description,
// its parameters and its functions. A complete library has this form:
//
//     #include "bot_policy.h"
//
//     static bp_status create(const bp_create_args *args, bp_instance **instance, bp_text_buffer *error) { ... }
//     static bp_status decide(bp_instance *instance, const bp_view *view, bp_decision *decision, bp_text_buffer *error) {
//         ...
//         decision->index = chosen;
//         decision->question = view->question;
//         return BP_STATUS_OK;
//     }
//     static bp_status destroy(bp_instance *instance, bp_text_buffer *error) { ... }
//
//     static const bp_policy_descriptor policies[] = {{
//         .id = BP_TEXT("mine"), .name = BP_TEXT("Mine"), .version = BP_TEXT("1.0"), .summary = BP_TEXT("A summary."),
//         .players = BP_PLAYERS_FOUR, .params = {NULL, 0, sizeof(bp_param_descriptor)},
//         .create = create, .decide = decide, .destroy = destroy,
//     }};
//     static const bp_entry entry = {
//         .struct_size = sizeof(bp_entry), .magic = BP_ENTRY_MAGIC,
//         .abi_major = BP_ABI_MAJOR, .abi_minor = BP_ABI_MINOR, .build_id = BP_TEXT("mine 1.0"),
//         .policies = {policies, 1, sizeof(bp_policy_descriptor)},
//     };
//     BP_EXPORT const bp_entry *bot_policy_entry(void) { return &entry; }
//
//     cc -std=c11 -O2 -shared -fPIC -fvisibility=hidden -o libmine.so mine.c
//
// policies/examples/c is a complete policy to begin from.
//
// LIFE OF AN INSTANCE. For each seat that a bot plays the host calls create once, decide for each decision, and destroy
// once. An instance serves game after game. It may be exchanged for another between two decisions, also in the middle
// of a game, so a decision must depend only on its view.
//
// THREADS. Each function has a tag. [instance-thread]: calls on one instance never overlap and come from one thread,
// creation and destruction included; instances of one library run side by side, each on its own thread, so shared
// data must be constant or locked. [any-thread]: may be called from any thread, at any time and several times at once.
//
// STATUS. A function returns a bp_status. On any other status than BP_STATUS_OK it may give a reason in the error
// buffer, which the log shows. No exception, longjmp or panic may leave the library.
//
// MEMORY. The side that allocates memory frees it. Arguments live only for the call, unless their comments say
// otherwise; results go into the caller's memory.
//
// TEXT is pointer and length, UTF-8, not terminated by a zero.
//
// VERSIONS. The majors of both sides must be equal. Within a major nothing moves or changes its meaning. A minor adds
// something in one of these ways, so that a library and a host of different minors work together:
//
// - A struct that is passed by pointer and begins with struct_size grows at its end. The side that creates the struct
//   sets struct_size to the sizeof in its own header. The reader reads no further than struct_size and treats fields
//   beyond it as zero; a side that writes into it (bp_decision) writes no further either. A new field that is zero
//   has no effect. A library may refuse a struct that is shorter than in its own header instead of reading it field
//   by field.
// - The elements of an array grow at their ends. They are stride bytes apart, which may be more or less than the
//   sizeof of the element here, so access them with BP_AT, never with [] or ++. A stride is a multiple of the
//   element's alignment. Read an element no further than its stride.
// - A reserved field or a bit of flags, zero until then, gets a meaning; zero keeps its old meaning.
// - A kind of event, reason of a draw, game or status is added. Skip events of unknown kinds, and treat an unknown
//   reason as BP_DRAW_UNKNOWN; the host treats an unknown status as BP_STATUS_FAILED. All other codes, including those
//   of legal actions, get no new values within a major.
// - Extensions are requested by name with the get_extension of either side.
//
// LAYOUT. 64-bit targets. No struct has padding, and reserved fields are zero. A field that is an array has its values
// in the first places; unused places hold BP_NONE or zero, as stated there.

#ifndef BOT_POLICY_H
#define BOT_POLICY_H

#include <stddef.h>
#include <stdint.h>

#if UINTPTR_MAX != UINT64_MAX
#error "the policy boundary is defined for 64-bit targets"
#endif

// Put before the definition of bot_policy_entry, so that it is exported with any visibility flags of the compiler.
#if defined(_WIN32)
#define BP_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define BP_EXPORT __attribute__((visibility("default")))
#else
#define BP_EXPORT
#endif

// A bp_text of a string literal, for initialisers.
#define BP_TEXT(literal) {(const uint8_t *)("" literal), sizeof(literal) - 1}

// The address of the element with this index of an array (view->legal, args->params, ...), as a pointer to constant
// type.
#define BP_AT(type, array, index)                                                                                      \
    ((const type *)(const void *)((const unsigned char *)(array).items + (size_t)(array).stride * (size_t)(index)))

#ifdef __cplusplus
extern "C" {
#endif

// A policy at work, one for each seat that it plays. The library defines the struct, or casts the pointer; the host
// only passes it back.
typedef struct bp_instance bp_instance;

// ---------------------------------------------------------------------------------------------------------------------
// Tiles, kinds and seats.
//
// A tile is a number: 0 to 33 for the plain tiles `1m..9m 1p..9p 1s..9s E S W N P F C`, and 34 to 36 for the red fives
// `5mr 5pr 5sr`. A kind is 0 to 33, without the colour of fives: a red five is of the kind of the plain one. A set of
// kinds is a number of 64 bits: bit 0 for kind 0, and so on. A seat is 0 to 3 and stays the same all game; 0
// is the first dealer.
// ---------------------------------------------------------------------------------------------------------------------

// No tile, no seat, or no number in the round's order, in a field of one byte.
#define BP_NONE 255

// Maximum number of seats at a table.
#define BP_SEATS 4

// Number of tile kinds.
#define BP_KINDS 34

// ---------------------------------------------------------------------------------------------------------------------
// The result of a call across the boundary.
//
// The host distinguishes three cases. `BP_STATUS_OK`: the result counts. `BP_STATUS_PANICKED` and `BP_STATUS_POISONED`:
// the instance is destroyed, and another made in its place. Anything else: this call failed, and the instance lives
// on. A policy that fails again and again is set aside; `BP_STATUS_UNAVAILABLE` does not count towards that. Without a
// decision the host gives a safe answer: it wins if possible, else passes, else discards the drawn tile.
// ---------------------------------------------------------------------------------------------------------------------

// The result of a call: 0 for success, anything else for failure. Unknown codes read as `BP_STATUS_FAILED`.
typedef int32_t bp_status;

// Done.
#define BP_STATUS_OK 0

// It failed for a reason of the policy; the error text names it.
#define BP_STATUS_FAILED 1

// The policy panicked (or threw). The instance is poisoned: it may only be destroyed.
#define BP_STATUS_PANICKED 2

// The instance had been poisoned by an earlier panic; nothing was done.
#define BP_STATUS_POISONED 3

// A pointer was null that must not be, or a size was invalid: a fault of the host.
#define BP_STATUS_BAD_ARGUMENT 4

// The view contradicts itself or contains unknown codes; the error text names the field.
#define BP_STATUS_BAD_VIEW 5

// A parameter is unknown, of another type, or out of its range; the error text names it.
#define BP_STATUS_BAD_PARAMETER 6

// It cannot decide now, through no fault of the policy: a resource that it needs, such as a server, is unavailable.
// The host notes it, and asks again at the next decision. The error text names the resource. From `create` it is
// `BP_STATUS_FAILED`.
#define BP_STATUS_UNAVAILABLE 7

// ---------------------------------------------------------------------------------------------------------------------
// Text that crosses the boundary.
// ---------------------------------------------------------------------------------------------------------------------

// Text owned by the caller that passes it: UTF-8, not terminated.
typedef struct bp_text {
    // The bytes; may be null if `len` is 0.
    const uint8_t *data;
    // Number of bytes.
    uint64_t len;
} bp_text;

// An array of texts.
typedef struct bp_text_array {
    // The first element; may be null if `len` is 0.
    const bp_text *items;
    // Number of elements.
    uint32_t len;
    // Bytes from one element to the next.
    uint32_t stride;
} bp_text_array;

// A buffer of the caller's that the callee writes text into.
typedef struct bp_text_buffer {
    // The buffer; may be null if `capacity` is 0: then no text is wanted. The bytes are the caller's.
    uint8_t *data;
    // Capacity in bytes.
    uint32_t capacity;
    // Number of bytes written: initially 0, set by the callee. A text that is too long is cut between characters.
    uint32_t len;
} bp_text_buffer;

// ---------------------------------------------------------------------------------------------------------------------
// Parameters of a policy: their declarations and values.
// ---------------------------------------------------------------------------------------------------------------------

// No value.
#define BP_VALUE_NONE 0

// A whole number, in `bp_value.integer`.
#define BP_VALUE_INTEGER 1

// A number, finite, in `bp_value.number`.
#define BP_VALUE_NUMBER 2

// True or false, in `bp_value.boolean`.
#define BP_VALUE_BOOLEAN 3

// Text, in `bp_value.text`.
#define BP_VALUE_TEXT 4

// One of a list of texts, in `bp_value.text`.
#define BP_VALUE_CHOICE 5

// A path, in `bp_value.text`: written in the config relative to the config's folder, handed over complete.
#define BP_VALUE_PATH 6

// In `bp_param_descriptor.flags`: a number or whole number that may be searched for a better value. A small change of
// it makes a small change in play, and every value in its range is sensible.
#define BP_PARAM_TUNABLE 1

// A scalar of one of the types above. The fields of the other types are zero.
typedef struct bp_value {
    // The type: `BP_VALUE_*`.
    uint32_t kind;
    // 0 or 1.
    uint32_t boolean;
    // The whole number.
    int64_t integer;
    // The number.
    double number;
    // The text, the choice or the path.
    bp_text text;
} bp_value;

// A parameter that a policy takes.
typedef struct bp_param_descriptor {
    // Its key in the config's `[policy.params]`: `a-z`, `0-9` and `_`.
    bp_text name;
    // A one-sentence description.
    bp_text help;
    // Its type: `BP_VALUE_*`, never `BP_VALUE_NONE`.
    uint32_t kind;
    // `BP_PARAM_*` bits; unknown ones are ignored.
    uint32_t flags;
    // The default; of `kind` `BP_VALUE_NONE` for a parameter without one.
    bp_value default_value;
    // The least allowed whole number; only for `BP_VALUE_INTEGER`.
    int64_t integer_min;
    // The greatest allowed whole number; only for `BP_VALUE_INTEGER`.
    int64_t integer_max;
    // The least allowed number; only for `BP_VALUE_NUMBER`.
    double number_min;
    // The greatest allowed number; only for `BP_VALUE_NUMBER`.
    double number_max;
    // The allowed texts; only for `BP_VALUE_CHOICE`.
    bp_text_array choices;
} bp_param_descriptor;

// An array of parameter descriptors.
typedef struct bp_param_descriptor_array {
    // The first element; may be null if `len` is 0.
    const bp_param_descriptor *items;
    // Number of elements.
    uint32_t len;
    // Bytes from one element to the next.
    uint32_t stride;
} bp_param_descriptor_array;

// A parameter that a config sets.
typedef struct bp_param_value {
    // Its name, as in its descriptor.
    bp_text name;
    // Its value, of the descriptor's type and within its range.
    bp_value value;
} bp_param_value;

// An array of parameters that a config sets.
typedef struct bp_param_value_array {
    // The first element; may be null if `len` is 0.
    const bp_param_value *items;
    // Number of elements.
    uint32_t len;
    // Bytes from one element to the next.
    uint32_t stride;
} bp_param_value_array;

// ---------------------------------------------------------------------------------------------------------------------
// The actions a seat may choose from.
// ---------------------------------------------------------------------------------------------------------------------

// Discard `tile`; with `BP_ACTION_TSUMOGIRI` if it is the drawn one.
#define BP_ACTION_DAHAI 1

// Declare riichi with the discard of `tile`; with `BP_ACTION_TSUMOGIRI` if it is the drawn one.
#define BP_ACTION_REACH 2

// Call a run with `tile` of `target` and two `consumed`.
#define BP_ACTION_CHI 3

// Call a triplet with `tile` of `target` and two `consumed`.
#define BP_ACTION_PON 4

// Call a kan with `tile` of `target` and three `consumed`.
#define BP_ACTION_DAIMINKAN 5

// Show a closed kan of four `consumed`.
#define BP_ACTION_ANKAN 6

// Add `tile` to the pon of three `consumed`.
#define BP_ACTION_KAKAN 7

// Set a North aside.
#define BP_ACTION_KITA 8

// Win on `tile` of `target`, which is the own seat on a self-draw.
#define BP_ACTION_HORA 9

// Declare the draw by nine terminals.
#define BP_ACTION_RYUKYOKU 10

// Let the offered tile pass.
#define BP_ACTION_NONE 11

// In `bp_legal_action.flags`: the discarded tile is the one just drawn.
#define BP_ACTION_TSUMOGIRI 1

// Maximum number of actions.
#define BP_MAX_LEGAL 64

// An action that is complete: nothing is asked afterwards. Riichi is listed once for each discard that keeps tenpai.
typedef struct bp_legal_action {
    // The kind of action: `BP_ACTION_*`.
    uint8_t kind;
    // The tile that is discarded, called, added or won on; `BP_NONE` if the action has none.
    uint8_t tile;
    // The seat whose tile is taken; `BP_NONE` if there is none.
    uint8_t target;
    // `BP_ACTION_TSUMOGIRI` or 0.
    uint8_t flags;
    // Tiles used besides `tile`, first places first, the rest `BP_NONE`.
    uint8_t consumed[4];
} bp_legal_action;

// An array of legal actions.
typedef struct bp_legal_action_array {
    // The first element.
    const bp_legal_action *items;
    // Number of elements, at most `BP_MAX_LEGAL`.
    uint32_t len;
    // Bytes from one element to the next.
    uint32_t stride;
} bp_legal_action_array;

// ---------------------------------------------------------------------------------------------------------------------
// The events of a round so far, preceded by the end of the previous round.
// ---------------------------------------------------------------------------------------------------------------------

// The round begins: `actor` deals, `tile` is the first dora indicator. The view holds the other facts.
#define BP_EVENT_START_KYOKU 1

// `actor` draws `tile`; `BP_NONE` for every seat but the own.
#define BP_EVENT_TSUMO 2

// `actor` discards `tile`; with `BP_EVENT_TSUMOGIRI` if it is the drawn one.
#define BP_EVENT_DAHAI 3

// `actor` calls a run with `tile` of `target` and two `consumed`.
#define BP_EVENT_CHI 4

// `actor` calls a triplet with `tile` of `target` and two `consumed`.
#define BP_EVENT_PON 5

// `actor` calls a kan with `tile` of `target` and three `consumed`.
#define BP_EVENT_DAIMINKAN 6

// `actor` shows a closed kan of four `consumed`.
#define BP_EVENT_ANKAN 7

// `actor` adds `tile` to the pon of three `consumed`.
#define BP_EVENT_KAKAN 8

// `actor` sets a North aside.
#define BP_EVENT_KITA 9

// A further dora indicator `tile` is turned.
#define BP_EVENT_DORA 10

// `actor` declares riichi; the discard follows.
#define BP_EVENT_REACH 11

// `actor`'s riichi discard was not ronned, and the stick is paid.
#define BP_EVENT_REACH_ACCEPTED 12

// `actor` wins on `tile` of `target`, which is `actor` on a self-draw; `tile` is `BP_NONE` if it was not shown.
// `deltas` are its part of the round's. Each winner has its own event. It ends a round, and comes before
// `BP_EVENT_START_KYOKU`.
#define BP_EVENT_HORA 13

// The round is drawn or aborted for `reason`; `tenpai` and `noten` hold the seats whose state is known, if the wall
// was drawn. It ends a round, and comes before `BP_EVENT_START_KYOKU`.
#define BP_EVENT_RYUKYOKU 14

// In `bp_log_event.reason`: the arena gives no known reason.
#define BP_DRAW_UNKNOWN 0

// In `bp_log_event.reason`: the wall was drawn.
#define BP_DRAW_EXHAUSTIVE 1

// In `bp_log_event.reason`: the wall was drawn, and a seat had discarded only terminals and honours, none of them
// called (nagashi mangan).
#define BP_DRAW_NAGASHI_MANGAN 2

// In `bp_log_event.reason`: nine kinds of terminals and honours in a first draw.
#define BP_DRAW_NINE_TERMINALS 3

// In `bp_log_event.reason`: four equal winds in the first go-round.
#define BP_DRAW_FOUR_WINDS 4

// In `bp_log_event.reason`: four kans of more than one seat.
#define BP_DRAW_FOUR_KANS 5

// In `bp_log_event.reason`: four riichi.
#define BP_DRAW_FOUR_RIICHI 6

// In `bp_log_event.reason`: three winners on one tile.
#define BP_DRAW_THREE_WINNERS 7

// In `bp_log_event.reason`: `actor` is punished for an action that is not legal.
#define BP_DRAW_PENALTY 8

// In `bp_log_event.flags`: the discarded tile is the one just drawn.
#define BP_EVENT_TSUMOGIRI 1

// In `bp_log_event.flags`: the arena said what changed hands, which is in `deltas`.
#define BP_EVENT_DELTAS 2

// Maximum number of events.
#define BP_MAX_EVENTS 256

// An event from the own seat's point of view. Skip events of an unknown kind: a later minor version may add kinds, and
// the other events do not depend on them.
typedef struct bp_log_event {
    // The kind of event: `BP_EVENT_*`.
    uint8_t kind;
    // The seat that acts; `BP_NONE` if there is none.
    uint8_t actor;
    // The seat that a tile is taken from, else `BP_NONE`.
    uint8_t target;
    // The tile, else `BP_NONE`.
    uint8_t tile;
    // Tiles used besides `tile`, first places first, the rest `BP_NONE`.
    uint8_t consumed[4];
    // `BP_EVENT_TSUMOGIRI` and `BP_EVENT_DELTAS`; unknown bits are ignored.
    uint8_t flags;
    // Number of the discard or call in the round's order, else `BP_NONE`.
    uint8_t order;
    // Why a round ended without a winner: `BP_DRAW_*`, else 0.
    uint8_t reason;
    // The seats that are known to have been tenpai when the wall was drawn, one bit each: bit 0 for seat 0.
    uint8_t tenpai;
    // The seats that are known not to have been tenpai when the wall was drawn, one bit each.
    uint8_t noten;
    // Zero.
    uint8_t reserved[3];
    // Change of each seat's points at the end of a round, without sticks paid earlier; zero for other events and if
    // the arena does not send it.
    int32_t deltas[BP_SEATS];
} bp_log_event;

// An array of events.
typedef struct bp_log_event_array {
    // The first element.
    const bp_log_event *items;
    // Number of elements, at most `BP_MAX_EVENTS`.
    uint32_t len;
    // Bytes from one element to the next.
    uint32_t stride;
} bp_log_event_array;

// ---------------------------------------------------------------------------------------------------------------------
// The common beginning of the views of all games.
//
// Each game has its own view: riichi mahjong `bp_view`, Chinese Standard mahjong `bp_standard_view`, Dou Dizhu `bp_card_view`.
// The `game` of a policy's descriptor decides which one it gets.
// ---------------------------------------------------------------------------------------------------------------------

// In `bp_policy_descriptor.game` and `bp_view_head.game`: riichi mahjong, shown as a `bp_view`.
#define BP_GAME_RIICHI 0

// In `bp_policy_descriptor.game` and `bp_view_head.game`: Chinese Standard mahjong, shown as a `bp_standard_view`.
#define BP_GAME_CHINESE_STANDARD 1

// In `bp_policy_descriptor.game` and `bp_view_head.game`: Dou Dizhu, shown as a `bp_card_view`.
#define BP_GAME_DOUDIZHU 2

// An array of the game's own element type.
typedef struct bp_element_array {
    // The first element.
    const void *items;
    // Number of elements.
    uint32_t len;
    // Bytes from one element to the next.
    uint32_t stride;
} bp_element_array;

// The fields that the views of all games begin with, in these places.
typedef struct bp_view_head {
    // Size of the whole view as the host knows it, bytes.
    uint32_t struct_size;
    // The game of this view: `BP_GAME_*`.
    uint32_t game;
    // Number of this question to the instance, never 0. A decision repeats it, which distinguishes it from a decision
    // for another view.
    uint64_t question;
    // Number of this game in the bot's run, from 0. The questions of games that are played at the same time take
    // turns.
    uint64_t game_number;
    // Seed of the bot's randomness, the same all run.
    uint64_t seed;
    // Number of this decision in the game, from 0. Decisions are requested only if there is a choice.
    uint32_t decision;
    // Zero. Unknown bits are ignored.
    uint32_t flags;
    // The events so far, oldest first.
    bp_element_array events;
    // The legal actions. Never empty.
    bp_element_array legal;
    // Free time of this request, microseconds; 0 together with `deadline_us` if the arena sets no limit.
    uint64_t grace_us;
    // The rest of the bank when the request came, microseconds.
    uint64_t bank_us;
    // Time from the request until the arena acts itself, microseconds; 0 if the arena sets no limit.
    uint64_t deadline_us;
    // Time from this call until the host answers itself, microseconds. Use this one for planning.
    uint64_t budget_us;
    // Zero: reserved for fields that later minor versions may add to the views of all games.
    uint64_t reserved[4];
} bp_view_head;

// ---------------------------------------------------------------------------------------------------------------------
// The open tiles of a seat.
// ---------------------------------------------------------------------------------------------------------------------

// A run completed with a discard of the seat before.
#define BP_MELD_CHI 1

// A triplet completed with a discard.
#define BP_MELD_PON 2

// A kan completed with a discard.
#define BP_MELD_DAIMINKAN 3

// A closed kan.
#define BP_MELD_ANKAN 4

// A pon with the fourth tile added.
#define BP_MELD_KAKAN 5

// Maximum number of melds of a seat.
#define BP_MAX_MELDS 4

// In `bp_river_tile.flags`: the drawn tile (tsumogiri), not one from the hand.
#define BP_RIVER_TSUMOGIRI 1

// In `bp_river_tile.flags`: riichi was declared with it.
#define BP_RIVER_RIICHI 2

// Maximum number of discards of a seat.
#define BP_MAX_RIVER 32

// In `bp_seat_view.riichi`: declared, from the riichi discard on.
#define BP_RIICHI_DECLARED 1

// In `bp_seat_view.riichi`: accepted, the stick is paid.
#define BP_RIICHI_ACCEPTED 2

// In `bp_seat_view.riichi`: declared on the first turn without a call before (double riichi).
#define BP_RIICHI_DOUBLE 4

// In `bp_seat_view.riichi`: a win now would be within one turn (ippatsu).
#define BP_RIICHI_IPPATSU 8

// A meld.
typedef struct bp_meld {
    // Which kind: `BP_MELD_*`; 0 in an unused place.
    uint8_t kind;
    // Number of tiles: 3, or 4 for a kan.
    uint8_t tile_count;
    // All its tiles, the called one included, by kind and plain before red; a fourth place that is not used holds
    // `BP_NONE`.
    uint8_t tiles[4];
    // The called tile; `BP_NONE` for a closed kan.
    uint8_t called;
    // The seat that threw the called tile; `BP_NONE` for a closed kan.
    uint8_t from;
    // Number of the call in the order that discards and calls of the round share; an added kan keeps the number of its
    // pon.
    uint8_t order;
    // Zero.
    uint8_t reserved[3];
} bp_meld;

// A discard. It stays in the river when it is called away.
typedef struct bp_river_tile {
    // The tile; `BP_NONE` in an unused place.
    uint8_t tile;
    // `BP_RIVER_*` bits.
    uint8_t flags;
    // The seat that called it away, else `BP_NONE`.
    uint8_t called_by;
    // Number of the discard in the round's order, which discards and calls share.
    uint8_t order;
} bp_river_tile;

// The open tiles of a seat. It has no field for concealed tiles.
typedef struct bp_seat_view {
    // Its melds, oldest first; `meld_count` of them.
    bp_meld melds[BP_MAX_MELDS];
    // Its discards, oldest first; `river_len` of them.
    bp_river_tile river[BP_MAX_RIVER];
    // Number of melds, 0 to 4.
    uint8_t meld_count;
    // Number of discards, 0 to 32.
    uint8_t river_len;
    // `BP_RIICHI_*` bits.
    uint8_t riichi;
    // Number of the riichi discard in the round's order; `BP_NONE` without a riichi.
    uint8_t riichi_order;
    // Number of Norths set aside, 0 to 4 (three players).
    uint8_t kita_count;
    // Zero.
    uint8_t reserved[11];
} bp_seat_view;

// ---------------------------------------------------------------------------------------------------------------------
// The knowledge of a riichi mahjong seat when it decides, and nothing else.
// ---------------------------------------------------------------------------------------------------------------------

// In `bp_rules.length`: one round.
#define BP_LENGTH_SINGLE 1

// In `bp_rules.length`: the East rounds.
#define BP_LENGTH_EAST 2

// In `bp_rules.length`: East and South.
#define BP_LENGTH_HALF 3

// In `bp_rules.preset`: Tenhou's choices.
#define BP_PRESET_TENHOU 1

// In `bp_rules.preset`: Mahjong Soul's choices.
#define BP_PRESET_MAHJONG_SOUL 2

// In `bp_view.furiten`: the own river holds a wait.
#define BP_FURITEN_RIVER 1

// In `bp_view.furiten`: a wait was passed since the last own discard.
#define BP_FURITEN_TEMPORARY 2

// In `bp_view.furiten`: a wait was passed since the own riichi.
#define BP_FURITEN_RIICHI 4

// In `bp_view.request`: the own turn, after a draw (`drawn` is a tile) or an own call (`drawn` is `BP_NONE`).
#define BP_REQUEST_OWN_TURN 1

// In `bp_view.request`: `offered` was discarded by `offered_by`.
#define BP_REQUEST_DISCARD 2

// In `bp_view.request`: `offered` was added to a pon by `offered_by`.
#define BP_REQUEST_KAKAN 3

// In `bp_view.request`: `offered` was shown in a closed kan by `offered_by`.
#define BP_REQUEST_ANKAN 4

// In `bp_view.request`: `offered` (a North) was set aside by `offered_by`.
#define BP_REQUEST_KITA 5

// The rules of the game, as far as arenas differ in them.
typedef struct bp_rules {
    // 4 or 3.
    uint8_t players;
    // The length of the game: `BP_LENGTH_*`.
    uint8_t length;
    // Total number of red fives.
    uint8_t red_fives;
    // 1 if an open hand of simples has a yaku.
    uint8_t open_tanyao;
    // 1 if a called tile, and the other end of its run, may not be discarded at once.
    uint8_t kuikae_forbidden;
    // 1 if thirteen orphans may win on a closed kan.
    uint8_t ron_on_ankan_by_kokushi;
    // 1 if three winners on one discard make an abortive draw.
    uint8_t triple_ron_is_draw;
    // The rules that the other fields do not cover: `BP_PRESET_*`.
    uint8_t preset;
    // Points of each player at the start.
    int32_t start_points;
    // Minimum points of the leader for the game to end with its last regular round.
    int32_t return_points;
    // Zero: room for more rules.
    uint8_t reserved[16];
} bp_rules;

// The kinds that an opponent cannot win by ron on now, with any hand (furiten), as sets of kinds.
typedef struct bp_cannot_ron {
    // Kinds in its own river, including called tiles.
    uint64_t river;
    // Kinds that passed it since it declared riichi; 0 without a riichi.
    uint64_t since_riichi;
    // Kinds that passed it since its last discard (temporary furiten).
    uint64_t since_discard;
} bp_cannot_ron;

// The knowledge of a seat when it decides. No field can hold another seat's concealed tile, or a tile of the wall.
//
// It begins with the fields of a `bp_view_head`, as the views of all games do.
//
// At a table of three the fourth place of each array by seat is unused.
typedef struct bp_view {
    // Size of this struct as the host knows it, bytes.
    uint32_t struct_size;
    // The game of this view: `BP_GAME_RIICHI`.
    uint32_t game;
    // Number of this question to the instance, never 0. A decision repeats it, which distinguishes it from a decision
    // for another view.
    uint64_t question;
    // Number of this game in the bot's run, from 0. The questions of games that are played at the same time take
    // turns.
    uint64_t game_number;
    // Seed of the bot's randomness, the same all run. Key randomness by `(seed, game_number, seat, decision)` and it
    // can be repeated.
    uint64_t seed;
    // Number of this decision in the game, from 0. Decisions are requested only if there is a choice.
    uint32_t decision;
    // Zero. Unknown bits are ignored.
    uint32_t flags;
    // The end of the previous round in the game, if the seat saw it, and the round so far, oldest first, from
    // `BP_EVENT_START_KYOKU` on; empty when the round was not seen from its start.
    bp_log_event_array events;
    // The legal actions. Never empty.
    bp_legal_action_array legal;
    // Free time of this request, microseconds; 0 together with `deadline_us` if the arena sets no limit.
    uint64_t grace_us;
    // The rest of the bank when the request came, microseconds.
    uint64_t bank_us;
    // Time from the request until the arena acts itself, microseconds; 0 if the arena sets no limit.
    uint64_t deadline_us;
    // Time from this call until the host answers itself, microseconds. Use this one for planning.
    uint64_t budget_us;
    // Zero: reserved for fields that later minor versions may add to the views of all games.
    uint64_t reserved[4];
    // Kinds that complete the own hand without the drawn tile; empty when it is not tenpai, and after an own call
    // until the discard. Kinds with all four tiles in the closed hand are excluded.
    uint64_t waits;
    // For each seat the kinds that it cannot win by ron on now; all zero for the own seat.
    bp_cannot_ron cannot_ron[BP_SEATS];
    // The rules.
    bp_rules rules;
    // Points of each seat now, without paid riichi sticks.
    int32_t scores[BP_SEATS];
    // Points of each seat when the round began.
    int32_t start_scores[BP_SEATS];
    // The own seat.
    uint8_t seat;
    // Wind of the round: 0 East, 1 South, 2 West, 3 North.
    uint8_t bakaze;
    // Number of the round within its wind, from 1.
    uint8_t kyoku;
    // Repeat counters.
    uint8_t honba;
    // Riichi sticks on the table now.
    uint8_t kyotaku;
    // Riichi sticks on the table when the round began.
    uint8_t start_kyotaku;
    // The dealer's seat.
    uint8_t oya;
    // Place of each seat by `scores`, from 1; of equal scores the lower seat is placed before the other.
    uint8_t placements[BP_SEATS];
    // Number of tiles of each kind in the own closed hand, including the drawn tile, excluding melds.
    uint8_t closed[BP_KINDS];
    // Number of red fives among the closed tiles: characters, dots, bamboo.
    uint8_t closed_reds[3];
    // The tile just drawn, else `BP_NONE`.
    uint8_t drawn;
    // The own tiles as dealt, in any order; all `BP_NONE` when the round was not seen from its start.
    uint8_t start_hand[13];
    // The own furiten: `BP_FURITEN_*` bits.
    uint8_t furiten;
    // The open tiles of each seat, including the own.
    bp_seat_view seats[BP_SEATS];
    // Dora indicators (not the dora themselves), oldest first; unused places hold `BP_NONE`.
    uint8_t dora_markers[5];
    // Number of dora indicators, 1 to 5.
    uint8_t dora_count;
    // Tiles that can still be drawn.
    uint8_t tiles_left;
    // 1 if the own seat has not discarded yet and no seat has called: its next draw or this one is the first.
    uint8_t first_turn;
    // 1 if the drawn tile is the replacement for a kan (rinshan) or a North.
    uint8_t after_kan;
    // Number of unseen copies of each kind: not in the own hand, a meld, a river, set aside, or a dora indicator. 0
    // for 2m to 8m with three players, who do not use these tiles.
    uint8_t unseen[BP_KINDS];
    // Number of unseen red fives: characters, dots, bamboo.
    uint8_t unseen_reds[3];
    // The kind of request: `BP_REQUEST_*`.
    uint8_t request;
    // The offered tile; `BP_NONE` on the own turn.
    uint8_t offered;
    // The seat that offers it; `BP_NONE` on the own turn.
    uint8_t offered_by;
} bp_view;

// ---------------------------------------------------------------------------------------------------------------------
// Chinese Standard mahjong: what a seat may know when it decides, and nothing else.
//
// Kinds and seats are the same as in riichi mahjong: a tile is the number of its kind, 0 to 33 for
// `1m..9m 1p..9p 1s..9s E S W N P F C`, and no tile is red. Seat 0 is East all game.
// ---------------------------------------------------------------------------------------------------------------------

// In `bp_standard_legal.kind`: nothing.
#define BP_STANDARD_PASS 1

// In `bp_standard_legal.kind`: win with the tile drawn, discarded or added to a pung.
#define BP_STANDARD_WIN 2

// In `bp_standard_legal.kind`: discard `discard` after a draw.
#define BP_STANDARD_DISCARD 3

// In `bp_standard_legal.kind`: declare a concealed kong of `tile` after a draw.
#define BP_STANDARD_CONCEALED_KONG 4

// In `bp_standard_legal.kind`: add `tile` to a pung after a draw.
#define BP_STANDARD_ADD_KONG 5

// In `bp_standard_legal.kind`: claim the discard for a kong.
#define BP_STANDARD_CLAIM_KONG 6

// In `bp_standard_legal.kind`: claim the discard for a pung, and discard `discard`.
#define BP_STANDARD_CLAIM_PUNG 7

// In `bp_standard_legal.kind`: claim the discard for a chow around `tile`, and discard `discard`.
#define BP_STANDARD_CLAIM_CHOW 8

// Maximum number of actions.
#define BP_MAX_STANDARD_LEGAL 64

// Tiles are dealt; the view holds the own ones.
#define BP_STANDARD_EVENT_DEALT 1

// `seat` draws `tile`; `BP_NONE` for every seat but the own.
#define BP_STANDARD_EVENT_DRAWN 2

// `seat` draws the flower with the number `tile`, 1 to 8, and will draw again.
#define BP_STANDARD_EVENT_FLOWER 3

// `seat` discards `discard` after a draw.
#define BP_STANDARD_EVENT_DISCARDED 4

// `seat` claims the last discard for a pung, and discards `discard`.
#define BP_STANDARD_EVENT_PUNG 5

// `seat` claims the last discard for a chow around `tile`, and discards `discard`.
#define BP_STANDARD_EVENT_CHOW 6

// `seat` claims the last discard for a kong, and will draw.
#define BP_STANDARD_EVENT_KONG 7

// `seat` declares a concealed kong of `tile`, which is `BP_NONE` for every seat but the own, and will draw.
#define BP_STANDARD_EVENT_CONCEALED_KONG 8

// `seat` adds `tile` to its pung, and will draw unless the kong is robbed.
#define BP_STANDARD_EVENT_KONG_ADDED 9

// Maximum number of events in a hand.
#define BP_MAX_STANDARD_EVENTS 256

// In `bp_standard_set.kind`: a chow.
#define BP_STANDARD_SET_CHOW 1

// In `bp_standard_set.kind`: a pung.
#define BP_STANDARD_SET_PUNG 2

// In `bp_standard_set.kind`: a kong of a claimed discard, or of a pung with the fourth tile added.
#define BP_STANDARD_SET_MELDED_KONG 3

// In `bp_standard_set.kind`: a concealed kong.
#define BP_STANDARD_SET_CONCEALED_KONG 4

// In `bp_standard_river_tile.flags`: another seat claimed it.
#define BP_STANDARD_RIVER_CLAIMED 1

// Maximum number of discards of a seat.
#define BP_MAX_STANDARD_RIVER 32

// In `bp_standard_view.counting`: as Botzone's judge counts.
#define BP_STANDARD_COUNTING_JUDGE 1

// In `bp_standard_view.counting`: as the official rules count.
#define BP_STANDARD_COUNTING_BOOK 2

// In `bp_standard_view.request`: the own turn, after a draw.
#define BP_STANDARD_REQUEST_OWN_TURN 1

// In `bp_standard_view.request`: `offered` was discarded by `offered_by`.
#define BP_STANDARD_REQUEST_DISCARD 2

// In `bp_standard_view.request`: `offered` was added to a pung by `offered_by`.
#define BP_STANDARD_REQUEST_KONG_ADDED 3

// An action that is complete: a claimed chow or pung and the discard after it are one.
typedef struct bp_standard_legal {
    // The kind of action: `BP_STANDARD_PASS` to `BP_STANDARD_CLAIM_CHOW`.
    uint8_t kind;
    // The kind of the kong, or the middle one of the chow, else `BP_NONE`.
    uint8_t tile;
    // The discard, else `BP_NONE`.
    uint8_t discard;
    // Zero.
    uint8_t reserved;
} bp_standard_legal;

// An event as the own seat may know it.
typedef struct bp_standard_log_event {
    // The kind of event: `BP_STANDARD_EVENT_*`.
    uint8_t kind;
    // The seat that acts; `BP_NONE` for the deal.
    uint8_t seat;
    // The tile or flower, else `BP_NONE`.
    uint8_t tile;
    // The discard, else `BP_NONE`.
    uint8_t discard;
} bp_standard_log_event;

// A declared set.
typedef struct bp_standard_set {
    // Which set: `BP_STANDARD_SET_*`; 0 in an unused place.
    uint8_t kind;
    // Its kind, of a chow the middle one; `BP_NONE` for another seat's concealed kong and in an unused place.
    uint8_t tile;
} bp_standard_set;

// A discard.
typedef struct bp_standard_river_tile {
    // The tile; `BP_NONE` in an unused place.
    uint8_t tile;
    // `BP_STANDARD_RIVER_*` bits.
    uint8_t flags;
} bp_standard_river_tile;

// The public state of a seat.
typedef struct bp_standard_seat_view {
    // Its discards, oldest first; `river_len` of them.
    bp_standard_river_tile river[BP_MAX_STANDARD_RIVER];
    // Its declared sets, oldest first; `set_count` of them.
    bp_standard_set sets[4];
    // Number of discards.
    uint8_t river_len;
    // Number of declared sets.
    uint8_t set_count;
    // Flowers laid down.
    uint8_t flowers;
    // Tiles left in its wall.
    uint8_t wall;
    // Its concealed tiles.
    uint8_t concealed;
    // Zero.
    uint8_t reserved[11];
} bp_standard_seat_view;

// The knowledge of a Chinese Standard mahjong seat when it decides. No field can hold another seat's concealed tile,
// or a tile of a wall.
//
// It begins with the fields of a `bp_view_head`, as the views of all games do.
typedef struct bp_standard_view {
    // Size of this struct as the host knows it, bytes.
    uint32_t struct_size;
    // The game of this view: `BP_GAME_CHINESE_STANDARD`.
    uint32_t game;
    // Number of this question to the instance, never 0. A decision repeats it, which distinguishes it from a decision
    // for another view.
    uint64_t question;
    // Number of this game in the bot's run, from 0. The questions of games that are played at the same time take
    // turns.
    uint64_t game_number;
    // Seed of the bot's randomness, the same all run. Key randomness by `(seed, game_number, seat, decision)` and it
    // can be repeated.
    uint64_t seed;
    // Number of this decision in the game, from 0. Decisions are requested only if there is a choice.
    uint32_t decision;
    // Zero. Unknown bits are ignored.
    uint32_t flags;
    // All events, oldest first, beginning with `BP_STANDARD_EVENT_DEALT`: each a `bp_standard_log_event`.
    bp_element_array events;
    // The legal actions, each a `bp_standard_legal`. Never empty.
    bp_element_array legal;
    // Free time of this request, microseconds; 0 together with `deadline_us` if the arena sets no limit.
    uint64_t grace_us;
    // The rest of the bank when the request came, microseconds.
    uint64_t bank_us;
    // Time from the request until the arena acts itself, microseconds; 0 if the arena sets no limit.
    uint64_t deadline_us;
    // Time from this call until the host answers itself, microseconds. Use this one for planning.
    uint64_t budget_us;
    // Zero: reserved for fields that later minor versions may add to the views of all games.
    uint64_t reserved[4];
    // The own seat, which is its wind too: 0 East, 1 South, 2 West, 3 North.
    uint8_t seat;
    // Wind of the round.
    uint8_t prevalent_wind;
    // The rules: 1 if the walls hold the eight flowers.
    uint8_t with_flowers;
    // The rules: whose counting of fan decides, `BP_STANDARD_COUNTING_*`.
    uint8_t counting;
    // The kind of request: `BP_STANDARD_REQUEST_*`.
    uint8_t request;
    // The tile just drawn; `BP_NONE` if it is not the own turn.
    uint8_t drawn;
    // The offered tile; `BP_NONE` on the own turn.
    uint8_t offered;
    // The seat that offers it; `BP_NONE` on the own turn.
    uint8_t offered_by;
    // Fan of a win now, flowers included; 0 if the tile completes nothing. A win needs 8 without the flowers.
    uint16_t win_fan;
    // Number of tiles of each kind in the own hand, including the drawn tile, excluding declared sets.
    uint8_t closed[BP_KINDS];
    // Number of unseen copies of each kind: not in the own hand and sets, a river, or another's known set.
    uint8_t unseen[BP_KINDS];
    // The public state of each seat, including the own.
    bp_standard_seat_view seats[BP_SEATS];
    // The own tiles as dealt, in any order.
    uint8_t start_hand[13];
    // Flowers that each seat laid down while tiles were dealt.
    uint8_t start_flowers[BP_SEATS];
    // Zero.
    uint8_t padding[1];
} bp_standard_view;

// ---------------------------------------------------------------------------------------------------------------------
// Dou Dizhu: what a seat may know when it decides, and nothing else.
//
// A card is a number: 0 to 51 are four each of the ranks `3456789TJQKA2`, in this order, 52 is the small joker and 53
// the big one; a rank is 0 to 14. A set of cards is a number of 64 bits: bit 0 for card 0, and so on. A seat is 0 to
// 2.
// ---------------------------------------------------------------------------------------------------------------------

// Seats of a table of Dou Dizhu.
#define BP_CARD_SEATS 3

// In `bp_card_legal.kind`: bid `bid`, 0 for none.
#define BP_CARD_ACTION_BID 1

// In `bp_card_legal.kind`: play nothing.
#define BP_CARD_ACTION_PASS 2

// In `bp_card_legal.kind`: play `cards`.
#define BP_CARD_ACTION_PLAY 3

// In `bp_card_legal.combination`: one card.
#define BP_CARD_SINGLE 1

// In `bp_card_legal.combination`: two of a rank.
#define BP_CARD_PAIR 2

// In `bp_card_legal.combination`: three of a rank, alone or with one wing.
#define BP_CARD_TRIO 3

// In `bp_card_legal.combination`: five or more ranks in a row, one card each.
#define BP_CARD_STRAIGHT 4

// In `bp_card_legal.combination`: three or more ranks in a row, two cards each.
#define BP_CARD_PAIR_STRAIGHT 5

// In `bp_card_legal.combination`: two or more ranks in a row, three cards each, without wings or with one for each
// rank.
#define BP_CARD_PLANE 6

// In `bp_card_legal.combination`: four of a rank with two wings.
#define BP_CARD_FOUR_WITH_TWO 7

// In `bp_card_legal.combination`: two or more ranks in a row, four cards each, alone or with wings.
#define BP_CARD_SHUTTLE 8

// In `bp_card_legal.combination`: four of a rank.
#define BP_CARD_BOMB 9

// In `bp_card_legal.combination`: both jokers.
#define BP_CARD_ROCKET 10

// Maximum number of actions. No hand has more than 804: the crate `doudizhu` counts every hand (`plays.MAX_PLAYS`).
#define BP_MAX_CARD_LEGAL 1024

// The own cards are dealt: `cards`.
#define BP_CARD_EVENT_DEAL 1

// `seat` bids `bid`, 0 for none.
#define BP_CARD_EVENT_BID 2

// `seat` is the landlord, takes the public `cards` and leads.
#define BP_CARD_EVENT_LANDLORD 3

// `seat` plays `cards`, or none: a pass.
#define BP_CARD_EVENT_PLAY 4

// Maximum number of events in a game.
#define BP_MAX_CARD_EVENTS 256

// In `bp_card_view.request`: a bid.
#define BP_CARD_REQUEST_BID 1

// In `bp_card_view.request`: cards, freely.
#define BP_CARD_REQUEST_LEAD 2

// In `bp_card_view.request`: cards that beat `to_beat`, or a pass.
#define BP_CARD_REQUEST_ANSWER 3

// An action that is complete.
typedef struct bp_card_legal {
    // The kind of action: `BP_CARD_ACTION_*`.
    uint8_t kind;
    // The bid, 0 to 3; 0 with other actions.
    uint8_t bid;
    // The combination that is played: `BP_CARD_SINGLE` to `BP_CARD_ROCKET`; 0 with other actions.
    uint8_t combination;
    // Cards in each wing: 0 without wings, 1 or 2.
    uint8_t wings;
    // The lowest rank of the body, without the wings.
    uint8_t low;
    // Ranks in the body.
    uint8_t length;
    // Zero.
    uint8_t reserved[2];
    // The cards, as a set: of each rank those with the lowest numbers that the seat has, since suits have no meaning.
    uint64_t cards;
} bp_card_legal;

// An event as the own seat may know it.
typedef struct bp_card_log_event {
    // The kind of event: `BP_CARD_EVENT_*`.
    uint8_t kind;
    // The seat that acts.
    uint8_t seat;
    // The bid; 0 with other events.
    uint8_t bid;
    // Zero.
    uint8_t reserved[5];
    // The cards, as a set.
    uint64_t cards;
} bp_card_log_event;

// The public state of a seat.
typedef struct bp_card_seat_view {
    // The cards that it has played, as a set.
    uint64_t played;
    // Number of cards that it has left.
    uint8_t left;
    // Its bid; `BP_NONE` if it has made none.
    uint8_t bid;
    // Zero.
    uint8_t reserved[6];
} bp_card_seat_view;

// The knowledge of a Dou Dizhu seat when it decides. No field can hold another seat's concealed cards.
//
// It begins with the fields of a `bp_view_head`, as the views of all games do.
typedef struct bp_card_view {
    // Size of this struct as the host knows it, bytes.
    uint32_t struct_size;
    // The game of this view: `BP_GAME_DOUDIZHU`.
    uint32_t game;
    // Number of this question to the instance, never 0. A decision repeats it, which distinguishes it from a decision
    // for another view.
    uint64_t question;
    // Number of this game in the bot's run, from 0. The questions of games that are played at the same time take
    // turns.
    uint64_t game_number;
    // Seed of the bot's randomness, the same all run. Key randomness by `(seed, game_number, seat, decision)` and it
    // can be repeated.
    uint64_t seed;
    // Number of this decision in the game, from 0. Decisions are requested only if there is a choice.
    uint32_t decision;
    // Zero. Unknown bits are ignored.
    uint32_t flags;
    // All events, oldest first, beginning with `BP_CARD_EVENT_DEAL`: each a `bp_card_log_event`.
    bp_element_array events;
    // The legal actions, each a `bp_card_legal`. Never empty.
    bp_element_array legal;
    // Free time of this request, microseconds; 0 together with `deadline_us` if the arena sets no limit.
    uint64_t grace_us;
    // The rest of the bank when the request came, microseconds.
    uint64_t bank_us;
    // Time from the request until the arena acts itself, microseconds; 0 if the arena sets no limit.
    uint64_t deadline_us;
    // Time from this call until the host answers itself, microseconds. Use this one for planning.
    uint64_t budget_us;
    // Zero: reserved for fields that later minor versions may add to the views of all games.
    uint64_t reserved[4];
    // The own cards, as a set.
    uint64_t hand;
    // The cards that are neither in the own hand nor played.
    uint64_t unseen;
    // The three cards that the landlord took; none before.
    uint64_t public_cards;
    // The cards that have to be beaten; none if the own seat bids or leads.
    uint64_t to_beat;
    // The public state of each seat.
    bp_card_seat_view seats[BP_CARD_SEATS];
    // The own seat.
    uint8_t seat;
    // The landlord; `BP_NONE` before it is known.
    uint8_t landlord;
    // The seat whose cards have to be beaten; `BP_NONE` if there are none.
    uint8_t to_beat_by;
    // The highest bid so far; 0 if no seat has bid.
    uint8_t highest_bid;
    // The rules: 1 if the seats bid for the role of the landlord; otherwise seat 0 is the landlord.
    uint8_t bidding;
    // The rules: how many wings each four of a shuttle takes.
    uint8_t shuttle_wings;
    // The kind of request: `BP_CARD_REQUEST_*`.
    uint8_t request;
    // Zero.
    uint8_t padding[1];
} bp_card_view;

// ---------------------------------------------------------------------------------------------------------------------
// The decision of a policy.
// ---------------------------------------------------------------------------------------------------------------------

// In `bp_decision.index` before the policy has written one.
#define BP_INDEX_NONE 4294967295

// The decision of a policy. The buffers belong to the calling thread, so a late answer cannot touch freed memory.
typedef struct bp_decision {
    // Size of this struct as the host knows it, bytes.
    uint32_t struct_size;
    // Out: the index of the chosen legal action of the view; `BP_INDEX_NONE` at first.
    uint32_t index;
    // Out: the `question` of the decided view; 0 at first. A decision with another number is a fault.
    uint64_t question;
    // A buffer for the value of each legal action; null if values are not wanted.
    float *values;
    // Capacity of `values`, in elements.
    uint32_t values_capacity;
    // Out: the number of values written, either 0 or the number of legal actions. Higher is better; the policy alone
    // decides what a value means beyond that. NaN means an action without a value.
    uint32_t values_len;
    // Out: a short reason.
    bp_text_buffer reason;
} bp_decision;

// ---------------------------------------------------------------------------------------------------------------------
// The functions that a host offers to an instance.
// ---------------------------------------------------------------------------------------------------------------------

// Log level: something that weakens the play.
#define BP_LOG_ERROR 1

// Log level: something that the user should act on.
#define BP_LOG_WARN 2

// Log level: something that the user may want to know.
#define BP_LOG_INFO 3

// Log level: information for the policy's developer.
#define BP_LOG_DEBUG 4

// Log level: every detail.
#define BP_LOG_TRACE 5

// Writes a line to the host's log: `(context, level, text)`, level one of `BP_LOG_*`. `[any-thread]`
//
// The text is copied. Standard output and standard error belong to the host: a policy writes here instead. A host may
// limit the number of lines between two questions and the length of a line, and counts the omitted ones; no line
// delays a decision.
typedef void (*bp_log_fn)(void *context, uint32_t level, bp_text text);

// A monotonic clock: `(context)`, nanoseconds since an arbitrary origin. `[any-thread]`
typedef uint64_t (*bp_monotonic_fn)(void *context);

// Whether the answer to the view being decided would still be used: `(context)`, 1 or 0.
// `[instance-thread, within decide]`
//
// 0 means that the time is over and the result will be dropped, so return soon. It is cheap: a search may ask about
// every millisecond.
typedef uint32_t (*bp_still_wanted_fn)(void *context);

// Asks the host for an extension by its name, for instance `"name/1"`: `(context, name)`. `[instance-thread]`
//
// Null if the host has no extension of that name. The result lives as long as the host struct.
typedef const void *(*bp_host_extension_fn)(void *context, bp_text name);

// The functions that a host offers to one instance, from its `create` to the end of its `destroy`. A function that a
// host lacks is null.
typedef struct bp_host {
    // Size of this struct as the host knows it, bytes.
    uint32_t struct_size;
    // Zero.
    uint32_t reserved;
    // The first argument of every function here.
    void *context;
    // Writes a line to the log.
    bp_log_fn log;
    // A monotonic clock.
    bp_monotonic_fn monotonic_ns;
    // Whether the decision being made is still wanted.
    bp_still_wanted_fn still_wanted;
    // Asks for an extension.
    bp_host_extension_fn get_extension;
} bp_host;

// ---------------------------------------------------------------------------------------------------------------------
// The arguments for creating an instance.
// ---------------------------------------------------------------------------------------------------------------------

// The arguments for creating an instance.
typedef struct bp_create_args {
    // Size of this struct as the host knows it, bytes.
    uint32_t struct_size;
    // Players at the tables it will sit at: 4 or 3.
    uint32_t players;
    // The host's functions. Unlike the other pointers it stays valid until the instance has been destroyed.
    const bp_host *host;
    // The parameters that the config sets; those left out have their defaults.
    bp_param_value_array params;
    // The folder of the library as the user knows it, complete; empty for a policy that is built in. The code runs
    // from a private copy elsewhere, so files that belong to the library are looked up here.
    bp_text library_folder;
    // The folder of the bot's config, complete; empty if the config is not a file.
    bp_text config_folder;
    // Time from this call until the host gives the instance up, microseconds; 0 if the host sets no limit.
    uint64_t budget_us;
} bp_create_args;

// ---------------------------------------------------------------------------------------------------------------------
// The description of a policy, and its functions.
// ---------------------------------------------------------------------------------------------------------------------

// In `bp_policy_descriptor.players`: plays with three players. The bit of a number of players is the one of that
// number.
#define BP_PLAYERS_THREE (1 << 3)

// In `bp_policy_descriptor.players`: plays with four players.
#define BP_PLAYERS_FOUR (1 << 4)

// Makes an instance: `(args, instance, error)`. `[instance-thread]`
//
// On `BP_STATUS_OK` the instance's pointer has been written to `instance` and is not null; on
// anything else nothing has been written there, and nothing is left to be destroyed. `args` and the data it points to
// live for the call, except its `host`. It may read files and take some seconds, since the host never creates an
// instance while a decision waits. The thread that calls is the instance's from now on.
typedef bp_status (*bp_create_fn)(const bp_create_args *args, bp_instance **instance, bp_text_buffer *error);

// Decides: `(instance, view, decision, error)`. `[instance-thread]`
//
// The pointer to the view refers to the view of the policy's game: for other games than riichi mahjong, cast it.
//
// On `BP_STATUS_OK` the decision's `index` and `question` have been written. The view, all it
// points to, and the decision live for the call only: the host fills the same memory again for the next one. A view
// says all there is to know, so that an instance needs no memory of earlier ones and may be exchanged between any two
// decisions.
//
// A call that takes longer than the view's `budget_us` cannot be stopped: its answer is dropped, and the game
// continues without it.
typedef bp_status (*bp_decide_fn)(bp_instance *instance,
                                  const bp_view *view,
                                  bp_decision *decision,
                                  bp_text_buffer *error);

// Ends an instance, poisoned or not: `(instance, error)`. `[instance-thread]`
//
// Called once. The instance no longer exists afterwards, whatever the status. The thread ends soon after, and the
// library may be unmapped then: threads of the policy's own must have ended when this returns.
typedef bp_status (*bp_destroy_fn)(bp_instance *instance, bp_text_buffer *error);

// Asks an instance for an extension by its name, for instance `"name/1"`: `(instance, name)`. `[instance-thread]`
//
// Null if the policy has no extension of that name. The result, usually a struct of functions that the two sides have
// agreed upon under that name, lives as long as the instance. The number is part of the name: a changed extension gets
// another number.
typedef const void *(*bp_get_extension_fn)(bp_instance *instance, bp_text name);

// The description of a policy, and its functions. All of it is static: the host copies the texts when the library is
// loaded and calls the functions until it is unloaded.
typedef struct bp_policy_descriptor {
    // The name used in configs: `a-z`, `0-9` and `-`, for instance `greedy-tenpai`.
    bp_text id;
    // The name for users.
    bp_text name;
    // The policy's version, for users.
    bp_text version;
    // A one-sentence summary.
    bp_text summary;
    // The numbers of players: `BP_PLAYERS_FOUR`, `BP_PLAYERS_THREE`, or both bits. Chinese Standard mahjong has four
    // players, Dou Dizhu three.
    uint32_t players;
    // The game that it plays, which determines the type of its views: `BP_GAME_RIICHI`, `BP_GAME_CHINESE_STANDARD` or
    // `BP_GAME_DOUDIZHU`.
    uint32_t game;
    // The parameters it takes; their names differ.
    bp_param_descriptor_array params;
    // Makes an instance. Not null.
    bp_create_fn create;
    // Decides. Not null.
    bp_decide_fn decide;
    // Ends an instance. Not null.
    bp_destroy_fn destroy;
    // Asks an instance for an extension. Null: it has none.
    bp_get_extension_fn get_extension;
} bp_policy_descriptor;

// An array of policy descriptors.
typedef struct bp_policy_descriptor_array {
    // The first element.
    const bp_policy_descriptor *items;
    // Number of elements.
    uint32_t len;
    // Bytes from one element to the next.
    uint32_t stride;
} bp_policy_descriptor_array;

// ---------------------------------------------------------------------------------------------------------------------
// The data behind the one exported symbol.
// ---------------------------------------------------------------------------------------------------------------------

// The major version: both sides must have the same.
#define BP_ABI_MAJOR 1

// The minor version: raised when something is added at the end.
#define BP_ABI_MINOR 0

// The value of `bp_entry.magic`: `BotP` read as a little-endian number.
#define BP_ENTRY_MAGIC 1349807938

// The description of a library and its policies.
//
// The fields up to and including `build_id` keep their places in every major version, so that a host can name the
// library that it refuses.
typedef struct bp_entry {
    // Size of this struct as the library knows it, bytes.
    uint32_t struct_size;
    // `BP_ENTRY_MAGIC`.
    uint32_t magic;
    // `BP_ABI_MAJOR` as the library knows it.
    uint32_t abi_major;
    // `BP_ABI_MINOR` as the library knows it.
    uint32_t abi_minor;
    // The build of the library, for users; for instance a name and a version.
    bp_text build_id;
    // The policies in the library, at least one; their ids differ. They live as long as the entry.
    bp_policy_descriptor_array policies;
} bp_entry;

// The exported function: returns the library's entry. `[any-thread]`
//
// The entry and all data that it points to stay valid and unchanged as long as the library is loaded. The host may
// call it several times, even at once, so it must not set anything up: use `create` for that. Null means that the
// library refuses to be used.
typedef const bp_entry *(*bp_entry_fn)(void);

// The one function that a library exports. [any-thread]
//
// See bp_entry_fn. BP_EXPORT is part of the declaration, so that a definition without it is exported too.
BP_EXPORT const bp_entry *bot_policy_entry(void);

#ifdef __cplusplus
}
#endif

#endif // BOT_POLICY_H
