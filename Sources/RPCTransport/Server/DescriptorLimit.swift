internal import Glibc

/// How many descriptors, and so connections, this process may have.
package enum DescriptorLimit {
    /// What a server needs beside its connections: files, listeners, event loops, timers, requests to others. Where
    /// those find no descriptor, more fails than a connection: libdispatch ends the process that has none for a timer.
    private static let reserved = 128

    /// Raises the soft limit to the hard one. Not being allowed to is no error: the limit stays.
    ///
    /// - Returns: The limit that holds now.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        return current
    }

    package static var current: Int {
        var limit = rlimit()
        getrlimit(resource, &limit)
        return Int(clamping: limit.rlim_cur)
    }

    /// Connections that there are descriptors for, at least one.
    package static var connections: Int { max(current - reserved, 1) }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
