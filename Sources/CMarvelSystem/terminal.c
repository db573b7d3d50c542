#include "CMarvelSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
enum { fault_count = sizeof faults / sizeof faults[0] };

// Only who has set the state to `changing` writes these (a handler is installed together with its former action). While
// it is `raw`, a signal handler on any thread may read them.
static int terminal;
static struct termios former;
static struct sigaction former_actions[fault_count];
static char leave[1024];
static size_t leave_count;
enum { unused, changing, raw };
static atomic_int state;

// Takes the terminal in one state for a change, which ends with storing the next state. Returns 0 if it is in another.
static int begin_change(int expected) { return atomic_compare_exchange_strong(&state, &expected, changing); }

// Writes without blocking: the terminal may have stopped reading, and another thread may be inside a write to it. Ends
// after at most 0.2 s.
static void write_leave(void) {
    int flags = fcntl(terminal, F_GETFL);
    fcntl(terminal, F_SETFL, flags | O_NONBLOCK);
    size_t done = 0;
    for (int attempt = 0; attempt < 10 && done < leave_count; attempt++) {
        ssize_t written = write(terminal, leave + done, leave_count - done);
        if (written > 0)
            done += (size_t)written;
        else
            poll(NULL, 0, 20);
    }
    fcntl(terminal, F_SETFL, flags);
}

// Calls only async-signal-safe functions (POSIX.1-2017, 2.4.3).
void marvel_terminal_abandon(void) {
    if (!begin_change(raw)) return;
    write_leave();
    tcsetattr(terminal, TCSANOW, &former);
    atomic_store(&state, unused);
}

static void fault(int number) {
    int saved = errno;
    marvel_terminal_abandon();
    for (int i = 0; i < fault_count; i++)
        if (faults[i] == number) sigaction(number, &former_actions[i], NULL);
    errno = saved;
    // A real fault would repeat when this returns. A signal that was sent with `kill` would not, so it is raised again.
    raise(number);
}

static int set_raw(int descriptor, int when) {
    struct termios mode = former;
    cfmakeraw(&mode);
    return tcsetattr(descriptor, when, &mode) == 0 ? 0 : errno;
}

int marvel_terminal_make_raw(int descriptor, const void *bytes, size_t count) {
    if (count > sizeof leave) return EINVAL;
    if (!begin_change(unused)) return EBUSY;
    terminal = descriptor;
    memcpy(leave, bytes, count);
    leave_count = count;
    int error = tcgetattr(descriptor, &former) == 0 ? 0 : errno;
    // TCSADRAIN keeps the input that was typed before.
    if (error == 0) error = set_raw(descriptor, TCSADRAIN);
    atomic_store(&state, error == 0 ? raw : unused);
    if (error != 0) return error;

    struct sigaction action = {.sa_handler = fault, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < fault_count; i++) sigaction(faults[i], &action, &former_actions[i]);
    return 0;
}

void marvel_terminal_renew(void) {
    if (atomic_load(&state) != raw) return;
    // In the background, setting the mode would stop the process (SIGTTOU).
    if (tcgetpgrp(terminal) != getpgrp()) return;
    set_raw(terminal, TCSANOW);
}

void marvel_terminal_restore(void) {
    if (!begin_change(raw)) return;
    for (int i = 0; i < fault_count; i++) sigaction(faults[i], &former_actions[i], NULL);
    // TCSAFLUSH drops unread input: the shell must not read a late reply of the terminal as a command.
    tcsetattr(terminal, TCSAFLUSH, &former);
    atomic_store(&state, unused);
}
