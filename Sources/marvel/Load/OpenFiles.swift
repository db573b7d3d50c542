internal import Glibc

/// The limit of open files, and so of connections, of this process.
enum OpenFiles {
    /// The number of files that the program needs besides its connections.
    private static let others = 64

    /// Raises the limit to the maximum.
    ///
    /// - Throws: `LoadError` if the maximum is too low.
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
