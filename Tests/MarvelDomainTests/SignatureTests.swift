import MarvelDomain
import Testing

struct SignatureTests {
    private func exampleKeys() throws -> MarvelKeys {
        try #require(MarvelKeys(publicKey: "1234", privateKey: "abcd"))
    }

    @Test(arguments: [
        ("1", "ffd275c5130566a2916217b101f26150", true),
        ("1", "FFD275C5130566A2916217B101F26150", true),
        ("2", "ffd275c5130566a2916217b101f26150", false),
        ("1", "ffd275c5130566a2916217b101f26151", false),
        ("1", "ffd275c5130566a2916217b101f2615", false),
        ("1", "", false),
    ])
    func aHashIsCheckedAgainstItsTimestamp(timestamp: String, hash: String, isValid: Bool) throws {
        #expect(MarvelSignature.isValid(hash, timestamp: timestamp, keys: try exampleKeys()) == isValid)
    }
}

struct MarvelKeysTests {
    @Test func noDescriptionShowsThePrivateKey() throws {
        let keys = try #require(MarvelKeys(publicKey: "PUBLIC-MARKER", privateKey: "PRIVATE-MARKER"))
        var dumped = ""
        dump(keys, to: &dumped)
        dump(["keys": [keys]], to: &dumped)
        let texts = ["\(keys)", String(reflecting: keys), "\([keys])", "\(Optional(keys) as Any)", dumped]
        for text in texts { #expect(!text.contains("MARKER"), "\(text)") }
    }

    @Test(arguments: [("It is PUBLIC1.", true), ("It is Private2.", true), ("It is neither.", false)])
    func theyAreFoundInATextInAnyLetterCase(text: String, isFound: Bool) throws {
        let keys = try #require(MarvelKeys(publicKey: "public1", privateKey: "private2"))
        #expect(keys.occur(in: text) == isFound)
    }

    @Test(arguments: [("", "abcd"), ("1234", ""), ("12 34", "abcd"), ("1234", "abcd\n"), ("12\u{0}34", "abcd")])
    func anInvalidKeyIsRefused(publicKey: String, privateKey: String) {
        #expect(MarvelKeys(publicKey: publicKey, privateKey: privateKey) == nil)
    }
}
