internal import MarvelClient

/// The status with which `marvel` ends. Scripts depend on the numbers.
struct ExitStatus: RawRepresentable, Equatable, Sendable {
    let rawValue: Int32

    static let done = ExitStatus(rawValue: 0)
    static let failed = ExitStatus(rawValue: 1)
    /// `EX_USAGE` of sysexits, which the parser uses.
    static let usage = ExitStatus(rawValue: 64)
    /// A threshold of a load test failed; the same status as in k6.
    static let thresholdFailed = ExitStatus(rawValue: 99)
    /// 128 + SIGINT, as in shells.
    static let interrupted = ExitStatus(rawValue: 130)
}

extension ExitStatus {
    /// 64 + status code, as in grpcurl.
    init(_ error: RPCError) {
        self.init(rawValue: 64 + error.code.rawValue)
    }
}
