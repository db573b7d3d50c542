import Foundation
import Logging
import ProgramSupport
import RPCCore
import RPCServer
import Synchronization

/// The service manager (systemd) that started the server: the sockets that it opened, and the notifications for it.
///
/// Without one, there are no sockets, and nothing is sent.
struct ServiceManager: Sendable {
    enum SocketName: String, CaseIterable {
        case framed
        case http
        case operations
    }

    /// The interval between two requests for more time, and the requested time.
    private static let extensionInterval = Duration.seconds(10)
    private static let extensionTime = Duration.seconds(30)
    /// The maximum of such requests, so that a start that hangs ends after 15 minutes.
    private static let maximumExtensions = 90
    /// The time for closing the store and other files, beside the drain.
    private static let closingTime = Duration.seconds(15)

    private static let sockets = Mutex<[InheritedSocket]>([])

    private let notify: NotifySocket
    /// The time after which it restarts a silent server; nil without a watchdog.
    private let watchdogTimeout: Duration?

    /// Takes the service manager's sockets and settings, and removes its variables from the environment: they are not
    /// for children of this process.
    ///
    /// - Throws: `StartupError` if it opened a socket that the server does not expect.
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

    /// Does a part of the start that may take long, and requests more time meanwhile.
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

    /// The server serves.
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

    /// Notifies the service manager as long as every event loop answers. Without notifications, the service manager
    /// restarts the server. Nil without a watchdog.
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
