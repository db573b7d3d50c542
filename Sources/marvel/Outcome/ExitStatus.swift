internal import MarvelClient

/// The exit status of the process.
struct ExitStatus: RawRepresentable, Equatable, Sendable {
    let rawValue: Int32

    static let done = ExitStatus(rawValue: 0)
    static let failed = ExitStatus(rawValue: 1)
    /// Wrong usage: `EX_USAGE` of sysexits, which the parser uses.
    static let usage = ExitStatus(rawValue: 64)
    /// A threshold of a load test failed; the same status as in k6.
    static let thresholdFailed = ExitStatus(rawValue: 99)
    /// Interrupted: 128 + SIGINT, as in shells.
    static let interrupted = ExitStatus(rawValue: 130)
}

extension ExitStatus {
    /// Makes the exit status of a failed call: 64 + status code, as in grpcurl.
    init(_ error: RPCError) {
        self.init(rawValue: 64 + error.code.rawValue)
    }
}
