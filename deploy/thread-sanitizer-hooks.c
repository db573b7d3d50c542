// Shows the thread sanitizer how Swift's own libraries, which are not instrumented, hand memory from one thread to
// another. Where it does not see that, it reports every access as a race. Preloaded, what is here stands before the
// libraries' own functions.
//
// Synchronization.Mutex: its fast path is inlined and seen, but not its slow one, where threads contend for it and the
// kernel hands the lock on.
//
// Continuations: resuming one is told to the sanitizer, and so is continuing a task that was suspended. But a task
// whose continuation is resumed before it suspends, or meanwhile, continues without a word.
//
// ByteBuffer: who holds the last reference to its memory changes that in place. That another thread, which has read it,
// has released its reference before is known by the count of references alone. The program has to export its type.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Absent where the program is not sanitized, or not Swift's: the build tool that starts it, for one.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);
__attribute__((weak, swiftcall)) void *swift_task_getCurrent(void);
extern __attribute__((weak)) const char byte_buffer_storage __asm__("$s7NIOCore10ByteBufferV8_StorageCN");

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

typedef SWIFT void (*lock_function)(uint32_t thread, SELF);
typedef SWIFT void (*unlock_function)(SELF);
typedef SWIFT void (*deallocate_function)(void *memory);
typedef SWIFT bool (*unique_function)(void **reference, const void *type);
typedef void (*release_function)(void *object);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void lock_slow(uint32_t thread, SELF) {
    static lock_function next;
    if (!next) next = (lock_function)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    next(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
SWIFT void unlock_slow(SELF) {
    static unlock_function next;
    if (!next) next = (unlock_function)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    if (__tsan_release) __tsan_release(self);
    next(self);
}

// Is called by what has awaited an asynchronous function, as soon as that has returned. Whoever resumes a task releases
// the task.
SWIFT void swift_task_dealloc(void *memory) {
    static deallocate_function next;
    if (!next) next = (deallocate_function)dlsym(RTLD_NEXT, "swift_task_dealloc");
    next(memory);
    void *task = __tsan_acquire && swift_task_getCurrent ? swift_task_getCurrent() : 0;
    if (task) __tsan_acquire(task);
}

// An object begins with the address of its type.
static bool is_byte_buffer_storage(void *object) {
    return &byte_buffer_storage && object && *(const char **)object == &byte_buffer_storage;
}

void swift_release(void *object) {
    static release_function next;
    if (!next) next = (release_function)dlsym(RTLD_NEXT, "swift_release");
    if (__tsan_release && is_byte_buffer_storage(object)) __tsan_release(object);
    next(object);
}

SWIFT bool is_uniquely_referenced(void **reference, const void *type) __asm__(
    "$ss25isKnownUniquelyReferencedySbxzRlzClF");
SWIFT bool is_uniquely_referenced(void **reference, const void *type) {
    static unique_function next;
    if (!next) next = (unique_function)dlsym(RTLD_NEXT, "$ss25isKnownUniquelyReferencedySbxzRlzClF");
    bool is_unique = next(reference, type);
    if (is_unique && __tsan_acquire && is_byte_buffer_storage(*reference)) __tsan_acquire(*reference);
    return is_unique;
}
