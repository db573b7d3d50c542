internal import NIOCore

/// The connections of one event loop that have written, and are flushed together when the loop has handled what arrived.
///
/// Each write wakes a peer on the same machine that sleeps. If the answers of several connections leave in a row, the peer is
/// still awake for those behind the first, and a page takes an eighth less time of both. A connection that is alone on its loop
/// is flushed at once.
final class JointFlushes: Sendable {
    /// The number of connections that are flushed without waiting for others.
    private static let maximumCount = 16
    /// The time after which the first connection waits for no further one: their calls may take long.
    private static let maximumDelay = TimeAmount.microseconds(500)

    private struct State {
        var waiting: [ChannelHandlerContext] = []
        /// When the first of them began to wait.
        var since = NIODeadline.uptimeNanoseconds(0)
        /// The connection that was here last.
        var last: ObjectIdentifier?
    }

    private let eventLoop: any EventLoop
    private let now: @Sendable () -> NIODeadline
    private let state: NIOLoopBoundBox<State>

    init(on eventLoop: any EventLoop, now: @escaping @Sendable () -> NIODeadline = { .now() }) {
        self.eventLoop = eventLoop
        self.now = now
        state = .makeBoxSendingValue(State(), eventLoop: eventLoop)
    }

    /// Flushes a connection now or soon, before the loop waits for events.
    func flush(_ connection: ChannelHandlerContext) {
        let id = ObjectIdentifier(connection)
        let isAlone = state.value.waiting.isEmpty && state.value.last.map { $0 == id } ?? true
        state.value.last = id
        guard !isAlone else { return connection.flush() }
        state.value.waiting.append(connection)
        if state.value.waiting.count == 1 {
            state.value.since = now()
            eventLoop.execute { [self] in flushAll() }
        } else if state.value.waiting.count == Self.maximumCount || now() - state.value.since > Self.maximumDelay {
            flushAll()
        }
    }

    private func flushAll() {
        // A flush may end a connection, or begin a turn of another one.
        var waiting: [ChannelHandlerContext] = []
        swap(&waiting, &state.value.waiting)
        for connection in waiting { connection.flush() }
    }
}
