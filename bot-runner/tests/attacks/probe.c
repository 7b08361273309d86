// A policy that tries what its parameter says, once for each decision, and gives what came of it for its reason: "done", or
// the system's words.
#define _GNU_SOURCE

#include "bot_policy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif

struct bp_instance {
    // What is tried, and with what: "read", "/etc/passwd".
    char what[32];
    char with[480];
    int64_t at;
};

#ifdef SAYS_AT_LOAD
__attribute__((constructor)) static void says(void) {
    fputs("the library runs\n", stderr);
}
#endif

#ifdef FORGES
// Describes itself to the runner before its process can: with a version of 100,000 letters.
__attribute__((constructor)) static void forges(void) {
    enum { DESCRIBED = 0x10, LONG = 100000 };
    static char frame[8 + LONG + 1000];
    char *json = frame + 8;
    int len = sprintf(json, "{\"build_id\":\"\",\"abi_minor\":0,\"policies\":[{\"id\":\"probe\",\"name\":\"\",\"version\":\"");
    memset(json + len, 'x', LONG);
    len += LONG;
    len += sprintf(json + len, "\",\"summary\":\"\",\"game\":0,\"players\":16,\"params\":[]}]}");
    uint32_t head[2] = {DESCRIBED, (uint32_t)len};
    memcpy(frame, head, sizeof head);
    for (int pipe = 3; pipe < 64; pipe++) {
        struct stat found;
        if (fstat(pipe, &found) != 0 || !S_ISFIFO(found.st_mode) || (fcntl(pipe, F_GETFL) & O_ACCMODE) != O_WRONLY) {
            continue;
        }
        for (size_t sent = 0; sent < sizeof head + (size_t)len;) {
            ssize_t more = write(pipe, frame + sent, sizeof head + (size_t)len - sent);
            sent += more > 0 ? (size_t)more : 0;
        }
    }
}
#endif

static int outcome(long result) {
    return result < 0 ? errno : 0;
}

static int reads(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    char byte;
    int result = outcome(file < 0 ? -1 : read(file, &byte, 1));
    close(file);
    return result;
}

static int writes(const char *path, size_t bytes) {
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) {
        return errno;
    }
    int result = bytes > 1 && lseek(file, (off_t)bytes - 1, SEEK_SET) < 0 ? errno : outcome(write(file, "x", 1));
    close(file);
    return result;
}

// Opens so many descriptors, which stay.
static int opens(int many) {
    for (int opened = 0; opened < many; opened++) {
        if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0) {
            return errno;
        }
    }
    return 0;
}

// Runs a program and waits for it; 0 when it could be run and ended well.
static int runs(const char *path) {
    int words[2];
    if (pipe(words) != 0) {
        return errno;
    }
    pid_t child = fork();
    if (child < 0) {
        return errno;
    }
    if (child == 0) {
        fcntl(words[1], F_SETFD, FD_CLOEXEC);
        execl(path, path, (char *)NULL);
        int why = errno;
        if (write(words[1], &why, sizeof why) < 0) {
            _exit(2);
        }
        _exit(1);
    }
    close(words[1]);
    int why = 0;
    if (read(words[0], &why, sizeof why) < 0) {
        why = errno;
    }
    close(words[0]);
    waitpid(child, NULL, 0);
    return why;
}

static int speaks(int kind, int protocol, const char *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    int speaker = socket(AF_INET, kind | SOCK_CLOEXEC, protocol);
    if (speaker < 0) {
        return errno;
    }
    int result = outcome(connect(speaker, (struct sockaddr *)&address, sizeof address));
    close(speaker);
    return result;
}

// Sends with the first packet, by which nothing is connected beforehand.
static int speaks_fast(const char *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    int speaker = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (speaker < 0) {
        return errno;
    }
    int result = outcome(sendto(speaker, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address));
    close(speaker);
    return result;
}

// Listens on a port that the system chooses.
static int listens(void) {
    int speaker = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (speaker < 0) {
        return errno;
    }
    int result = outcome(listen(speaker, 1));
    close(speaker);
    return result;
}

// Connects to a socket with a file's name.
static int speaks_to_file(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int speaker = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (speaker < 0) {
        return errno;
    }
    int result = outcome(connect(speaker, (struct sockaddr *)&address, sizeof address));
    close(speaker);
    return result;
}

// Changes what is known of a file besides what is in it, in each of the ways that there are.
static int changes_file(const char *what, const char *path) {
    enum { FILE_SETATTR = 469 };
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return errno;
    }
    int flags = 0;
    char attributes[24] = {0};
    long result = -1;
    errno = EINVAL;
    if (strcmp(what, "file-rights") == 0) {
        result = chmod(path, 0644);
    } else if (strcmp(what, "file-rights-opened") == 0) {
        result = fchmod(file, 0644);
    } else if (strcmp(what, "file-rights-at") == 0) {
        result = fchmodat(AT_FDCWD, path, 0644, 0);
    } else if (strcmp(what, "file-rights-at-2") == 0) {
        result = syscall(452, AT_FDCWD, path, 0644, 0);
    } else if (strcmp(what, "file-owner") == 0) {
        result = chown(path, getuid(), getgid());
    } else if (strcmp(what, "file-owner-opened") == 0) {
        result = fchown(file, getuid(), getgid());
    } else if (strcmp(what, "file-times") == 0) {
        result = utimensat(AT_FDCWD, path, NULL, 0);
    } else if (strcmp(what, "file-times-opened") == 0) {
        result = futimens(file, NULL);
    } else if (strcmp(what, "file-attribute") == 0) {
        result = setxattr(path, "user.mine", "x", 1, 0);
    } else if (strcmp(what, "file-attribute-opened") == 0) {
        result = fsetxattr(file, "user.mine", "x", 1, 0);
    } else if (strcmp(what, "file-attribute-gone") == 0) {
        result = removexattr(path, "user.mine");
    } else if (strcmp(what, "file-attributes") == 0) {
        result = syscall(FILE_SETATTR, AT_FDCWD, path, attributes, sizeof attributes, 0);
    } else if (strcmp(what, "file-flags") == 0) {
        result = ioctl(file, FS_IOC_SETFLAGS, &flags);
    } else if (strcmp(what, "file-cut") == 0) {
        result = truncate(path, 0);
    } else if (strcmp(what, "file-lease") == 0) {
        result = fcntl(file, F_SETLEASE, F_RDLCK);
    }
    int why = outcome(result);
    close(file);
    return why;
}

// Locks a file against others who lock it, in both ways that there are.
static int locks(const char *what, const char *path) {
    struct flock whole = {.l_type = F_RDLCK};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return errno;
    }
    int result = outcome(strcmp(what, "lock-whole") == 0 ? flock(file, LOCK_EX) : fcntl(file, F_SETLK, &whole));
    close(file);
    return result;
}

// Runs what was never a file.
static int runs_memory(void) {
    int memory = (int)syscall(SYS_memfd_create, "mine", 0);
    if (memory < 0) {
        return errno;
    }
    close(memory);
    return 0;
}

static int runs_opened(const char *path) {
    int program = open(path, O_RDONLY | O_CLOEXEC);
    char *const none[] = {NULL};
    return outcome(syscall(SYS_execveat, program, "", none, none, AT_EMPTY_PATH));
}

static int name_of(int speaker, int call(int, const struct sockaddr *, socklen_t), const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t len = strlen(name);
    memcpy(address.sun_path + 1, name, len);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len);
    return outcome(call(speaker, (struct sockaddr *)&address, size));
}

static int abstract(int call(int, const struct sockaddr *, socklen_t), const char *name) {
    int speaker = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (speaker < 0) {
        return errno;
    }
    int result = name_of(speaker, call, name);
    close(speaker);
    return result;
}

// Takes a name for a socket of a pair.
static int abstract_of_pair(const char *name) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return errno;
    }
    int result = name_of(pair[0], bind, name);
    close(pair[0]);
    close(pair[1]);
    return result;
}

static void *stay(void *nothing) {
    for (;;) {
        sleep(60);
    }
    return nothing;
}

static int starts_thread(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, stay, NULL);
}

// So many threads that stay.
static int starts_threads(int many) {
    int why = 0;
    for (int started = 0; started < many && why == 0; started++) {
        why = starts_thread();
    }
    return why;
}

// So many processes that stay.
static int starts_processes(int many) {
    for (int started = 0; started < many; started++) {
        pid_t child = fork();
        if (child < 0) {
            return errno;
        }
        if (child == 0) {
            stay(NULL);
        }
    }
    return 0;
}

// So many processes each of which goes on in a child and ends, again and again, in a session of its own. They begin together.
static int hops(int many) {
    int start[2];
    if (pipe(start) != 0) {
        return errno;
    }
    for (int started = 0; started < many; started++) {
        pid_t child = fork();
        if (child < 0) {
            return errno;
        }
        if (child == 0) {
            char byte;
            close(start[1]);
            if (read(start[0], &byte, 1) < 0) {
                _exit(1);
            }
            setsid();
            for (;;) {
                if (fork() > 0) {
                    _exit(0);
                }
            }
        }
    }
    close(start[0]);
    close(start[1]);
    return 0;
}

// So many processes that wait for each other. Then each starts others as fast as it can, until that is refused, but no more than ten.
// All of them stay.
static int swarms(int many) {
    int start[2];
    if (pipe(start) != 0) {
        return errno;
    }
    for (int started = 0; started < many; started++) {
        pid_t child = fork();
        if (child < 0) {
            return errno;
        }
        if (child == 0) {
            char byte;
            close(start[1]);
            if (read(start[0], &byte, 1) < 0) {
                _exit(1);
            }
            starts_processes(10);
            stay(NULL);
        }
    }
    close(start[0]);
    close(start[1]);
    return 0;
}

// Three processes that stay wherever signals to the group of this one and its session do not reach them; one of them is stopped.
static int hides(void) {
    for (int started = 0; started < 3; started++) {
        pid_t child = fork();
        if (child < 0) {
            return errno;
        }
        if (child == 0) {
            for (int heard = 1; heard < NSIG; heard++) {
                signal(heard, SIG_IGN);
            }
            if (started == 0) {
                setsid();
            } else {
                setpgid(0, 0);
            }
            if (started == 1) {
                raise(SIGSTOP);
            }
            stay(NULL);
        }
    }
    return 0;
}

// A process that, once the runner has had time to stop, fills the pipe of its log and holds its other end too, so that it
// never becomes empty; then it does what the guard writes about.
static int clogs(void) {
    pid_t child = fork();
    if (child != 0) {
        return child < 0 ? errno : 0;
    }
    sleep(1);
    int nonblocking = fcntl(2, F_GETFL) | O_NONBLOCK;
    open("/proc/self/fd/2", O_RDONLY | O_NONBLOCK);
    fcntl(2, F_SETFL, nonblocking);
    while (write(2, "full", 4) > 0) {
    }
    fcntl(2, F_SETFL, nonblocking & ~O_NONBLOCK);
    fork();
    stay(NULL);
    return 0;
}

// Sets what this process has already, so that nothing changes where it succeeds. 0 is this process itself.
static int changes(const char *what, pid_t process) {
    enum { IO_PRIORITY_OF_PROCESS = 1 };
    struct rlimit core;
    struct sched_param param = {0};
    cpu_set_t processors;
    unsigned attributes[12] = {sizeof attributes};
    int nice = getpriority(PRIO_PROCESS, 0);
    getrlimit(RLIMIT_CORE, &core);
    sched_getaffinity(0, sizeof processors, &processors);
    syscall(SYS_sched_getattr, 0, attributes, sizeof attributes, 0);
    if (strcmp(what, "change-limit") == 0) {
        return outcome(prlimit(process, RLIMIT_CORE, &core, NULL));
    }
    if (strcmp(what, "change-priority") == 0) {
        return outcome(setpriority(PRIO_PROCESS, (id_t)process, nice));
    }
    if (strcmp(what, "change-group-priority") == 0) {
        return outcome(setpriority(PRIO_PGRP, (id_t)getpgid(process), nice));
    }
    if (strcmp(what, "change-io-priority") == 0) {
        long priority = syscall(SYS_ioprio_get, IO_PRIORITY_OF_PROCESS, 0);
        return outcome(syscall(SYS_ioprio_set, IO_PRIORITY_OF_PROCESS, process, priority));
    }
    if (strcmp(what, "change-processors") == 0) {
        return outcome(sched_setaffinity(process, sizeof processors, &processors));
    }
    if (strcmp(what, "change-scheduler") == 0) {
        return outcome(sched_setscheduler(process, sched_getscheduler(0), &param));
    }
    if (strcmp(what, "change-scheduler-param") == 0) {
        return outcome(sched_setparam(process, &param));
    }
    if (strcmp(what, "change-scheduler-attributes") == 0) {
        return outcome(syscall(SYS_sched_setattr, process, attributes, 0));
    }
    return EINVAL;
}

// Makes what stays in the kernel when its maker is gone, and removes it where that succeeds.
static int outlives(const char *what) {
    int made = -1;
    if (strcmp(what, "outliving-memory") == 0) {
        made = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
        return made < 0 ? errno : outcome(shmctl(made, IPC_RMID, NULL));
    }
    if (strcmp(what, "outliving-messages") == 0) {
        made = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
        return made < 0 ? errno : outcome(msgctl(made, IPC_RMID, NULL));
    }
    if (strcmp(what, "outliving-semaphores") == 0) {
        made = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
        return made < 0 ? errno : outcome(semctl(made, 0, IPC_RMID));
    }
    if (strcmp(what, "outliving-key") == 0) {
        enum { KEYRING_OF_USER = -4 };
        return outcome(syscall(SYS_add_key, "user", "bot-runner-attacks", "x", 1, KEYRING_OF_USER));
    }
    if (strcmp(what, "outliving-queue") == 0) {
        char name[64];
        snprintf(name, sizeof name, "bot-runner-attacks-%ld", (long)getpid());
        made = (int)syscall(SYS_mq_open, name, O_RDWR | O_CREAT, 0600, NULL);
        return made < 0 ? errno : outcome(syscall(SYS_mq_unlink, name));
    }
#ifdef __x86_64__
    if (strcmp(what, "outliving-memory-x32") == 0) {
        // The same call under its number of the x32 ABI.
        made = (int)syscall(0x40000000L | SYS_shmget, IPC_PRIVATE, 4096, IPC_CREAT | 0600);
        return made < 0 ? errno : outcome(shmctl(made, IPC_RMID, NULL));
    }
#endif
    return EINVAL;
}

// Makes so many instances of epoll, each of which watches one descriptor.
static int makes_epolls(int many) {
    for (int made = 0; made < many; made++) {
        int instance = epoll_create1(EPOLL_CLOEXEC);
        struct epoll_event event = {.events = EPOLLIN};
        if (instance < 0 || epoll_ctl(instance, EPOLL_CTL_ADD, instance == 3 ? 4 : 3, &event) != 0) {
            return errno;
        }
    }
    return 0;
}

static atomic_int epolls_made;

static void *makes_epoll(void *start) {
    pthread_barrier_wait(start);
    if (epoll_create1(EPOLL_CLOEXEC) >= 0) {
        atomic_fetch_add(&epolls_made, 1);
    }
    return NULL;
}

// Has so many threads make an instance at once; fails when that gives more than there may be.
static int makes_epolls_at_once(int many, int most) {
    pthread_t threads[256];
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, (unsigned)many);
    for (int started = 0; started < many; started++) {
        int why = pthread_create(&threads[started], NULL, makes_epoll, &start);
        if (why != 0) {
            return why;
        }
    }
    for (int joined = 0; joined < many; joined++) {
        pthread_join(threads[joined], NULL);
    }
    return atomic_load(&epolls_made) == most ? 0 : ERANGE;
}

// Queues so many signals, which wait because they are blocked.
static int queues_signals(int many) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 3);
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (int queued = 0; queued < many; queued++) {
        if (syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGRTMIN + 3) != 0) {
            return errno;
        }
    }
    return 0;
}

static int enlarges_pipe(void) {
    int ends[2];
    if (pipe(ends) != 0) {
        return errno;
    }
    int result = outcome(fcntl(ends[1], F_SETPIPE_SZ, 1 << 20));
    close(ends[0]);
    close(ends[1]);
    return result;
}

static int locks_memory(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? errno : outcome(mlock(memory, bytes));
}

// Sends a descriptor to itself, which then is open in no process.
static int passes_descriptor(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return errno;
    }
    char byte = 'x';
    char space[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &pair[0], sizeof(int));
    int result = outcome(sendmsg(pair[0], &message, 0));
    close(pair[0]);
    close(pair[1]);
    return result;
}

// What a user has so many of, by the call that takes one.
static int takes_share(const char *what) {
    char structure[256] = {0};
    if (strcmp(what, "share-inotify") == 0) {
        return outcome(syscall(SYS_inotify_init1, 0));
    }
    if (strcmp(what, "share-fanotify") == 0) {
        return outcome(syscall(SYS_fanotify_init, 0, 0));
    }
    if (strcmp(what, "share-aio") == 0) {
        return outcome(syscall(SYS_io_setup, 1, structure));
    }
    if (strcmp(what, "share-perf") == 0) {
        return outcome(syscall(SYS_perf_event_open, structure, 0, -1, -1, 0));
    }
    if (strcmp(what, "share-namespace") == 0) {
        return outcome(unshare(CLONE_NEWUSER));
    }
    if (strcmp(what, "share-descriptors") == 0) {
        return outcome(unshare(CLONE_FILES));
    }
    if (strcmp(what, "share-descriptors-closing") == 0) {
        enum { CALL = 436, UNSHARES = 2 };
        return outcome(syscall(CALL, 4000, 4000, UNSHARES));
    }
    if (strcmp(what, "share-descriptors-thread") == 0) {
        // It is refused: without a stack of its own a thread could not go on.
        return outcome(syscall(SYS_clone, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, 0, NULL, NULL, 0));
    }
    if (strcmp(what, "share-terminal") == 0) {
        return outcome(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
    }
    return EINVAL;
}

static int attempt(const char *what, const char *with) {
    char path[64];
    if (strcmp(what, "epolls") == 0) {
        return makes_epolls(atoi(with));
    }
    if (strcmp(what, "epolls-at-once") == 0) {
        return makes_epolls_at_once(200, atoi(with));
    }
    if (strcmp(what, "epolls-in-turn") == 0) {
        int why = 0;
        for (int made = 0; made < atoi(with) && why == 0; made++) {
            int instance = epoll_create1(EPOLL_CLOEXEC);
            why = outcome(instance);
            close(instance);
        }
        return why;
    }
    if (strcmp(what, "queue-signals") == 0) {
        return queues_signals(atoi(with));
    }
    if (strcmp(what, "enlarge-pipe") == 0) {
        return enlarges_pipe();
    }
    if (strcmp(what, "lock-memory-mib") == 0) {
        return locks_memory((size_t)atoi(with) << 20);
    }
    if (strcmp(what, "pass-descriptor") == 0) {
        return passes_descriptor();
    }
    if (strncmp(what, "share-", strlen("share-")) == 0 && strcmp(what, "share-the-group") != 0) {
        return takes_share(what);
    }
    if (strcmp(what, "read") == 0) {
        return reads(with);
    }
    if (strcmp(what, "read-linked") == 0) {
        const char *linked = getenv("LD_LIBRARY_PATH");
        char file[1024];
        snprintf(file, sizeof file, "%s/%s", linked == NULL ? "" : linked, with);
        return reads(file);
    }
    if (strncmp(what, "lock-", strlen("lock-")) == 0) {
        return locks(what, with);
    }
    if (strcmp(what, "write") == 0) {
        return writes(with, 1);
    }
    if (strcmp(what, "write-mib") == 0) {
        signal(SIGXFSZ, SIG_IGN);
        return writes(with, 1 << 20);
    }
    if (strcmp(what, "run") == 0) {
        return runs(with);
    }
    if (strcmp(what, "tcp") == 0) {
        return speaks(SOCK_STREAM, 0, with);
    }
    if (strcmp(what, "mptcp") == 0) {
        return speaks(SOCK_STREAM, IPPROTO_MPTCP, with);
    }
    if (strcmp(what, "tcp-fast") == 0) {
        return speaks_fast(with);
    }
    if (strcmp(what, "listen") == 0) {
        return listens();
    }
    if (strcmp(what, "udp") == 0) {
        return speaks(SOCK_DGRAM, 0, with);
    }
    if (strcmp(what, "file-socket") == 0) {
        return speaks_to_file(with);
    }
    if (strncmp(what, "file-", strlen("file-")) == 0) {
        return changes_file(what, with);
    }
    if (strcmp(what, "run-memory") == 0) {
        return runs_memory();
    }
    if (strcmp(what, "run-opened") == 0) {
        return runs_opened(with);
    }
    if (strcmp(what, "io-uring") == 0) {
        char setup[120] = {0};
        return outcome(syscall(SYS_io_uring_setup, 1, setup));
    }
    if (strcmp(what, "threads") == 0) {
        return starts_threads(atoi(with));
    }
    if (strcmp(what, "processes") == 0) {
        return starts_processes(atoi(with));
    }
    if (strcmp(what, "hide-from-the-guard") == 0) {
        return outcome(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
    }
    if (strcmp(what, "descriptors") == 0) {
        return opens(atoi(with));
    }
    if (strcmp(what, "hide") == 0) {
        return hides();
    }
    if (strcmp(what, "clog") == 0) {
        return clogs();
    }
    if (strcmp(what, "join-the-guards-group") == 0) {
        return outcome(setpgid(0, getpgid(getppid())));
    }
    if (strcmp(what, "swarm") == 0) {
        return swarms(atoi(with));
    }
    if (strcmp(what, "hop") == 0) {
        return hops(atoi(with));
    }
    if (strcmp(what, "end-the-guard") == 0) {
        return outcome(kill(getppid(), SIGKILL));
    }
    if (strcmp(what, "abstract") == 0) {
        return abstract(connect, with);
    }
    if (strcmp(what, "take-abstract-by-a-pair") == 0) {
        return abstract_of_pair(with);
    }
    if (strcmp(what, "take-abstract") == 0) {
        return abstract(bind, with);
    }
    if (strcmp(what, "signal") == 0) {
        return outcome(kill(atoi(with), 0));
    }
    if (strcmp(what, "environment-of") == 0 || strcmp(what, "memory-of") == 0) {
        const char *file = strcmp(what, "memory-of") == 0 ? "mem" : "environ";
        long process = strcmp(with, "parent") == 0 ? (long)getppid() : atol(with);
        snprintf(path, sizeof path, "/proc/%ld/%s", process, file);
        int opened = open(path, O_RDONLY | O_CLOEXEC);
        int result = outcome(opened);
        close(opened);
        return result;
    }
    if (strcmp(what, "trace") == 0) {
        pid_t process = strcmp(with, "parent") == 0 ? getppid() : atoi(with);
        return outcome(ptrace(PTRACE_SEIZE, process, NULL, NULL));
    }
    if (strncmp(what, "change-", strlen("change-")) == 0) {
        return changes(what, atoi(with));
    }
    if (strncmp(what, "outliving-", strlen("outliving-")) == 0) {
        return outlives(what);
    }
    if (strcmp(what, "allocate-mib") == 0) {
        size_t bytes = (size_t)atoi(with) << 20;
        void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? errno : 0;
    }
    if (strcmp(what, "fork") == 0) {
        pid_t child = fork();
        if (child == 0) {
            _exit(0);
        }
        int result = outcome(child);
        waitpid(child, NULL, 0);
        return result;
    }
    if (strcmp(what, "gain-privileges") == 0) {
        return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? EPERM : 0;
    }
    if (strcmp(what, "share-the-group") == 0) {
        return getpgid(0) == getpid() ? EPERM : 0;
    }
    if (strcmp(what, "open-the-terminal") == 0) {
        return reads("/dev/tty");
    }
    if (strcmp(what, "leave-thread") == 0) {
        return starts_thread();
    }
    if (strcmp(what, "leave-child") == 0) {
        pid_t child = fork();
        if (child == 0) {
            stay(NULL);
        }
        return outcome(child);
    }
    if (strcmp(what, "chdir") == 0) {
        return outcome(chdir(with));
    }
    if (strcmp(what, "umask") == 0) {
        umask(0);
        return 0;
    }
    if (strcmp(what, "handler") == 0) {
        return signal(SIGTERM, SIG_IGN) == SIG_ERR ? errno : 0;
    }
    if (strcmp(what, "alarm") == 0) {
        alarm(3600);
        return 0;
    }
    if (strcmp(what, "limit") == 0) {
        struct rlimit files = {64, 64};
        return outcome(setrlimit(RLIMIT_NOFILE, &files));
    }
    if (strcmp(what, "mask") == 0) {
        sigset_t set;
        sigfillset(&set);
        return outcome(sigprocmask(SIG_BLOCK, &set, NULL));
    }
    if (strcmp(what, "close") == 0) {
        return outcome(close(atoi(with)));
    }
    if (strcmp(what, "replace") == 0) {
        return outcome(dup2(open("/dev/null", O_WRONLY), atoi(with)));
    }
    if (strcmp(what, "timer") == 0) {
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
        struct itimerspec later = {.it_value = {.tv_sec = 3600}};
        timer_t timer;
        int why = outcome(timer_create(CLOCK_MONOTONIC, &event, &timer));
        return why != 0 ? why : outcome(timer_settime(timer, 0, &later, NULL));
    }
    return strcmp(what, "nothing") == 0 ? 0 : EINVAL;
}

static bp_status create(const bp_create_args *args, bp_instance **instance, bp_text_buffer *error) {
    bp_instance *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return BP_STATUS_FAILED;
    }
    made->at = -1;
    for (uint32_t index = 0; index < args->params.len; index++) {
        const bp_param_value *param = BP_AT(bp_param_value, args->params, index);
        if (param->value.kind == BP_VALUE_INTEGER) {
            made->at = param->value.integer;
        } else if (param->value.kind != BP_VALUE_NONE) {
            char *place = index == 0 ? made->what : made->with;
            size_t room = (index == 0 ? sizeof made->what : sizeof made->with) - 1;
            size_t len = param->value.text.len < room ? param->value.text.len : room;
            memcpy(place, param->value.text.data, len);
        }
    }
    if (strcmp(made->what, "abort") == 0) {
        abort();
    }
    if (strcmp(made->what, "refuse") == 0) {
        size_t len = strlen(made->with);
        memcpy(error->data, made->with, len);
        error->len = (uint32_t)len;
        free(made);
        return BP_STATUS_FAILED;
    }
    *instance = made;
    return BP_STATUS_OK;
}

static bp_status decide(bp_instance *instance, const bp_view *view, bp_decision *decision, bp_text_buffer *error) {
    decision->index = 0;
    decision->question = view->question;
    for (uint32_t index = 0; index < view->legal.len; index++) {
        if (BP_AT(bp_legal_action, view->legal, index)->kind == BP_ACTION_HORA) {
            decision->index = index;
        }
    }
    if (instance->at >= 0 && instance->at != view->decision) {
        return BP_STATUS_OK;
    }
    int says = strcmp(instance->what, "say") == 0;
    int fails = strcmp(instance->what, "fail") == 0;
    int why = says || fails ? 0 : attempt(instance->what, instance->with);
    const char *words = says || fails ? instance->with : why == 0 ? "done" : strerror(why);
    size_t len = strlen(words);
    bp_text_buffer *place = fails ? error : &decision->reason;
    len = len < place->capacity ? len : place->capacity;
    memcpy(place->data, words, len);
    place->len = (uint32_t)len;
    return fails ? BP_STATUS_FAILED : BP_STATUS_OK;
}

static bp_status destroy(bp_instance *instance, bp_text_buffer *error) {
    (void)error;
    free(instance);
    return BP_STATUS_OK;
}

static const bp_param_descriptor params[] = {
    {
        .name = BP_TEXT("what"),
        .help = BP_TEXT("What it tries."),
        .kind = BP_VALUE_TEXT,
        .default_value = {.kind = BP_VALUE_TEXT, .text = BP_TEXT("nothing")},
    },
    {
        .name = BP_TEXT("with"),
        .help = BP_TEXT("With what."),
        .kind = BP_VALUE_TEXT,
        .default_value = {.kind = BP_VALUE_TEXT, .text = BP_TEXT("")},
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

#ifndef SHOWN
#define SHOWN "Tries what it should not."
#endif

static const bp_policy_descriptor policies[] = {{
    .id = BP_TEXT("probe"),
    .name = BP_TEXT(SHOWN),
    .version = BP_TEXT(SHOWN),
    .summary = BP_TEXT(SHOWN),
    .players = BP_PLAYERS_FOUR,
    .params = {params, 3, sizeof(bp_param_descriptor)},
    .create = create,
    .decide = decide,
    .destroy = destroy,
}};

static const bp_entry entry = {
    .struct_size = sizeof(bp_entry),
    .magic = BP_ENTRY_MAGIC,
    .abi_major = BP_ABI_MAJOR,
    .abi_minor = BP_ABI_MINOR,
    .build_id = BP_TEXT(SHOWN),
    .policies = {policies, 1, sizeof(bp_policy_descriptor)},
};

BP_EXPORT const bp_entry *bot_policy_entry(void) { return &entry; }
