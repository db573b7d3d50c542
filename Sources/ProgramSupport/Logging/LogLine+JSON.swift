internal import FoundationEssentials
internal import Logging
internal import MarvelDomain

extension LogLine {
    /// The names of the members that are not metadata. A key of metadata with such a name gets an underscore, so that
    /// all names differ.
    private static let ownNames: Set<String> = ["message", "level", "logger", "time"]

    /// The line as a JSON object: message, metadata, level, logger, time.
    ///
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
    /// The time in RFC 3339 format with milliseconds. Foundation's own formatting loads ICU's tables of time zones,
    /// which takes a quarter of a server's start.
    var logText: String {
        let seconds = timeIntervalSince1970.rounded(.down)
        let nanoseconds = (timeIntervalSince1970 - seconds) * 1_000_000_000
        return Timestamp(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds)).rfc3339Milliseconds
    }
}

extension JSONWriter {
    /// One object and a line break.
    static func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] { object(write) + [UInt8(ascii: "\n")] }

    /// Numbers and booleans keep their type; everything else except lists and objects becomes text.
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
