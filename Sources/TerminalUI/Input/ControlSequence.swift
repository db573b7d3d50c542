/// A parsed control sequence (ECMA-48, 5.4).
struct ControlSequence {
    enum Meaning {
        case input(TerminalInput)
        /// Pasted text follows.
        case pasteBegins
        /// Three bytes follow: the button and the position of the mouse.
        case mouseBegins
        case nothing
    }

    /// `[` for CSI, `O` for SS3.
    let introducer: Unicode.Scalar
    /// One of `<=>?`, or `[` from the Linux console.
    let prefix: Unicode.Scalar?
    /// Limited to 0x110000, one more than the largest code point. Of sub-parameters, only the first is kept.
    let parameters: [Int?]
    let intermediates: [Unicode.Scalar]
    let final: Unicode.Scalar
    /// Whether this is a key release of the Kitty keyboard protocol.
    let isRelease: Bool

    init(introducer: Unicode.Scalar, bytes: [UInt8], final: UInt8) {
        let hasPrefix = bytes.first.map { (0x3C...0x3F).contains($0) || $0 == UInt8(ascii: "[") } ?? false
        let numbers = bytes.dropFirst(hasPrefix ? 1 : 0).filter { (0x30...0x3B).contains($0) }
        let parameters = numbers.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(ControlSequence.number)
        }
        self.introducer = introducer
        self.prefix = hasPrefix ? bytes.first.map { Unicode.Scalar($0) } : nil
        self.parameters = numbers.isEmpty ? [] : parameters.map { $0.first ?? nil }
        self.intermediates = bytes.filter { (0x20...0x2F).contains($0) }.map { Unicode.Scalar($0) }
        self.final = Unicode.Scalar(final)
        self.isRelease = parameters.count > 1 && parameters[1].count > 1 && parameters[1][1] == 3
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.isEmpty ? nil : digits.reduce(0) { min($0 * 10 + Int($1) - 0x30, 0x11_0000) }
    }

    func parameter(_ index: Int) -> Int? { index < parameters.count ? parameters[index] : nil }

    var meaning: Meaning {
        guard intermediates.isEmpty else { return .nothing }
        switch (introducer, prefix, final) {
        case ("[", nil, "~") where parameter(0) == 200: return .pasteBegins
        case ("[", nil, "M") where parameters.isEmpty: return .mouseBegins
        case ("[", nil, "t"): return cellSize.map { .input(.reply(.cellSize($0))) } ?? .nothing
        case ("[", "<", "M"): return mouse.map { .input(.event(.mouse($0))) } ?? .nothing
        case (_, nil, _), ("[", "[", _): return key.map { .input(.event(.key($0))) } ?? .nothing
        default: return .nothing
        }
    }

    /// The cell size in `CSI 6 ; height ; width t`, the reply to `CSI 16 t`.
    private var cellSize: PixelSize? {
        guard parameter(0) == 6, let height = parameter(1), let width = parameter(2),
            (1...512).contains(height), (1...512).contains(width)
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    private var mouse: MouseEvent? {
        guard let button = parameter(0), let column = parameter(1), let row = parameter(2) else { return nil }
        return MouseEvent(button: button, column: column, row: row)
    }
}

extension MouseEvent {
    /// Reads xterm's report (ctlseqs, "Mouse Tracking"). Nil for other buttons, moves and releases.
    init?(button: Int, column: Int, row: Int) {
        guard button >= 0, column > 0, row > 0 else { return nil }
        let position = Position(column: column - 1, row: row - 1)
        // Shift, Alt and Control are ignored.
        switch button & ~0b1_1100 {
        case 0: self.init(.press, at: position)
        case 64: self.init(.scrollUp, at: position)
        case 65: self.init(.scrollDown, at: position)
        default: return nil
        }
    }
}

/// An incomplete control sequence (ECMA-48, 5.4), or an incomplete key that begins with SS3.
struct SequenceBytes: Sendable, Equatable {
    enum Step {
        case more(SequenceBytes)
        case finished(ControlSequence)
        case broken
    }

    /// `[` (CSI) or `O` (SS3).
    let introducer: Unicode.Scalar
    /// Whether another ESC came before.
    let isAlt: Bool
    private(set) var bytes: [UInt8] = []
    /// Read to its end and ignored.
    private var isTooLong = false

    private static let maximumLength = 64

    init(introducer: Unicode.Scalar, isAlt: Bool) {
        self.introducer = introducer
        self.isAlt = isAlt
    }

    func adding(_ byte: UInt8) -> Step {
        switch byte {
        case UInt8(ascii: "[") where introducer == "[" && bytes.isEmpty: longer(by: byte)
        case 0x20...0x3F: longer(by: byte)
        case 0x40...0x7E: .finished(sequence(final: byte))
        default: .broken
        }
    }

    private func longer(by byte: UInt8) -> Step {
        var longer = self
        if bytes.count < SequenceBytes.maximumLength { longer.bytes.append(byte) } else { longer.isTooLong = true }
        return .more(longer)
    }

    private func sequence(final: UInt8) -> ControlSequence {
        ControlSequence(introducer: introducer, bytes: isTooLong ? [UInt8(ascii: "!")] : bytes, final: final)
    }
}
