import Foundation
import Logging
import ProgramSupport
import RPCCore
import RPCTransport
import Synchronization

/// The service manager (systemd) that started the server: the sockets that it opened, and the notifications for it.
///
/// Without one, there are no sockets, and nothing is sent.
struct ServiceManager: Sendable {
    /// The names of the sockets that it may open.
    enum SocketName: String, CaseIterable {
        case framed
        case http
        case operations
    }

    /// The interval between two requests for more time, and the time that each asks for.
    private static let extensionInterval = Duration.seconds(10)
    private static let extensionTime = Duration.seconds(30)
    /// The maximum number of such requests, so that a start that hangs ends after 15 minutes.
    private static let maximumExtensions = 90
    /// The time that the store and other files take to close, beside the drain.
    private static let closingTime = Duration.seconds(15)

    private static let sockets = Mutex<[InheritedSocket]>([])

    private let notify: NotifySocket
    /// The time after which it restarts a server that sends nothing; nil if it never does.
    private let watchdogTimeout: Duration?

    /// Takes what the service manager hands over, and removes the variables from the environment, because no child of
    /// this process is meant.
    ///
    /// - Parameter environment: Variables by name.
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

    /// Returns the sockets that it opened with that name.
    static func inherited(_ name: SocketName) -> [InheritedSocket] {
        sockets.withLock { $0 }.filter { $0.name == name.rawValue }
    }

    // MARK: Notifications

    /// Does a part of the start that may take long, and asks for more time meanwhile.
    func starting<Result>(
        _ status: String,
        isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws -> Result
    ) async rethrows -> Result {
        // The first one is sent here, because a task may begin when the work has ended already.
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

    /// Tells that the server serves.
    func ready(_ status: String) { notify.send(.ready, .status(status)) }

    /// Tells that a reload began. It ends with `ready`, whether it succeeds or not.
    func reloading() { notify.send(.reloading(at: NotifySocket.monotonicMicroseconds), .status("reloading")) }

    /// Tells that the server stops.
    ///
    /// - Parameter drainTimeout: The time that running calls may take.
    func stopping(drainTimeout: Duration) {
        notify.send(.stopping, .status("draining"), .extendTimeout(drainTimeout + Self.closingTime))
    }
}

extension ServiceManager {
    /// The time that an event loop may take to answer.
    private static let answerTime = Duration.seconds(2)

    /// Returns the service that tells the service manager that the server works, as long as every event loop answers. When it
    /// sends nothing, the service manager restarts the server. Nil if it never does.
    func watchdog(_ logger: Logger) -> BackgroundService? {
        guard let watchdogTimeout else { return nil }
        return BackgroundService("watchdog", every: watchdogTimeout / 2) {
            if await EventLoops.answer(within: Self.answerTime) {
                notify.send(.watchdog)
            } else {
                logger.error("an event loop did not answer: the watchdog is not told that the server works")
            }
        }
    }
}
