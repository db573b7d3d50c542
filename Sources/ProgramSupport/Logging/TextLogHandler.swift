package import FoundationEssentials
package import Logging
internal import MarvelDomain

/// A log handler that writes each event as one line for people: time, level, message, and the metadata.
///
///     2026-11-21T19:08:11.042Z NOTICE  listening endpoint=framed address=127.0.0.1:6160
package struct TextLogHandler: LogHandler {
    /// The minimum level of this logger; the program's own if it was not set.
    package var logLevel: Logger.Level {
        get { ownLevel ?? threshold.level }
        set { ownLevel = newValue }
    }
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let threshold: LogThreshold
    private var ownLevel: Logger.Level?
    private let now: @Sendable () -> Date
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - threshold: The level of the program. Events below it are dropped.
    ///   - metadataProvider: Gives the metadata that each event of the current task has.
    ///   - now: The wall clock.
    ///   - write: Receives one complete line, its line break included.
    package init(
        threshold: LogThreshold = LogThreshold(.info),
        metadataProvider: Logger.MetadataProvider? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable ([UInt8]) -> Void = StandardError.write
    ) {
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
        let level = event.level.rawValue.uppercased()
        let padding = String(repeating: " ", count: max(0, Self.longestLevel - level.count))
        var line = "\(now().logText) \(level)\(padding) \(Self.text(event.message.description, isBare: true))"
        for key in JSONLogHandler.order(facts.keys) {
            if let value = facts[key] { line += " \(key)=\(Self.text(value.description, isBare: false))" }
        }
        write(Array((line + "\n").utf8))
        // The program ends after a critical event.
        if event.level == .critical { StandardError.flush() }
    }

    private static let longestLevel = "CRITICAL".count

    /// Returns a text as it is, or in quotation marks if it could be taken for several, or has characters that end a line or
    /// command a terminal.
    private static func text(_ text: String, isBare: Bool) -> String {
        var quoted = JSONWriter()
        quoted.string(text)
        let isPlain = quoted.text == "\"\(text)\"" && !text.isEmpty
        return isPlain && (isBare || !text.contains { $0 == " " || $0 == "=" }) ? text : quoted.text
    }
}
