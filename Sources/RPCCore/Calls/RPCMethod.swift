package import NIOCore

/// A service: its name on the wire and its methods. It knows nothing of frames or connections.
package struct RPCService: Sendable {
    /// The full protobuf name: `marvel.v1.MarvelService`.
    package let name: String
    package let methods: [RPCMethod]

    package init(name: String, methods: [RPCMethod]) {
        self.name = name
        self.methods = methods
    }
}

/// A method of a service: the facts that a transport needs before it decodes a request, and the handler.
package final class RPCMethod: Sendable {
    package enum Kind: Sendable, Hashable {
        /// One request, one response.
        case unary
        /// One request, any number of responses.
        case serverStreaming
        /// Any number of requests, any number of responses.
        case bidirectional
    }

    package static let defaultMaximumRequestBytes = 64 * 1024

    /// The name within the service: `SearchCharacters`.
    package let name: String
    package let kind: Kind
    /// Whether it has any number of responses. It is kept, because other targets call `==` of `Kind` through its protocol.
    package let isStreaming: Bool
    /// Whether it takes any number of requests.
    package let takesFurtherRequests: Bool
    /// Whether its stream has no end of its own, but reads a log (`MessageSource.cursor`). A server that stops ends
    /// such a stream at once.
    package let isWatch: Bool
    /// Whether it changes nothing, so that it may also be called by GET.
    package let hasNoSideEffects: Bool
    /// The time for which a cache may use the answer to a GET, in seconds. Nil if answers depend on the caller or on a
    /// list: only the caller may store them then, and has to ask before each use.
    package let cacheSeconds: Int?
    /// The permissions without which a call is refused before it is decoded.
    package let permissions: Permissions
    /// A larger request payload is refused before it is decoded.
    package let maximumRequestBytes: Int
    /// The protobuf names of the messages, by which a wire finds their JSON. Empty if they have none.
    package let requestName: String
    package let responseName: String
    /// Begins a call. It runs on the connection's event loop and must not block: work that waits goes in `.later`.
    package let start: @Sendable (IncomingCall) throws(RPCError) -> Step

    package init(
        name: String,
        kind: Kind,
        isWatch: Bool = false,
        hasNoSideEffects: Bool = false,
        cacheSeconds: Int? = nil,
        permissions: Permissions = [],
        maximumRequestBytes: Int = RPCMethod.defaultMaximumRequestBytes,
        requestName: String = "",
        responseName: String = "",
        start: @escaping @Sendable (IncomingCall) throws(RPCError) -> Step
    ) {
        self.name = name
        self.kind = kind
        self.isStreaming = kind != .unary
        self.takesFurtherRequests = kind == .bidirectional
        self.isWatch = isWatch
        self.hasNoSideEffects = hasNoSideEffects
        self.cacheSeconds = cacheSeconds
        self.permissions = permissions
        self.maximumRequestBytes = maximumRequestBytes
        self.requestName = requestName
        self.responseName = responseName
        self.start = start
    }
}

/// A call as its handler gets it.
package struct IncomingCall: Sendable {
    /// The request message's bytes, at most the method's `maximumRequestBytes`.
    package let payload: ByteBuffer
    /// The metadata without the caller's credentials.
    package let metadata: Metadata
    /// The time at which the caller stops waiting; nil means never. The transport enforces it, handlers may use it to
    /// plan.
    package let deadline: NIODeadline?
    /// The caller, as queues and budgets that callers share know it.
    package let caller: CallerID
    /// The identity of the caller, and its scopes. The method's permissions were checked; those for a list are the
    /// handler's to check.
    package let principal: Principal
    /// The protocol by which it arrived.
    package let system: RPCSystem

    package init(
        payload: ByteBuffer,
        metadata: Metadata = Metadata(),
        deadline: NIODeadline? = nil,
        caller: CallerID = .server,
        principal: Principal = .local,
        system: RPCSystem = .ttrpc
    ) {
        self.payload = payload
        self.metadata = metadata
        self.deadline = deadline
        self.caller = caller
        self.principal = principal
        self.system = system
    }
}

/// The next step of a call. A unary call answers with one `message` and nothing after it.
package enum Step: Sendable {
    /// A message is ready. `then` gives the ones after it; nil means that this was the last.
    case message(any OutgoingMessage, then: (any MessageSource)?)
    /// There is no message yet: the source has the first one, now or when the log that it reads has one.
    case source(any MessageSource)
    /// The stream is over.
    case end
    /// The answer is not in memory: run this in a task, which is cancelled when the call ends, and continue with its
    /// result.
    ///
    /// The task runs on the connection's event loop while it does not wait for others. Long computations choose another
    /// executor with `withTaskExecutorPreference`.
    case later(@Sendable () async throws(RPCError) -> Step)
    /// The answer is not in memory, and whoever makes it calls back: begin this, cancel it when the call ends, and continue
    /// with its result.
    case pending(PendingStep)
    /// The call takes further request messages. Each is answered at once, in order; the call ends after the last. Only the
    /// first step of a call can be this.
    case conversation(any Conversation)

    package static func last(_ message: any OutgoingMessage) -> Step { .message(message, then: nil) }

    package static func last(_ encoded: ByteBuffer) -> Step { .last(EncodedMessage(encoded)) }

    package static func encoded(_ message: ByteBuffer, then rest: (any MessageSource)?) -> Step {
        .message(EncodedMessage(message), then: rest)
    }
}

/// A step that is made elsewhere, as by a store's writer, and arrives by a call. It takes no task: for a small call that
/// answers many at once, a task and its continuation cost more than the rest of the call.
package struct PendingStep: Sendable {
    /// Makes the step from what has arrived. It runs on the call's event loop.
    package typealias Arrived = @Sendable () throws(RPCError) -> Step

    /// Begins the work. It runs on the call's event loop and must not block. It calls `arrived` once, on any thread, also
    /// after it was cancelled. It returns a function that cancels the work, which may be called at any time.
    package let begin: @Sendable (_ arrived: @escaping @Sendable (@escaping Arrived) -> Void) -> @Sendable () -> Void

    package init(
        begin: @escaping @Sendable (_ arrived: @escaping @Sendable (@escaping Arrived) -> Void) -> @Sendable () -> Void
    ) {
        self.begin = begin
    }
}

/// A call that answers each of its request messages with one message from memory, as reflection does.
///
/// The first of them is the payload of its `IncomingCall`. On a wire whose calls have one request it is the only one.
package protocol Conversation: AnyObject, Sendable {
    /// Returns the answer to a request. Runs on the connection's event loop and must not block.
    func answer(to payload: ByteBuffer) throws(RPCError) -> any OutgoingMessage
}

/// The remaining messages of a stream.
///
/// The transport pulls: it asks for a message when the caller has granted credit and the socket takes bytes. So a
/// source never produces a message that nobody can receive, and holds nothing while it waits.
package protocol MessageSource: AnyObject, Sendable {
    /// Returns the next step. Runs on the connection's event loop and must not block. It is asked again only if the step names
    /// it as the rest, and after the step's message was written: one object may be all messages of a stream, one at a time.
    func next() throws(RPCError) -> Step

    /// The position in the log that the call reads from here on; nil if `next` has a message. Only the sources of a watch
    /// are asked, and before credit is spent: a watch that has nothing to send does not count as waiting for its client.
    var cursor: LogCursor? { get }

    /// The point from which its caller resumes if the stream is ended here, because credit is missing or the server
    /// stops: the request's fields and their values, as the error's metadata gives them.
    var place: [String: String] { get }
}

extension MessageSource {
    package var cursor: LogCursor? { nil }
    package var place: [String: String] { [:] }
}

/// A method's full name: the service's protobuf name and the method's own.
package struct MethodPath: Sendable, Hashable, CustomStringConvertible {
    package let service: String
    package let method: String

    package init(service: String, method: String) {
        self.service = service
        self.method = method
    }

    package var description: String { "\(service)/\(method)" }
}
