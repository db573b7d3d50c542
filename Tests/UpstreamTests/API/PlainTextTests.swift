import Testing

@testable import Upstream

struct PlainTextTests {
    @Test(arguments: [
        ("", ""), ("   ", ""), ("Plain text.", "Plain text."), ("Two\r\nlines\n\nand\tmore ", "Two lines and more"),
        ("<p class=\"x\">First.</p><p>Second.</p>", "First. Second."),
        ("A <b>bold</b>ly placed<br/>word", "A boldly placed word"),
        ("<!-- note -->Text", "Text"), ("a < b and c > d", "a < b and c > d"), ("less <", "less <"),
        ("<a href=\"never closed", "<a href=\"never closed"), ("1<2", "1<2"),
        ("wait&hellip;", "wait…"), ("it&rsquo;s", "it’s"), ("&nbsp;", ""), ("a&nbsp;b", "a b"),
        ("&lt;b&gt; &amp;lt;", "<b> &lt;"), ("&#8217;&#x2019;&#146;", "’’’"),
        ("&unknown; &; & &#0; &#xD800; &#;", "&unknown; &; & &#0; &#xD800; &#;"),
        ("AT&T", "AT&T"), ("&amp", "&amp"), ("\u{1B}[31mred\u{0}", "[31mred"),
    ])
    func aDescriptionBecomesOneParagraphOfPlainText(written: String, read: String) {
        #expect(PlainText.paragraph(written) == read)
    }

    @Test(arguments: [
        ("itâ€™s", "it’s"), ("waitâ€¦", "wait…"), ("cafÃ©", "café"), ("â€œquoteâ€\u{9D}", "“quote”"),
        ("Ã±andÃº", "ñandú"),
        ("itâ\u{80}\u{99}s", "it’s"), ("â„¢", "™"), ("itâ€™s&hellip;", "it’s…"),
    ])
    func textThatWasDecodedTwiceIsRepaired(written: String, read: String) {
        #expect(PlainText.paragraph(written) == read)
    }

    @Test(arguments: [
        "café", "Ñandú", "“quoted” — it’s", "Ã", "POKÉ®", "«CAFÉ»", "LE CAFÉ™", "에이", "Ångström", "naïve â€", "日本â€™",
    ])
    func textThatIsRightStaysAsItIs(text: String) {
        #expect(PlainText.paragraph(text) == text)
    }

    /// The time for a hostile text is linear in its length. Otherwise these texts would take minutes.
    @Test(arguments: ["<a", "<", "&", "&#", "&amp", "â€", "<!--", "\r\n"])
    func longHostileTextIsReadInOnePass(piece: String) {
        let text = String(repeating: piece, count: 50_000)
        #expect(PlainText.paragraph(text).utf8.count <= text.utf8.count)
    }
}
