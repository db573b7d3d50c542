package import MarvelAPI

/// `HTTPFetcher` over libcurl's multi interface.
///
/// One thread owns libcurl. Callers put commands into a mailbox and wait without blocking a thread.
///
///     get ──start──▶ mailbox ──▶ engine's thread ──▶ libcurl
///      ▲  ──cancel─▶                   │
///      └───────────── result ──────────┘
package final class CurlTransport: HTTPFetcher {
    private let mailbox: CurlMailbox

    /// Starts the engine's thread.
    ///
    /// - Parameter settings: Limits and trust for every request.
    /// - Throws: `.failed` if there is no memory or no thread for it.
    package init(_ settings: CurlSettings = CurlSettings()) throws(HTTPFetchError) {
        let multi = try CurlMultiHandle(maximumConnections: settings.maximumConnections)
        let mailbox = CurlMailbox(maximumRequests: settings.maximumRequests, multi: multi)
        let started = CurlThread.start {
            CurlEngine(settings: settings, multi: multi, mailbox: mailbox).run()
        }
        guard started else {
            multi.close()
            throw .failed("no thread for libcurl")
        }
        self.mailbox = mailbox
    }

    deinit { mailbox.stop() }

    package func get(_ request: HTTPRequest) async throws(HTTPFetchError) -> HTTPResponse {
        let id = mailbox.nextID()
        let deadline = ContinuousClock.now + request.limits.totalTimeout
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                mailbox.start(CurlJob(id: id, request: request, deadline: deadline, continuation: continuation))
                // The cancellation handler below may have run before the job was started.
                if Task.isCancelled { mailbox.cancel(id) }
            }
        } onCancel: {
            mailbox.cancel(id)
        }
        return try result.get()
    }

    /// Ends every active request with `.shutDown`, closes all connections, and returns when they are closed.
    /// Requests made later fail with `.shutDown`. May be called more than once.
    package func shutdown() async {
        await withCheckedContinuation { mailbox.stop(then: $0) }
    }
}

/// Settings of all requests of one transport. Certificate verification has no setting: it cannot be turned off.
package struct CurlSettings: Sendable, Hashable {
    /// The maximum number of connections, idle ones included, 1 or more. Further requests wait.
    package var maximumConnections: Int
    /// The maximum number of requests, waiting ones included. Further requests are refused with `.overloaded`.
    package var maximumRequests: Int
    /// The age after which an idle connection is not used again, because the peer may have closed it.
    package var idleConnectionTime: Duration
    /// The proxy for all requests: `http://HOST:PORT`. Nil for none, whatever the environment says.
    package var proxy: String?
    /// A PEM file of authorities to trust in place of the system's, for a gateway with a private certificate.
    package var certificateAuthorities: String?
    package var userAgent: String

    package init(
        maximumConnections: Int = 64,
        maximumRequests: Int = 1_000,
        idleConnectionTime: Duration = .seconds(30),
        proxy: String? = nil,
        certificateAuthorities: String? = nil,
        userAgent: String = "marvel-rpc"
    ) {
        self.maximumConnections = maximumConnections
        self.maximumRequests = maximumRequests
        self.idleConnectionTime = idleConnectionTime
        self.proxy = proxy
        self.certificateAuthorities = certificateAuthorities
        self.userAgent = userAgent
    }
}
