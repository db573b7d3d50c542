internal import Dispatch
internal import Glibc

/// Ends the program on Ctrl-C and SIGTERM, after it has cleaned up.
package struct Interrupts {
    private let sources: [any DispatchSourceSignal]

    package init(_ clean: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                clean()
                _exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    package func end() { for source in sources { source.cancel() } }
}
