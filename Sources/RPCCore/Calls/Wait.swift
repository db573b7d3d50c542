package import NIOCore

/// The wait of a watch that has no message. It takes no task and spends no credit.
package struct Wait: Sendable {
    /// Registers the waker, which is called as soon as there may be a message, and returns a function that ends the
    /// registration. Runs on the connection's event loop; the waker may be called before it returns.
    package let begin: @Sendable (Waker) -> @Sendable () -> Void
    /// The maximum wait; nil means as long as the call lasts. After a timeout without credit the watch waits for the
    /// same time again: a message that says that nothing happened should not wait for credit.
    package let timeout: Duration?
    /// The source to ask after the wait, whether it was woken or timed out.
    package let then: any MessageSource

    package init(
        timeout: Duration? = nil,
        then: any MessageSource,
        begin: @escaping @Sendable (Waker) -> @Sendable () -> Void
    ) {
        self.begin = begin
        self.timeout = timeout
        self.then = then
    }
}

/// A function that wakes a waiting call. It may be called from any thread and any number of times: a call is woken
/// once.
package struct Waker: Sendable {
    /// The event loop of the call. A source that wakes many calls of one loop can do so with one task on it.
    package let eventLoop: any EventLoop
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - eventLoop: The event loop of the call.
    ///   - wake: The function to run on that event loop.
    package init(on eventLoop: any EventLoop, _ wake: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.wake = wake
    }

    package func callAsFunction() {
        if eventLoop.inEventLoop { wake() } else { eventLoop.execute(wake) }
    }
}
