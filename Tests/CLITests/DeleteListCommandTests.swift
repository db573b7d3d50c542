import FakeChannel
import MarvelClient
import Testing
import WireMessages

@testable import marvel

struct DeleteListCommandTests {
    private let server = FakeServer([
        "ListFavorites": [.message(ListFavoritesResponse(favorites: [savedHam], revision: 7, capacity: 5))],
        "DeleteList": [.message(DeleteListResponse(revision: 8, place: "here", existed: true))],
    ])

    @Test(arguments: ["y", "Yes"])
    func asksOnATerminal(_ answer: String) async {
        let run = await Run("delete-list team", server, input: MemoryInput(line: answer, isTerminal: true))
        #expect(run.errors == "Delete the list team, with 1 favorite (Spider-Ham (Larval Earth))? [y/N] ")
        #expect(run.output.hasPrefix("Deleted the list team"))
        #expect(run.status == .done)
    }

    @Test(arguments: ["", "n", "yess", nil])
    func deletesNothingWithoutAYes(_ answer: String?) async {
        let run = await Run("delete-list team", server, input: MemoryInput(line: answer, isTerminal: true))
        #expect(run.errors.hasSuffix("Nothing was deleted.\n"))
        #expect(run.status == .failed)
        #expect(server.calls.map(\.method.method) == ["ListFavorites"])
    }
}
