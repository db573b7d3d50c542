/* Preloaded into a program, a disk that fails: it stands between SQLite and the kernel, and the k-th call of a kind goes
 * wrong. What and when stands in the file that MARVEL_DISK_FAULTS names (FaultFile.swift writes it).
 *
 * strace can make calls fail too, but counts those of each thread, and a store's writer moves from thread to thread.
 * Here one count holds for the process, so that every call of a run can be met; and a write can be torn. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum operation { NO_OPERATION, WRITE, SYNC, TRUNCATE, OPERATIONS };

enum action {
    FAIL,            /* nothing is done, and the call fails */
    TEAR,            /* half is written, and the call fails */
    CUT_SHORT,       /* half is written, and the call says so: no error */
    KILL,            /* the process ends before it */
    TEAR_AND_KILL,   /* the process ends when half is written */
};

struct faults {
    _Atomic int64_t operation;      /* which is to go wrong */
    _Atomic int64_t first;          /* the number of the first that does, from 1 */
    _Atomic int64_t last;           /* and of the last */
    _Atomic int64_t action;
    _Atomic int64_t error;          /* errno of those that fail */
    _Atomic int64_t met;            /* how many went wrong */
    _Atomic int64_t counts[OPERATIONS];
};

static struct faults *faults;
static ssize_t (*real_pwrite64)(int, const void *, size_t, off64_t);
static int (*real_fdatasync)(int);
static int (*real_ftruncate64)(int, off64_t);

__attribute__((constructor)) static void begin(void) {
    real_pwrite64 = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    real_fdatasync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    real_ftruncate64 = (int (*)(int, off64_t))dlsym(RTLD_NEXT, "ftruncate64");
    const char *path = getenv("MARVEL_DISK_FAULTS");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *shared = mmap(NULL, sizeof(struct faults), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared != MAP_FAILED) faults = shared;
}

/* Counts the call. Whether it is to go wrong. */
static int is_met(enum operation operation) {
    if (!faults) return 0;
    int64_t number = atomic_fetch_add(&faults->counts[operation], 1) + 1;
    if (faults->operation != operation || number < faults->first || number > faults->last) return 0;
    atomic_fetch_add(&faults->met, 1);
    return 1;
}

static int failed(void) {
    errno = (int)faults->error;
    return -1;
}

static void end_process(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    if (!is_met(WRITE)) return real_pwrite64(file, bytes, count, offset);
    int64_t action = faults->action;
    ssize_t written = 0;
    if (action == TEAR || action == CUT_SHORT || action == TEAR_AND_KILL)
        written = real_pwrite64(file, bytes, (count + 1) / 2, offset);
    if (action == KILL || action == TEAR_AND_KILL) end_process();
    if (action == CUT_SHORT) return written;
    return failed();
}

static int without_halves(void) {
    if (faults->action == KILL || faults->action == TEAR_AND_KILL) end_process();
    return failed();
}

int fdatasync(int file) {
    return is_met(SYNC) ? without_halves() : real_fdatasync(file);
}

int ftruncate64(int file, off64_t length) {
    return is_met(TRUNCATE) ? without_halves() : real_ftruncate64(file, length);
}
