internal import Glibc
internal import NIOCore
package import RPCCore

/// It stays open until the process ends, so connections wait in its queue while the server does not accept them.
package struct InheritedSocket: Sendable, Hashable {
    package let descriptor: Int32
    package let name: String
    package let address: ServerAddress

    /// Keeps the socket from the children of this process. Throws unless it is a listening stream socket.
    init(descriptor: Int32, name: String) throws(StartupError) {
        let isListening = Self.option(SO_ACCEPTCONN, of: descriptor) == 1
        guard Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue), isListening,
            let address = Self.address(of: descriptor)
        else {
            throw StartupError(
                .configuration,
                "the descriptor \(descriptor), named \(name), is not a listening TCP or unix socket"
            )
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
        self.name = name
        self.address = address
    }

    /// Removes the variables. `names` are those that the service knows. Throws `StartupError` for an unexpected one.
    package static func takeAll(
        environment: [String: String],
        names: [String]
    ) throws(StartupError) -> [InheritedSocket] {
        for variable in SocketActivation.variables { unsetenv(variable) }
        var sockets: [InheritedSocket] = []
        for passed in try SocketActivation.passed(environment: environment, processID: getpid(), names: names) {
            sockets.append(try InheritedSocket(descriptor: passed.descriptor, name: passed.name))
        }
        return sockets
    }

    /// Nil if the descriptor is not a socket.
    private static func option(_ option: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, option, &value, &length) == 0 ? value : nil
    }

    /// Nil for another family than TCP and unix sockets.
    private static func address(of descriptor: Int32) -> ServerAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutableBytes(of: &storage) { bytes in
            getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        guard result == 0 else { return nil }
        let family = Int32(storage.ss_family)
        return withUnsafeBytes(of: &storage) { bytes -> ServerAddress? in
            switch family {
            case AF_INET: ServerAddress(SocketAddress(bytes.loadUnaligned(as: sockaddr_in.self)))
            case AF_INET6: ServerAddress(SocketAddress(bytes.loadUnaligned(as: sockaddr_in6.self)))
            case AF_UNIX: unix(bytes[..<min(Int(length), bytes.count)].dropFirst(MemoryLayout<sa_family_t>.size))
            default: nil
            }
        }
    }

    /// A name in the abstract namespace begins with a zero, and is shown with `@`.
    private static func unix(_ name: Slice<UnsafeRawBufferPointer>) -> ServerAddress? {
        guard let first = name.first else { return nil }
        let text = String(decoding: first == 0 ? name.dropFirst() : name.prefix { $0 != 0 }, as: UTF8.self)
        return .unix(path: first == 0 ? "@" + text : text)
    }
}

/// sd_listen_fds(3).
package enum SocketActivation {
    package static let variables = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]
    /// sd_listen_fds(3).
    private static let firstDescriptor: Int32 = 3
    private static let maximumCount: Int32 = 64

    /// Sockets for another process are ignored. `names` are those that the service knows. Throws `StartupError` if a
    /// socket has no name or an unknown one, or if the variables contradict each other.
    package static func passed(
        environment: [String: String],
        processID: Int32,
        names: [String]
    ) throws(StartupError) -> [(descriptor: Int32, name: String)] {
        guard let countText = environment["LISTEN_FDS"], Int32(environment["LISTEN_PID"] ?? "") == processID else {
            return []
        }
        guard let count = Int32(countText), (0...maximumCount).contains(count) else {
            throw StartupError(.configuration, "LISTEN_FDS is \(countText); it must be 0 to \(maximumCount)")
        }
        let given = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":").map(String.init)
        let expected = names.joined(separator: ", ")
        guard count == 0 || given.count == Int(count) else {
            throw StartupError(
                .configuration,
                "LISTEN_FDS is \(count), and LISTEN_FDNAMES does not name as many sockets: name each \(expected)"
            )
        }
        var passed: [(descriptor: Int32, name: String)] = []
        for (descriptor, name) in zip(firstDescriptor..<(firstDescriptor + count), given) {
            guard names.contains(name) else {
                throw StartupError(
                    .configuration,
                    "the socket \(descriptor) of LISTEN_FDNAMES is named \(name); it must be one of \(expected)"
                )
            }
            passed.append((descriptor, name))
        }
        return passed
    }
}
