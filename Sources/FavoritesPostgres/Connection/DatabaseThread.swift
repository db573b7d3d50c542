internal import CPostgres
internal import Foundation
internal import Glibc
internal import RPCCore
internal import Synchronization

/// A thread that owns one connection. libpq blocks while it connects, which no thread of Swift's tasks may.
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

    /// Waits for the end of the thread, after `stop`.
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
    /// Random, so that servers which lost the same database do not come back at the same time.
    private static let backoff = Backoff(initial: .milliseconds(25), maximum: .milliseconds(800))

    private var failureCount = 0
    private var nextAttempt = ContinuousClock.now
    private var lastFault: DatabaseFault?

    init(
        _ thread: DatabaseThread,
        _ connect: @escaping @Sendable (DatabaseFault?) throws(DatabaseFault) -> PostgresConnection
    ) {
        self.thread = thread
        self.connect = connect
    }

    /// Returns the connection, or a new one if the time for the next attempt has come.
    func connection() throws(DatabaseFault) -> PostgresConnection {
        if let current { return current }
        if let lastFault, ContinuousClock.now < nextAttempt { throw lastFault }
        do {
            let made = try connect(lastFault)
            current = made
            failureCount = 0
            lastFault = nil
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
        failureCount += 1
        nextAttempt = .now + Self.backoff.delay(afterFailures: failureCount, random: .random(in: 0..<1))
    }

    func waitForAttempt() {
        let rest = ContinuousClock.now.duration(to: nextAttempt)
        if rest > .zero { _ = thread.wakeup.wait(timeout: rest) }
    }

    /// Waits for a wake-up, a message of the server, or the end of the time.
    func rest(_ timeout: Duration?) throws(DatabaseFault) {
        if let current {
            try current.wait(or: thread.wakeup, timeout: timeout)
        } else {
            _ = thread.wakeup.wait(timeout: timeout)
        }
    }
}

/// A descriptor by which others end the wait of a thread.
final class Wakeup: Sendable {
    private let descriptor: Int32

    init() throws(FavoritesDatabaseError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw FavoritesDatabaseError(.failed, "no event descriptor: \(reason)")
        }
    }

    deinit { close(descriptor) }

    /// Ends the current wait, or the next one.
    func wake() {
        var one: UInt64 = 1
        // It fails only if the counter is full. Then the thread is awake.
        _ = write(descriptor, &one, MemoryLayout.size(ofValue: one))
    }

    /// Waits for `wake` or for bytes of a socket, and returns whether the socket can be read.
    func wait(beside socket: Int32? = nil, timeout: Duration?) -> Bool {
        // poll(2) ignores a negative descriptor.
        var events = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&events, 2, timeout?.pollTimeout ?? -1) > 0 else { return false }
        if events[0].revents != 0 {
            var count: UInt64 = 0
            _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
        }
        return events[1].revents != 0
    }
}
