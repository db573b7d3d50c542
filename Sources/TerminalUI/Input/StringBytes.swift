/// An incomplete control string, which begins with DCS, SOS, OSC, PM or APC (ECMA-48, 5.6).
struct StringBytes: Sendable, Equatable {
    enum Step {
        case more
        case finished
        case broken
        case brokenByEscape
    }

    static let introducers = Array("PX]^_".utf8)

    let introducer: UInt8
    private(set) var bytes: [UInt8] = []
    private(set) var isEnding = false
    /// Read to its end and ignored.
    private var isTooLong = false

    private static let maximumLength = 1_024

    init(introducer: UInt8) {
        self.introducer = introducer
    }

    mutating func take(_ byte: UInt8) -> Step {
        if isEnding { return byte == UInt8(ascii: "\\") ? .finished : .brokenByEscape }
        switch byte {
        case 0x1B: isEnding = true
        case 0x07: return .finished
        case ..<0x20, 0x7F: return .broken
        default: if bytes.count < StringBytes.maximumLength { bytes.append(byte) } else { isTooLong = true }
        }
        return .more
    }

    var reply: TerminalReply? {
        guard !isTooLong, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        switch introducer {
        case UInt8(ascii: "_") where text.hasPrefix("G"):
            return .kittyGraphics(isSupported: text.hasSuffix(";OK"))
        case UInt8(ascii: "]") where text.hasPrefix("11;"):
            return RGB(xColor: text.dropFirst(3)).map { .background($0.brightness < 0.5 ? .dark : .light) }
        default:
            return nil
        }
    }
}

extension RGB {
    /// From X11 notation: `rgb:1e1e/1e1e/1e1e`, with 1 to 4 hexadecimal digits for each component.
    init?(xColor text: Substring) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0] == "rgb" || parts[0] == "rgba" else { return nil }
        let numbers = parts[1].split(separator: "/", omittingEmptySubsequences: false).prefix(3).compactMap { digits in
            guard (1...4).contains(digits.utf8.count), !digits.hasPrefix("+"), let number = Int(digits, radix: 16),
                number >= 0
            else { return UInt8?.none }
            return UInt8(number * 255 / (1 << (4 * digits.utf8.count) - 1))
        }
        guard numbers.count == 3 else { return nil }
        self.init(numbers[0], numbers[1], numbers[2])
    }
}

struct PasteBytes: Sendable, Equatable {
    private var bytes: [UInt8] = []
    private var matched = 0
    private var idlePeriods = 0

    private static let end = Array("\u{1B}[201~".utf8)
    /// In bytes; a longer paste is truncated.
    private static let maximumLength = 65_536
    /// A paste ends after 1 second without a byte. Pauses of a slow connection are shorter.
    private static let maximumIdlePeriods = 20

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

    /// Returns the text so far if the end marker is assumed lost.
    mutating func timeElapsed() -> String? {
        idlePeriods += 1
        return idlePeriods < PasteBytes.maximumIdlePeriods ? nil : text
    }

    private mutating func append(_ byte: UInt8) {
        if bytes.count < PasteBytes.maximumLength { bytes.append(byte) }
    }

    private var text: String {
        var text = String(decoding: bytes, as: UTF8.self).withoutControls
        text.unicodeScalars.removeAll { $0 == "\u{FFFD}" }
        return text
    }
}
