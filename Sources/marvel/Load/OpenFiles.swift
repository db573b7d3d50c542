internal import Glibc

/// How many files, and so connections, this process may have open.
enum OpenFiles {
    /// What the program needs beside its connections.
    private static let others = 64

    /// Raises the limit as far as may be.
    ///
    /// - Throws: `LoadError` if that is not far enough.
    static func allow(connections: Int) throws(LoadError) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let needed = rlim_t(connections + others)
        guard limit.rlim_cur < needed else { return }
        limit.rlim_cur = limit.rlim_max
        let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        guard isRaised, limit.rlim_max >= needed else {
            throw .tooFewDescriptors(maximum: Int(clamping: limit.rlim_max), connections: connections)
        }
    }
}
