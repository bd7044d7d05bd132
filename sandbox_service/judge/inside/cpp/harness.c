/* The half of the harness that the solution is never compiled with. C and C++.
 *
 * It is linked first, so its entry in .preinit_array runs before all code of the solution: it takes from descriptor 3
 * one secret word for each thing that can be reported, closes the descriptor, and moves descriptor 4 elsewhere. A
 * report is such a word on a line of its own. Words lie in a page that can be read only while one of them is sent,
 * and that a forked process has not. A failure destroys the words that would say that all went well, so whoever finds
 * the page later than that finds nothing to lie with.
 *
 * System calls are made by instructions of ours: the solution may have its own `write`, and anything else.
 */
#include "JUDGE.h"

/* Compiles in a third of the time, and no loop becomes a call of `memset` or the like. */
#pragma GCC optimize("O0")

/* One word a case that passed, one a case that failed, and these. */
enum { CLEAN = 2 * JUDGE_CASES, UNCLEAN, STATUS, BURNT, FOREIGN, RAISED, WORDS };
enum { READ_WRITE = 3, PRIVATE_ANONYMOUS = 0x22, WIPE_ON_FORK = 18, DUP_CLOEXEC = 1030, AGAIN = -11, INTERRUPTED = -4 };

#if defined(__x86_64__)
enum { READ = 0, WRITE = 1, CLOSE = 3, MMAP = 9, MPROTECT = 10, YIELD = 24, MADVISE = 28, GETPID = 39, KILL = 62,
       FCNTL = 72, EXIT_GROUP = 231 };
static long call(long number, long a, long b, long c, long d, long e, long f) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
enum { READ = 63, WRITE = 64, CLOSE = 57, MMAP = 222, MPROTECT = 226, YIELD = 124, MADVISE = 233, GETPID = 172,
       KILL = 129, FCNTL = 25, EXIT_GROUP = 94 };
static long call(long number, long a, long b, long c, long d, long e, long f) {
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}
#else
#error "system calls of this machine are not known"
#endif

static const unsigned char always = 1;
const volatile unsigned char *JUDGE_flag = &always;
static volatile JUDGE_key *words; /* 0: nobody listens */
static long self, out = -1;
static char lock;
static JUDGE_key done;
static unsigned char told[JUDGE_CASES]; /* 1: that it passed, 2: that it failed */
static int begun[JUDGE_CASES];

static long pages(unsigned long size) {
    long at = call(MMAP, 0, (long)size, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
    call(MADVISE, at, (long)size, WIPE_ON_FORK, 0, 0, 0);
    return at;
}

static void start(void) {
    const unsigned long size = WORDS * sizeof(JUDGE_key);
    const long at = pages(size);
    volatile unsigned char *flag;
    unsigned long have = 0;
    while (have < size) {
        const long got = call(READ, 3, (long)(at + have), (long)(size - have), 0, 0, 0);
        if (got <= 0 && got != INTERRUPTED) return;
        have += got > 0 ? (unsigned long)got : 0;
    }
    words = (volatile JUDGE_key *)at;
    out = call(FCNTL, 4, DUP_CLOEXEC, 64 + (long)(words[UNCLEAN] & 127), 0, 0, 0);
    if (out < 0) out = call(FCNTL, 4, DUP_CLOEXEC, 5, 0, 0, 0);
    call(CLOSE, 3, 0, 0, 0, 0, 0);
    call(CLOSE, 4, 0, 0, 0, 0, 0);
    call(MPROTECT, at, (long)size, 0, 0, 0, 0);
    flag = (volatile unsigned char *)pages(1);
    *flag = 1;
    JUDGE_flag = flag;
    self = call(GETPID, 0, 0, 0, 0, 0, 0);
}

__attribute__((section(".preinit_array"), used)) static void (*first)(void) = start;

/* The word, which can be had once. Whatever is not a case that passed takes away what would say that all is well. */
static JUDGE_key take(unsigned number) {
    JUDGE_key word;
    unsigned other;
    const long size = WORDS * sizeof(JUDGE_key);
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) call(YIELD, 0, 0, 0, 0, 0, 0);
    call(MPROTECT, (long)words, size, READ_WRITE, 0, 0, 0);
    word = words[number];
    words[number] = 0;
    if (number >= JUDGE_CASES) words[CLEAN] = 0;
    if (number >= JUDGE_CASES && number < CLEAN) words[number - JUDGE_CASES] = 0;
    if (number == FOREIGN)
        for (other = 0; other < JUDGE_CASES; other++) words[other] = 0;
    call(MPROTECT, (long)words, size, 0, 0, 0, 0);
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    return word;
}

/* A line of its own, in one piece, wherever the solution may have left off in the middle of one. */
static void tell(unsigned number, JUDGE_key key, const char *text) {
    char line[160];
    long size = 0, sent;
    int digit;
    JUDGE_key word;
    if (!words || !(word = take(number))) return;
    word ^= key;
    line[size++] = '\n';
    for (digit = 60; digit >= 0; digit -= 4) line[size++] = "0123456789abcdef"[word >> digit & 15];
    for (; text && *text && size < 150; text++) line[size++] = *text > ' ' && *text < 127 ? *text : '?';
    line[size++] = '\n';
    while ((sent = call(WRITE, out, (long)line, size, 0, 0, 0)) == AGAIN || sent == INTERRUPTED)
        call(YIELD, 0, 0, 0, 0, 0, 0);
}

/* A forked process that has come back from the solution to the test text has no business there: it could try an
 * answer and see what becomes of it. */
int JUDGE_alive(void) {
    if (!*JUDGE_flag) {
        call(KILL, self, 9, 0, 0, 0, 0);
        call(EXIT_GROUP, 1, 0, 0, 0, 0, 0);
    }
    return 0;
}

int JUDGE_begin(unsigned number) {
    begun[number]++;
    return 0;
}

int JUDGE_pass(unsigned number, JUDGE_key key) {
    JUDGE_alive();
    begun[number]--;
    if (!told[number]) {
        told[number] = 1;
        tell(number, key, 0);
    }
    return 0;
}

int JUDGE_fail(unsigned number) {
    JUDGE_alive();
    begun[number]--;
    if (told[number] != 2) {
        told[number] = 2;
        tell(JUDGE_CASES + number, 0, 0);
    }
    return 0;
}

/* The test text is about to say that something is wrong, in its own way. */
int JUDGE_burn(void) {
    JUDGE_alive();
    tell(BURNT, 0, 0);
    return 0;
}

/* The end of `main`, whose key only the test text knows. */
int JUDGE_done(JUDGE_key key) {
    done = key;
    return 0;
}

static void finish(int status) {
    unsigned number;
    JUDGE_alive();
    for (number = 0; number < JUDGE_CASES; number++)
        if (begun[number] > 0) JUDGE_fail(number); /* what it asked for was never answered */
    if (status) tell(STATUS, 0, 0);
    tell(CLEAN, done, 0);
    tell(UNCLEAN, 0, 0);
}

#ifdef __cplusplus
extern "C" {
#endif
void exit(int) __attribute__((noreturn));
int __real_main(int, char **, char **);
int __wrap_main(int, char **, char **);
#ifdef __cplusplus
void *__cxa_current_exception_type();
}
#endif

void JUDGE_exit(JUDGE_key key, int status) {
    JUDGE_done(key);
    finish(status);
    exit(status);
}

/* The linker lets calls of `main` end up here (--wrap=main). */
int __wrap_main(int count, char **arguments, char **environment) {
    int status;
#ifdef __cplusplus
    try {
        status = __real_main(count, arguments, environment);
    } catch (...) {
        const char *const *type = (const char *const *)__cxa_current_exception_type(); /* vtable, then the name */
        tell(RAISED, 0, type ? type[1] : 0);
        throw;
    }
#else
    status = __real_main(count, arguments, environment);
#endif
    finish(status);
    return status;
}

int JUDGE_strcmp(const char *one, const char *other) {
    while (*one && *one == *other) one++, other++;
    return (unsigned char)*one - (unsigned char)*other;
}

int JUDGE_strncmp(const char *one, const char *other, unsigned long most) {
    while (most && *one && *one == *other) one++, other++, most--;
    return most ? (unsigned char)*one - (unsigned char)*other : 0;
}

int JUDGE_memcmp(const void *one, const void *other, unsigned long size) {
    const unsigned char *a = (const unsigned char *)one, *b = (const unsigned char *)other;
    for (; size && *a == *b; size--) a++, b++;
    return size ? *a - *b : 0;
}

#ifndef __cplusplus
/* What is no number is near to none. */
double JUDGE_fabs(double x) { return x != x ? __builtin_inf() : x < 0 ? -x : x; }
float JUDGE_fabsf(float x) { return (float)JUDGE_fabs(x); }
#endif

static int named(const char *text, unsigned long size, const char *name) {
    while (size && *name && *text == *name) text++, name++, size--;
    return !size && !*name;
}

/* The last name in that of a type, without its arguments. `type` ends as in __PRETTY_FUNCTION__, and may be of a class
 * within a function: `f(std::vector<int>)::Own<int>]`. */
static const char *last_name(const char *type, unsigned long *size) {
    const char *from = type, *to = 0;
    long depth = 0;
    for (; *type && (depth || (*type != ']' && *type != ';')); type++) {
        if (!depth && *type == ':') from = type + 1, to = 0;
        if (*type == '<' || *type == '(') to = depth++ || to ? to : type;
        if (*type == '>' || *type == ')') depth--;
    }
    *size = (unsigned long)((to ? to : type) - from);
    return from;
}

/* Whether the test text names this class. */
int JUDGE_known(const char *type) {
    static const char *const names[] = {JUDGE_NAMES 0};
    unsigned long size, number;
    const char *name = last_name(type, &size);
    for (number = 0; names[number]; number++)
        if (named(name, size, names[number])) return 1;
    return 0;
}

/* A value of this class came back from the solution. One that the text does not name says what the solution wants; a
 * function without a name (`<lambda(int)>`) can only be called. */
int JUDGE_vet(const char *type) {
    unsigned long size;
    const int closure = named(last_name(type, &size), 8, "<lambda(");
    if (!closure && !JUDGE_known(type)) tell(FOREIGN, 0, 0);
    return 0;
}
