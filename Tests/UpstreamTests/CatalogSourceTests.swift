import Testing

@testable import Upstream

@Suite struct CatalogSourceTests {
    @Test func theCatalogsThatAreBuiltAreRead() throws {
        #expect(try CatalogSource("builtin") == .builtIn)
        #expect(try CatalogSource("synthetic:1") == .synthetic(count: 1))
        #expect(try CatalogSource("synthetic:1000000") == .synthetic(count: 1_000_000))
        let gateway = try GatewayURL("http://127.0.0.1:6163")
        #expect(try CatalogSource("http://127.0.0.1:6163/v1/public") == .gateway(gateway))
        let secure = try GatewayURL("https://gateway.example")
        #expect(try CatalogSource("HTTPS://gateway.example") == .gateway(secure))
        for path in ["/var/lib/marvel/catalog", "characters.marvel", "builtIn"] {
            #expect(try CatalogSource(path) == .file(path))
        }
    }

    @Test(arguments: [
        ("", CatalogSource.Refusal.unknown), ("synthetic", .unknown), ("synthetic:", .syntheticCount),
        ("synthetic:0", .syntheticCount), ("synthetic:-1", .syntheticCount), ("synthetic:1000001", .syntheticCount),
        ("synthetic:many", .syntheticCount), ("synthetic:99999999999999999999", .syntheticCount),
        ("http://", .gateway(.host)), ("http://user:secret@host", .gateway(.userInfo)),
        ("https://host?apikey=1", .gateway(.queryOrFragment)),
    ])
    func everythingElseIsRefusedWithItsRule(_ text: String, _ refusal: CatalogSource.Refusal) {
        #expect(throws: refusal) { try CatalogSource(text) }
        #expect(!refusal.description.isEmpty)
        #expect(!refusal.description.contains("secret"))
    }
}
