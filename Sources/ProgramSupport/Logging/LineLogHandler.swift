package import FoundationEssentials
package import Logging
internal import MarvelDomain
internal import Synchronization

struct LogLine {
    let event: LogEvent
    let label: String
    let facts: Logger.Metadata
    let time: Date

    /// These come first, in this order; the other keys follow in alphabetical order.
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

    /// `metadataProvider` returns the metadata of the current task. `write` gets one complete line.
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
        if event.level == .critical { StandardError.flush() }
    }
}

extension LogLine {
    /// A key of metadata with such a name gets an underscore, so that all names differ.
    private static let ownNames: Set<String> = ["message", "level", "logger", "time"]

    /// The beginning never changes for one kind of event, so that a script can wait for it:
    /// `{"message":"listening","endpoint":"gateway","address":"127.0.0.1:6163",...`.
    var json: [UInt8] {
        JSONWriter.line { json in
            json.field("message", event.message.description)
            for key in keys {
                json.key(Self.ownNames.contains(key) ? key + "_" : key)
                if let value = facts[key] { json.metadata(value) }
            }
            json.field("level", event.level.rawValue)
            json.field("logger", label)
            json.field("time", time.logText)
        }
    }
}

extension Date {
    /// RFC 3339 with milliseconds. Foundation's formatting loads ICU's tables, which takes a quarter of a server's
    /// start.
    var logText: String {
        let seconds = timeIntervalSince1970.rounded(.down)
        let nanoseconds = (timeIntervalSince1970 - seconds) * 1_000_000_000
        return Timestamp(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds)).rfc3339Milliseconds
    }
}

extension JSONWriter {
    static func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] { object(write) + [UInt8(ascii: "\n")] }

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

extension LogLine {
    private static let longestLevel = "CRITICAL".count

    ///     2026-11-21T19:08:11.042Z NOTICE   listening endpoint=framed address=127.0.0.1:6160
    var text: [UInt8] {
        let level = event.level.rawValue.uppercased()
        let padding = String(repeating: " ", count: max(0, Self.longestLevel - level.count))
        var line = "\(time.logText) \(level)\(padding) \(Self.text(event.message.description, isBare: true))"
        for key in keys {
            if let value = facts[key] { line += " \(key)=\(Self.text(value.description, isBare: false))" }
        }
        return Array((line + "\n").utf8)
    }

    /// The text is quoted if it is ambiguous, or has characters that end a line or command a terminal.
    private static func text(_ text: String, isBare: Bool) -> String {
        var quoted = JSONWriter()
        quoted.string(text)
        let isPlain = quoted.text == "\"\(text)\"" && !text.isEmpty
        return isPlain && (isBare || !text.contains { $0 == " " || $0 == "=" }) ? text : quoted.text
    }
}

/// It may change while the program runs.
package final class LogThreshold: Sendable {
    /// Making the array for each event would allocate.
    private static let levels = Logger.Level.allCases

    private let index: Atomic<Int>

    package init(_ level: Logger.Level) { index = Atomic(Self.index(of: level)) }

    package var level: Logger.Level {
        get { Self.levels[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int { levels.firstIndex(of: level) ?? 0 }
}
