import MarvelDomain
import Testing

@testable import GatewayHTTP

@Suite struct KeyRingTests {
    private static let hash = "ffd275c5130566a2916217b101f26150"

    private func ring(
        _ status: GatewayAccount.Status = .active,
        acceptsAnyKey: Bool = false,
        referers: [String] = []
    ) throws -> KeyRing {
        let patterns = try referers.map { try #require(RefererPattern($0)) }
        let account = GatewayAccount(try #require(Vector.keys), status: status)
        return KeyRing([account], acceptsAnyKey: acceptsAnyKey, referers: patterns)
    }

    @Test(arguments: [hash, hash.uppercased()])
    func theDocumentedSignatureIsAccepted(hash: String) throws {
        #expect(try ring().check(Credentials(key: "1234", timestamp: "1", hash: hash)) == "1234")
    }

    @Test(arguments: [
        (Credentials(key: nil, timestamp: nil, hash: nil), GatewayError.missingKey),
        (Credentials(key: "1234", timestamp: nil, hash: nil), .missingHash),
        (Credentials(key: "1234", timestamp: "1", hash: nil), .missingHash),
        (Credentials(key: "1234", timestamp: nil, hash: hash), .missingTimestamp),
        (Credentials(key: "wrong", timestamp: nil, hash: "wrong"), .missingTimestamp),
        (Credentials(key: "wrong", timestamp: "1", hash: "wrong"), .invalidKey),
        (Credentials(key: "", timestamp: "1", hash: hash), .invalidKey),
        (Credentials(key: "1234", timestamp: "1", hash: "wrong"), .invalidSignature),
        (Credentials(key: "1234", timestamp: "2", hash: hash), .invalidSignature),
        (Credentials(key: "1234", timestamp: "", hash: hash), .invalidSignature),
        (Credentials(key: "1234", timestamp: "1", hash: ""), .invalidSignature),
    ])
    func theFirstMatchingRowIsReported(credentials: Credentials, error: GatewayError) throws {
        let ring = try ring()
        #expect(throws: error) { try ring.check(credentials) }
    }

    @Test(arguments: [false, true])
    func anUnentitledAccountIsRefusedBeforeItsSignatureIsChecked(acceptsAnyKey: Bool) throws {
        let ring = try ring(.unentitled, acceptsAnyKey: acceptsAnyKey, referers: ["*.example"])
        for hash in [KeyRingTests.hash, "wrong"] {
            #expect(throws: GatewayError.notEntitled) {
                try ring.check(Credentials(key: "1234", timestamp: "1", hash: hash))
            }
        }
        #expect(throws: GatewayError.notEntitled) {
            try ring.check(Credentials(key: "1234", timestamp: nil, hash: nil, referer: "https://other.test"))
        }
        if !acceptsAnyKey {
            #expect(throws: GatewayError.missingHash) {
                try ring.check(Credentials(key: "1234", timestamp: "1", hash: nil))
            }
        }
    }

    @Test func aForbiddenAccountIsRefusedAfterItsSignatureIsChecked() throws {
        let ring = try ring(.forbidden, referers: ["*.example"])
        #expect(throws: GatewayError.forbidden) {
            try ring.check(Credentials(key: "1234", timestamp: "1", hash: KeyRingTests.hash))
        }
        #expect(throws: GatewayError.invalidSignature) {
            try ring.check(Credentials(key: "1234", timestamp: "1", hash: "wrong"))
        }
        #expect(throws: GatewayError.forbidden) {
            try ring.check(Credentials(key: "1234", timestamp: nil, hash: nil, referer: "https://games.example"))
        }
        #expect(throws: GatewayError.invalidReferer) {
            try ring.check(Credentials(key: "1234", timestamp: nil, hash: nil, referer: "https://other.test"))
        }
    }

    @Test func anyKeyModeNeedsOnlyAKey() throws {
        let ring = try ring(acceptsAnyKey: true)
        for (timestamp, hash) in [(nil, nil), ("1", nil), (nil, "x"), ("", "")] as [(String?, String?)] {
            #expect(try ring.check(Credentials(key: "lost", timestamp: timestamp, hash: hash)) == "lost")
        }
        #expect(throws: GatewayError.missingKey) { try ring.check(Credentials(key: nil, timestamp: "1", hash: "x")) }
        #expect(throws: GatewayError.invalidKey) { try ring.check(Credentials(key: "", timestamp: "1", hash: "x")) }
    }

    @Test func aPageOnTheListMayAskWithTheKeyAlone() throws {
        let ring = try ring(referers: ["*.example"])
        func check(_ key: String, _ referer: String?, hash: String? = nil) throws -> String {
            try ring.check(Credentials(key: key, timestamp: nil, hash: hash, referer: referer))
        }
        #expect(try check("1234", "https://games.example/play?x=1") == "1234")
        #expect(throws: GatewayError.invalidReferer) { try check("1234", "https://other.test/") }
        #expect(throws: GatewayError.invalidKey) { try check("wrong", "https://other.test/") }
        #expect(throws: GatewayError.missingHash) { try check("1234", nil) }
        #expect(throws: GatewayError.missingTimestamp) { try check("1234", "https://games.example", hash: "x") }
    }

    @Test func withoutAListAPageNeedsASignature() throws {
        let ring = try ring()
        #expect(throws: GatewayError.missingHash) {
            try ring.check(Credentials(key: "1234", timestamp: nil, hash: nil, referer: "https://games.example"))
        }
    }
}

@Suite struct RefererPatternTests {
    @Test(arguments: [
        ("games.example", "https://games.example:8443/any/page", true), ("games.example", "HTTP://GAMES.EXAMPLE", true),
        ("games.example", "https://games.example.evil.test/", false),
        ("games.example", "https://evil.test/games.example", false),
        ("*.example", "https://a.b.example/", true), ("*.example", "https://example/", false),
        ("*.example/games/*", "https://a.example/games/1", true),
        ("*.example/games/*", "https://a.example/other/games/", false),
        ("a*b*c", "http://axxbyyc", true), ("a*b*c", "http://axxcyyb", false), ("aba*aba", "http://aba", false),
        ("*", "https://anything.test/", true), ("a.example/x", "http://a.example/x?games", true),
    ])
    func starsMatchAnything(pattern: String, referer: String, isMatch: Bool) throws {
        #expect(try #require(RefererPattern(pattern)).matches(referer) == isMatch)
    }

    @Test(arguments: ["", "https://games.example"])
    func anInvalidPatternIsRefused(text: String) {
        #expect(RefererPattern(text) == nil)
    }
}
