internal import Logging
internal import MarvelDomain

extension LogLine {
    private static let longestLevel = "CRITICAL".count

    /// The line for people: time, level, message, and the metadata.
    ///
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
