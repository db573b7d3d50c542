import Glibc
import Logging
import ProgramSupport
import RPCTransport
import ServiceLifecycle

/// A service that logs the server's counters in one line, on SIGUSR1 and when `log()` is called.
///
/// SIGUSR1 is handled from the initializer on, because it ends a process that does not handle it.
struct CounterReport: Service {
    private let server: RPCServer
    private let logger: Logger
    private let signals: AsyncStream<Int32>
    private let otherCounters: @Sendable () -> Logger.Metadata

    /// - Parameters:
    ///   - server: The server whose counters are logged.
    ///   - logger: The logger for the report.
    ///   - otherCounters: Returns the counters of other components.
    init(server: RPCServer, logger: Logger, otherCounters: @escaping @Sendable () -> Logger.Metadata) {
        self.server = server
        self.logger = logger
        self.otherCounters = otherCounters
        self.signals = SignalHandler.stream(of: SIGUSR1)
    }

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() { log() }
    }

    func log() {
        logger.notice("counted", metadata: server.counters.merging(otherCounters()) { first, _ in first })
    }
}
