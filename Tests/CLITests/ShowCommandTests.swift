import FakeChannel
import MarvelClient
import MarvelDomain
import Testing
import WireMessages

@testable import marvel

struct ShowCommandTests {
    private static func found(_ names: [String]) -> FakeServer {
        func page(_ names: [String]) -> FakeServer.Answer {
            let characters = names.enumerated().map { MarvelCharacter(id: Int64($0 + 1), name: $1) }
            return .message(SearchCharactersResponse(characters: characters, total: Int32(names.count)))
        }
        return FakeServer([
            "SearchCharacters": [page(names)],
            "GetCharacter": [.message(GetCharacterResponse(character: MarvelCharacter(id: 2, name: "found")))],
        ])
    }

    @Test(
        arguments: [
            ("Thor", ["Thor", "Thor (Ultimate)"], 1), ("thor", ["Thor", "Thor (Ultimate)"], 1),
            ("Iron Man", ["Iron Man", "Iron Man (Ultimate)"], 1), ("THOR", ["Thora", "thor"], 2),
            // Its case counts if there are several.
            ("Thor", ["THOR", "Thor"], 2),
        ] as [(String, [String], Int64)]
    )
    func aWholeNameIsANumberToo(_ name: String, _ names: [String], _ id: Int64) async throws {
        let server = Self.found(names)
        let run = await Run("show \(name) --list mine", server)
        #expect(run.status == .done, "\(run.errors)")
        let request = try server.request(GetCharacterRequest.self, of: "GetCharacter")
        #expect(request == GetCharacterRequest(id: id, list: "mine"))
    }
}
