internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import RPCCore

/// The lookup of host names by the system's resolver, on the threads that may block.
enum HostNames {
    /// A host name that stands for no address, as far as the system can tell.
    struct LookupError: Error, CustomStringConvertible {
        let host: String
        /// The resolver's text.
        let cause: String

        var description: String { "no address for \(host): \(cause)" }
    }

    /// Finds out the addresses of a host name, in the order in which the system prefers them (RFC 6724).
    ///
    /// - Parameters:
    ///   - address: The host name with its port. An address without a host name stands for itself.
    ///   - eventLoop: The event loop of the result.
    /// - Returns: At least one address; fails with `LookupError`.
    @Sendable static func lookUp(
        _ address: ServerAddress,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<[ServerAddress]> {
        guard case .tcp(let host, let port) = address, address.isHostName else {
            return eventLoop.makeSucceededFuture([address])
        }
        return NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) {
            try addresses(of: host).map { .tcp(host: $0, port: port) }
        }
    }

    private static func addresses(of host: String) throws(LookupError) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &first)
        guard status == 0 else { throw LookupError(host: host, cause: String(cString: gai_strerror(status))) }
        defer { freeaddrinfo(first) }
        var found: [String] = []
        var next = first
        while let info = next {
            if let text = numericText(info.pointee) { found.append(text) }
            next = info.pointee.ai_next
        }
        guard !found.isEmpty else { throw LookupError(host: host, cause: "it has no reachable address") }
        return found
    }

    private static func numericText(_ info: addrinfo) -> String? {
        guard info.ai_family == AF_INET || info.ai_family == AF_INET6, let address = info.ai_addr else { return nil }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let count = socklen_t(text.count)
        guard getnameinfo(address, info.ai_addrlen, &text, count, nil, 0, NI_NUMERICHOST) == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
