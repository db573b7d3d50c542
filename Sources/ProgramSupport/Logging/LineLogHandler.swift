package import FoundationEssentials
package import Logging

struct LogLine {
    let event: LogEvent
    let label: String
    let facts: Logger.Metadata
    let time: Date

    /// The keys of metadata that come first, in this order; the other keys follow in alphabetical order.
    private static let leadingKeys = ["endpoint", "address"]

    var keys: [String] {
        Self.leadingKeys.filter { facts[$0] != nil } + facts.keys.filter { !Self.leadingKeys.contains($0) }.sorted()
    }
}

package struct LineLogHandler: LogHandler {
    package var logLevel: Logger.Level {
        get { ownLevel ?? threshold.level }
        set { ownLevel = newValue }
    }
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let format: LogFormat
    private let threshold: LogThreshold
    private var ownLevel: Logger.Level?
    private let label: String
    private let now: @Sendable () -> Date
    private let write: @Sendable ([UInt8]) -> Void

    /// Events below the program's `threshold` are dropped. `metadataProvider` returns the metadata of each event of the
    /// current task. `write` gets one complete line with its line break.
    package init(
        _ format: LogFormat,
        label: String,
        threshold: LogThreshold = LogThreshold(.info),
        metadataProvider: Logger.MetadataProvider? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable ([UInt8]) -> Void = StandardError.write
    ) {
        self.format = format
        self.label = label
        self.threshold = threshold
        self.metadataProvider = metadataProvider
        self.now = now
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var facts = metadata
        for more in [metadataProvider?.get(), event.metadata] { facts.merge(more ?? [:]) { _, later in later } }
        let line = LogLine(event: event, label: label, facts: facts, time: now())
        switch format {
        case .json: write(line.json)
        case .text: write(line.text)
        }
        // The program ends after a critical event.
        if event.level == .critical { StandardError.flush() }
    }
}
