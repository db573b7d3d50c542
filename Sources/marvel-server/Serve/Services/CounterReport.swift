import Glibc
import Logging
import ProgramSupport
import RPCServer
import ServiceLifecycle

/// Logs the server's counters in one line, on SIGUSR1 and at `log()`.
///
/// It handles SIGUSR1 from the initializer on, because an unhandled SIGUSR1 ends a process.
struct CounterReport: Service {
    private let server: RPCServer
    private let logger: Logger
    private let signals: AsyncStream<Int32>
    private let otherCounters: @Sendable () -> Logger.Metadata

    /// `otherCounters` are those of other components.
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
