import Foundation
import Logging
import ProgramSupport
import RPCCore
import ServiceLifecycle
import Settings
import Synchronization

/// A service that reloads the settings and files of the server on SIGHUP, all or none.
struct ReloadService: ServiceLifecycle.Service {
    private let reloader: Reloader<ServeCommand>
    private let logger: Logger
    private let signals: AsyncStream<Int32>
    private let onReload: @Sendable (_ begins: Bool) -> Void

    /// - Parameters:
    ///   - parts: The parts of the server that take new settings.
    ///   - signals: The signals that ask for a reload.
    ///   - logger: The logger for the results.
    ///   - onReload: Called when a reload begins, and when it has ended, whether it succeeded or not.
    init(
        _ parts: [any Reloadable<ServeCommand>],
        on signals: AsyncStream<Int32>,
        logger: Logger,
        onReload: @escaping @Sendable (_ begins: Bool) -> Void
    ) {
        let atStart = ServerSettings.atStart.withLock { $0 }
        self.reloader = Reloader(parts, current: atStart?.layers)
        self.signals = signals
        self.logger = logger
        self.onReload = onReload
    }

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() { await reload() }
    }

    private func reload() async {
        onReload(true)
        defer { onReload(false) }
        do throws(StartupError) {
            let settings = try ServerSettings.reread()
            report(await reloader.reload(try settings.parsed(), settings: settings.layers))
        } catch {
            report(.refused(reasons: [error.message]))
        }
    }

    private func report(_ outcome: ReloadOutcome) {
        switch outcome {
        case .applied(let parts, let changed, let needRestart):
            logger.notice("reloaded", metadata: ["parts": .names(parts), "changed": .names(changed)])
            guard !needRestart.isEmpty else { return }
            logger.warning("changed settings need a restart", metadata: ["settings": .names(needRestart)])
        case .refused(let reasons):
            logger.error("nothing was reloaded: all settings are as before", metadata: ["reasons": .names(reasons)])
        }
    }
}

extension Logger.MetadataValue {
    fileprivate static func names(_ texts: [String]) -> Self { .array(texts.map { "\($0)" }) }
}

extension ServerSettings {
    /// Reads the settings again, from the sources that the program was started with.
    fileprivate static func reread() throws(StartupError) -> ServerSettings {
        let words = atStart.withLock { $0?.words } ?? []
        return try ServerSettings(words: words, environment: ProcessInfo.processInfo.environment)
    }
}
