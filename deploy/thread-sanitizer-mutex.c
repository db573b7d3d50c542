// Shows the thread sanitizer what Synchronization.Mutex does when threads contend for it.
//
// The standard library is not instrumented. The sanitizer sees the mutex's fast path, which is inlined, but not its
// slow one, where the kernel hands the lock from one thread to the next; it then reports every access under the lock
// as a race. Preloaded, these two stand before the library's own and tell it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Absent where the program is not sanitized: the build tool that starts it, for one.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

typedef SWIFT void (*lock_function)(uint32_t thread, SELF);
typedef SWIFT void (*unlock_function)(SELF);

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
