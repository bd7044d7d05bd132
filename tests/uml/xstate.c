/* Lets user-mode Linux run on processors whose register state is larger than it knows.
 *
 * Kernels older than 6.13 keep 2696 bytes of it. The host takes only the whole: where it is larger (AMX) it refuses, and
 * the first process inside dies. Laid before libc's, this ptrace gives the host the rest back as it was. */
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char state[1 << 16]; /* not on the stack, which is small in there; only one thread comes by */

long ptrace(enum __ptrace_request request, ...) {
    va_list rest;
    va_start(rest, request);
    long pid = va_arg(rest, pid_t);
    void *address = va_arg(rest, void *), *data = va_arg(rest, void *);
    va_end(rest);
    struct iovec *known = data, whole = {state, sizeof state};
    if (request == PTRACE_SETREGSET && (long)address == NT_X86_XSTATE) {
        if (syscall(SYS_ptrace, PTRACE_GETREGSET, pid, address, &whole) == 0) {
            memcpy(state, known->iov_base, known->iov_len < whole.iov_len ? known->iov_len : whole.iov_len);
            data = &whole;
        }
    } else if (request == PTRACE_PEEKTEXT || request == PTRACE_PEEKDATA || request == PTRACE_PEEKUSER) {
        long word, result = syscall(SYS_ptrace, request, pid, address, &word);
        if (result == 0) errno = 0;
        return result == 0 ? word : result;
    }
    return syscall(SYS_ptrace, request, pid, address, data);
}
