package import MarvelAPI

/// `HTTPTransport` over libcurl's multi interface.
///
/// One thread owns libcurl. Callers put commands into a mailbox and wait without blocking a thread.
///
///     get ──start──▶ mailbox ──▶ engine's thread ──▶ libcurl
///      ▲  ──cancel─▶                   │
///      └───────────── result ──────────┘
package final class CurlTransport: HTTPTransport {
    private let mailbox: CurlMailbox

    /// Starts the engine's thread.
    ///
    /// - Parameter settings: Limits and trust for every request.
    /// - Throws: `.failed` if there is no memory or no thread for it.
    package init(_ settings: CurlSettings = CurlSettings()) throws(HTTPTransportError) {
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

    package func get(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
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
