import FakeChannel
import MarvelClient
import MarvelDomain
import Testing
import WireMessages

@testable import marvel

struct WatchCommandTests {
    private static func favorite(_ id: Int64, _ name: String) -> Favorite {
        Favorite(character: MarvelCharacter(id: id, name: name), savedAt: Timestamp(seconds: 1_767_603_072))
    }

    private static let hulk = favorite(1_009_351, "Hulk")
    private static let thor = favorite(1_009_664, "Thor")
    private static let events: [WatchFavoritesResponse] = [
        WatchFavoritesResponse(
            .snapshot(FavoritesList(favorites: [thor], revision: 6, capacity: 1)),
            attribution: "Data provided by Marvel.",
            place: "p6"
        ),
        WatchFavoritesResponse(.changed(FavoritesChange(revision: 7, saved: hulk, evicted: [thor]))),
        WatchFavoritesResponse(.progress(revision: 7), place: "p7"),
        WatchFavoritesResponse(.changed(FavoritesChange(revision: 8, removed: hulk))),
    ]

    private func server(then failure: RPCError? = nil) -> FakeServer {
        let messages = Self.events.map(FakeServer.Answer.message)
        return FakeServer(["WatchFavorites": messages + (failure.map { [.failure($0)] } ?? [.silence])])
    }

    @Test func printsTheListAndThenEachChange() async throws {
        let server = server()
        let run = await Run.onTerminal("watch --list mine --changes 2", server)
        #expect(
            run.output == """
                List mine: 1 of 1, revision 6.

                        ID  NAME  SAVED
                ★  1009664  Thor  2026-01-05 08:51:12 UTC

                Data provided by Marvel.
                Revision 7: saved ★ Hulk (id 1009351); evicted Thor (id 1009664).
                Revision 8: removed Hulk (id 1009351).

                """
        )
        #expect(run.status.rawValue == 0)
        let request = try server.request(WatchFavoritesRequest.self, of: "WatchFavorites")
        #expect(request == WatchFavoritesRequest(list: "mine"))
    }

    @Test func aPipeGetsARowForEachCharacterOfAnEvent() async {
        let run = await Run("watch --changes 2", server())
        #expect(
            run.output == """
                6\tlisted\t1009664\tThor
                7\tsaved\t1009351\tHulk
                7\tevicted\t1009664\tThor
                8\tremoved\t1009351\tHulk

                """
        )
        #expect(run.errors == "Data provided by Marvel.\n")
        let deletion = FavoritesChange(revision: 1, cleared: [Self.hulk], isDeletion: true)
        let deleted = FakeServer(["WatchFavorites": [.message(WatchFavoritesResponse(.changed(deletion)))]])
        #expect(await Run("watch --changes 1", deleted).output == "1\tremoved\t1009351\tHulk\n1\tdeleted\n")
    }

    /// A revision whose changes are not kept any more, or that the list has not reached.
    @Test(arguments: [
        (
            ErrorReason.revisionCompacted,
            "The server no longer has all changes since then: this is the current list."
        ),
        (
            .revisionAhead,
            "The server was restored from a backup, or never reached that revision: this is the current list."
        ),
    ])
    func explainsAListInPlaceOfChanges(_ reason: ErrorReason, _ notice: String) async {
        let refusal = FakeServer.Answer.failure(RPCError(.outOfRange, reason: reason, "no", origin: .peer))
        let server = FakeServer([
            "WatchFavorites": [refusal], "WatchFavorites:0": Self.events.map(FakeServer.Answer.message),
        ])
        let run = await Run("watch --from-revision 4 --changes 1", server)
        #expect(run.errors == "Data provided by Marvel.\n\(notice)\n")
        #expect(run.output.hasPrefix("6\tlisted\t1009664\tThor\n"))
    }

    @Test(arguments: [
        ("", RPCError(.unavailable, "refused"), "The connection to the server was lost."),
        // The server is there, and has nothing to read the list from.
        ("", RPCError(.unavailable, reason: .storeUnavailable, "no"), "The server's database does not answer."),
        (" -v", RPCError(.unavailable, "refused"), "The connection to the server was lost (UNAVAILABLE: refused)."),
    ])
    func reportsTheLossAndContinues(_ option: String, _ error: RPCError, _ text: String) async {
        let run = await Run.onTerminal("watch --changes 3" + option, server(then: error))
        #expect(run.errors == "\(text) Retrying in 1 s.\n")
        #expect(run.status.rawValue == 0)
        #expect(run.output.hasSuffix("Revision 7: saved ★ Hulk (id 1009351); evicted Thor (id 1009664).\n"))
    }

    @Test func resumesAfterAPlaceAndReportsAChangedHistory() async throws {
        let list = FavoritesList(favorites: [Self.thor], revision: 1 << 32, capacity: 1)
        let server = FakeServer([
            "WatchFavorites": [
                .message(WatchFavoritesResponse(.snapshot(list, reset: .historyChanged))),
                .failure(RPCError(.notFound, "")),
            ]
        ])
        let run = await Run.onTerminal("watch --from p6", server)
        let said =
            "The server was restored from a backup, or never reached that revision: this is the current list.\n"
        #expect(run.errors.hasPrefix(said))
        #expect(run.output.hasPrefix("List default: 1 of 1, revision 4294967296.\n"))
        let request = try server.request(WatchFavoritesRequest.self, of: "WatchFavorites")
        #expect(request == WatchFavoritesRequest(list: "default", place: "p6"))
    }

    /// A place is a text of the server's, which may look like an option.
    @Test(arguments: [
        "-ZrQAAAAAAAAAAABX0y7bQJ3oVbsL0m8", "--Q9AAAAAAAAAAABX0y7bQJ3oVbsL0m8",
    ])
    func resumesAfterAPlaceThatBeginsWithAHyphen(_ place: String) async throws {
        let server = FakeServer(["WatchFavorites": [.failure(RPCError(.notFound, ""))]])
        _ = await Run("watch --from \(place) --list mine", server)
        let request = try server.request(WatchFavoritesRequest.self, of: "WatchFavorites")
        #expect(request == WatchFavoritesRequest(list: "mine", place: place))
    }

    @Test(arguments: ["--changes 0", "--from-revision -1", "--from p6 --from-revision 6", "--list a/b"])
    func refusesContradictoryOptions(_ option: String) async {
        let run = await Run("watch \(option)")
        #expect(run.status.rawValue == 64)
    }
}
