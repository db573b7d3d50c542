package import Foundation
package import Logging

/// Writes each log event as one JSON object on one line: the message, the metadata, then level, logger and time.
///
/// The first words of a line never change for one kind of event, so that a script can wait for them:
/// `{"message":"listening","endpoint":"gateway","address":"127.0.0.1:6163",...`.
package struct JSONLogHandler: LogHandler {
    /// Metadata that comes first, in this order; the rest follows by the alphabet.
    private static let leadingKeys = ["endpoint", "address"]
    /// A fact of such a name gets a line under it, so that no object has a name twice.
    private static let ownNames: Set<String> = ["message", "level", "logger", "time"]

    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let now: @Sendable () -> Date
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - label: The logger's, told after the facts.
    ///   - logLevel: Events below it are dropped.
    ///   - now: The wall clock.
    ///   - write: Takes one whole line, its line break included.
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
        // After such an event the program ends.
        if event.level == .critical { StandardError.flush() }
    }

    private static func order(_ keys: some Collection<String>) -> [String] {
        leadingKeys.filter(keys.contains) + keys.filter { !leadingKeys.contains($0) }.sorted()
    }
}
