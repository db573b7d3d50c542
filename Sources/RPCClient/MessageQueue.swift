internal import NIOCore
internal import RPCCore
internal import Synchronization

/// A stream's messages between the connection, which delivers on its event loop, and the reader, which takes in its
/// task.
///
/// Delivery never waits. Messages that the reader does not take are limited by the credit that it grants, and by
/// `maximumBytes` if the server knows no credit. The reader grants credit when it asks for the next message: with a
/// window of 1 the server sends no message that was not asked for.
final class MessageQueue: Sendable {
    private typealias Continuation = CheckedContinuation<Result<ByteBuffer?, RPCError>, Never>

    private struct State {
        var messages = CircularBuffer<ByteBuffer>()
        var byteCount = 0
        /// The number of messages that were taken since the last grant.
        var taken: UInt32 = 0
        /// The end of the stream; the reader gets it after the messages before it.
        var end: Result<Void, RPCError>?
        var reader: Continuation?
    }

    /// The memory of a message besides its bytes, so that empty messages have a limit too.
    private static let messageOverhead = 64

    /// The credit to grant at a time. Half the window is enough that the server never waits for a reader that keeps up.
    private let grantSize: UInt32
    private let maximumBytes: Int
    private let state = Mutex(State())

    init(options: RPCClientOptions) {
        self.grantSize = max(options.streamWindow / 2, 1)
        self.maximumBytes = options.maximumWaitingBytes
    }

    // MARK: The connection's side

    /// Appends a message.
    ///
    /// - Returns: False if there is no room for the message.
    func push(_ message: ByteBuffer) -> Bool {
        let (reader, hasRoom) = state.withLock { state -> (Continuation?, Bool) in
            guard state.end == nil else { return (nil, true) }
            if let reader = state.reader {
                state.reader = nil
                state.taken += 1
                return (reader, true)
            }
            let byteCount = Self.messageOverhead + message.readableBytes
            guard state.byteCount + byteCount <= maximumBytes else { return (nil, false) }
            state.byteCount += byteCount
            state.messages.append(message)
            return (nil, true)
        }
        reader?.resume(returning: .success(message))
        return hasRoom
    }

    /// Ends the stream. Called once.
    func finish(_ end: Result<Void, RPCError>) {
        let reader = state.withLock { state in
            state.end = end
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: end.map { nil })
    }

    // MARK: The reader's side

    /// Waits for the next message. Nil at the end of the stream, or its error. Only one reader may call it at a time.
    ///
    /// - Parameter grant: Called from time to time with the credit for further messages that the server may send.
    /// - Returns: The next message.
    func next(grant: (UInt32) -> Void) async -> Result<ByteBuffer?, RPCError> {
        await withCheckedContinuation { continuation in
            let (result, credit) = take(orWaitWith: continuation)
            if let credit { grant(credit) }
            if let result { continuation.resume(returning: result) }
        }
    }

    private func take(orWaitWith reader: Continuation) -> (Result<ByteBuffer?, RPCError>?, grant: UInt32?) {
        state.withLock { state in
            let credit = grantForTaken(&state)
            if let message = state.messages.popFirst() {
                state.byteCount -= Self.messageOverhead + message.readableBytes
                state.taken += 1
                return (.success(message), credit)
            }
            if let end = state.end { return (end.map { nil }, nil) }
            state.reader = reader
            return (nil, credit)
        }
    }

    private func grantForTaken(_ state: inout State) -> UInt32? {
        guard state.taken >= grantSize else { return nil }
        defer { state.taken = 0 }
        return state.taken
    }
}
