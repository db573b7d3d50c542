internal import NIOCore
internal import TerminalUI

/// The input of a terminal, and of whoever can write to it: no byte of a sequence is taken for a letter that was typed.
extension FuzzTarget {
    static let terminalKeys = FuzzTarget("terminal-keys") { bytes in
        var findings = Findings()
        var decoder = KeyDecoder()
        let inputs = decoder.decode(bytes.readableBytesView)
        var other = KeyDecoder()
        let single = bytes.readableBytesView.flatMap { other.decode([$0]) }
        findings.expect(Typing(inputs) == Typing(single), "it matters how the bytes are split")
        findings.expect(decoder.awaitsTime == other.awaitsTime, "it waits for what is not to come")
        let byteCount = bytes.readableBytes
        findings.expect(inputs.count <= byteCount, "\(byteCount) bytes are \(inputs.count) events")
        for input in inputs { check(input, &findings) }

        // Whatever came, a paste ends, Escape is a key, and what is typed then is a key as well.
        _ = decoder.decode("\u{1B}[201~".utf8)
        _ = decoder.decode("\u{1B}".utf8)
        findings.expect(decoder.awaitsTime, "Escape is not a key any more")
        let last = decoder.timeElapsed().last
        findings.expect(last == .event(.key(Key(.escape))), "Escape has become \(String(describing: last))")
        let letters = decoder.decode("q".utf8)
        findings.expect(letters == [.event(.key(.character("q")))], "a letter has become \(letters)")
        return findings.breaches
    }

    private static func check(_ input: TerminalInput, _ findings: inout Findings) {
        switch input {
        case .event(.key(let key)):
            guard case .character(let letter) = key.code else { return }
            findings.expect(isPrintable(String(letter)), "a key types a control character")
        case .event(.paste(let text)):
            findings.expect(isPrintable(text), "pasted text has control characters")
            findings.expect(text.utf8.count <= 3 * 65_536, "\(text.utf8.count) bytes are pasted")
        case .event(.mouse(let event)):
            let position = event.position
            findings.expect(position.column >= 0 && position.row >= 0, "the mouse is at \(position)")
        case .reply(.cellSize(let size)):
            findings.expect(size.width > 0 && size.height > 0, "a cell has the size \(size)")
        case .event(.resized), .reply(.kittyGraphics), .reply(.background):
            break
        }
    }

    private static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

/// Typed input: letters that follow each other are one text, wherever it was cut.
private struct Typing: Equatable {
    private var others: [TerminalInput] = []
    /// The texts typed before each of the others, and after the last.
    private var texts = [""]

    init(_ inputs: [TerminalInput]) {
        for input in inputs {
            if case .event(.key(let key)) = input, case .character(let letter) = key.code, key.modifiers.isEmpty {
                texts[texts.count - 1].append(letter)
            } else {
                others.append(input)
                texts.append("")
            }
        }
    }
}
