/// The keys that xterm, VTE, Kitty, iTerm, tmux, the Linux console and rxvt send as control sequences.
extension ControlSequence {
    var key: Key? {
        if isRelease { return nil }
        return introducer == "O" ? singleShiftKey : controlKey
    }

    private var controlKey: Key? {
        switch final {
        case "~" where parameter(0) == 27: parameter(2).flatMap { Key(unicode: $0, modifiers: parameter(1)) }
        case "u": parameter(0).flatMap { Key(unicode: $0, modifiers: parameter(1)) }
        case "~": numbered.map { Key($0, Key.Modifiers(parameter: parameter(1))) }
        // rxvt uses a different final byte for each modifier.
        case "$": numbered.map { Key($0, .shift) }
        case "^": numbered.map { Key($0, .control) }
        case "@": numbered.map { Key($0, [.shift, .control]) }
        case "a"..."d": arrow.map { Key($0, .shift) }
        case "Z": Key(.backTab)
        // The Linux console: `CSI [ A` is F1.
        case "A"..."E" where prefix == "[": Key(.function(Int(final.value) - 0x40))
        // A cursor position report, which is never requested. F3 with modifiers has the same form.
        case "R" where !parameters.isEmpty && (parameter(0) != 1 || !(2...16).contains(parameter(1) ?? 0)): nil
        default: prefix == nil ? lettered.map { Key($0, letterModifiers) } : nil
        }
    }

    private var singleShiftKey: Key? {
        switch final {
        // rxvt, with Control.
        case "a"..."d": arrow.map { Key($0, .control) }
        // The numeric keypad in application mode.
        case "M": Key(.enter)
        case "I": Key(.tab)
        case "X": Key(.character("="))
        case "j"..."y": Unicode.Scalar(final.value - 0x40).map { .character(Character($0)) }
        default: lettered.map { Key($0, letterModifiers) }
        }
    }

    /// The last of at most two parameters: `CSI 1 ; 5 A`, or `CSI 5 A` in older terminals.
    private var letterModifiers: Key.Modifiers {
        Key.Modifiers(parameter: parameters.count > 1 ? parameter(1) : parameter(0))
    }

    private var lettered: Key.Code? {
        switch final {
        case "A": .up
        case "B": .down
        case "C": .right
        case "D": .left
        case "F": .end
        case "H": .home
        case "P"..."S": .function(Int(final.value) - 0x4F)
        default: nil
        }
    }

    private var arrow: Key.Code? {
        switch final {
        case "a": .up
        case "b": .down
        case "c": .right
        case "d": .left
        default: nil
        }
    }

    private var numbered: Key.Code? {
        switch parameter(0) {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        // The VT220 keyboard skips 16, 22, 27 and 30.
        case .some(let number) where (11...15).contains(number): .function(number - 10)
        case .some(let number) where (17...21).contains(number): .function(number - 11)
        case .some(let number) where (23...26).contains(number): .function(number - 12)
        case .some(let number) where (28...29).contains(number): .function(number - 13)
        case .some(let number) where (31...34).contains(number): .function(number - 14)
        default: nil
        }
    }
}

extension Key {
    init(control byte: UInt8, _ modifiers: Modifiers) {
        switch byte {
        case 0x00: self.init(.character(" "), modifiers.union(.control))
        // Some terminals send Ctrl-H for Backspace, and Ctrl-J for Enter.
        case 0x08, 0x7F: self.init(.backspace, modifiers)
        case 0x09: self.init(.tab, modifiers)
        case 0x0A, 0x0D: self.init(.enter, modifiers)
        case 0x1B: self.init(.escape, modifiers)
        case 0x1C...0x1F: self.init(.character(Character(Unicode.Scalar(byte + 0x40))), modifiers.union(.control))
        default: self.init(.character(Character(Unicode.Scalar(byte + 0x60))), modifiers.union(.control))
        }
    }

    /// From `CSI code ; modifiers u` (fixterms, Kitty, tmux) or `CSI 27 ; modifiers ; code ~` (xterm). Nil for a key
    /// without a character, and with Super, Hyper or Meta.
    init?(unicode code: Int, modifiers parameter: Int?) {
        var modifiers = Modifiers(parameter: parameter)
        guard let scalar = Unicode.Scalar(UInt32(code)), ((parameter ?? 1) - 1) & 0b0011_1000 == 0 else { return nil }
        switch code {
        case 9 where modifiers.contains(.shift): self.init(.backTab, modifiers.subtracting(.shift))
        case 8, 9, 13, 27, 127: self.init(control: UInt8(code), modifiers)
        // Kitty's codes for keys without a character.
        case 0xE000...0xF8FF: return nil
        default:
            guard scalar.properties.generalCategory != .control else { return nil }
            var letter = String(scalar)
            if modifiers.remove(.shift) != nil, letter.uppercased().count == 1 { letter = letter.uppercased() }
            if modifiers.contains(.control), letter.lowercased().count == 1 { letter = letter.lowercased() }
            self.init(.character(Character(letter)), modifiers)
        }
    }
}

extension Key.Modifiers {
    /// From 1, plus 1 for Shift, 2 for Alt and 4 for Control. Other modifiers are ignored.
    init(parameter: Int?) {
        self.init(rawValue: UInt8(max((parameter ?? 1) - 1, 0) & 0b111))
    }
}
