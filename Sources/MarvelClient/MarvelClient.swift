internal import NIOCore
internal import RPCClient
public import RPCCore
internal import WireMessages

/// A client of marvel-rpc: searches Marvel characters page by page and keeps lists of favorites.
///
/// One client serves a whole program. It opens its connection with the first call, and all calls share the connection.
///
/// ```swift
/// import MarvelClient
///
/// let client = MarvelClient()
///
/// for try await page in client.searchCharacters("spider", maxPages: 3) {
///     for character in page.characters {
///         print(page.isFavorite(character) ? "★" : " ", character.name)
///     }
///     print(page.attribution)
/// }
///
/// let result = try await client.toggleFavorite(1_009_610, desired: .saved)
/// print("revision \(result.revision), \(result.evicted.count) evicted")
/// await client.shutdown()
/// ```
///
/// Every function throws only `RPCError`. Its `code` is the kind of failure, and its `reason` the exact failure. Its
/// `origin` tells whether the server sent the error. Cancelling a task cancels its call, on the server too.
///
/// A client may have several servers that share one store. It uses one of them, and moves to another if that one stops
/// or dies. After a move, a list is not older than before, and a watch resumes after its last event.
///
/// Transient failures are retried within the call's timeout: at most five attempts, with growing delays, at any server
/// that responds. Retries are safe: reads change nothing, and a toggle carries a request id under which the server
/// keeps its response.
public final class MarvelClient: Sendable {
    /// The default timeout of a call with one response: 10 s.
    public static let defaultTimeout = Duration.seconds(10)

    /// The default time without data after which a server is checked with a keepalive: 120 s.
    public static let defaultKeepaliveInterval = Duration.seconds(120)

    /// The position in a distributed trace for the current task's calls, as the header `traceparent` has it (W3C Trace
    /// Context). An invalid value is not sent.
    ///
    /// The server logs the trace with each call, and forwards it to a gateway.
    ///
    /// ```swift
    /// try await MarvelClient.$traceparent.withValue("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01") {
    ///     try await client.character(id: 1_009_610)
    /// }
    /// ```
    @TaskLocal public static var traceparent: String?

    let channel: any RPCChannel
    let retries: Bool
    let timing: RetryTiming
    /// The answers so far, and the calls of `connectNow`. They end the waits of watches.
    let answers = ReceivedAnswers()
    /// The last known places of lists; nil without another server to move to, which could be behind.
    let places: KnownPlaces?

    /// Makes a client. Nothing is sent before the first call.
    ///
    /// - Parameters:
    ///   - servers: The servers, which share one store. A host name counts as all its addresses. The last one that
    ///     worked is tried first, the others in random order, so that clients spread over them.
    ///   - token: The token of the calls; nil for none. A loopback address or a unix socket needs none. The environment
    ///     is not read.
    ///   - sendsTokenInClear: Whether the token may be sent unencrypted to another machine. Otherwise calls to such a
    ///     server fail with UNAUTHENTICATED (TOKEN_IN_CLEAR), and the token is not sent.
    ///   - tls: The TLS of connections to servers at `tls://` addresses.
    ///   - retries: Whether transient failures are retried.
    ///   - readsAhead: Whether a stream's next messages are fetched before they are read. Without it, a page is fetched
    ///     when the loop asks for it, which suits a screen.
    ///   - keepaliveInterval: The time without data, while calls are open, after which a keepalive is sent. A server
    ///     that does not respond within half that time, at least 5 s and at most 20 s, counts as down.
    public convenience init(
        servers: [ServerEndpoint] = [ServerEndpoint(.default)],
        token: String? = nil,
        sendsTokenInClear: Bool = false,
        tls: TLS = .system,
        retries: Bool = true,
        readsAhead: Bool = true,
        keepaliveInterval: Duration = defaultKeepaliveInterval
    ) {
        var options = RPCClientOptions()
        options.credentials = token.map { ClientCredentials(token: $0, mayBeInClear: sendsTokenInClear) }
        options.keepaliveInterval = keepaliveInterval
        options.keepaliveTimeout = min(max(keepaliveInterval / 2, .seconds(5)), .seconds(20))
        if !retries { options.retries = nil }
        if !readsAhead { options.streamWindow = 1 }
        let channel = RPCClient(servers: servers, security: tls.security, options: options)
        let canMove = servers.count > 1 || servers.contains { $0.address.isHostName }
        self.init(channel: channel, retries: retries, canMove: canMove)
    }

    package init(
        channel: any RPCChannel,
        retries: Bool = true,
        timing: RetryTiming = RetryTiming(),
        canMove: Bool = false
    ) {
        self.channel = channel
        self.retries = retries
        self.timing = timing
        self.places = canMove ? KnownPlaces() : nil
    }

    /// Ends the backoff of servers that did not respond, so that the next call tries them, and the wait of watches that
    /// lost their server. Call it when the user says that a server is back.
    public func connectNow() {
        channel.connectNow()
        answers.received()
    }

    /// Closes the connection. Active calls end with UNAVAILABLE; new calls are refused.
    public func shutdown() async {
        await channel.shutdown()
    }

    func call<Request, Response>(
        _ method: MethodDescriptor<Request, Response>,
        _ request: Request,
        _ timeout: Duration?
    ) async throws(RPCError) -> Response {
        // Every call can be retried: reads change nothing, and a toggle, a deletion or an edit carries its request id.
        let bytes = try await channel.unary(
            method.path,
            request.encoded(),
            timeout: timeout,
            metadata: Self.callMetadata,
            isRepeatable: true
        )
        answers.received()
        return try Response(response: bytes)
    }
}

extension MarvelClient {
    /// The metadata of a call: the trace position of the current task, if any.
    static var callMetadata: Metadata {
        var metadata = Metadata()
        if let traceparent, TraceParent(traceparent) != nil { metadata.append(TraceParent.key, traceparent) }
        return metadata
    }
}

/// The wait and the random number with which interrupted streams resume. A simulator replaces them.
package struct RetryTiming: Sendable {
    /// Throws when the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void
    /// Uniform in 0..<1; it spreads clients that were interrupted together.
    let random: @Sendable () -> Double

    /// `sleep` throws when the task is cancelled; `random` returns a number, uniform in 0..<1.
    package init(
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.sleep = sleep
        self.random = random
    }
}
