#ifndef MARVEL_RPC_CMARVEL_SYSTEM_H
#define MARVEL_RPC_CMARVEL_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

// The terminal.

/// Puts the terminal into raw mode, and installs handlers for fatal signals that restore the former mode.
///
/// On such a signal (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS) the handler writes `leave`, sets the
/// former mode, and then raises the signal again with its former action.
///
/// - `terminal`: a descriptor of the terminal, which stays open until `marvel_terminal_restore`.
/// - `leave`: the bytes to write on a fatal signal. They are copied; at most 1,024 bytes.
///
/// Returns 0, or an errno. Only one terminal at a time: a second call without a restore in between returns EBUSY.
int marvel_terminal_make_raw(int terminal, const void *leave, size_t count);

/// Puts the terminal into raw mode again, after another program has changed its mode while this process was stopped.
/// Does nothing if there is no raw terminal, or if the process is in the background.
void marvel_terminal_renew(void);

/// Restores the former mode of the terminal, drops unread input, and removes the signal handlers. Does nothing if there
/// is no raw terminal.
void marvel_terminal_restore(void);

/// Writes `leave` and restores the former mode, as on a fatal signal, for a process that is about to end without
/// `marvel_terminal_restore`. Any thread may call it, at any time, also in a signal handler.
void marvel_terminal_abandon(void);

// The process.

/// Has malloc keep no more than that many arenas; where there is no such setting, nothing happens.
void marvel_limit_arenas(int count);

/// Takes the pages of the program's and its libraries' files that are not writable out of the process. Each is
/// mapped again, from the page cache, when it is used. On other systems than Linux nothing happens.
void marvel_release_file_pages(void);

/// Starts that many threads, at most 1,024, and ends them again. Returns whether all could exist at the same time.
int marvel_can_start_threads(int count);

/// Keeps the memory of the process from others: no core file is written when it crashes, and only root may read its memory
/// or attach a debugger. On other systems than Linux only core files are forbidden.
///
/// Returns whether all of it was possible.
int marvel_forbid_dumps(void);

/// Has a call that sends on a socket fail after that many seconds without room.
void marvel_limit_sending(int socket, int seconds);

/// Has the processor read the memory at an address into its cache, because it is used soon. Any address is allowed.
static inline void marvel_prefetch(const void *address) { __builtin_prefetch(address); }

// Files.

/// Reads the device and the inode of the file of that name, and nothing else. Returns whether there is one.
///
/// `stat` also reads the times. Since Linux 6.13 the next write to a file whose times were read gives it new ones, even if
/// the clock has not ticked since the last write. `fdatasync` then writes the inode too, and waits for it.
int marvel_file_identity(const char *path, uint64_t *device, uint64_t *inode);

/// The same for an open file.
int marvel_open_file_identity(int descriptor, uint64_t *device, uint64_t *inode);

#endif
