internal import Glibc

/// A thread of its own for a loop that blocks: the cooperative pool must not wait in libcurl.
enum CurlThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread that ends with it. False if there is no thread to be had.
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

    /// Leaves signals to the program's own threads. SIGPIPE above all: OpenSSL writes to sockets that the peer closed,
    /// and libcurl under `NOSIGNAL` does not keep the signal away. Faults stay open, for crash reports.
    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
