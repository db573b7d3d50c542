import RPCCore
import Testing

@Suite struct ScopeTests {
    @Test(arguments: [
        "catalog:read", "catalog:edit", "admin", "lists:read:reading", "lists:write:family-*", "lists:read:*",
    ])
    func aScopeIsWrittenAsItIsRead(_ text: String) throws {
        #expect(try #require(Scope(text)).description == text)
    }

    @Test(arguments: [
        "", "catalog", "catalog:write", "lists:read", "lists:read:", "lists:delete:a", "lists:read:a b",
        "lists:read:a*b", "lists:read:**", "lists:read:ä", "lists:read:a:b", "ADMIN", " admin",
        "lists:read:" + String(repeating: "a", count: 65),
    ])
    func otherTextIsNotAScope(_ text: String) {
        #expect(Scope(text) == nil)
    }

    @Test(arguments: [
        ("lists:read:reading", "reading", true), ("lists:read:reading", "Reading", false),
        ("lists:read:reading", "reading2", false), ("lists:read:fam*", "family", true),
        ("lists:read:fam*", "fam", true), ("lists:read:fam*", "fa", false), ("lists:read:*", "x", true),
        ("lists:write:fam*", "family", true), ("catalog:read", "default", false), ("admin", "default", false),
    ])
    func aPatternCoversItsListsOnly(_ scope: String, _ list: String, _ expected: Bool) throws {
        let grants = Grants([try #require(Scope(scope))])
        #expect(grants.allows(.reading, list: list) == expected)
        #expect(grants.allows(.writing, list: list) == (expected && scope.hasPrefix("lists:write")))
    }

    @Test func aMissingScopeIsNamedAndNothingElse() throws {
        let reader = Principal(name: "reader", .name, Grants([.catalogRead]))
        #expect(throws: AccessFailure.scopeMissing(principal: "reader", scope: "lists:write:reading")) {
            try reader.check(.writing, list: "reading")
        }
        #expect(throws: AccessFailure.scopeMissing(principal: "reader", scope: "admin")) { try reader.check(.admin) }
        #expect(throws: Never.self) { try reader.check(.catalogRead) }
        let stranger = Principal(name: "", .none, Grants([.catalogRead]))
        #expect(throws: AccessFailure.tokenMissing) { try stranger.check(.reading, list: "reading") }
        for scope in [Permissions.catalogRead, .catalogEdit, .admin] {
            #expect(throws: Never.self) { try Principal.local.check(scope) }
        }
        #expect(throws: Never.self) { try Principal.local.check(.writing, list: "any") }
    }

    @Test func aPrincipalHasAShortName() {
        #expect(Principal.isName("reader-1@home"))
        for text in ["", "a b", "a/b", "ä", String(repeating: "a", count: 65)] { #expect(!Principal.isName(text)) }
    }
}
