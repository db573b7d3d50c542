import MarvelDomain
import Testing

@testable import TerminalUI

struct KeyDecoderTests {
    private func decode(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
        var decoder = KeyDecoder()
        return decoder.decode(bytes) + decoder.timeElapsed()
    }

    private func keys(_ text: String) -> [Key] {
        decode(text.replacing("␛", with: "\u{1B}").utf8).compactMap {
            if case .event(.key(let key)) = $0 { key } else { nil }
        }
    }

    @Test(arguments: KeyTable.rows)
    func everyTerminalsKeysAreKnown(_ row: KeyTable.Row) {
        let keys = keys(row.bytes)
        #expect(keys == [row.key])
    }

    @Test(arguments: [
        ("␛[I", "focus gained"), ("␛[O", "focus lost"), ("␛[99~", "an unknown key"),
        ("␛[1;5E", "the middle of the pad"), ("␛[24~", "F12"), ("␛OS", "F4"), ("␛[2~", "Insert"),
        ("␛[a", "rxvt's Shift-Up"),
        ("␛[201~", "an end of a paste without a beginning"), ("␛[?1;2c", "attributes"),
        ("␛[>41;320;0c", "more attributes"),
        ("␛[24;80R", "where the cursor is"), ("␛[?2026;2$y", "a mode"), ("␛[1 q", "an intermediate"),
        ("␛]0;title\u{7}", "a title"),
        ("␛]52;c;aGk=␛\\", "a clipboard"), ("␛P1$r0m␛\\", "a setting"), ("␛_anything␛\\", "an application"),
        ("␛^private␛\\", "a private message"), ("␛Xtext␛\\", "a text"), ("␛[<0;3;4m", "a button let go"),
        ("␛[<35;3;4M", "a mouse that moved"), ("␛[<0;0;4M", "a mouse before the first column"),
        ("␛[97;9u", "with Super"),
        ("␛[57358u", "Caps Lock"), ("␛[1;1:3A", "a key let go"), ("␛[55555555555555555555u", "a number too large"),
        ("␛[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26;27;28;29A", "a sequence too long"),
        ("\u{80}\u{9B}", "control characters of eight bits"), ("␛[27;5;1~", "a control character with Control"),
        ("␛]11;rgb:zz/00/00\u{7}", "no color"), ("␛[6;0;9t", "cells without height"),
    ])
    func anUnknownSequenceIsSkippedWhole(_ bytes: String, _ what: String) {
        let inputs = decode((bytes + "x").replacing("␛", with: "\u{1B}").utf8)
        #expect(inputs == [.event(.key(.character("x")))], "\(what)")
    }

    @Test(
        arguments: [
            ([0xFF], ""), ([0xC3, 0x78], "x"), ([0xC0, 0x80], ""), ([0xE0, 0x80, 0x80], ""), ([0xED, 0xA0, 0x80], ""),
            ([0xF4, 0x90, 0x80, 0x80], ""), ([0xF0, 0x9F, 0xA6, 0xB8], "🦸"), ([0xE1, 0xC3, 0xA9], "é"),
        ] as [([UInt8], String)]
    )
    func invalidUTF8IsNotALetter(_ bytes: [UInt8], _ letters: String) {
        let inputs = decode(bytes)
        #expect(inputs == letters.map { .event(.key(.character($0))) })
    }

    @Test(arguments: ["e\u{301}", "👨‍👩‍👧‍👦", "🇰🇷", "❤️", "\u{1112}\u{1161}\u{11AB}", "한"])
    func lettersThatComeInOnePieceAreOneKey(_ letter: String) {
        let keys = keys("a" + letter + "b")
        #expect(keys == [.character("a"), .character(Character(letter)), .character("b")])
    }

    @Test func lettersThatComeInPiecesAreJoinedByTheTextTheyAreAppendedTo() {
        var decoder = KeyDecoder()
        var text = ""
        for byte in "👨‍👩‍👧‍👦e\u{301}".utf8 {
            for case .event(.key(let key)) in decoder.decode([byte]) {
                if case .character(let letter) = key.code { text.append(letter) }
            }
        }
        #expect(text == "👨‍👩‍👧‍👦e\u{301}" && text.count == 2)
    }

    @Test func onlyTimeTellsEscapeFromASequence() {
        var decoder = KeyDecoder()
        let early = decoder.decode([0x1B])
        #expect(early.isEmpty && decoder.awaitsTime)
        let late = decoder.timeElapsed()
        #expect(late == [.event(.key(Key(.escape)))] && !decoder.awaitsTime)
        let begun = decoder.decode(Array("\u{1B}".utf8)) + decoder.decode(Array("[1;".utf8))
        #expect(begun.isEmpty && !decoder.awaitsTime)
        let slow = decoder.timeElapsed() + decoder.decode(Array("5A".utf8))
        #expect(slow == [.event(.key(Key(.up, .control)))])
        let nothing = decoder.timeElapsed()
        #expect(nothing.isEmpty)
    }

    @Test(arguments: [
        ("␛", [Key(.escape)]), ("␛␛", [Key(.escape), Key(.escape)]),
        ("␛␛␛", [Key(.escape), Key(.escape), Key(.escape)]),
        ("␛␛x", [Key(.escape), Key(.character("x"), .alt)]), ("␛[", [Key(.character("["), .alt)]),
        ("␛O", [Key(.character("O"), .alt)]), ("␛]", [Key(.character("]"), .alt)]),
        ("␛␛[", [Key(.escape), Key(.character("["), .alt)]),
        ("␛[␛", [Key(.escape)]), ("␛]␛", [Key(.character("]"), .alt), Key(.escape)]), ("␛]0;t␛", [Key(.escape)]),
        ("␛[1\r", [Key(.enter)]), ("␛]0;t\u{3}", [.control("c")]), ("␛[1é", [.character("é")]),
        ("␛␛[<0;1;1M", [Key(.escape)]),
    ])
    func aTruncatedSequenceIsReadAsKeys(_ bytes: String, _ expected: [Key]) {
        let keys = keys(bytes)
        #expect(keys == expected)
    }

    @Test(arguments: [
        ("␛[<0;3;4M", MouseEvent(.press, at: Position(column: 2, row: 3))),
        ("␛[<20;3;4M", MouseEvent(.press, at: Position(column: 2, row: 3))),
        ("␛[<64;300;400M", MouseEvent(.scrollUp, at: Position(column: 299, row: 399))),
        ("␛[<65;1;1M", MouseEvent(.scrollDown, at: Position(column: 0, row: 0))),
        ("␛[M !\"", MouseEvent(.press, at: Position(column: 0, row: 1))),
    ])
    func theMouseIsUnderstood(_ bytes: String, _ event: MouseEvent) {
        let inputs = decode(bytes.replacing("␛", with: "\u{1B}").utf8)
        #expect(inputs == [.event(.mouse(event))])
    }

    @Test(arguments: [
        ("Hulk", "Hulk"), ("a\r\nb\tc", "a  b c"), ("\u{1B}[31mred\u{1B}", "[31mred"), ("", ""), ("스파\u{0}", "스파"),
        ("\u{1B}[201", "[201"), ("\u{1B}\u{1B}[20", "[20"),
    ])
    func pastedTextIsOnlyText(_ pasted: String, _ text: String) {
        let inputs = decode("\u{1B}[200~\(pasted)\u{1B}[201~x".utf8)
        #expect(inputs == [.event(.paste(text)), .event(.key(.character("x")))])
    }

    /// The link broke in the middle, or the terminal forgot: keys must not be text for ever, Ctrl-C least of all.
    @Test(arguments: ["", "\u{1B}[20"])
    func aPasteWithoutAnEndEndsAfterASecond(rest: String) {
        var decoder = KeyDecoder()
        let early = decoder.decode("\u{1B}[200~spi\(rest)".utf8)
        #expect(early.isEmpty)
        for _ in 1..<20 {
            #expect(decoder.awaitsTime)
            let nothing = decoder.timeElapsed()
            #expect(nothing.isEmpty)
        }
        let text = decoder.timeElapsed()
        #expect(text == [.event(.paste("spi"))] && !decoder.awaitsTime)
        let key = decoder.decode([3])
        #expect(key == [.event(.key(.control("c")))])
    }

    @Test func aSlowPasteIsOneText() {
        var decoder = KeyDecoder()
        var inputs = decoder.decode("\u{1B}[200~".utf8)
        for letter in "spider" {
            for _ in 1..<20 { inputs += decoder.timeElapsed() }
            inputs += decoder.decode(String(letter).utf8)
        }
        inputs += decoder.decode("\u{1B}[201~".utf8)
        #expect(inputs == [.event(.paste("spider"))])
    }

    @Test func aLongPasteIsCut() {
        let pasted = "a" + String(repeating: "é", count: 40_000)
        let inputs = decode("\u{1B}[200~\(pasted)\u{1B}[201~".utf8)
        guard case .event(.paste(let text)) = inputs.first else {
            Issue.record("no text")
            return
        }
        #expect(text.utf8.count == 65_535 && text == pasted.prefix(32_768))
    }

    @Test(
        arguments: [
            ("␛_Gi=31;OK␛\\", .kittyGraphics(isSupported: true)),
            ("␛_Gi=31;ENOENT:no file␛\\", .kittyGraphics(isSupported: false)),
            ("␛]11;rgb:1e1e/1e1e/1e1e␛\\", .background(.dark)),
            ("␛]11;rgb:ffff/ffff/dddd\u{7}", .background(.light)), ("␛]11;rgba:f/f/f/f\u{7}", .background(.light)),
            ("␛[6;18;9t", .cellSize(PixelSize(width: 9, height: 18))),
        ] as [(String, TerminalReply)]
    )
    func answersAreUnderstood(_ bytes: String, _ reply: TerminalReply) {
        let inputs = decode(bytes.replacing("␛", with: "\u{1B}").utf8)
        #expect(inputs == [.reply(reply)])
    }
}
