import Browse
import TerminalUI
import Testing

@Suite
struct QueryFieldTests {
    /// The bar is the cursor.
    @Test(arguments: [
        ("iron|", Key(.left), "iro|n"),
        ("|iron", Key(.left), "|iron"),
        ("ir|on", Key(.right), "iro|n"),
        ("iron|", Key(.right), "iron|"),
        ("ir|on", Key(.home), "|iron"),
        ("ir|on", Key.control("a"), "|iron"),
        ("ir|on", Key(.end), "iron|"),
        ("ir|on", Key.control("e"), "iron|"),
        ("ir|on", Key(.backspace), "i|on"),
        ("|iron", Key(.backspace), "|iron"),
        ("ir|on", Key(.delete), "ir|n"),
        ("iron|", Key(.delete), "iron|"),
        ("ir|on", Key.control("k"), "ir|"),
        ("ir|on", Key.control("u"), "|on"),
        ("iron man  |x", Key.control("w"), "iron |x"),
        ("iron|", Key.control("w"), "|"),
        ("iron man|", Key(.backspace, .alt), "iron |"),
        ("ir|on", Key.character("X"), "irX|on"),
        ("ir|on", Key(.character("X"), .shift), "irX|on"),
        ("에이|", Key(.backspace), "에|"),
        ("👩‍👩‍👧👍🏽|", Key(.backspace), "👩‍👩‍👧|"),
        ("👩‍👩‍👧👍🏽|", Key(.left), "👩‍👩‍👧|👍🏽"),
        ("e|", Key.character("\u{301}"), "é|"),
    ])
    func aKeyEditsTheLine(before: String, key: Key, after: String) {
        var field = field(before)
        let isEdited = field.edit(key)
        #expect(isEdited)
        #expect(text(field) == after)
    }

    @Test(arguments: [Key(.enter), Key(.up), Key.control("t"), Key(.character("x"), .alt), Key(.f1)])
    func otherKeysDoNotEditTheLine(key: Key) {
        var field = field("ir|on")
        let isEdited = field.edit(key)
        #expect(!isEdited)
        #expect(text(field) == "ir|on")
    }

    @Test func pastedTextIsInsertedAtTheCursorOnOneLine() {
        var field = field("a|b")
        field.insert("x\ty\r\nz\u{7}")
        #expect(text(field) == "ax y z|b")
    }

    private func field(_ text: String) -> QueryField {
        var field = QueryField(text.replacing("|", with: ""))
        let after = text.split(separator: "|", omittingEmptySubsequences: false)[1]
        for _ in after { _ = field.edit(Key(.left)) }
        return field
    }

    private func text(_ field: QueryField) -> String { field.beforeCursor + "|" + field.afterCursor }
}
