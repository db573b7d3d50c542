internal import Glibc

/// A thread for a loop that blocks. The cooperative thread pool must not wait in libcurl.
enum CurlThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread that ends with it. Returns false if no thread could be created.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let context = Unmanaged.passRetained(Body(run: body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread,
            nil,
            { context in
                CurlThread.blockSignals()
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            },
            context.toOpaque()
        )
        guard result == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Blocks signals, so that the program's other threads receive them. SIGPIPE matters most: OpenSSL writes to
    /// sockets that the peer closed, and libcurl with `NOSIGNAL` does not block the signal. Fault signals stay
    /// unblocked, for crash reports.
    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
