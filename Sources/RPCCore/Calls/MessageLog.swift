package import NIOCore

/// A log of numbered messages with many readers, such as a list's watchers.
///
/// A call that has read all messages waits without a task, an object or a registration: the connection listens once for
/// all of its calls.
package protocol MessageLog: AnyObject, Sendable {
    /// Runs on the event loop of a connection, must not block, and returns the same message to all calls.
    func entry(after number: Int64) -> LogEntry

    /// Registers a waker, which is called after new messages, perhaps once for several. Returns a function that ends
    /// the registration.
    func listen(_ waker: Waker) -> @Sendable () -> Void
}

package enum LogEntry: Sendable {
    /// The next message. After sending it, the call has all messages up to `number`.
    case message(any OutgoingMessage, number: Int64)
    case nothing
    /// Some later messages are no longer kept: the call must continue in another way.
    case missed
}

package struct LogCursor: Sendable {
    package let log: any MessageLog
    /// The call has all messages up to this number.
    package var number: Int64
    /// The maximum wait for a message; nil for the call's lifetime.
    package let timeout: TimeAmount?
    private let source: @Sendable (Int64) -> any MessageSource

    /// - Parameters:
    ///   - log: The log to read.
    ///   - number: The call has all messages up to this number.
    ///   - timeout: The maximum wait for a message; nil for the call's lifetime. After a timeout without credit the
    ///     call waits again: an idle message should not wait for credit.
    ///   - source: Makes the source for a timeout, or for missed messages. The argument is the number up to which the
    ///     call has all messages. The source has a message; its `place` is that of a call that ends there.
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

    package func restOfStream() -> any MessageSource { source(number) }
}

/// A function that tells a connection about a log's new messages, from any thread and any number of times.
package struct Waker: Sendable {
    /// The event loop of the connection. A log can wake many connections of one loop with one task.
    package let eventLoop: any EventLoop
    private let wake: @Sendable () -> Void

    package init(on eventLoop: any EventLoop, _ wake: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.wake = wake
    }

    package func callAsFunction() {
        if eventLoop.inEventLoop { wake() } else { eventLoop.execute(wake) }
    }
}
