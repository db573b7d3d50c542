internal import Foundation
package import MarvelDomain
package import Upstream

/// `HTTPFetcher` over libcurl's multi interface.
///
/// One thread owns libcurl. Callers put commands into a mailbox and wait without blocking a thread.
///
///     get ──start──▶ mailbox ──▶ engine's thread ──▶ libcurl
///      ▲  ──cancel─▶                   │
///      └───────────── result ──────────┘
package final class CurlTransport: HTTPFetcher {
    private let mailbox: CurlMailbox

    package convenience init() throws(SourceError) { try self.init(CurlSettings()) }

    /// Starts the engine's thread.
    ///
    /// - Parameter settings: Limits and trust for every request.
    /// - Throws: `.failed` if there is no memory for it.
    init(_ settings: CurlSettings) throws(SourceError) {
        let multi = try CurlMultiHandle(maximumConnections: settings.maximumConnections)
        let mailbox = CurlMailbox(maximumRequests: settings.maximumRequests, multi: multi)
        self.mailbox = mailbox
        // A thread of its own, because the cooperative thread pool must not wait in libcurl.
        Thread.detachNewThread {
            CurlTransport.blockSignals()
            CurlEngine(settings: settings, multi: multi, mailbox: mailbox).run()
        }
    }

    /// Blocks signals on the engine's thread, so that the program's other threads receive them. SIGPIPE matters most:
    /// OpenSSL writes to sockets that the peer closed, and libcurl with `NOSIGNAL` does not block the signal. Fault
    /// signals stay unblocked, for crash reports.
    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    deinit { mailbox.stop() }

    package func get(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse {
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
struct CurlSettings: Sendable {
    /// The maximum number of connections, idle ones included, 1 or more. Further requests wait.
    var maximumConnections = 64
    /// The maximum number of requests, waiting ones included. Further requests are refused with `.overloaded`.
    var maximumRequests = 1_000
    /// A PEM file of authorities to trust in place of the system's.
    var certificateAuthorities: String?
}
