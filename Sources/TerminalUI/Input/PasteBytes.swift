/// Everything up to `CSI 201 ~` is text, including escape sequences.
struct PasteBytes: Sendable, Equatable {
    private var bytes: [UInt8] = []
    /// The number of received bytes of the end marker.
    private var matched = 0
    /// The number of consecutive 50 ms periods without a byte.
    private var idlePeriods = 0

    private static let end = Array("\u{1B}[201~".utf8)
    /// In bytes; a longer paste is truncated.
    private static let maximumLength = 65_536
    /// A paste ends after 1 second without a byte. Pauses of a slow connection are shorter.
    private static let maximumIdlePeriods = 20

    /// Returns the whole text after its last byte.
    mutating func take(_ byte: UInt8) -> String? {
        idlePeriods = 0
        if byte == PasteBytes.end[matched] {
            matched += 1
            return matched == PasteBytes.end.count ? text : nil
        }
        PasteBytes.end.prefix(matched).forEach { append($0) }
        // Only the end marker's first byte is an ESC, so the matched bytes contain no other start of it.
        matched = byte == PasteBytes.end[0] ? 1 : 0
        if matched == 0 { append(byte) }
        return nil
    }

    /// Counts 50 ms without a byte. Returns the text so far if the end marker is assumed lost.
    mutating func timeElapsed() -> String? {
        idlePeriods += 1
        return idlePeriods < PasteBytes.maximumIdlePeriods ? nil : text
    }

    private mutating func append(_ byte: UInt8) {
        if bytes.count < PasteBytes.maximumLength { bytes.append(byte) }
    }

    /// Line ends and tabs become spaces; control characters and invalid UTF-8 are removed.
    private var text: String {
        var text = String(decoding: bytes, as: UTF8.self).withoutControls
        text.unicodeScalars.removeAll { $0 == "\u{FFFD}" }
        return text
    }
}
