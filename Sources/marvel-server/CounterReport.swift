import Logging
import RPCTransport
import ServiceLifecycle
import UnixSignals

/// Logs what the server has counted, in one line: when SIGUSR1 asks for it, and by `log()`.
struct CounterReport: Service {
    let server: RPCServer
    let logger: Logger

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigusr1)
        for await _ in signals.cancelOnGracefulShutdown() { log() }
    }

    func log() {
        logger.notice("counted", metadata: server.counters)
    }
}
