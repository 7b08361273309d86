// A policy that misbehaves on purpose, for the tests of hosts: what the SDK does not let a policy do.
//
// cc -std=c11 -shared -fPIC -I policies/abi/include -o libmisbehave_raw.so policies/misbehave/misbehave.c
//
// The parameter "fault" says how it misbehaves, and "at" in which decisions of a game; otherwise it wins where it can and
// else takes the first action. What goes wrong before there are parameters is chosen when it is compiled, with one of
//   -DAT_LOAD_EXIT -DAT_LOAD_SEGFAULT -DAT_LOAD_ABORT -DAT_LOAD_HANG
//   -DNO_SYMBOL -DNO_ENTRY -DWRONG_MAGIC -DWRONG_MAJOR -DNO_POLICIES -DNO_FUNCTION -DGARBAGE_ID
// and two that are not faults, libraries of another minor version of the boundary:
//   -DSHORTER -DLONGER
// -DBUILD='"..."' is its build id, and the reason it gives for each decision.

#define _DEFAULT_SOURCE

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "bot_policy.h"

#ifndef BUILD
#define BUILD "misbehave-raw"
#endif

struct bp_instance {
    const bp_host *host;
    char fault[32];
    int64_t at;
};

// A place that nothing may be written to, which the compiler does not know.
static volatile uintptr_t nowhere = 8;

static void segfault(void) {
    *(volatile int *)nowhere = 1;
}

static void hang(void) {
    for (;;) {
        sleep(60);
    }
}

#if defined(AT_LOAD_EXIT) || defined(AT_LOAD_SEGFAULT) || defined(AT_LOAD_ABORT) || defined(AT_LOAD_HANG)
__attribute__((constructor)) static void at_load(void) {
#if defined(AT_LOAD_EXIT)
    _exit(0);
#elif defined(AT_LOAD_SEGFAULT)
    segfault();
#elif defined(AT_LOAD_ABORT)
    abort();
#else
    hang();
#endif
}
#endif

static int is(const char *fault, const char *name) {
    return strcmp(fault, name) == 0;
}

static bp_status tell(bp_text_buffer *buffer, const void *bytes, size_t len) {
    if (buffer != NULL && buffer->data != NULL) {
        size_t room = buffer->capacity - buffer->len;
        size_t count = len < room ? len : room;
        memcpy(buffer->data + buffer->len, bytes, count);
        buffer->len += (uint32_t)count;
    }
    return BP_STATUS_FAILED;
}

static bp_status create(const bp_create_args *args, bp_instance **instance, bp_text_buffer *error) {
    bp_instance *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return tell(error, "no memory", 9);
    }
    made->host = args->host;
    made->at = -1;
    strcpy(made->fault, "none");
    for (uint32_t index = 0; index < args->params.len; index++) {
        const bp_param_value *param = BP_AT(bp_param_value, args->params, index);
        if (param->value.kind == BP_VALUE_INTEGER) {
            made->at = param->value.integer;
        } else if (param->value.text.len < sizeof made->fault) {
            memcpy(made->fault, param->value.text.data, param->value.text.len);
            made->fault[param->value.text.len] = 0;
        }
    }
    if (is(made->fault, "create-nothing")) {
        free(made);
        return BP_STATUS_OK;
    }
    if (is(made->fault, "create-garbage")) {
        free(made);
        return tell(error, "\xff\xfe", 2);
    }
    if (is(made->fault, "create-segfault")) {
        segfault();
    }
    if (is(made->fault, "create-abort")) {
        abort();
    }
    *instance = made;
    return BP_STATUS_OK;
}

// Writes over what the host uses to talk with its process: every descriptor that is open, and then goes on.
static void write_everywhere(void) {
    for (int descriptor = 3; descriptor < 256; descriptor++) {
        if (write(descriptor, "GARBAGE GARBAGE GARBAGE", 23) < 0) {
            continue;
        }
    }
}

// Closes everything, as a program does that goes into the background, and lives on.
static void close_everything(void) {
    for (int descriptor = 0; descriptor < 256; descriptor++) {
        close(descriptor);
    }
    hang();
}

// Says something with a number in the log.
static void tell_number(const bp_host *host, const char *what, long number) {
    char line[64];
    int len = snprintf(line, sizeof line, "%s %ld", what, number);
    const bp_text text = {(const uint8_t *)line, (uint64_t)len};
    host->log(host->context, BP_LOG_WARN, text);
}

// Leaves a process behind that has left group and session, whose parent is gone, and that does not want to be killed.
static void leave_daemon(const bp_host *host) {
    int number[2];
    if (pipe(number) != 0) {
        return;
    }
    pid_t first = fork();
    if (first == 0) {
        setsid();
        pid_t second = fork();
        if (second == 0) {
            for (int signal_number = 1; signal_number < 32; signal_number++) {
                signal(signal_number, SIG_IGN);
            }
            pid_t own = getpid();
            if (write(number[1], &own, sizeof own) < 0) {
                _exit(1);
            }
            hang();
        }
        _exit(0);
    }
    pid_t daemon = 0;
    if (read(number[0], &daemon, sizeof daemon) > 0) {
        tell_number(host, "daemon", daemon);
    }
    waitpid(first, NULL, 0);
}

// FNV-1a.
static uint64_t hash(uint64_t hash, const void *bytes, size_t len) {
    for (size_t index = 0; index < len; index++) {
        hash = (hash ^ ((const unsigned char *)bytes)[index]) * 0x100000001b3;
    }
    return hash;
}

// Every byte of the view and of what it points to, in short, so that two views can be compared. No fault.
static void digest(const bp_view *view, bp_text_buffer *reason) {
    bp_view plain = *view;
    plain.events.items = NULL;
    plain.legal.items = NULL;
    uint64_t all = hash(0xcbf29ce484222325, &plain, sizeof plain);
    all = hash(all, view->legal.items, (size_t)view->legal.len * view->legal.stride);
    all = hash(all, view->events.items, (size_t)view->events.len * view->events.stride);
    char text[80];
    int len = snprintf(text, sizeof text, "%u actions, %u events, %016llx", view->legal.len, view->events.len,
                       (unsigned long long)all);
    tell(reason, text, (size_t)len);
}

static bp_status decide(bp_instance *instance, const bp_view *view, bp_decision *decision, bp_text_buffer *error) {
    const char *fault = instance->fault;
    decision->index = 0;
    decision->question = view->question;
    for (uint32_t index = 0; index < view->legal.len; index++) {
        if (BP_AT(bp_legal_action, view->legal, index)->kind == BP_ACTION_HORA) {
            decision->index = index;
        }
    }
    tell(&decision->reason, BUILD, sizeof BUILD - 1);
    if (instance->at >= 0 && instance->at != view->decision) {
        return BP_STATUS_OK;
    }
    if (is(fault, "out-of-range")) {
        decision->index = view->legal.len;
    } else if (is(fault, "no-choice")) {
        decision->index = BP_INDEX_NONE;
    } else if (is(fault, "other-question")) {
        decision->question++;
    } else if (is(fault, "unavailable")) {
        tell(error, "the server is away", 18);
        return BP_STATUS_UNAVAILABLE;
    } else if (is(fault, "unknown-status")) {
        return 4711;
    } else if (is(fault, "garbage-reason")) {
        decision->reason.len = 0;
        tell(&decision->reason, "\xff\xfe\x00", 3);
    } else if (is(fault, "garbage-error")) {
        return tell(error, "\xff\xfe\x00", 3);
    } else if (is(fault, "digest")) {
        decision->reason.len = 0;
        digest(view, &decision->reason);
    } else if (is(fault, "boast")) {
        decision->values_len = UINT32_MAX;
        decision->reason.len = UINT32_MAX;
    } else if (is(fault, "log-garbage")) {
        const bp_text text = {(const uint8_t *)"\xff\xfe\x00", 3};
        instance->host->log(instance->host->context, BP_LOG_WARN, text);
    } else if (is(fault, "log-long")) {
        static uint8_t long_line[100000];
        memset(long_line, 'a', sizeof long_line);
        const bp_text text = {long_line, sizeof long_line};
        instance->host->log(instance->host->context, BP_LOG_WARN, text);
    } else if (is(fault, "log-for-ever")) {
        const bp_text text = BP_TEXT("again");
        for (;;) {
            instance->host->log(instance->host->context, BP_LOG_ERROR, text);
        }
    } else if (is(fault, "write-everywhere")) {
        write_everywhere();
    } else if (is(fault, "close-everything")) {
        close_everything();
    } else if (is(fault, "fork")) {
        // What is left behind holds all that its parent has open.
        if (fork() == 0) {
            hang();
        }
        _exit(3);
    } else if (is(fault, "fork-answers")) {
        // Both return, and both answer.
        fork();
    } else if (is(fault, "daemon")) {
        leave_daemon(instance->host);
    } else if (is(fault, "daemon-hang")) {
        leave_daemon(instance->host);
        hang();
    } else if (is(fault, "daemon-exit")) {
        leave_daemon(instance->host);
        _exit(3);
    } else if (is(fault, "outlive")) {
#if defined(__linux__)
        prctl(PR_SET_PDEATHSIG, 0);
#endif
        setpgid(0, getppid());
        hang();
    } else if (is(fault, "segfault")) {
        segfault();
    } else if (is(fault, "abort")) {
        abort();
    } else if (is(fault, "exit")) {
        exit(0);
    } else if (is(fault, "hang")) {
        hang();
    }
    return BP_STATUS_OK;
}

static bp_status destroy(bp_instance *instance, bp_text_buffer *error) {
    if (is(instance->fault, "destroy-segfault")) {
        segfault();
    }
    int fails = is(instance->fault, "destroy-fail");
    free(instance);
    return fails ? tell(error, "on purpose", 10) : BP_STATUS_OK;
}

static const bp_text faults[] = {
    BP_TEXT("none"),           BP_TEXT("create-nothing"),   BP_TEXT("create-garbage"),   BP_TEXT("create-segfault"),
    BP_TEXT("create-abort"),   BP_TEXT("out-of-range"),     BP_TEXT("no-choice"),        BP_TEXT("unknown-status"),
    BP_TEXT("garbage-reason"), BP_TEXT("garbage-error"),    BP_TEXT("boast"),            BP_TEXT("log-garbage"),
    BP_TEXT("log-long"),       BP_TEXT("log-for-ever"),     BP_TEXT("write-everywhere"), BP_TEXT("close-everything"),
    BP_TEXT("fork"),           BP_TEXT("segfault"),         BP_TEXT("abort"),            BP_TEXT("exit"),
    BP_TEXT("hang"),           BP_TEXT("destroy-segfault"), BP_TEXT("destroy-fail"),     BP_TEXT("digest"),
    BP_TEXT("fork-answers"),   BP_TEXT("daemon"),           BP_TEXT("daemon-hang"),      BP_TEXT("daemon-exit"),
    BP_TEXT("outlive"),        BP_TEXT("other-question"),   BP_TEXT("unavailable"),
};

static const bp_param_descriptor params[] = {
    {
        .name = BP_TEXT("fault"),
        .help = BP_TEXT("What it does wrong."),
        .kind = BP_VALUE_CHOICE,
        .default_value = {.kind = BP_VALUE_CHOICE, .text = BP_TEXT("none")},
        .choices = {faults, sizeof faults / sizeof faults[0], sizeof(bp_text)},
    },
    {
        .name = BP_TEXT("at"),
        .help = BP_TEXT("In which decision of each game; in each when -1."),
        .kind = BP_VALUE_INTEGER,
        .default_value = {.kind = BP_VALUE_INTEGER, .integer = -1},
        .integer_min = -1,
        .integer_max = 10000,
    },
};

#if defined(GARBAGE_ID)
#define ID "\xff\xfe"
#else
#define ID "misbehave-raw"
#endif

#if defined(NO_FUNCTION)
#define DECIDE (1 ? NULL : decide)
#else
#define DECIDE decide
#endif

// A descriptor as another minor version might have it: without its last field, or with one more.
typedef struct {
    bp_policy_descriptor known;
    uint64_t more[2];
} longer_descriptor;

static const longer_descriptor policy = {
    .known = {.id = BP_TEXT(ID), .name = BP_TEXT("Misbehave"), .version = BP_TEXT("1"),
              .summary = BP_TEXT("Misbehaves on purpose, for tests."),
              .players = BP_PLAYERS_FOUR | BP_PLAYERS_THREE,
              .params = {params, 2, sizeof(bp_param_descriptor)},
              .create = create, .decide = DECIDE, .destroy = destroy},
    .more = {UINT64_MAX, UINT64_MAX},
};

#if defined(SHORTER)
#define POLICY_SIZE offsetof(bp_policy_descriptor, get_extension)
#elif defined(LONGER)
#define POLICY_SIZE sizeof(longer_descriptor)
#else
#define POLICY_SIZE sizeof(bp_policy_descriptor)
#endif

typedef struct {
    bp_entry known;
    uint64_t more[2];
} longer_entry;

static const longer_entry entry = {
    .known = {
#if defined(LONGER)
        .struct_size = sizeof(longer_entry),
#else
        .struct_size = sizeof(bp_entry),
#endif
#if defined(WRONG_MAGIC)
        .magic = 0xdeadbeef,
#else
        .magic = BP_ENTRY_MAGIC,
#endif
#if defined(WRONG_MAJOR)
        .abi_major = BP_ABI_MAJOR + 7,
#else
        .abi_major = BP_ABI_MAJOR,
#endif
        .abi_minor = BP_ABI_MINOR,
        .build_id = BP_TEXT(BUILD),
#if defined(NO_POLICIES)
        .policies = {&policy.known, 0, POLICY_SIZE},
#else
        .policies = {&policy.known, 1, POLICY_SIZE},
#endif
    },
    .more = {UINT64_MAX, UINT64_MAX},
};

#if defined(NO_SYMBOL)
BP_EXPORT const bp_entry *another_name(void);
BP_EXPORT const bp_entry *another_name(void) {
    return &entry.known;
}
#elif defined(NO_ENTRY)
BP_EXPORT const bp_entry *bot_policy_entry(void) {
    return policy.more[0] == 0 ? &entry.known : NULL;
}
#else
BP_EXPORT const bp_entry *bot_policy_entry(void) {
    return &entry.known;
}
#endif
