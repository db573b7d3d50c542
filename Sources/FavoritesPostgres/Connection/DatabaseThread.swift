internal import CPostgres
internal import Foundation
internal import RPCCore
internal import Synchronization

/// A thread that owns one connection, and connects again by itself.
///
/// Threads, and not tasks or event loops: libpq waits in its own way while it connects and changes its descriptor, and
/// nothing may block the threads of Swift's tasks.
final class DatabaseThread: Sendable {
    let wakeup: Wakeup
    private let isStopping = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    init() throws(FavoritesDatabaseError) { wakeup = try Wakeup() }

    func start(
        connect: @escaping @Sendable (DatabaseFault?) throws(DatabaseFault) -> PostgresConnection,
        running body: @escaping @Sendable (DatabaseLink) -> Void
    ) {
        let thread = Thread { [self] in
            body(DatabaseLink(self, connect))
            ended.signal()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    var shouldStop: Bool { isStopping.load(ordering: .acquiring) }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        wakeup.wake()
    }

    /// Waits until the thread has ended. To be called after `stop`.
    func join() {
        ended.wait()
        ended.signal()
    }
}

/// A thread's connection, made when it is needed and again after it was lost. Only the thread uses it.
final class DatabaseLink {
    let thread: DatabaseThread
    private let connect: @Sendable (DatabaseFault?) throws(DatabaseFault) -> PostgresConnection
    private(set) var current: PostgresConnection?
    /// The waits between attempts to connect, random so that servers which lost the same database do not come back in step.
    private static let backoff = Backoff(initial: .milliseconds(25), maximum: .milliseconds(800))

    private var failureCount = 0
    private var nextAttempt = ContinuousClock.now
    private(set) var lastFault: DatabaseFault?
    /// The time since which there is no connection; nil while there is one.
    private(set) var downSince: ContinuousClock.Instant?

    init(
        _ thread: DatabaseThread,
        _ connect: @escaping @Sendable (DatabaseFault?) throws(DatabaseFault) -> PostgresConnection
    ) {
        self.thread = thread
        self.connect = connect
    }

    /// Returns the connection, or a new one. It attempts nothing before the time for the next attempt.
    func connection() throws(DatabaseFault) -> PostgresConnection {
        if let current { return current }
        if let lastFault, ContinuousClock.now < nextAttempt { throw lastFault }
        do {
            let made = try connect(lastFault)
            current = made
            failureCount = 0
            (lastFault, downSince) = (nil, nil)
            return made
        } catch {
            failed(error)
            throw error
        }
    }

    /// Closes the connection after a fault, and sets the time of the next attempt.
    func failed(_ fault: DatabaseFault) {
        current = nil
        lastFault = fault
        downSince = downSince ?? .now
        failureCount += 1
        nextAttempt = .now + Self.backoff.delay(afterFailures: failureCount, random: .random(in: 0..<1))
    }

    /// Waits until the next attempt may be made, or a wake-up.
    func waitForAttempt() {
        let rest = ContinuousClock.now.duration(to: nextAttempt)
        if rest > .zero { _ = thread.wakeup.wait(timeout: rest) }
    }

    /// Waits without work, until a wake-up, a message of the server, or the end of the time.
    ///
    /// - Throws: `.connectionLost` if the connection was lost meanwhile.
    func rest(_ timeout: Duration?) throws(DatabaseFault) {
        if let current {
            try current.wait(or: thread.wakeup, timeout: timeout)
        } else {
            _ = thread.wakeup.wait(timeout: timeout)
        }
    }
}
