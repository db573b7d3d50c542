package import Glibc

/// A program that a test started. It ends with the test's process, however that ends.
///
/// Spawned here and not by Foundation's `Process`, whose children hold each other's descriptors when several are started
/// at once: the end of one is then not seen before the end of another.
package struct ChildProcess: Sendable {
    package let id: pid_t
    private let isWatched: Bool

    /// Starts a program with three descriptors and no other. Those that are not given are /dev/null.
    ///
    /// - Parameters:
    ///   - program: Its absolute path.
    ///   - arguments: Without the program's name.
    ///   - environment: `NAME=value`; nil: the test's own.
    ///   - input: Its standard input.
    ///   - output: Its standard output.
    ///   - errors: Its standard error.
    ///   - inherited: Further descriptors that it has, as 3, 4 and so on.
    ///   - isDetached: Whether it is in a session of its own, where no Ctrl-C reaches it, and ends by itself with its
    ///     input.
    /// - Throws: `ChildProcessError` if it cannot be started.
    package init(
        _ program: String,
        _ arguments: [String],
        environment: [String]? = nil,
        input: Int32? = nil,
        output: Int32? = nil,
        errors: Int32? = nil,
        inherited: [Int32] = [],
        isDetached: Bool = false
    ) throws(ChildProcessError) {
        // Above the numbers that they get, so that none is overwritten before its turn.
        let sources = inherited.map { fcntl($0, F_DUPFD_CLOEXEC, STDERR_FILENO + 1 + Int32(inherited.count)) }
        defer { for source in sources { close(source) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            } else {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
        }
        var next = STDERR_FILENO + 1
        for source in sources {
            posix_spawn_file_actions_adddup2(&actions, source, next)
            next += 1
        }
        // The child would inherit the open descriptors of other tests. Closing an unused number does nothing.
        for descriptor in next..<4_096 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The thread that a test runs on has signals blocked, and a child would inherit that: no signal would end it.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // spawn.h has the second in a form that Swift does not read.
        let newSession: Int32 = 0x80
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | (isDetached ? newSession : 0)))
        var argumentPointers = ([program] + arguments).map { strdup($0) } + [nil]
        var environmentPointers = (environment ?? []).map { strdup($0) } + [nil]
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        var id = pid_t()
        let failure = environmentPointers.withUnsafeMutableBufferPointer { pointers in
            posix_spawn(
                &id,
                program,
                &actions,
                &attributes,
                &argumentPointers,
                environment == nil ? environ : pointers.baseAddress
            )
        }
        guard failure == 0 else { throw ChildProcessError(call: "posix_spawn", number: failure) }
        self.id = id
        isWatched = !isDetached
        if isWatched { EndWatch.shared.began(id) }
    }

    package func send(_ signal: Int32) {
        kill(id, signal)
    }

    /// Waits for the program's end, and blocks meanwhile. To be called once.
    ///
    /// - Returns: Its exit status, or 128 and the number of the signal that ended it, as the shell has it.
    @discardableResult
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        if isWatched { EndWatch.shared.ended(id) }
        // wait(2): the low seven bits are the signal, the byte above them the program's own status.
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
}

/// A call of the system that failed, and its `errno`.
package struct ChildProcessError: Error {
    package var call: String
    package var number: Int32

    package init(call: String, number: Int32) { (self.call, self.number) = (call, number) }
}
