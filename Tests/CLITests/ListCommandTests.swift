import FakeChannel
import MarvelClient
import MarvelDomain
import Testing
import WireMessages

@testable import marvel

struct ListsCommandTests {
    private static let lists = [
        NamedList(name: "default", revision: 12, favoriteCount: 5), NamedList(name: "team", revision: 1),
    ]
    private static let server = FakeServer(["ListLists": [.message(ListListsResponse(lists: lists))]])

    @Test func aPipeGetsRows() async {
        let run = await Run("lists", Self.server)
        #expect(run.output == "default\t5\t12\nteam\t0\t1\n")
    }

    @Test func printsATable() async {
        let run = await Run.onTerminal("lists", Self.server)
        #expect(
            run.output == """
                NAME     FAVORITES  REVISION
                default          5        12
                team             0         1

                """
        )
        #expect(run.status == .done)
    }

    @Test func printsOneObjectPerLine() async throws {
        let run = await Run("lists te --json", Self.server)
        #expect(
            run.output == """
                {"name":"default","revision":"12","favoriteCount":5}
                {"name":"team","revision":"1"}

                """
        )
        #expect(try Self.server.request(ListListsRequest.self, of: "ListLists") != nil)
    }

    @Test func reportsAnEmptyResult() async {
        let server = FakeServer(["ListLists": [.message(ListListsResponse())]])
        let errors = MemoryOutput(columns: 80)
        #expect(await Run("lists", server, errors: errors).output == "")
        #expect(errors.text.contains("There are no lists."))
        #expect(await Run("lists te", server, errors: errors).status == .done)
        #expect(errors.text.contains("No list name begins with that."))
        #expect(await Run("lists", server).errors == "")
    }
}

struct DeleteListCommandTests {
    private func server(_ favorites: [Favorite] = [savedHam, savedPeter], existed: Bool = true) -> FakeServer {
        let list = ListFavoritesResponse(favorites: favorites, revision: 7, capacity: 5, attribution: attribution)
        let deletion = DeleteListResponse(revision: 8, place: "here", existed: existed)
        return FakeServer(["ListFavorites": [.message(list)], "DeleteList": [.message(deletion)]])
    }

    private let sentence = "the list team, with 2 favorites (Spider-Ham (Larval Earth), Spider-Man (Peter Parker))"

    @Test func reportsTheDeletedFavorites() async throws {
        let server = server()
        let run = await Run("delete-list team --yes", server)
        #expect(run.output == "Deleted \(sentence). The list is now at revision 8.\n")
        #expect(run.status == .done)
        let request = try #require(try server.request(DeleteListRequest.self, of: "DeleteList"))
        #expect(request.list == "team")
        #expect(!request.requestID.isEmpty)
    }

    @Test(arguments: ["y", "Yes"])
    func asksOnATerminal(_ answer: String) async {
        let run = await Run("delete-list team", server(), input: MemoryInput(line: answer, isTerminal: true))
        #expect(run.errors == "Delete \(sentence)? [y/N] ")
        #expect(run.output.hasPrefix("Deleted the list team"))
        #expect(run.status == .done)
    }

    @Test(arguments: ["", "n", "yess", nil])
    func deletesNothingWithoutAYes(_ answer: String?) async {
        let server = server()
        let run = await Run("delete-list team", server, input: MemoryInput(line: answer, isTerminal: true))
        #expect(run.errors.hasSuffix("Nothing was deleted.\n"))
        #expect(run.status == .failed)
        #expect(server.calls.map(\.method.method) == ["ListFavorites"])
    }

    @Test func deletesNothingWithoutAConfirmation() async {
        let server = server()
        let run = await Run("delete-list team", server, input: MemoryInput(line: "y"))
        #expect(run.errors == "Error: Standard input is not a terminal: add --yes to delete the list team.\n")
        #expect(run.status == .usage)
        #expect(server.calls.isEmpty)
    }

    @Test func reportsAMissingList() async {
        let run = await Run("delete-list team -y", server([], existed: false))
        #expect(run.output == "")
        #expect(run.errors == "Error: There is no list team.\n")
        #expect(run.status == .failed)
    }

    @Test func namesOnlyAFewOfMany() async {
        let many = (1...7).map { number in
            Favorite(character: MarvelCharacter(id: number, name: "N\(number)"), savedAt: Timestamp(seconds: 1))
        }
        let run = await Run("delete-list team -y", server(many))
        #expect(run.output.contains("with 7 favorites (N1, N2, N3, N4, N5, and 2 more)."))
        #expect(await Run("delete-list team -y", server([])).output.contains("with no favorites."))
    }

    @Test(arguments: ["a/b", "a,b", String(repeating: "a", count: 65)])
    func refusesAnInvalidName(_ name: String) async {
        #expect(await Run("delete-list \(name) -y", server()).status == .usage)
    }
}
