package import NIOCore

/// A service: its name on the wire and the methods it lists. It knows nothing of frames or connections.
package struct Service: Sendable {
    /// The full protobuf name: `marvel.v1.MarvelService`.
    package let name: String
    package let methods: [Method]

    package init(name: String, methods: [Method]) {
        self.name = name
        self.methods = methods
    }
}

/// One method: what a transport must know before it decodes a request, and what then happens.
package final class Method: Sendable {
    package enum Kind: Sendable, Hashable {
        /// One request, one response.
        case unary
        /// One request, any number of responses.
        case serverStreaming
    }

    package static let defaultMaximumRequestBytes = 64 * 1024

    /// The name within the service: `SearchCharacters`.
    package let name: String
    package let kind: Kind
    /// Whether its stream has no end of its own, but waits for what may happen (`MessageSource.wait`): a server that
    /// stops ends it at once.
    package let isWatch: Bool
    /// A larger request payload is refused before it is decoded.
    package let maximumRequestBytes: Int
    /// Begins a call. It runs on the connection's event loop and must not block: what waits goes in `.later`.
    package let start: @Sendable (IncomingCall) throws(RPCError) -> Step

    package init(
        name: String,
        kind: Kind,
        isWatch: Bool = false,
        maximumRequestBytes: Int = Method.defaultMaximumRequestBytes,
        start: @escaping @Sendable (IncomingCall) throws(RPCError) -> Step
    ) {
        self.name = name
        self.kind = kind
        self.isWatch = isWatch
        self.maximumRequestBytes = maximumRequestBytes
        self.start = start
    }
}

/// What a call brings with it.
package struct IncomingCall: Sendable {
    /// The request message's bytes, at most the method's `maximumRequestBytes`.
    package let payload: ByteBuffer
    package let metadata: Metadata
    /// When the caller stops waiting; nil means never. The transport enforces it, handlers may use it to plan.
    package let deadline: NIODeadline?
    /// The caller, as queues and budgets that callers share know it.
    package let caller: CallerID
    /// Ends the call with an error, from any thread and whatever the call waits for. Does nothing once the call has ended.
    /// Nil unless the method is a watch: other calls end by themselves.
    package var end: (@Sendable (RPCError) -> Void)?

    package init(
        payload: ByteBuffer,
        metadata: Metadata = Metadata(),
        deadline: NIODeadline? = nil,
        caller: CallerID = .server,
        end: (@Sendable (RPCError) -> Void)? = nil
    ) {
        self.payload = payload
        self.metadata = metadata
        self.deadline = deadline
        self.caller = caller
        self.end = end
    }
}

/// What a call does next. A unary call answers with one `message` and nothing behind it.
package enum Step: Sendable {
    /// A message is ready. `then` gives the ones after it; nil means that this was the last.
    case message(any OutgoingMessage, then: (any MessageSource)?)
    /// No message yet: the source has the first one, now or when what it waits for has happened.
    case source(any MessageSource)
    /// The stream is over.
    case end
    /// Memory cannot answer: run this in a task, which is cancelled when the call ends, and go on with its result.
    ///
    /// The task runs on the connection's event loop while it does not wait for others. What computes for long says
    /// where else that shall be, with `withTaskExecutorPreference`.
    case later(@Sendable () async throws(RPCError) -> Step)

    package static func last(_ message: any OutgoingMessage) -> Step { .message(message, then: nil) }

    package static func last(_ encoded: ByteBuffer) -> Step { .last(EncodedMessage(encoded)) }

    package static func encoded(_ message: ByteBuffer, then rest: (any MessageSource)?) -> Step {
        .message(EncodedMessage(message), then: rest)
    }
}

/// The rest of a stream.
///
/// The transport pulls: it asks for a message when the caller has granted credit and the socket takes bytes, so a
/// source never produces what nobody can receive, and holds nothing while it waits.
package protocol MessageSource: AnyObject, Sendable {
    /// Runs on the connection's event loop and must not block. Each source value is asked once.
    func next() throws(RPCError) -> Step

    /// What has to happen before `next` has a message; nil if it has one now. Asked of a watch's sources, before credit
    /// is spent: a watch that has nothing to send does not count as waiting for its client.
    var wait: Wait? { get }

    /// Where its caller goes on, if the stream is ended here for want of credit or because the server stops: the
    /// request's fields and their values, as the error's metadata tells them.
    var place: [String: String] { get }
}

extension MessageSource {
    package var wait: Wait? { nil }
    package var place: [String: String] { [:] }
}
