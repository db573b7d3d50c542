import Testing

@testable import TerminalUI

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("Hulk", 4), ("Captain Marvel (Kamala)", 23), ("é", 1), ("e\u{301}", 1), ("Ångström", 8),
        ("스파이더맨", 10), ("蜘蛛人", 6), ("スパイダーマン", 14), ("Ｍ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
        ("🕷", 1), ("🕷️", 2), ("🦸", 2), ("👩‍🚀", 2), ("🇰🇷", 2), ("👍🏽", 2), ("1️⃣", 2), ("❤", 1), ("❤️", 2), ("©", 1),
        ("★", 1), ("…", 1), ("\u{200B}", 0), ("\u{301}", 0), ("𠮷", 2), ("“x”", 3), ("👨‍👩‍👧‍👦", 2),
        ("🏴\u{E0067}\u{E0062}\u{E007F}", 2),
        ("\u{1161}", 0), ("\u{11AB}", 0), ("\u{1112}\u{1161}", 2), ("ㅎ", 2), ("\u{600}1", 1), ("⌚", 2), ("─", 1),
        ("\u{3099}", 0),
        ("か\u{3099}", 2), ("\u{AD}", 0), ("\u{7F}", 0),
    ])
    func countsTerminalColumns(_ text: String, _ width: Int) {
        #expect(text.displayWidth == width)
    }

    @Test(
        arguments: [
            ("H", true), ("é", true), ("e\u{301}", true), ("한", true), ("\u{1112}\u{1161}\u{11AB}", true), ("★", true),
            ("👨‍👩‍👧‍👦", false), ("❤️", false), ("1️⃣", false), ("🇰🇷", false), ("👍🏽", false), ("🦸", false), ("⌚\u{FE0E}", false),
        ] as [(Character, Bool)]
    )
    func knowsWhereTerminalsDiffer(_ character: Character, _ isCertain: Bool) {
        #expect(character.hasCertainWidth == isCertain)
    }

    @Test(arguments: [("👨‍👩‍👧‍👦", 8), ("🇰🇷", 4), ("❤️", 2), ("👍🏽", 4), ("e\u{301}", 1)] as [(Character, Int)])
    func knowsHowFarAClusterReachesWhereItsPartsAreDrawn(_ character: Character, _ reach: Int) {
        #expect(character.reach == reach)
    }

    @Test(arguments: [
        ("Hulk", 4, "Hulk"), ("Hulk", 3, "Hu…"), ("Hulk", 1, "…"), ("Hulk", 0, ""), ("Hulk", -3, ""),
        ("a b c", 4, "a b…"), ("a bcd", 3, "a…"), ("스파이더맨", 5, "스파…"), ("스파이더맨", 6, "스파…"),
        ("👩‍🚀👩‍🚀", 3, "👩‍🚀…"), ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"),
    ])
    func cutsBetweenWhatAPersonSeesAsCharacters(_ text: String, _ width: Int, _ cut: String) {
        #expect(text.truncated(toWidth: width) == cut)
        #expect(cut.displayWidth <= max(0, width))
    }
}
