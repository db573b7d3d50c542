/*
 * Counts a program's allocations: preload it (LD_PRELOAD), and name in MALLOC_COUNT_FILE the file whose first eight
 * bytes shall hold the count. Whoever maps that file reads along while the program runs.
 *
 * The names with two underscores are glibc's own for what is wrapped here, so nothing has to be looked up, which
 * itself would allocate.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long unshared;
static atomic_long *count = &unshared;

__attribute__((constructor)) static void share_count(void) {
    const char *path = getenv("MALLOC_COUNT_FILE");
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (ftruncate(file, sizeof *count) == 0) {
        void *memory = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED) count = memory;
    }
    close(file);
}

static void add_one(void) { atomic_fetch_add_explicit(count, 1, memory_order_relaxed); }

void *malloc(size_t size) {
    add_one();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    add_one();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    add_one();
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    add_one();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *allocated = memalign(alignment, size);
    if (allocated == NULL) return ENOMEM;
    *memory = allocated;
    return 0;
}
