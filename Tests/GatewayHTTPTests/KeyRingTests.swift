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

    private typealias Row = (key: String?, timestamp: String?, hash: String?, error: GatewayError?)

    private func expect(_ rows: [Row], from ring: KeyRing, referer: String? = nil) {
        for (key, timestamp, hash, error) in rows {
            let result = Result {
                try ring.check(Credentials(key: key, timestamp: timestamp, hash: hash, referer: referer))
            }
            let found: GatewayError? = if case .failure(let failure) = result { failure as? GatewayError } else { nil }
            #expect(found == error, "\(key ?? "-") \(timestamp ?? "-") \(hash ?? "-") from \(referer ?? "-")")
        }
    }

    @Test func theFirstMatchingRowIsReported() throws {
        expect(
            [
                (nil, nil, nil, .missingKey), ("1234", nil, nil, .missingHash), ("1234", "1", nil, .missingHash),
                ("1234", nil, Self.hash, .missingTimestamp), ("wrong", nil, "wrong", .missingTimestamp),
                ("wrong", "1", "wrong", .invalidKey), ("", "1", Self.hash, .invalidKey),
                ("1234", "1", "wrong", .invalidSignature), ("1234", "2", Self.hash, .invalidSignature),
                ("1234", "", Self.hash, .invalidSignature), ("1234", "1", "", .invalidSignature),
            ],
            from: try ring()
        )
    }

    /// Before its signature is checked.
    @Test(arguments: [false, true]) func anUnentitledAccountIsRefused(acceptsAnyKey: Bool) throws {
        let ring = try ring(.unentitled, acceptsAnyKey: acceptsAnyKey, referers: ["*.example"])
        expect([("1234", "1", Self.hash, .notEntitled), ("1234", "1", "wrong", .notEntitled)], from: ring)
        expect([("1234", nil, nil, .notEntitled)], from: ring, referer: "https://other.test")
        if !acceptsAnyKey { expect([("1234", "1", nil, .missingHash)], from: ring) }
    }

    /// After its signature was checked.
    @Test func aForbiddenAccountIsRefused() throws {
        let ring = try ring(.forbidden, referers: ["*.example"])
        expect([("1234", "1", Self.hash, .forbidden), ("1234", "1", "wrong", .invalidSignature)], from: ring)
        expect([("1234", nil, nil, .forbidden)], from: ring, referer: "https://games.example")
        expect([("1234", nil, nil, .invalidReferer)], from: ring, referer: "https://other.test")
    }

    @Test func anyKeyModeNeedsOnlyAKey() throws {
        expect(
            [
                ("lost", nil, nil, nil), ("lost", "1", nil, nil), ("lost", nil, "x", nil), ("lost", "", "", nil),
                (nil, "1", "x", .missingKey), ("", "1", "x", .invalidKey),
            ],
            from: try ring(acceptsAnyKey: true)
        )
    }

    @Test func aPageOnTheListMayAskWithTheKeyAlone() throws {
        let ring = try ring(referers: ["*.example"])
        let games = "https://games.example/play?x=1"
        expect([("1234", nil, nil, nil), ("1234", nil, "x", .missingTimestamp)], from: ring, referer: games)
        expect(
            [("1234", nil, nil, .invalidReferer), ("wrong", nil, nil, .invalidKey)],
            from: ring,
            referer: "https://other.test/"
        )
        expect([("1234", nil, nil, .missingHash)], from: try self.ring(), referer: games)
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
