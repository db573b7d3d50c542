/// A paste in progress. Everything up to `CSI 201 ~` is text, also escape sequences.
struct PasteBytes: Sendable, Equatable {
    private var bytes: [UInt8] = []
    /// The number of bytes of the end marker that have arrived.
    private var matched = 0
    /// The number of consecutive 50 ms periods without a byte.
    private var idlePeriods = 0

    private static let end = Array("\u{1B}[201~".utf8)
    /// The maximum length in bytes; a longer paste is truncated.
    private static let maximumLength = 65_536
    /// The number of idle periods after which a paste ends: 1 second. A slow connection has shorter pauses.
    private static let maximumIdlePeriods = 20

    /// - Returns: The whole text after its last byte, else nil.
    mutating func take(_ byte: UInt8) -> String? {
        idlePeriods = 0
        if byte == PasteBytes.end[matched] {
            matched += 1
            return matched == PasteBytes.end.count ? text : nil
        }
        PasteBytes.end.prefix(matched).forEach { append($0) }
        // Only the first byte of the end marker is an ESC, so the matched bytes contain no other start of it.
        matched = byte == PasteBytes.end[0] ? 1 : 0
        if matched == 0 { append(byte) }
        return nil
    }

    /// Counts 50 ms without a byte.
    ///
    /// - Returns: The text so far if the end marker is assumed lost, else nil.
    mutating func timeElapsed() -> String? {
        idlePeriods += 1
        return idlePeriods < PasteBytes.maximumIdlePeriods ? nil : text
    }

    private mutating func append(_ byte: UInt8) {
        if bytes.count < PasteBytes.maximumLength { bytes.append(byte) }
    }

    /// The text. Line ends and tabs become spaces; control characters and invalid UTF-8 are removed.
    private var text: String {
        var text = String(decoding: bytes, as: UTF8.self).withoutControls
        text.unicodeScalars.removeAll { $0 == "\u{FFFD}" }
        return text
    }
}
