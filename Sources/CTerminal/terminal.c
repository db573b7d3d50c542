#include "CTerminal.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
enum { fault_count = sizeof faults / sizeof faults[0] };

// Written before `is_raw` is set (`former_actions`: together with each handler). While `is_raw` is true, a signal
// handler on any thread may read them.
static int terminal;
static struct termios former;
static struct sigaction former_actions[fault_count];
static char leave[1024];
static size_t leave_count;
static atomic_bool is_raw;

static void write_all(const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(terminal, bytes, count);
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

// Calls only async-signal-safe functions (POSIX.1-2017, 2.4.3).
void marvel_terminal_abandon(void) {
    if (!atomic_exchange(&is_raw, false)) return;
    write_all(leave, leave_count);
    tcsetattr(terminal, TCSANOW, &former);
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

int marvel_terminal_make_raw(int descriptor, const void *bytes, size_t count) {
    if (atomic_load(&is_raw)) return EBUSY;
    if (count > sizeof leave) return EINVAL;
    if (tcgetattr(descriptor, &former) != 0) return errno;
    terminal = descriptor;
    memcpy(leave, bytes, count);
    leave_count = count;

    struct termios raw = former;
    cfmakeraw(&raw);
    // TCSADRAIN keeps the input that was typed before.
    if (tcsetattr(descriptor, TCSADRAIN, &raw) != 0) return errno;
    atomic_store(&is_raw, true);

    struct sigaction action = {.sa_handler = fault, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < fault_count; i++) sigaction(faults[i], &action, &former_actions[i]);
    return 0;
}

void marvel_terminal_renew(void) {
    if (!atomic_load(&is_raw)) return;
    // In the background, setting the mode would stop the process (SIGTTOU).
    if (tcgetpgrp(terminal) != getpgrp()) return;
    struct termios raw = former;
    cfmakeraw(&raw);
    tcsetattr(terminal, TCSANOW, &raw);
}

void marvel_terminal_restore(void) {
    if (!atomic_exchange(&is_raw, false)) return;
    for (int i = 0; i < fault_count; i++) sigaction(faults[i], &former_actions[i], NULL);
    // TCSAFLUSH drops unread input: the shell must not read a late reply of the terminal as a command.
    tcsetattr(terminal, TCSAFLUSH, &former);
}
