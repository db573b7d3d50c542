/* Preloaded into a program, a disk that fails: it stands between SQLite and the kernel, and the k-th call of a kind goes
 * wrong. The file that MARVEL_DISK_FAULTS names describes the fault and its call (FaultFile.swift writes it).
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
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum call { NO_CALL, WRITE, SYNC, TRUNCATE, CALLS };

enum effect {
    FAIL,            /* nothing is done, and the call fails */
    TEAR,            /* half is written, and the call fails */
    CUT_SHORT,       /* half is written, and the call says so: no error */
    KILL,            /* the process ends before it */
    TEAR_AND_KILL,   /* the process ends when half is written */
    SPOIL_AND_KILL,  /* the process ends when all is written, one bit of it wrong */
};

struct faults {
    _Atomic int64_t call;           /* which kind is to go wrong */
    _Atomic int64_t first;          /* the number of the first that does, from 1 */
    _Atomic int64_t last;           /* and of the last */
    _Atomic int64_t effect;
    _Atomic int64_t error;          /* errno of those that fail */
    _Atomic int64_t met;            /* how many went wrong */
    _Atomic int64_t counts[CALLS];  /* how many there were of each kind */
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
static int goes_wrong(enum call call) {
    if (!faults) return 0;
    int64_t number = atomic_fetch_add(&faults->counts[call], 1) + 1;
    if (faults->call != call || number < faults->first || number > faults->last) return 0;
    atomic_fetch_add(&faults->met, 1);
    return 1;
}

static void end_process(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* Nothing of it is done. */
static int fail(void) {
    if (faults->effect == KILL) end_process();
    errno = (int)faults->error;
    return -1;
}

static ssize_t write_half(int file, const void *bytes, size_t count, off64_t offset) {
    return real_pwrite64(file, bytes, (count + 1) / 2, offset);
}

static void write_spoiled(int file, const void *bytes, size_t count, off64_t offset) {
    char *copy = malloc(count);
    if (!copy) return;
    memcpy(copy, bytes, count);
    copy[count / 2] ^= 1;
    real_pwrite64(file, copy, count, offset);
    free(copy);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    if (!goes_wrong(WRITE)) return real_pwrite64(file, bytes, count, offset);
    switch (faults->effect) {
    case CUT_SHORT:
        return write_half(file, bytes, count, offset);
    case TEAR:
        write_half(file, bytes, count, offset);
        break;
    case TEAR_AND_KILL:
        write_half(file, bytes, count, offset);
        end_process();
        break;
    case SPOIL_AND_KILL:
        write_spoiled(file, bytes, count, offset);
        end_process();
        break;
    default:
        break;
    }
    return fail();
}

/* SQLite does not look at what syncing a folder comes to: only files are counted. */
static int is_folder(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
}

int fdatasync(int file) { return !is_folder(file) && goes_wrong(SYNC) ? fail() : real_fdatasync(file); }

int ftruncate64(int file, off64_t length) {
    return goes_wrong(TRUNCATE) ? fail() : real_ftruncate64(file, length);
}
