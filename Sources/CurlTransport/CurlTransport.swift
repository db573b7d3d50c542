package import MarvelAPI

/// `HTTPTransport` over libcurl's multi interface.
///
/// One thread owns libcurl; callers leave commands in a mailbox and wait without a thread.
///
///     get ──start──▶ mailbox ──▶ engine's thread ──▶ libcurl
///      ▲  ──cancel─▶                   │
///      └───────────── result ──────────┘
package final class CurlTransport: HTTPTransport {
    private let mailbox: CurlMailbox

    /// Starts the thread.
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
                // The handler below may have run before there was anything to cancel.
                if Task.isCancelled { mailbox.cancel(id) }
            }
        } onCancel: {
            mailbox.cancel(id)
        }
        return try result.get()
    }

    /// Ends every request under way with `.shutDown`, closes all connections, and returns when that is done.
    /// Requests made later fail with `.shutDown`. May be called more than once.
    package func shutdown() async {
        await withCheckedContinuation { mailbox.stop(then: $0) }
    }
}
