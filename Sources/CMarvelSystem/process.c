#define _GNU_SOURCE
#include "CMarvelSystem.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>

#ifdef __linux__
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#endif

void marvel_limit_arenas(int count) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, count);
#else
    (void)count;
#endif
}

int marvel_forbid_dumps(void) {
    const struct rlimit none = {0, 0};
    int is_done = setrlimit(RLIMIT_CORE, &none) == 0;
#ifdef __linux__
    // A limit of 0 does not hold for a core that is piped to a program; this does.
    is_done = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && is_done;
#endif
    return is_done;
}

void marvel_limit_sending(int socket, int seconds) {
    const struct timeval timeout = {seconds, 0};
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
}

static void *wait_for_mutex(void *mutex) {
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

int marvel_can_start_threads(int count) {
    enum { maximum = 1024 };
    pthread_t threads[maximum];
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    if (count > maximum) count = maximum;
    pthread_mutex_lock(&mutex);
    int started = 0;
    while (started < count && pthread_create(&threads[started], NULL, wait_for_mutex, &mutex) == 0) started++;
    pthread_mutex_unlock(&mutex);
    for (int index = 0; index < started; index++) pthread_join(threads[index], NULL);
    return started == count;
}

#ifdef __linux__
static int release_file_pages(struct dl_phdr_info *file, size_t size, void *page_size) {
    (void)size;
    const uintptr_t page = *(const uintptr_t *)page_size;
    for (int index = 0; index < file->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &file->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        const uintptr_t start = (file->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
        const uintptr_t end = (file->dlpi_addr + segment->p_vaddr + segment->p_memsz) & ~(page - 1);
        if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}
#endif

void marvel_release_file_pages(void) {
#ifdef __linux__
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    dl_iterate_phdr(release_file_pages, &page);
#endif
}
