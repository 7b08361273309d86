// Starts a program as on a kernel that lacks something: `old-kernel landlock PROGRAM ARGUMENTS…`, or `seccomp`, or `nothing`.
#define _GNU_SOURCE

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Has a call fail with an error from now on.
static int refuse(unsigned call, unsigned error) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return -1;
    }
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

int main(int count, char **arguments) {
    enum { LANDLOCK_CREATE_RULESET = 444 };
    if (count < 3) {
        return 2;
    }
    int result = 0;
    if (strcmp(arguments[1], "landlock") == 0) {
        result = refuse(LANDLOCK_CREATE_RULESET, ENOSYS);
    } else if (strcmp(arguments[1], "seccomp") == 0) {
        result = refuse(SYS_seccomp, EINVAL);
    }
    if (result != 0) {
        perror("old-kernel");
        return 2;
    }
    execv(arguments[2], arguments + 2);
    perror(arguments[2]);
    return 2;
}
