package import NIOCore

/// A service: its full name, as in the path of its calls, and its methods.
public struct RPCService: Sendable {
    /// The full name: `tally.v1.Tally`.
    public let name: String
    package let methods: [RPCMethod]

    /// - Parameters:
    ///   - name: The full name of the service.
    ///   - methods: The methods, each with a name of its own.
    public init(name: String, methods: [RPCMethod]) {
        self.name = name
        self.methods = methods
    }
}

/// A method of a service: the facts that a transport needs before it decodes a request, and the handler.
public final class RPCMethod: Sendable {
    package enum Kind: Sendable, Hashable {
        case unary
        case serverStreaming
        case bidirectional
    }

    /// 64 KiB.
    public static let defaultMaximumRequestBytes = 64 * 1024

    /// The name without that of the service.
    public let name: String
    package let kind: Kind
    /// Whether it has any number of responses. Stored, because other targets call `==` of `Kind` through its protocol.
    package let isStreaming: Bool
    package let takesFurtherRequests: Bool
    /// Whether its stream has no end, but reads a log (`MessageSource.cursor`). A draining server ends such a stream
    /// immediately.
    package let isWatch: Bool
    package let hasNoSideEffects: Bool
    /// The time for which a cache may store the answer to a GET, in seconds. Nil if answers depend on the caller or on
    /// a list: then only the caller may store them, and must revalidate before each use.
    package let cacheSeconds: Int?
    /// The permissions to check before decoding a call.
    package let permissions: Permissions
    /// A larger request is refused before decoding.
    package let maximumRequestBytes: Int
    /// The JSON of its messages; nil if they have none.
    package let json: JSONCodec?
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
        json: JSONCodec? = nil,
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
        self.json = json
        self.start = start
    }
}

/// The conversion between a method's encoded messages and their JSON, for callers that speak JSON.
package struct JSONCodec: Sendable {
    package typealias Conversion = @Sendable (ByteBuffer) throws(RPCError) -> ByteBuffer

    /// Converts a request from JSON. It throws INVALID_ARGUMENT if that is not the message's JSON.
    package let decodeRequest: Conversion
    /// Converts a response to JSON. Whatever it throws, the caller gets INTERNAL.
    package let encodeResponse: Conversion

    package init(decodeRequest: @escaping Conversion, encodeResponse: @escaping Conversion) {
        self.decodeRequest = decodeRequest
        self.encodeResponse = encodeResponse
    }
}

/// The facts of a call, apart from its request message.
public struct IncomingCall: Sendable {
    /// At most the method's `maximumRequestBytes`.
    package let payload: ByteBuffer
    /// The caller's pairs of text: gRPC's metadata, the headers of a Connect call.
    public let metadata: Metadata
    /// When the caller stops waiting; nil for never. The transport enforces it, and handlers may use it to plan.
    package let deadline: NIODeadline?
    /// The caller, for quotas and fair queues of the service's own.
    public let caller: CallerID
    /// The caller's identity and scopes. The method's permissions are checked; the handler checks those for a list.
    package let principal: Principal
    /// The protocol of the call.
    public let system: RPCSystem

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

    /// Whether the caller is on the server's machine, and trusted for it: loopback, or a unix socket.
    public var isLocal: Bool { principal.proof == .local }

    /// The time until the caller stops waiting, zero if that has passed; nil for never. Then the server cancels the call.
    public var remainingTime: Duration? { deadline.map { max(.zero, Duration($0 - .now())) } }
}

/// The next step of a call. A unary call has exactly one `message`.
package enum Step: Sendable {
    /// A message is ready. `then` gives the later ones; nil after the last.
    case message(any OutgoingMessage, then: (any MessageSource)?)
    /// The source has the first message, now or when its log has one.
    case source(any MessageSource)
    case end
    /// The answer is not in memory: run this in a task, which is cancelled when the call ends, and continue with its
    /// result.
    ///
    /// The task runs on the connection's event loop. Long computations choose another executor with
    /// `withTaskExecutorPreference`.
    case later(@Sendable () async throws(RPCError) -> Step)
    /// The answer is not in memory, and its maker calls back: begin this, cancel it when the call ends, and continue
    /// with its result.
    case pending(any PendingStep)
    /// The call takes further request messages, each answered in order. The call ends after the last. Only a call's
    /// first step can be this.
    case conversation(any Conversation)

    package static func last(_ message: any OutgoingMessage) -> Step { .message(message, then: nil) }

    package static func last(_ encoded: ByteBuffer) -> Step { .last(EncodedMessage(encoded)) }

    package static func encoded(_ message: ByteBuffer, then rest: (any MessageSource)?) -> Step {
        .message(EncodedMessage(message), then: rest)
    }
}

/// A step that is made elsewhere, such as by a store's writer, which calls back. It needs no task: for many small calls,
/// tasks would cost more than the rest of the calls.
package protocol PendingStep: AnyObject, Sendable {
    /// Begins the work, on the call's event loop, without blocking. It calls `arrived` once, on any thread, even after
    /// a cancellation.
    ///
    /// - Returns: A function that cancels the work, which may be called at any time.
    func begin(_ arrived: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    /// Makes the step, on the call's event loop, after `arrived` was called.
    func step() throws(RPCError) -> Step
}

/// A call that answers each request message with one message from memory, as reflection does.
///
/// The first request is the payload of its `IncomingCall`. On a wire with one request per call it is the only one.
package protocol Conversation: AnyObject, Sendable {
    /// Runs on the connection's event loop and must not block.
    func answer(to payload: ByteBuffer) throws(RPCError) -> any OutgoingMessage
}

/// The remaining messages of a stream.
///
/// The transport pulls a message when the caller has granted credit and the socket takes bytes. So a source never
/// produces a message that cannot be sent, and holds nothing while it waits.
package protocol MessageSource: AnyObject, Sendable {
    /// Returns the next step. Runs on the connection's event loop and must not block. The next call follows only if the
    /// step names the source as its rest, and after its message was written. So one object may be all messages of a
    /// stream, one at a time.
    func next() throws(RPCError) -> Step

    /// The position in the log that the call reads from here on; nil if `next` has a message. Only a watch's sources
    /// are asked, before credit is spent: an idle watch does not wait for credit.
    var cursor: LogCursor? { get }

    /// The point from which the caller resumes if the stream ends here: the request's fields and their values, for the
    /// error's metadata.
    var place: [String: String] { get }
}

extension MessageSource {
    package var cursor: LogCursor? { nil }
    package var place: [String: String] { [:] }
}

package struct MethodPath: Sendable, Hashable, CustomStringConvertible {
    package let service: String
    package let method: String

    package init(service: String, method: String) {
        self.service = service
        self.method = method
    }

    package var description: String { "\(service)/\(method)" }
}
