/// An incomplete control sequence (ECMA-48, 5.4), or an incomplete key that begins with SS3.
struct SequenceBytes: Sendable, Equatable {
    enum Step {
        case more(SequenceBytes)
        case finished(ControlSequence)
        /// The byte is invalid in a sequence.
        case broken
    }

    /// `[` (CSI) or `O` (SS3).
    let introducer: Unicode.Scalar
    /// Whether another ESC came before.
    let isAlt: Bool
    private(set) var bytes: [UInt8] = []
    /// A sequence that is too long is read to its end and ignored.
    private var isTooLong = false

    private static let maximumLength = 64

    init(introducer: Unicode.Scalar, isAlt: Bool) {
        self.introducer = introducer
        self.isAlt = isAlt
    }

    func adding(_ byte: UInt8) -> Step {
        switch byte {
        case UInt8(ascii: "[") where introducer == "[" && bytes.isEmpty: longer(by: byte)
        case UInt8(ascii: "$") where endsWithDollar: .finished(sequence(final: byte))
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

    /// rxvt ends keys with Shift by `$` after digits, against the standard. Replies that contain `$` also contain `?`.
    private var endsWithDollar: Bool {
        introducer == "[" && !bytes.isEmpty && bytes.allSatisfy { (0x30...0x39).contains($0) }
    }

    private func sequence(final: UInt8) -> ControlSequence {
        ControlSequence(introducer: introducer, bytes: isTooLong ? [UInt8(ascii: "!")] : bytes, final: final)
    }
}
