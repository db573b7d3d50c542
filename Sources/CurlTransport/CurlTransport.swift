internal import Foundation
package import MarvelDomain
package import Upstream

/// One thread owns libcurl. Callers wait without blocking a thread.
///
///     get ──start──▶ mailbox ──▶ engine's thread ──▶ libcurl
///      ▲  ──cancel─▶                   │
///      └───────────── result ──────────┘
package final class CurlTransport: HTTPFetcher {
    private let mailbox: CurlMailbox

    package convenience init() throws(SourceError) { try self.init(CurlSettings()) }

    /// - Throws: `.failed` if libcurl cannot start.
    init(_ settings: CurlSettings) throws(SourceError) {
        let multi = try CurlMultiHandle(maximumConnections: settings.maximumConnections)
        let mailbox = CurlMailbox(maximumRequests: settings.maximumRequests, multi: multi)
        self.mailbox = mailbox
        // A separate thread, because the cooperative thread pool must not wait in libcurl.
        Thread.detachNewThread {
            CurlTransport.blockSignals()
            CurlEngine(settings: settings, multi: multi, mailbox: mailbox).run()
        }
    }

    /// OpenSSL writes to closed sockets, and libcurl with `NOSIGNAL` does not block SIGPIPE. Fault signals stay
    /// unblocked.
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

    /// Returns when all connections are closed. Active and later requests fail with `.shutDown`.
    package func shutdown() async {
        await withCheckedContinuation { mailbox.stop(then: $0) }
    }
}

/// Certificate verification has no setting: it cannot be turned off.
struct CurlSettings: Sendable {
    /// Idle ones included, 1 or more. Further requests wait.
    var maximumConnections = 64
    /// Waiting ones included. Further requests fail with `.overloaded`.
    var maximumRequests = 1_000
    /// A PEM file of trusted authorities that replaces the system's.
    var certificateAuthorities: String?
}
