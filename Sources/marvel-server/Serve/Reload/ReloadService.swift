import Logging
import RPCCore
import ServiceLifecycle
import Settings

/// Reloads the settings and files of the server on SIGHUP, all or none.
struct ReloadService: Service {
    private let reloader: Reloader<ServerValues>
    private let sources: ServerSettings
    private let logger: Logger
    private let signals: AsyncStream<Int32>
    private let onReload: @Sendable (_ begins: Bool) -> Void

    /// - Parameters:
    ///   - parts: The parts of the server that take new settings.
    ///   - sources: The sources of the settings.
    ///   - current: The settings at the start of the program.
    ///   - signals: The signals that ask for a reload.
    ///   - logger: The logger for the results.
    ///   - onReload: Called when a reload begins, and when it has ended, whether it succeeded or not.
    init(
        _ parts: [any Reloadable<ServerValues>],
        from sources: ServerSettings,
        current: LayeredSettings<ServerValues>,
        on signals: AsyncStream<Int32>,
        logger: Logger,
        onReload: @escaping @Sendable (_ begins: Bool) -> Void
    ) {
        self.reloader = Reloader(parts, current: current)
        self.sources = sources
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
        do {
            report(await reloader.reload(try sources.read().settings))
        } catch {
            report(.refused(reasons: [(error as? StartupError)?.message ?? "\(error)"]))
        }
    }

    private func report(_ outcome: ReloadOutcome) {
        switch outcome {
        case .applied(let parts, let changed, let needRestart):
            logger.notice("reloaded", metadata: ["parts": .names(parts), "changed": .names(changed)])
            guard !needRestart.isEmpty else { return }
            logger.warning("restart to apply the changed settings", metadata: ["settings": .names(needRestart)])
        case .refused(let reasons):
            logger.error("nothing to reload: the settings did not change", metadata: ["reasons": .names(reasons)])
        }
    }
}

extension Logger.MetadataValue {
    fileprivate static func names(_ texts: [String]) -> Self { .array(texts.map { "\($0)" }) }
}
