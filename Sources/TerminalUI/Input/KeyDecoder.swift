/// A decoder of terminal input: bytes to keys, mouse events, pastes and replies of the terminal.
///
///     text ──ESC──▶ escape ──[ or O──▶ sequence ──final byte──▶ text
///                     │                   └──M (X10 mouse)──▶ mouse ──3 bytes──▶ text
///                     ├──P ] _ ^ X──▶ string ──BEL or ST──▶ text
///                     └──anything else──▶ text: the key, with Alt
///
/// Input may be split at any byte. The scalars of a grapheme cluster become one key if they arrive in one piece.
///
/// For any input, no byte of a sequence becomes a character, and memory is bounded. Escape restores the decoding of
/// keys.
package struct KeyDecoder: Sendable {
    enum State: Sendable, Equatable {
        case text
        case letter([UInt8], isAlt: Bool)
        /// The Escape key, the Alt modifier, or the start of a sequence. If doubled, the first ESC is the key or Alt.
        case escape(isDoubled: Bool)
        case sequence(SequenceBytes)
        /// The bytes after `CSI M`, which has no parameters.
        case mouse([UInt8])
        /// A control string: a reply of the terminal, never a key.
        case string(StringBytes)
        case paste(PasteBytes)
    }

    var state = State.text
    private var output = Output()

    package init() {}

    /// Only a timeout of 50 ms distinguishes the Escape key from Alt and from a sequence. It also ends a paste without
    /// an end marker.
    package var awaitsTime: Bool {
        switch state {
        case .escape: true
        case .sequence(let sequence): sequence.bytes.isEmpty
        case .string(let string): string.bytes.isEmpty || string.isEnding
        case .paste: true
        case .text, .letter, .mouse: false
        }
    }

    package mutating func decode(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
        for byte in bytes { take(byte) }
        return output.take()
    }

    package mutating func timeElapsed() -> [TerminalInput] {
        switch state {
        case .escape(let isDoubled):
            if isDoubled { output.append(Key(.escape)) }
            output.append(Key(.escape))
            state = .text
        case .sequence(let sequence) where awaitsTime:
            if sequence.isAlt { output.append(Key(.escape)) }
            output.append(Key(.character(Character(sequence.introducer)), .alt))
            state = .text
        case .string(let string) where awaitsTime:
            if string.bytes.isEmpty {
                output.append(Key(.character(Character(Unicode.Scalar(string.introducer))), .alt))
            }
            if string.isEnding { output.append(Key(.escape)) }
            state = .text
        case .paste(var paste):
            state = .text
            if let text = paste.timeElapsed() { output.append(.event(.paste(text))) } else { state = .paste(paste) }
        case .sequence, .string, .text, .letter, .mouse:
            break
        }
        return output.take()
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .text: takeText(byte, isAlt: false)
        case .letter(let bytes, let isAlt): takeLetter(byte, bytes, isAlt: isAlt)
        case .escape(let isDoubled): takeEscape(byte, isDoubled: isDoubled)
        case .sequence(let sequence): takeSequence(byte, sequence)
        case .mouse(let bytes): takeMouse(byte, bytes)
        case .string(let string): takeString(byte, string)
        case .paste(var paste):
            // The buffer must have one owner, or each byte would copy it.
            state = .text
            if let text = paste.take(byte) { output.append(.event(.paste(text))) } else { state = .paste(paste) }
        }
    }

    private mutating func takeText(_ byte: UInt8, isAlt: Bool) {
        state = .text
        switch byte {
        case 0x1B where !isAlt: state = .escape(isDoubled: false)
        case 0x20..<0x7F: append(Unicode.Scalar(byte), isAlt: isAlt)
        case ..<0x80: output.append(Key(control: byte, isAlt ? .alt : []))
        // The first byte of a letter in UTF-8, which has at most four (RFC 3629).
        case 0xC2...0xF4: state = .letter([byte], isAlt: isAlt)
        default: break
        }
    }

    private mutating func takeLetter(_ byte: UInt8, _ bytes: [UInt8], isAlt: Bool) {
        guard 0x80...0xBF ~= byte else { return takeText(byte, isAlt: false) }
        let bytes = bytes + [byte]
        if let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first {
            state = .text
            append(scalar, isAlt: isAlt)
        } else {
            state = bytes.count < 4 ? .letter(bytes, isAlt: isAlt) : .text
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar, isAlt: Bool) {
        guard scalar.properties.generalCategory != .control else { return }
        if isAlt { output.append(Key(.character(Character(scalar)), .alt)) } else { output.append(scalar) }
    }

    private mutating func takeEscape(_ byte: UInt8, isDoubled: Bool) {
        switch byte {
        case 0x1B:
            if isDoubled { output.append(Key(.escape)) }
            state = .escape(isDoubled: true)
        case UInt8(ascii: "["), UInt8(ascii: "O"):
            state = .sequence(SequenceBytes(introducer: Unicode.Scalar(byte), isAlt: isDoubled))
        default:
            if isDoubled { output.append(Key(.escape)) }
            if StringBytes.introducers.contains(byte) {
                state = .string(StringBytes(introducer: byte))
            } else {
                takeText(byte, isAlt: true)
            }
        }
    }

    private mutating func takeSequence(_ byte: UInt8, _ sequence: SequenceBytes) {
        switch sequence.adding(byte) {
        case .more(let sequence): state = .sequence(sequence)
        case .broken: takeText(byte, isAlt: false)
        case .finished(let finished):
            state = .text
            take(finished, isAlt: sequence.isAlt)
        }
    }

    private mutating func take(_ sequence: ControlSequence, isAlt: Bool) {
        switch sequence.meaning {
        case .input(.event(.key(var key))):
            if isAlt { key.modifiers.insert(.alt) }
            output.append(key)
        case let other:
            // Only keys have an Alt prefix, so the first ESC was the Escape key.
            if isAlt { output.append(Key(.escape)) }
            switch other {
            case .input(let input): output.append(input)
            case .pasteBegins: state = .paste(PasteBytes())
            case .mouseBegins: state = .mouse([])
            case .nothing: break
            }
        }
    }

    private mutating func takeMouse(_ byte: UInt8, _ bytes: [UInt8]) {
        guard byte >= 0x20 else { return takeText(byte, isAlt: false) }
        guard bytes.count == 2 else {
            state = .mouse(bytes + [byte])
            return
        }
        state = .text
        // Each byte is its value plus 32; cells count from 1.
        let (button, column, row) = (Int(bytes[0]) - 32, Int(bytes[1]) - 32, Int(byte) - 32)
        if let event = MouseEvent(button: button, column: column, row: row) { output.append(.event(.mouse(event))) }
    }

    private mutating func takeString(_ byte: UInt8, _ string: StringBytes) {
        state = .text
        var string = string
        switch string.take(byte) {
        case .more: state = .string(string)
        case .finished: if let reply = string.reply { output.append(.reply(reply)) }
        case .broken: takeText(byte, isAlt: false)
        case .brokenByEscape: takeEscape(byte, isDoubled: false)
        }
    }
}

extension KeyDecoder {
    /// Consecutive scalars are kept as one text, so that they can form grapheme clusters.
    private struct Output: Sendable {
        private var inputs: [TerminalInput] = []
        private var letters = String.UnicodeScalarView()

        mutating func append(_ scalar: Unicode.Scalar) { letters.append(scalar) }

        mutating func append(_ key: Key) { append(.event(.key(key))) }

        mutating func append(_ input: TerminalInput) {
            flush()
            inputs.append(input)
        }

        mutating func take() -> [TerminalInput] {
            flush()
            defer { inputs = [] }
            return inputs
        }

        private mutating func flush() {
            guard !letters.isEmpty else { return }
            for letter in String(letters) { inputs.append(.event(.key(.character(letter)))) }
            letters = String.UnicodeScalarView()
        }
    }
}
