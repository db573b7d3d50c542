package import FoundationEssentials
package import Logging

/// A log handler that writes each event as one JSON object on one line: message, metadata, level, logger, time.
///
/// The beginning of a line never changes for one kind of event, so that a script can wait for it:
/// `{"message":"listening","endpoint":"gateway","address":"127.0.0.1:6163",...`.
package struct JSONLogHandler: LogHandler {
    /// Metadata keys that come first, in this order; the other keys follow in alphabetical order.
    private static let leadingKeys = ["endpoint", "address"]
    /// Names of the handler's own members. A metadata key with such a name gets an underscore, so that no name comes
    /// twice.
    private static let ownNames: Set<String> = ["message", "level", "logger", "time"]

    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let now: @Sendable () -> Date
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - label: The logger's label, written after the metadata.
    ///   - logLevel: Events below it are dropped.
    ///   - now: The wall clock.
    ///   - write: Receives one complete line, its line break included.
    package init(
        label: String,
        logLevel: Logger.Level = .info,
        now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable ([UInt8]) -> Void = StandardError.write
    ) {
        self.label = label
        self.logLevel = logLevel
        self.now = now
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var facts = metadata
        for more in [metadataProvider?.get(), event.metadata] {
            facts.merge(more ?? [:]) { _, later in later }
        }
        var line = JSONLine()
        line.append("message", .string(event.message.description))
        for key in JSONLogHandler.order(facts.keys) {
            if let value = facts[key] { line.append(JSONLogHandler.ownNames.contains(key) ? key + "_" : key, value) }
        }
        line.append("level", .string(event.level.rawValue))
        line.append("logger", .string(label))
        line.append("time", .string(now().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))))
        write(line.finish())
        // The program ends after a critical event.
        if event.level == .critical { StandardError.flush() }
    }

    private static func order(_ keys: some Collection<String>) -> [String] {
        leadingKeys.filter(keys.contains) + keys.filter { !leadingKeys.contains($0) }.sorted()
    }
}
