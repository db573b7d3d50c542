package import FoundationEssentials
package import Logging
internal import MarvelDomain

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

    /// The minimum level of this logger; the program's own if it was not set.
    package var logLevel: Logger.Level {
        get { ownLevel ?? threshold.level }
        set { ownLevel = newValue }
    }
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let threshold: LogThreshold
    private var ownLevel: Logger.Level?
    private let label: String
    private let now: @Sendable () -> Date
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - label: The logger's label, written after the metadata.
    ///   - threshold: The level of the program. Events below it are dropped.
    ///   - metadataProvider: Gives the metadata that each event of the current task has.
    ///   - now: The wall clock.
    ///   - write: Receives one complete line, its line break included.
    package init(
        label: String,
        threshold: LogThreshold = LogThreshold(.info),
        metadataProvider: Logger.MetadataProvider? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable ([UInt8]) -> Void = StandardError.write
    ) {
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
        for more in [metadataProvider?.get(), event.metadata] {
            facts.merge(more ?? [:]) { _, later in later }
        }
        write(
            JSONWriter.line { json in
                json.field("message", event.message.description)
                for key in JSONLogHandler.order(facts.keys) {
                    json.key(JSONLogHandler.ownNames.contains(key) ? key + "_" : key)
                    if let value = facts[key] { json.metadata(value) }
                }
                json.field("level", event.level.rawValue)
                json.field("logger", label)
                json.field("time", now().logText)
            }
        )
        // The program ends after a critical event.
        if event.level == .critical { StandardError.flush() }
    }

    /// Returns the keys in the order in which they are written.
    static func order(_ keys: some Collection<String>) -> [String] {
        leadingKeys.filter(keys.contains) + keys.filter { !leadingKeys.contains($0) }.sorted()
    }
}

extension Date {
    /// The time in RFC 3339 format with milliseconds. Foundation's own formatting loads ICU's tables of time zones, which
    /// takes a quarter of a server's start.
    var logText: String {
        let seconds = timeIntervalSince1970.rounded(.down)
        let nanoseconds = (timeIntervalSince1970 - seconds) * 1_000_000_000
        return Timestamp(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds)).rfc3339Milliseconds
    }
}

extension JSONWriter {
    /// Returns the bytes of one object and a line break.
    static func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] { object(write) + [UInt8(ascii: "\n")] }

    /// Writes a value. Numbers and booleans keep their type; everything else except lists and objects becomes text.
    fileprivate mutating func metadata(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): string(text)
        case .stringConvertible(let value):
            if value is any BinaryInteger || value is Bool || (value as? Double)?.isFinite == true {
                json(value.description)
            } else {
                string(value.description)
            }
        case .array(let values): array { json in for value in values { json.metadata(value) } }
        case .dictionary(let members):
            object { json in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.key(name)
                    json.metadata(value)
                }
            }
        }
    }
}
