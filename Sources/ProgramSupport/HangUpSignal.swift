internal import Dispatch
internal import Glibc
internal import Logging

/// A handler of SIGHUP for as long as it lives: it logs the signal, which would otherwise end the process without a word.
///
/// Supervisors send it to ask for a reload, and terminals when they close. Nothing can be reloaded yet.
final class HangUpSignal {
    private let source: any DispatchSourceSignal

    init(logger: Logger) {
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "hang-up"))
        source.setEventHandler {
            logger.notice("SIGHUP is ignored: nothing is reloaded, restart the program to change its settings")
        }
        source.resume()
    }

    deinit { source.cancel() }
}
