import MarvelDomain
import Testing

@testable import Catalog

@Suite struct PageTokenTests {
    private static let search = fingerprint("spider")

    private static func fingerprint(
        _ query: String,
        _ match: Match = .prefix,
        _ catalog: CatalogKind = .builtIn
    ) -> SearchFingerprint {
        guard let query = try? SearchQuery(query) else { preconditionFailure("the test's query is too short") }
        return SearchFingerprint(query: query, match: match, catalog: catalog)
    }

    private static func token(_ offset: Int = 30, lastID: Int64 = 1_009_610) -> String {
        PageToken(PagePlace(offset: offset, lastID: lastID, lastNameHash: 0x1234), fingerprint: search).text
    }

    @Test(
        arguments: [0, 1, 10, 255, 256, 1_000_000, Int(Int32.max), PageToken.maximumOffset],
        [Int64(0), 1, -1, .max]
    )
    func aTokenSurvivesARoundTrip(_ offset: Int, _ lastID: Int64) throws {
        let token = try PageToken(Self.token(offset, lastID: lastID), for: Self.search)
        #expect(token.place == PagePlace(offset: offset, lastID: lastID, lastNameHash: 0x1234))
    }

    /// Clients hold tokens for days, across versions of the server.
    @Test func tokensOfTheSecondVersionAreRead() throws {
        #expect(Self.token() == "AxI0AAAAHgAAAAAAD2fKD2uEjxYl_UXGz3bY")
        let token = try PageToken("AgAAAAAAHgAAAAAAD2fKD2uEjxYl_UWKVezy", for: Self.search)
        #expect(token.place == PagePlace(offset: 30, lastID: 1_009_610))
        #expect(throws: PageToken.Refusal.malformed) { try PageToken("AQAAAAAAAAAeD2uEjxYl_UULK3Q1", for: Self.search) }
    }

    @Test(arguments: [
        fingerprint("spiders"), fingerprint("Spider"), fingerprint("spide"), fingerprint("spider man"),
        fingerprint("spider", .wordPrefix), fingerprint("spider", .substring), fingerprint("spider", .fuzzy),
        fingerprint("spider", .prefix, .synthetic), fingerprint("spider", .prefix, .gateway),
    ])
    func aTokenOfAnotherSearchIsRefused(_ other: SearchFingerprint) {
        #expect(throws: PageToken.Refusal.otherSearch) { try PageToken(Self.token(), for: other) }
    }

    @Test(arguments: [
        "", "A", "garbage", "30", "!!!!!!!!!!!!!!!!!!!!!!!!!!!!",
        String(repeating: "A", count: PageToken.textLength),
        String(repeating: "A", count: 28), String(repeating: "_", count: PageToken.textLength),
        String(repeating: "é", count: PageToken.textLength / 2),
        String(repeating: "x", count: 60_000),
    ])
    func garbageIsRefused(_ text: String) {
        #expect(throws: PageToken.Refusal.malformed) { try PageToken(text, for: Self.search) }
    }

    @Test func aTruncatedOrLengthenedTokenIsRefused() {
        let token = Self.token()
        for length in 0..<token.count {
            #expect(throws: PageToken.Refusal.malformed) {
                try PageToken(String(token.prefix(length)), for: Self.search)
            }
        }
        for extra in [" ", "=", "A", "\n", token] {
            #expect(throws: PageToken.Refusal.malformed) { try PageToken(token + extra, for: Self.search) }
        }
    }

    @Test(arguments: [0, 10, 123_456])
    func aTokenWithAnyBitFlippedIsRefused(_ offset: Int) throws {
        let token = Self.token(offset)
        let bytes = try #require(Base64.decodeURL(token, byteCount: 27))
        for bit in 0..<bytes.count * 8 {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: PageToken.Refusal.malformed) {
                try PageToken(Base64.encode(flipped, .url), for: Self.search)
            }
        }
    }
}
