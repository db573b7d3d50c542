/// The keys that the app uses, as xterm, VTE, Kitty, iTerm, tmux and the Linux console send them.
extension ControlSequence {
    var key: Key? {
        if isRelease { return nil }
        switch final {
        case _ where introducer == "O": return lettered
        case "~" where parameter(0) == 27: return parameter(2).flatMap { Key(unicode: $0, modifiers: parameter(1)) }
        case "u": return parameter(0).flatMap { Key(unicode: $0, modifiers: parameter(1)) }
        case "~": return numbered.map { Key($0, Key.Modifiers(parameter: parameter(1))) }
        case "Z": return Key(.backTab)
        // The Linux console: `CSI [ A` is F1.
        case "A" where prefix == "[": return Key(.f1)
        default: return prefix == nil ? lettered : nil
        }
    }

    private var lettered: Key? {
        let code: Key.Code? =
            switch final {
            case "A": .up
            case "B": .down
            case "C": .right
            case "D": .left
            case "F": .end
            case "H": .home
            case "P": .f1
            default: nil
            }
        // The last of at most two parameters: `CSI 1 ; 5 A`, or `CSI 5 A` in older terminals.
        return code.map { Key($0, Key.Modifiers(parameter: parameters.count > 1 ? parameter(1) : parameter(0))) }
    }

    private var numbered: Key.Code? {
        switch parameter(0) {
        case 1, 7: .home
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11: .f1
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
