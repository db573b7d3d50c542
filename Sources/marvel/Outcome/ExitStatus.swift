internal import MarvelClient

/// What the process ends with.
struct ExitStatus: RawRepresentable, Equatable, Sendable {
    let rawValue: Int32

    static let done = ExitStatus(rawValue: 0)
    static let failed = ExitStatus(rawValue: 1)
    /// `EX_USAGE` of sysexits, which the parser uses.
    static let usage = ExitStatus(rawValue: 64)
    /// A threshold of a load test failed, as k6 has it.
    static let thresholdFailed = ExitStatus(rawValue: 99)
    /// 128 + SIGINT, as shells have it.
    static let interrupted = ExitStatus(rawValue: 130)
}

extension ExitStatus {
    /// 64 + status code, as grpcurl has it.
    init(_ error: RPCError) {
        self.init(rawValue: 64 + error.code.rawValue)
    }
}
