import FavoritesPostgres
import Foundation
import Glibc
import Logging
import MarvelDomain
import ProgramSupport
import RPCCore
import RPCServer
import ServiceLifecycle
import Settings
import Synchronization
import TransportSecurity

/// Cancelled when the server stops. It must not return earlier: the service group would stop all other services.
struct BackgroundService: Service {
    let name: String
    private let work: @Sendable () async -> Void

    init(_ name: String, _ work: @escaping @Sendable () async -> Void) { (self.name, self.work) = (name, work) }

    init(_ name: String, every interval: Duration, _ step: @escaping @Sendable () async -> Void) {
        self.init(name) {
            while (try? await Task.sleep(for: interval)) != nil { await step() }
        }
    }

    func run() async throws { await cancelWhenGracefulShutdown(work) }
}

struct ServerService: Service {
    let server: RPCServer
    /// The service group handles signals from then on.
    let onRunning: @Sendable () -> Void
    var onStopping: @Sendable () -> Void = {}

    func run() async throws {
        onRunning()
        await withTaskCancellationOrGracefulShutdownHandler {
            await server.run()
        } onCancelOrGracefulShutdown: {
            onStopping()
            server.stop()
        }
    }
}

/// Logs the server's counters at each signal, and at `log()`.
struct CounterReport: Service {
    private let server: RPCServer
    private let logger: Logger
    private let signals: AsyncStream<Int32>
    private let otherCounters: @Sendable () -> Logger.Metadata

    init(
        server: RPCServer,
        on signals: AsyncStream<Int32>,
        logger: Logger,
        otherCounters: @escaping @Sendable () -> Logger.Metadata
    ) {
        self.server = server
        self.signals = signals
        self.logger = logger
        self.otherCounters = otherCounters
    }

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() { log() }
    }

    func log() {
        logger.notice("counted", metadata: server.counters.merging(otherCounters()) { first, _ in first })
    }
}

extension ServedStore {
    /// Whether the store takes changes, as far as the last one shows.
    var isWritable: Bool { refusalText == nil && writeFailure == nil && database?.hasWriter ?? true }

    var isHealthy: Bool { isWritable && database?.isFeedLate != true }

    var fault: String? {
        refusalText.map { _ in "read-only until the server restarts" }
            ?? unavailabilityText.map { _ in "the database cannot be reached" }
            ?? writeFailure.map { "the last change failed: \($0)" }
    }
}

/// Ends a program that does not end by itself after SIGTERM. All acknowledged changes are on disk.
enum StopDeadline {
    /// Both count after the drain. The service manager waits longer than both.
    private static let (closingTime, interruptingTime) = (Duration.seconds(4), Duration.seconds(5))
    private static let interval = Duration.milliseconds(500)

    /// `drainTimeout` is the time that running calls may take.
    static func begin(drainTimeout: Duration, store: any ServedStore, logger: Logger) {
        Thread.detachNewThread {
            sleep(drainTimeout + closingTime)
            for _ in 0..<Int(interruptingTime / interval) {
                store.interrupt()
                sleep(interval)
            }
            logger.critical("the server stopped without closing its store", metadata: ["reason": "it does not answer"])
            // Handlers of `exit` could wait for the same statement.
            _exit(1)
        }
    }

    private static func sleep(_ time: Duration) { Thread.sleep(forTimeInterval: time / .seconds(1)) }
}

/// Reloads all settings and files, or none.
struct ReloadService: Service {
    private let reloader: Reloader<ServerValues>
    private let sources: ServerSettings
    private let logger: Logger
    private let signals: AsyncStream<Int32>
    private let onReload: @Sendable (_ begins: Bool) -> Void

    /// `onReload` is called when a reload begins, and when it has ended, whether it succeeded or not.
    init(
        _ parts: [ReloadedPart<ServerValues>],
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
            logger.error(
                "reload failed, nothing was applied: correct the settings",
                metadata: ["reasons": .names(reasons)]
            )
        }
    }
}

extension Logger.MetadataValue {
    fileprivate static func names(_ texts: [String]) -> Self { .array(texts.map { "\($0)" }) }
}

/// The service manager (systemd) that started the server. Without one, there are no sockets, and nothing is sent.
struct ServiceManager: Sendable {
    enum SocketName: String, CaseIterable {
        case framed
        case http
        case operations
    }

    private static let extensionInterval = Duration.seconds(10)
    private static let extensionTime = Duration.seconds(30)
    /// A start that hangs ends after 15 minutes.
    private static let maximumExtensions = 90
    /// Beside the drain.
    private static let closingTime = Duration.seconds(15)

    private static let sockets = Mutex<[InheritedSocket]>([])

    private let notify: NotifySocket
    /// Nil without a watchdog.
    private let watchdogTimeout: Duration?

    /// Removes the variables from the environment: they are not for children of this process. Throws `StartupError` for
    /// a socket that the server does not expect.
    init(environment: [String: String]) throws(StartupError) {
        notify = NotifySocket(environment["NOTIFY_SOCKET"])
        watchdogTimeout = Watchdog.timeout(
            environment: environment,
            processID: ProcessInfo.processInfo.processIdentifier
        )
        for variable in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(variable) }
        let names = SocketName.allCases.map(\.rawValue)
        let taken = try InheritedSocket.takeAll(environment: environment, names: names)
        Self.sockets.withLock { $0 = taken }
    }

    static func inherited(_ name: SocketName) -> [InheritedSocket] {
        sockets.withLock { $0 }.filter { $0.name == name.rawValue }
    }

    // MARK: Notifications

    /// Requests more time meanwhile.
    func starting<Result>(
        _ status: String,
        isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws -> Result
    ) async rethrows -> Result {
        // The first request is sent here, because a task may begin after the work has ended.
        notify.send(.extendTimeout(Self.extensionTime), .status(status))
        let extending = Task { [notify] in
            for _ in 1..<Self.maximumExtensions {
                try await Task.sleep(for: Self.extensionInterval)
                notify.send(.extendTimeout(Self.extensionTime), .status(status))
            }
        }
        defer { extending.cancel() }
        return try await work()
    }

    func ready(_ status: String) { notify.send(.ready, .status(status)) }

    /// A reload began. It ends with `ready`, whether it succeeds or not.
    func reloading() { notify.send(.reloading(at: NotifySocket.monotonicMicroseconds), .status("reloading")) }

    /// `drainTimeout` is the time that running calls may take.
    func stopping(drainTimeout: Duration) {
        notify.send(.stopping, .status("draining"), .extendTimeout(drainTimeout + Self.closingTime))
    }
}

extension ServiceManager {
    private static let answerTime = Duration.seconds(2)

    /// Notifies as long as every event loop answers. Nil without a watchdog.
    func watchdog(_ logger: Logger) -> BackgroundService? {
        guard let watchdogTimeout else { return nil }
        return BackgroundService("watchdog", every: watchdogTimeout / 2) {
            if await EventLoops.answer(within: Self.answerTime) {
                notify.send(.watchdog)
            } else {
                logger.error("an event loop did not answer: the watchdog was not notified")
            }
        }
    }
}
