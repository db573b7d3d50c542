package import NIOCore

/// What a watch waits for while it has no message: without a task, and without spending credit.
package struct Wait: Sendable {
    /// Has the waker called as soon as there may be a message, and returns what ends that. Runs on the connection's
    /// event loop; the waker may be called before it returns.
    package let begin: @Sendable (Waker) -> @Sendable () -> Void
    /// How long to wait at most; nil means as long as the call lasts. Without credit it waits on, and as long again:
    /// a message that says that nothing happened is not worth waiting for.
    package let timeout: Duration?
    /// What is asked then, woken or not.
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

/// Wakes a call that waits. Any thread may, and any number of times: a call is woken once.
package struct Waker: Sendable {
    /// Where the call lives: who wakes many that live here can come by once for all of them.
    package let eventLoop: any EventLoop
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - eventLoop: Where the call lives.
    ///   - wake: Runs on that event loop.
    package init(on eventLoop: any EventLoop, _ wake: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.wake = wake
    }

    package func callAsFunction() {
        if eventLoop.inEventLoop { wake() } else { eventLoop.execute(wake) }
    }
}
