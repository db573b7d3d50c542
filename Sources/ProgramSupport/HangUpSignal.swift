internal import Dispatch
internal import Glibc
internal import Logging

/// A handler of SIGHUP, active as long as this object exists. It logs the signal, which would otherwise end the process
/// without a message.
///
/// Supervisors send SIGHUP to ask for a reload, and terminals send it when they close. Nothing can be reloaded yet.
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
