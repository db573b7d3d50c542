#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>

/// Puts the terminal into raw mode, and back into the mode that it had when the process is killed by a fault of its own.
///
/// On such a fault (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS) it writes `leave`, sets the former mode,
/// and lets the signal do what it would have done.
///
/// - `terminal`: a descriptor of the terminal, open until `marvel_terminal_restore`.
/// - `leave`: copied; at most 1,024 bytes.
///
/// Returns 0, or an errno. One terminal at a time: a second call without a restore in between is EBUSY.
int marvel_terminal_make_raw(int terminal, const void *leave, size_t count);

/// Puts the terminal into raw mode again, after somebody else has changed its mode while the process was stopped. Does
/// nothing if there is no raw terminal, or if the process is in the background.
void marvel_terminal_renew(void);

/// Sets the mode that the terminal had, drops what nobody has read of it, and watches for faults no more. Without a raw
/// terminal it does nothing.
void marvel_terminal_restore(void);

/// What happens on a fault, for a process that is about to end without going back: writes `leave`, and sets the mode.
/// Any thread may call it, at any time.
void marvel_terminal_abandon(void);

#endif
