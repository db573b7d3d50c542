internal import NIOCore
public import RPCCore

/// Methods from functions over messages.
///
/// A function runs in a task on the event loop of the caller's connection, and must not block. The task is cancelled when
/// the caller cancels, when its deadline passes, and when it is gone. The caller gets an `RPCError` as it was thrown, and
/// INTERNAL without a text for any other error: it may hold what a caller must not know.
extension RPCMethod {
    /// A method with one answer.
    ///
    /// - Parameters:
    ///   - name: The name, such as `Add`.
    ///   - hasNoSideEffects: Whether Connect may call it by GET.
    ///   - maximumRequestBytes: The maximum size of a request, in bytes. A larger one gets RESOURCE_EXHAUSTED.
    ///   - answer: Makes the answer.
    /// - Returns: The method.
    public static func unary<Request: RPCMessage, Response: RPCMessage>(
        _ name: String,
        hasNoSideEffects: Bool = false,
        maximumRequestBytes: Int = RPCMethod.defaultMaximumRequestBytes,
        _ answer: @escaping @Sendable (Request, IncomingCall) async throws -> Response
    ) -> RPCMethod {
        RPCMethod(
            name: name,
            kind: .unary,
            hasNoSideEffects: hasNoSideEffects,
            maximumRequestBytes: maximumRequestBytes,
            json: JSONCodec(Request.self, Response.self)
        ) { call throws(RPCError) in
            let request = try Request.decoded(call.payload)
            return .later { () async throws(RPCError) in
                try await .last(guarding { try await answer(request, call) }.outgoing)
            }
        }
    }

    /// A method that answers with a stream of messages.
    ///
    /// The next message is asked for when the caller has granted credit for it, or has room in its flow-control window, and
    /// the socket takes bytes. So nothing piles up for a caller that reads slowly. A message that waits for credit for more
    /// than `PeerLimits.creditTimeout` ends the call.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - hasNoSideEffects: Whether Connect may call it by GET.
    ///   - maximumRequestBytes: The maximum size of a request, in bytes.
    ///   - messages: Makes the sequence of the messages.
    /// - Returns: The method.
    public static func serverStream<Request: RPCMessage, Messages: AsyncSequence & Sendable>(
        _ name: String,
        hasNoSideEffects: Bool = false,
        maximumRequestBytes: Int = RPCMethod.defaultMaximumRequestBytes,
        _ messages: @escaping @Sendable (Request, IncomingCall) async throws -> Messages
    ) -> RPCMethod where Messages.Element: RPCMessage {
        RPCMethod(
            name: name,
            kind: .serverStreaming,
            hasNoSideEffects: hasNoSideEffects,
            maximumRequestBytes: maximumRequestBytes,
            json: JSONCodec(Request.self, Messages.Element.self)
        ) { call throws(RPCError) in
            let request = try Request.decoded(call.payload)
            return .later { () async throws(RPCError) in
                let source = SequenceSource(try await guarding { try await messages(request, call) })
                return try await source.step()
            }
        }
    }

    /// A method whose stream follows a log, and has no end. A server that drains ends it at once with UNAVAILABLE.
    ///
    /// It costs no task while it waits: ten thousand watches of one log wait like one.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - entries: Names the log, and the first entry.
    /// - Returns: The method.
    public static func watch<Request: RPCMessage, Entry: RPCMessage>(
        _ name: String,
        _ entries: @escaping @Sendable (Request, IncomingCall) throws -> RPCLog<Entry>.Entries
    ) -> RPCMethod {
        RPCMethod(
            name: name,
            kind: .serverStreaming,
            isWatch: true,
            json: JSONCodec(Request.self, Entry.self)
        ) { call throws(RPCError) in
            let request = try Request.decoded(call.payload)
            do {
                return .source(LogSource(try entries(request, call)))
            } catch {
                throw RPCError(handler: error)
            }
        }
    }
}

extension RPCError {
    /// The error that a caller gets for one of a handler.
    fileprivate init(handler error: any Error) {
        switch error {
        case let error as RPCError: self = error
        case is CancellationError: self.init(.cancelled, reason: .cancelled, "the call was cancelled")
        default: self.init(.internalError, reason: .serverFault, "the method failed")
        }
    }
}

private func guarding<Value>(
    _ body: () async throws -> Value
) async throws(RPCError) -> Value {
    do {
        return try await body()
    } catch {
        throw RPCError(handler: error)
    }
}

/// The messages of a sequence. Each is made by a task of its own.
///
/// `@unchecked Sendable`: the runner asks for one message after the other, so that one task at a time has the iterator.
private final class SequenceSource<Messages: AsyncSequence & Sendable>: MessageSource, @unchecked Sendable
where Messages.Element: RPCMessage {
    private var iterator: Messages.AsyncIterator

    init(_ messages: Messages) { iterator = messages.makeAsyncIterator() }

    func next() throws(RPCError) -> Step { .later { [self] () async throws(RPCError) in try await step() } }

    func step() async throws(RPCError) -> Step {
        let message = try await guarding { try await iterator.next() }
        return message.map { .message($0.outgoing, then: self) } ?? .end
    }
}
