package import NIOCore

/// A log of numbered messages that many calls read, as the watchers of a list read its changes.
///
/// A call that has read all messages waits for the next one. It takes no task, no object and no registration then: the
/// connection listens once for all of its calls.
package protocol MessageLog: AnyObject, Sendable {
    /// Returns the message after a number. Runs on the event loop of a connection, must not block, and gives the same
    /// message to all calls that ask for it.
    func entry(after number: Int64) -> LogEntry

    /// Registers a waker, which is called after each message that is appended from now on. Several messages may be
    /// announced together.
    ///
    /// - Returns: A function that ends the registration.
    func listen(_ waker: Waker) -> @Sendable () -> Void
}

/// An answer of a log to a call that has all messages up to a number.
package enum LogEntry: Sendable {
    /// The next message. A call that has sent it has all messages up to `number`.
    case message(any OutgoingMessage, number: Int64)
    /// There is no later message yet.
    case nothing
    /// There are later messages, and some of them are no longer kept: the call has to go on in another way.
    case missed
}

/// A call's position in a log.
package struct LogCursor: Sendable {
    package let log: any MessageLog
    /// The call has all messages up to this number.
    package var number: Int64
    /// The maximum wait for a message; nil means as long as the call lasts.
    package let timeout: TimeAmount?
    private let source: @Sendable (Int64) -> any MessageSource

    /// - Parameters:
    ///   - log: The log to read.
    ///   - number: The number up to which the call has all messages.
    ///   - timeout: The maximum wait for a message; nil means as long as the call lasts. After a timeout without credit the
    ///     call waits for the same time again: a message that says that nothing happened should not wait for credit.
    ///   - source: Makes the source that is asked when there was no message for that time, or when the call has missed some.
    ///     The argument is the number up to which the call has all messages. The source has a message; its `place` is that
    ///     of a call that ends there.
    package init(
        _ log: any MessageLog,
        after number: Int64,
        timeout: Duration? = nil,
        source: @escaping @Sendable (Int64) -> any MessageSource
    ) {
        self.log = log
        self.number = number
        self.timeout = timeout.map { TimeAmount($0) }
        self.source = source
    }

    /// Returns the next message.
    package func entry() -> LogEntry { log.entry(after: number) }

    /// Returns the source with which the call goes on without the log.
    package func restOfStream() -> any MessageSource { source(number) }
}

/// A function that tells a connection that a log has new messages. It may be called from any thread and any number of
/// times.
package struct Waker: Sendable {
    /// The event loop of the connection. A log that wakes many connections of one loop can do so with one task on it.
    package let eventLoop: any EventLoop
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - eventLoop: The event loop of the connection.
    ///   - wake: The function to run on that event loop.
    package init(on eventLoop: any EventLoop, _ wake: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.wake = wake
    }

    package func callAsFunction() {
        if eventLoop.inEventLoop { wake() } else { eventLoop.execute(wake) }
    }
}
