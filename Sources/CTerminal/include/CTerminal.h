#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>

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

#endif
