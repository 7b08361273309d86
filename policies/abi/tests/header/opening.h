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
