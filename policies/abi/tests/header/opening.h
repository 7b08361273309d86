// bot_policy.h: the boundary between a host that seats mahjong bots and a library that decides for them.
//
// Generated from the definitions in policies/abi/src; a test there compares, and says how to write it anew.
//
// OVERVIEW
//
// A policy is a shared library with one exported function, bot_policy_entry, declared at the end of this file. It
// returns a static bp_entry, which lists the policies in the library; each is a bp_policy_descriptor: what it is, the
// parameters it takes, and its functions. A whole library has this shape:
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
//         .id = BP_TEXT("mine"), .name = BP_TEXT("Mine"), .version = BP_TEXT("1.0"), .summary = BP_TEXT("What it does."),
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
// A complete policy to begin from is policies/examples/c.
//
// LIFE OF AN INSTANCE. For each seat that a bot plays the host calls create once, decide for each decision, and destroy
// once. An instance serves game after game. It may be exchanged for another between two decisions, also in the middle
// of a game, so what a decision needs is to be taken from its view.
//
// THREADS. Each function has a tag. [instance-thread]: calls on one instance never overlap and come from one thread,
// creation and destruction included; instances of one library run side by side, each on its own thread, so what they
// share must be constant or locked. [any-thread]: may be called from any thread, at any time and several times at once.
//
// STATUS. A function returns a bp_status. On anything but BP_STATUS_OK it may say why in the error buffer, which the
// log shows. No exception, longjmp or panic may leave the library.
//
// MEMORY. Who allocates memory frees it. What is passed in lives for the call only, unless its comment says otherwise;
// results go into memory of the caller's.
//
// TEXT is pointer and length, UTF-8, not terminated by a zero.
//
// VERSIONS. The majors of both sides must be equal. Within a major nothing that is there moves or changes its meaning. A
// minor adds something in one of these ways, so that a library and a host of different minors work together:
//
// - A struct that is passed by pointer and begins with struct_size grows at its end. Whoever makes the struct sets
//   struct_size to the sizeof of its own header. Whoever reads it reads no further than struct_size, and takes a field
//   beyond it for zero; whoever writes into it (bp_decision) writes no further either. New fields mean nothing when
//   they are zero. A library may refuse a struct that is shorter than in its own header instead of reading it field by
//   field.
// - The elements of an array grow at their ends. They are stride bytes apart, which may be more or less than the sizeof
//   of the element here, so they are never reached with [] or ++ but with BP_AT. A stride is a multiple of the
//   element's alignment. An element is read no further than its stride.
// - A reserved field, zero until then, gets a meaning, and so does a bit of flags; zero keeps the meaning it had.
// - There is one more kind of event, reason of a draw, game or status. Leave events out whose kind you do not know, and
//   take an unknown reason for BP_DRAW_UNKNOWN; a status that the host does not know is BP_STATUS_FAILED to it. All other
//   codes, those of legal actions among them, get no values within a major.
// - Extensions are asked for by name with the get_extension of either side.
//
// LAYOUT. 64-bit targets. No struct has padding, and reserved fields are zero. A field that is an array has its values
// in the first places; places that are not used hold BP_NONE or zero, as said there.

#ifndef BOT_POLICY_H
#define BOT_POLICY_H

#include <stddef.h>
#include <stdint.h>

#if UINTPTR_MAX != UINT64_MAX
#error "the policy boundary is defined for 64-bit targets"
#endif

// Put before the definition of bot_policy_entry, so that it is found whatever the compiler's flags for visibility.
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
