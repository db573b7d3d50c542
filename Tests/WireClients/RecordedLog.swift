package import Logging
internal import Synchronization

/// Every line of a log, at every level.
package final class RecordedLog: Sendable {
    private let state = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { state.withLock(\.self) }
    package var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.state.withLock { $0.append("\(event.message) \(metadata) \(event.metadata ?? [:])") }
        }
    }
}
