import Logging
import RPCTransport
import ServiceLifecycle
import UnixSignals

/// Logs what the server has counted, in one line: when SIGUSR1 asks for it, and by `log()`.
///
/// From its beginning on: SIGUSR1 ends a process that does not handle it.
struct CounterReport: Service {
    private let server: RPCServer
    private let logger: Logger
    private let signals: UnixSignalsSequence
    private let further: @Sendable () -> Logger.Metadata

    /// - Parameters:
    ///   - server: Whose counters are logged.
    ///   - logger: Where.
    ///   - further: What others have counted.
    init(server: RPCServer, logger: Logger, further: @escaping @Sendable () -> Logger.Metadata) async {
        self.server = server
        self.logger = logger
        self.further = further
        self.signals = await UnixSignalsSequence(trapping: .sigusr1)
    }

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() { log() }
    }

    func log() {
        logger.notice("counted", metadata: server.counters.merging(further()) { first, _ in first })
    }
}
