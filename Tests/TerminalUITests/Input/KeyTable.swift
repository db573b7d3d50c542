import Testing

@testable import TerminalUI

/// The bytes of terminals for keys: from ctlseqs of xterm, the manuals and terminfo entries of the others.
enum KeyTable {
    struct Row: Sendable, CustomTestStringConvertible {
        /// `␛` stands for ESC.
        let bytes: String
        let key: Key
        let terminal: String

        var testDescription: String { "\(bytes.debugDescription), \(terminal)" }
    }

    static let rows = letters + arrows + editing + functions + extended

    private static func row(_ bytes: String, _ code: Key.Code, _ modifiers: Key.Modifiers, _ terminal: String) -> Row {
        Row(bytes: bytes, key: Key(code, modifiers), terminal: terminal)
    }

    private static let letters = [
        row("a", .character("a"), [], "all"), row("A", .character("A"), [], "all"),
        row(" ", .character(" "), [], "all"),
        row("é", .character("é"), [], "all"), row("한", .character("한"), [], "all"), row("\r", .enter, [], "all"),
        row("\n", .enter, [], "all"), row("\t", .tab, [], "all"), row("\u{7F}", .backspace, [], "all"),
        row("\u{8}", .backspace, [], "rxvt"), row("\u{0}", .character(" "), .control, "all"),
        row("\u{1}", .character("a"), .control, "all"), row("\u{3}", .character("c"), .control, "all"),
        row("\u{1A}", .character("z"), .control, "all"), row("\u{1C}", .character("\\"), .control, "all"),
        row("\u{1F}", .character("_"), .control, "all"), row("␛a", .character("a"), .alt, "all"),
        row("␛A", .character("A"), .alt, "all"), row("␛é", .character("é"), .alt, "all"),
        row("␛\r", .enter, .alt, "all"), row("␛\u{7F}", .backspace, .alt, "all"),
        row("␛\u{1}", .character("a"), [.alt, .control], "all"), row("␛[Z", .backTab, [], "all"),
    ]

    private static let arrows = [
        row("␛[A", .up, [], "xterm, VTE, kitty, Linux"), row("␛[B", .down, [], "all"), row("␛[C", .right, [], "all"),
        row("␛[D", .left, [], "all"), row("␛OA", .up, [], "application mode"),
        row("␛OD", .left, [], "application mode"),
        row("␛[1;2A", .up, .shift, "xterm"), row("␛[1;3B", .down, .alt, "xterm"),
        row("␛[1;5C", .right, .control, "xterm"),
        row("␛[1;8D", .left, [.shift, .alt, .control], "xterm"), row("␛[5A", .up, .control, "old xterm"),
        row("␛O5A", .up, .control, "old Konsole"), row("␛␛[A", .up, .alt, "rxvt, iTerm"),
        row("␛␛OB", .down, .alt, "rxvt"), row("␛[1;129A", .up, [], "kitty, with Num Lock"),
        row("␛[1;1:1A", .up, [], "kitty"),
    ]

    private static let editing = [
        row("␛[H", .home, [], "xterm"), row("␛[F", .end, [], "xterm"), row("␛OH", .home, [], "VTE"),
        row("␛OF", .end, [], "VTE"),
        row("␛[1~", .home, [], "tmux, Linux"), row("␛[4~", .end, [], "tmux, Linux"), row("␛[7~", .home, [], "rxvt"),
        row("␛[8~", .end, [], "rxvt"), row("␛[3~", .delete, [], "all"),
        row("␛[5~", .pageUp, [], "all"), row("␛[6~", .pageDown, [], "all"), row("␛[1;5H", .home, .control, "xterm"),
        row("␛[3;5~", .delete, .control, "xterm"), row("␛[6;2~", .pageDown, .shift, "xterm"),
        row("␛[3;3~", .delete, .alt, "xterm"), row("␛␛[3~", .delete, .alt, "rxvt"),
    ]

    private static let functions = [
        row("␛OP", .f1, [], "xterm"), row("␛[P", .f1, [], "kitty"), row("␛[11~", .f1, [], "rxvt"),
        row("␛[[A", .f1, [], "Linux"), row("␛[1;5P", .f1, .control, "xterm"), row("␛O1;2P", .f1, .shift, "old xterm"),
    ]

    private static let extended = [
        row("␛[97;5u", .character("a"), .control, "kitty, tmux"), row("␛[65;6u", .character("a"), .control, "tmux"),
        row("␛[97;2u", .character("A"), [], "kitty"), row("␛[27;5;105~", .character("i"), .control, "xterm"),
        row("␛[13;5u", .enter, .control, "kitty, tmux"), row("␛[27u", .escape, [], "kitty"),
        row("␛[9;2u", .backTab, [], "kitty"),
        row("␛[9;5u", .tab, .control, "kitty"), row("␛[127;3u", .backspace, .alt, "kitty"),
        row("␛[233;3u", .character("é"), .alt, "kitty"), row("␛[32;5u", .character(" "), .control, "kitty"),
    ]
}
