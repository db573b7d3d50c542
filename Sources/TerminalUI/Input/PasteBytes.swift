/// Text that is being pasted: everything up to `CSI 201 ~`, escape sequences too, is only text.
struct PasteBytes: Sendable, Equatable {
    private var bytes: [UInt8] = []
    /// How many bytes of the end have come.
    private var matched = 0
    /// How often in a row nothing has come for 50 ms.
    private var silences = 0

    private static let end = Array("\u{1B}[201~".utf8)
    /// What is longer is cut.
    private static let maximumLength = 65_536
    /// A second: a slow link has shorter ones.
    private static let longestSilence = 20

    /// - Returns: The whole text after its last byte, else nil.
    mutating func take(_ byte: UInt8) -> String? {
        silences = 0
        if byte == PasteBytes.end[matched] {
            matched += 1
            return matched == PasteBytes.end.count ? text : nil
        }
        PasteBytes.end.prefix(matched).forEach { append($0) }
        // Only its first byte is an ESC, so no other start of the end can be among those.
        matched = byte == PasteBytes.end[0] ? 1 : 0
        if matched == 0 { append(byte) }
        return nil
    }

    /// Nothing has come for 50 ms.
    ///
    /// - Returns: What has come of the text, if its end never will, else nil.
    mutating func timeElapsed() -> String? {
        silences += 1
        return silences < PasteBytes.longestSilence ? nil : text
    }

    private mutating func append(_ byte: UInt8) {
        if bytes.count < PasteBytes.maximumLength { bytes.append(byte) }
    }

    /// Line ends and tabs become spaces; control characters and what is not UTF-8 go.
    private var text: String {
        var text = String(decoding: bytes, as: UTF8.self).withoutControls
        text.unicodeScalars.removeAll { $0 == "\u{FFFD}" }
        return text
    }
}
