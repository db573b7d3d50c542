internal import Glibc

/// The maximum number of descriptors, and so of connections, of this process.
package enum DescriptorLimit {
    /// The number of descriptors that a server needs besides its connections: files, listeners, event loops, timers,
    /// requests to other servers. If these lack a descriptor, more fails than a connection: libdispatch ends a process
    /// that has none for a timer.
    private static let reserved = 128

    /// Raises the soft limit to the hard one. If that is not permitted, the limit stays; this is no error.
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

    /// The number of connections for which there are descriptors, at least one.
    package static var connections: Int { max(current - reserved, 1) }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
