import Testing

@testable import RPCCore

@Suite struct TokenTests {
    private static func random(_ first: UInt8) -> [UInt8] { [first] + [UInt8](repeating: 7, count: 31) }

    @Test func aTokenIsReadAsItWasMade() throws {
        for first in [UInt8.min, 1, 127, .max] {
            let token = TokenText(random: Self.random(first))
            #expect(token.secret.utf8.count == 54)
            #expect(token.secret.hasPrefix("mrv1_"))
            #expect(TokenText(token.secret) == token)
            #expect(try Authorization.token("bearer  \(token.secret)") == token)
        }
        let least = TokenText(random: [UInt8](repeating: 0, count: 32)).secret
        #expect(least.hasPrefix("mrv1_0000000000000000000000000000000000000000000"))
    }

    /// The check value of the CRC catalogue.
    @Test func theChecksumIsThatOfZlib() {
        #expect(TokenText.crc32(of: Array("123456789".utf8)) == 0xCBF4_3926)
    }

    @Test func aTokenPrintsWithoutItsSecret() {
        let token = TokenText(random: Self.random(3))
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), String(describing: [token]), dumped] {
            #expect(!text.contains(token.secret.dropFirst(5)))
        }
    }

    /// One wrong letter anywhere, or another length, is noticed before anything is looked up.
    @Test func aMistypedTokenIsInvalid() {
        let text = Array(TokenText(random: Self.random(9)).secret)
        for place in text.indices {
            var other = text
            other[place] = other[place] == "A" ? "B" : "A"
            #expect(TokenText(String(other)) == nil, "letter \(place)")
        }
        let whole = String(text)
        for other in ["", "mrv1_", String(whole.dropLast()), whole + "0", " " + whole, whole + "\n"] {
            #expect(TokenText(other) == nil)
        }
    }

    @Test(arguments: ["", "Bearer", "Bearer ", "Basic YTpi", "mrv1_x", "Bearer \u{0}", "Bearer a b", "BearerX"])
    func otherCredentialsAreInvalid(_ value: String) {
        #expect(throws: AccessFailure.tokenInvalid) { try Authorization.token(value) }
    }

    @Test func aTableKnowsItsTokens() throws {
        let tokens = (0..<50).map { TokenText(random: Self.random($0)) }
        let records = tokens.enumerated().map { index, token in
            TokenRecord(
                id: "\(index)",
                name: "n\(index % 3)",
                scopes: [.catalogRead],
                digest: token.digest,
                createdAt: 0,
                expiry: index == 7 ? 100 : nil
            )
        }
        let table = TokenTable(records)
        for (index, token) in tokens.enumerated() {
            let principal = try table.principal(of: token, at: 99)
            #expect(principal.proof == .token(id: "\(index)", digest: token.digest))
            #expect(principal.name == "n\(index % 3)")
        }
        #expect(throws: AccessFailure.tokenExpired) { try table.principal(of: tokens[7], at: 100) }
        #expect(throws: AccessFailure.tokenInvalid) {
            try table.principal(of: TokenText(random: Self.random(200)), at: 0)
        }
        #expect(throws: AccessFailure.tokenInvalid) { try TokenTable().principal(of: tokens[0], at: 0) }
        #expect(table.hasExpiry(after: 99, upTo: 100))
        #expect(!table.hasExpiry(after: 100, upTo: 200))
    }

    /// Tokens whose digests begin alike are told apart by the rest.
    @Test func theBeginningOfADigestIsNotEnough() throws {
        let token = TokenText(random: Self.random(1))
        var other = token.digest
        other[31] ^= 1
        let table = TokenTable([
            TokenRecord(id: "other", name: "other", scopes: [], digest: other, createdAt: 0),
            TokenRecord(id: "own", name: "own", scopes: [], digest: token.digest, createdAt: 0),
        ])
        #expect(try table.principal(of: token, at: 0).name == "own")
    }

    @Test func aPrincipalStaysTheSameUntilItsRecordChanges() throws {
        let token = TokenText(random: Self.random(1))
        var record = TokenRecord(id: "1", name: "a", scopes: [.catalogRead], digest: token.digest, createdAt: 0)
        let principal = try TokenTable([record]).principal(of: token, at: 0)
        #expect(throws: Never.self) { try TokenTable([record]).check(principal, at: 50) }
        #expect(throws: AccessFailure.tokenInvalid) { try TokenTable().check(principal, at: 0) }
        record.expiry = 50
        #expect(throws: AccessFailure.tokenExpired) { try TokenTable([record]).check(principal, at: 50) }
        record.scopes = []
        #expect(throws: AccessFailure.tokenInvalid) { try TokenTable([record]).check(principal, at: 0) }
    }

    /// A new record is the first step of a rotation, and must not end the watches of the name.
    @Test func aNameMayGainScopesButNotLoseThem() throws {
        func record(_ id: String, _ scopes: [Scope], expiry: Int64? = nil) -> TokenRecord {
            TokenRecord(id: id, name: "a", scopes: scopes, digest: nil, createdAt: 0, expiry: expiry)
        }
        let family = Scope.listsWrite(try #require(ListPattern("family-*")))
        let one = Scope.listsRead(try #require(ListPattern("family-one")))
        let principal = TokenTable([record("1", [.catalogRead, one])]).principal(named: "a", at: 0)
        let rotated = TokenTable([record("1", [.catalogRead, one]), record("2", [.catalogRead, family], expiry: 9)])
        #expect(throws: Never.self) { try rotated.check(principal, at: 0) }
        #expect(throws: Never.self) { try TokenTable([record("2", [.catalogRead, family])]).check(principal, at: 0) }
        #expect(throws: AccessFailure.tokenInvalid) {
            try TokenTable([record("2", [family])]).check(principal, at: 0)
        }
        #expect(throws: AccessFailure.tokenInvalid) {
            try TokenTable([record("2", [.catalogRead, .listsRead(try #require(ListPattern("other")))])])
                .check(principal, at: 0)
        }
    }

    @Test func aNameHasTheScopesOfItsRecords() {
        let table = TokenTable([
            TokenRecord(id: "1", name: "a", scopes: [.catalogRead], digest: nil, createdAt: 0),
            TokenRecord(id: "2", name: "a", scopes: [.admin], digest: nil, createdAt: 0, expiry: 10),
            TokenRecord(id: "3", name: "b", scopes: [.catalogEdit], digest: nil, createdAt: 0),
        ])
        #expect(table.principal(named: "a", at: 9).grants == Grants([.catalogRead, .admin]))
        #expect(table.principal(named: "a", at: 9).expiry == 10)
        #expect(table.principal(named: "a", at: 10).grants == Grants([.catalogRead]))
        #expect(table.principal(named: "c", at: 0).grants == .none)
    }
}
