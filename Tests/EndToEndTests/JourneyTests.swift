import Foundation
import Testing

/// The first steps of a user, with the programs as they are shipped.
@Suite(.timeLimit(.minutes(10)))
struct JourneyTests {
    /// Six that every catalog knows, in the order in which they are saved.
    private static let six = ["1009610", "1009368", "1009351", "1009718", "1009220", "1009664"]

    @Test(arguments: [Stand.Catalog.builtIn, .gateway([])])
    func searchSaveAndList(_ catalog: Stand.Catalog) async throws {
        try await Stand.run(catalog) { stand in
            let search = try await succeeded(stand.marvel("search", "spider", "--pages", "3", "--json"))
            let pages = search.output.split(separator: "\n")
            #expect(pages.count == 3)
            #expect(pages.dropLast().allSatisfy { $0.contains("\"nextPageToken\"") })

            for id in Self.six {
                let toggle = try await succeeded(stand.marvel("toggle", id, "--save", "--json"))
                // Five fit; the sixth takes the place of the first.
                #expect(toggle.output.contains("\"id\":\"\(Self.six[0])\"") == (id == Self.six[5]), "\(toggle.output)")
            }
            let favorites = try await stand.marvel("favorites", "--json")
            #expect(favorites.status == 0)
            let ids = Self.six.filter { favorites.output.contains("\"id\":\"\($0)\"") }
            #expect(ids == Array(Self.six[1...]))

            let marked = try await stand.marvel("search", "iron man")
            #expect(marked.output.contains("★"))
            #expect(marked.errors.contains("Marvel"), "the attribution is shown")
            let health = try await stand.marvel("health", "--verbose", "--json")
            #expect(health.status == 0)
            let info = try #require(Self.objects(in: health.output).last)
            let isBuiltIn = if case .builtIn = catalog { true } else { false }
            #expect(info["kind"] as? String == (isBuiltIn ? "KIND_BUILT_IN" : "KIND_GATEWAY"))
            #expect((info["history"] as? String)?.count == 16)
            #expect((info["loadedAt"] != nil) == isBuiltIn)
        }
    }

    static func objects(in lines: String) throws -> [[String: Any]] {
        try lines.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    static func names(in lines: String) throws -> [String] {
        try objects(in: lines).flatMap { page in
            (page["characters"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        }
    }
}
