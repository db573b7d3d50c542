package import RPCCore

/// The variables by which a service manager passes sockets to a service (sd_listen_fds(3)).
package enum SocketActivation {
    package struct Passed: Sendable, Hashable {
        package let descriptor: Int32
        package let name: String
    }

    /// They are for one process, and not for its children.
    package static let variables = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]
    /// The first descriptor, see sd_listen_fds(3).
    private static let firstDescriptor: Int32 = 3
    /// Above any sensible number of sockets.
    private static let maximumCount: Int32 = 64

    /// Reads the variables. Sockets for another process are ignored. `names` are those that the service knows.
    ///
    /// - Throws: `StartupError` if a socket has no name or an unknown one, or if the variables contradict each other.
    package static func passed(
        environment: [String: String],
        processID: Int32,
        names: [String]
    ) throws(StartupError) -> [Passed] {
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
        var passed: [Passed] = []
        for (descriptor, name) in zip(firstDescriptor..<(firstDescriptor + count), given) {
            guard names.contains(name) else {
                throw StartupError(
                    .configuration,
                    "the socket \(descriptor) of LISTEN_FDNAMES is named \(name); it must be one of \(expected)"
                )
            }
            passed.append(Passed(descriptor: descriptor, name: name))
        }
        return passed
    }
}
