// A library whose descriptors and answers are sound but for some mutations, for the tests of hosts: by its number, which tests write
// over in the built file, each mutates other things, and always the same.
//
// cc -std=c11 -shared -fPIC -I policies/abi/include -o libmutated.so policies/misbehave/mutated.c
//
// The first character of the number is 'f' where functions may be mutated too, which a thread of the host does not survive, and
// anything else where they may be missing only.

#include <stdlib.h>
#include <string.h>

#include "bot_policy.h"

static const char number[] = "mutated library t00000000";

// All that descriptors point to lies in here, with room after it, so that no length that a host may take at its word leads out.
static _Alignas(16) uint8_t memory[4 << 20];

typedef struct {
    bp_entry entry;
    bp_policy_descriptor policies[3];
    bp_param_descriptor params[4];
    bp_text choices[3];
} description;

struct bp_instance {
    const bp_host *host;
    uint64_t random;
};

// splitmix64
static uint64_t next(uint64_t *random) {
    uint64_t mixed = *random += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

static uint64_t below(uint64_t *random, uint64_t bound) {
    return next(random) % bound;
}

static const volatile char *digits(void) {
    return &number[sizeof number - 10];
}

static uint64_t seed(void) {
    uint64_t value = 0;
    for (int index = 1; index < 9; index++) {
        value = value * 10 + (uint64_t)(digits()[index] - '0');
    }
    return value * 0x2545f4914f6cdd1d + (uint64_t)digits()[0];
}

// Another number for a place that holds one: near it, at a limit, or anything.
static uint64_t another(uint64_t *random, uint64_t value) {
    static const uint64_t limits[] = {0, 1, 2, 7, 255, 256, 257, 4096, 4097, 65536, INT32_MAX, UINT32_MAX, INT64_MAX,
                                      1ull << 63, UINT64_MAX, 0x7ff0000000000000, 0x7ff8000000000000};
    switch (below(random, 4)) {
    case 0:
        return value + below(random, 9) - 4;
    case 1:
        return value ^ 1ull << below(random, 64);
    case 2:
        return next(random);
    default:
        return limits[below(random, sizeof limits / sizeof *limits)];
    }
}

static int is_function(size_t place) {
    size_t first = offsetof(description, policies);
    if (place < first || place >= first + sizeof(bp_policy_descriptor) * 3) {
        return 0;
    }
    return (place - first) % sizeof(bp_policy_descriptor) >= offsetof(bp_policy_descriptor, create);
}

// Mutates one place of the description.
static void mutate(uint8_t *bytes, uint64_t *random) {
    size_t place = 8 * below(random, sizeof(description) / 8);
    uint64_t value;
    memcpy(&value, bytes + place, 8);
    uint64_t begin = (uint64_t)(uintptr_t)memory;
    if (is_function(place)) {
        value = digits()[0] == 'f' ? another(random, value) : 0;
    } else if (value >= begin && value < begin + sizeof memory) {
        // A pointer: none, another place, or another place that it is not aligned for. One that leads nowhere ends the trial.
        uint64_t kind = below(random, 8);
        value = kind == 0 ? 0 : kind == 1 ? next(random) : begin + below(random, 8192) * (kind & 1 ? 8 : 1);
    } else if (below(random, 2) == 0) {
        value = another(random, value);
    } else {
        // Half of it, since most numbers are of 32 bits.
        unsigned shift = below(random, 2) == 0 ? 0 : 32;
        uint64_t half = another(random, value >> shift & UINT32_MAX) & UINT32_MAX;
        value = (value & ~((uint64_t)UINT32_MAX << shift)) | half << shift;
    }
    memcpy(bytes + place, &value, 8);
}

static void write_garbage(bp_text_buffer *buffer, uint64_t *random) {
    if (buffer == NULL || buffer->data == NULL) {
        return;
    }
    uint32_t room = buffer->capacity < 8192 ? buffer->capacity : 8192;
    uint32_t len = (uint32_t)below(random, room + 1);
    // Plain text, any bytes, or nothing but a character of several bytes.
    uint64_t kind = below(random, 3);
    for (uint32_t index = 0; index < len; index++) {
        static const uint8_t bear[] = {0xe7, 0x86, 0x8a};
        buffer->data[index] = kind == 0 ? (uint8_t)'a' : kind == 1 ? (uint8_t)next(random) : bear[index % 3];
    }
    buffer->len = below(random, 4) == 0 ? (uint32_t)another(random, len) : len;
}

static bp_status some_status(uint64_t *random) {
    return below(random, 4) == 0 ? (bp_status)another(random, 0) : (bp_status)below(random, 10);
}

static bp_status create(const bp_create_args *args, bp_instance **instance, bp_text_buffer *error) {
    uint64_t random = seed() ^ 0xc0ffee;
    if (below(&random, 16) == 0) {
        write_garbage(error, &random);
        return some_status(&random);
    }
    bp_instance *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return BP_STATUS_FAILED;
    }
    made->host = args->host;
    made->random = seed() ^ 0xdec1de;
    *instance = made;
    return BP_STATUS_OK;
}

// Says something to the host, and asks it for what it has not.
static void speak(const bp_host *host, uint64_t *random) {
    uint8_t bytes[300];
    for (size_t index = 0; index < sizeof bytes; index++) {
        bytes[index] = (uint8_t)next(random);
    }
    const bp_text text = {bytes, below(random, sizeof bytes + 1)};
    const bp_text longer = {memory, below(random, 2 << 20)};
    host->log(host->context, (uint32_t)another(random, BP_LOG_WARN), below(random, 8) == 0 ? longer : text);
    host->get_extension(host->context, text);
    host->still_wanted(host->context);
}

static bp_status decide(bp_instance *instance, const bp_view *view, bp_decision *decision, bp_text_buffer *error) {
    uint64_t *random = &instance->random;
    decision->index = (uint32_t)below(random, view->legal.len);
    decision->question = view->question;
    if (below(random, 2) == 0) {
        for (uint32_t index = 0; index < view->legal.len && index < decision->values_capacity; index++) {
            const uint32_t bits = (uint32_t)next(random);
            memcpy(&decision->values[index], &bits, sizeof bits);
        }
        decision->values_len = view->legal.len;
    }
    bp_status status = BP_STATUS_OK;
    // Most are sound in the questions of a trial, so that the others are asked of somebody.
    uint64_t sound = seed() % 8 == 0 ? 0 : 4;
    for (uint64_t count = view->question <= sound ? 0 : below(random, 4); count > 0; count--) {
        switch (below(random, 9)) {
        case 0:
            decision->index = (uint32_t)another(random, decision->index);
            break;
        case 1:
            decision->question = another(random, decision->question);
            break;
        case 2:
            decision->values_len = (uint32_t)another(random, decision->values_len);
            break;
        case 3:
            write_garbage(&decision->reason, random);
            break;
        case 4:
            write_garbage(error, random);
            status = some_status(random);
            break;
        case 5:
            // Its own words for what only the host writes.
            decision->struct_size = (uint32_t)another(random, decision->struct_size);
            decision->values_capacity = (uint32_t)another(random, decision->values_capacity);
            break;
        case 6:
            decision->reason.capacity = (uint32_t)another(random, decision->reason.capacity);
            decision->reason.data = (uint8_t *)(uintptr_t)next(random);
            decision->reason.len = (uint32_t)another(random, decision->reason.len);
            return status;
        case 7:
            decision->values = (float *)(uintptr_t)next(random);
            return status;
        default:
            speak(instance->host, random);
        }
    }
    return status;
}

static bp_status destroy(bp_instance *instance, bp_text_buffer *error) {
    write_garbage(error, &instance->random);
    bp_status status = some_status(&instance->random);
    free(instance);
    return status;
}

// A text in the memory, which the next one comes after.
static bp_text put(size_t *used, const char *words) {
    uint8_t *place = memory + *used;
    size_t len = strlen(words);
    memcpy(place, words, len);
    *used += len;
    return (bp_text){place, len};
}

__attribute__((constructor)) static void describe(void) {
    memset(memory, 'a', sizeof memory);
    description *all = (description *)(void *)memory;
    memset(all, 0, sizeof *all);
    size_t used = sizeof *all;

    for (uint32_t index = 0; index < 3; index++) {
        all->choices[index] = put(&used, index == 0 ? "one" : index == 1 ? "two" : "three");
    }
    static const char *const names[] = {"whole", "number", "choice", "text"};
    static const uint32_t kinds[] = {BP_VALUE_INTEGER, BP_VALUE_NUMBER, BP_VALUE_CHOICE, BP_VALUE_TEXT};
    for (uint32_t index = 0; index < 4; index++) {
        bp_param_descriptor *param = &all->params[index];
        param->name = put(&used, names[index]);
        param->help = put(&used, "What it is for.");
        param->kind = kinds[index];
        param->default_value.kind = kinds[index];
        param->default_value.text = index == 2 ? put(&used, "two") : put(&used, "any");
        param->integer_min = -10;
        param->integer_max = 10;
        param->number_max = 1.0;
        param->choices = (bp_text_array){all->choices, 3, sizeof(bp_text)};
    }
    static const char *const ids[] = {"mutated", "another", "third"};
    for (uint32_t index = 0; index < 3; index++) {
        bp_policy_descriptor *policy = &all->policies[index];
        policy->id = put(&used, ids[index]);
        policy->name = put(&used, "Mutated");
        policy->version = put(&used, "1");
        policy->summary = put(&used, "Sound but for some mutations.");
        policy->players = BP_PLAYERS_FOUR | BP_PLAYERS_THREE;
        policy->game = index;
        policy->params = (bp_param_descriptor_array){all->params, 4, sizeof(bp_param_descriptor)};
        policy->create = create;
        policy->decide = decide;
        policy->destroy = destroy;
    }
    all->entry = (bp_entry){
        .struct_size = sizeof(bp_entry), .magic = BP_ENTRY_MAGIC, .abi_major = BP_ABI_MAJOR, .abi_minor = BP_ABI_MINOR,
        .build_id = put(&used, number), .policies = {all->policies, 3, sizeof(bp_policy_descriptor)},
    };
    uint64_t random = seed();
    // None in a third of them, so that as many come to be asked.
    for (uint64_t count = below(&random, 3) * (1 + below(&random, 4)); count > 0; count--) {
        mutate(memory, &random);
    }
}

BP_EXPORT const bp_entry *bot_policy_entry(void) {
    return (const bp_entry *)(const void *)memory;
}
