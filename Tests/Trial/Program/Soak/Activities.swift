import MarvelClient
import MarvelDomain
import NIOCore
import TrialChecks
import WireMessages

/// The mix that clients make of one server's methods.
struct Activities: Sendable {
    let server: ServerProcess
    let client: MarvelClient
    let history: ToggleHistory
    let characters: [MarvelCharacter]
    /// Whether its characters come from a gateway, which misbehaves and knows only prefixes; else they can be edited.
    let hasGateway: Bool

    private static let queries = [
        "sp", "spi", "spider", "ir", "iron", "ca", "cap", "th", "tho", "hu", "wo", "bl", "bla", "do", "ma", "x-", "st",
    ]

    private var query: String { Activities.queries.randomElement() ?? "sp" }
    private var character: MarvelCharacter { characters.randomElement() ?? characters[0] }
    private var list: ListName { history.lists.randomElement() ?? .default }

    private var source: CallTally.Tolerance { hasGateway ? .upstream : .reliable }

    var all: [Activity] { searches + lists + connections + (hasGateway ? [] : ofEditableCatalogs) }

    private var ofEditableCatalogs: [Activity] {
        [
            Activity("fuzzy search", rate: 5) { try await read(1, "spidr mn", .fuzzy) },
            Activity("word search", rate: 5) { try await read(1, query, .wordPrefix) },
            Activity("substring search", rate: 5) { try await read(1, query, .substring) },
            // Edits change how a character is shown; those on lists are left alone, so that only toggles change these.
            Activity("edit", rate: 1) {
                let changes = CharacterChanges(description: "Edited \(Int.random(in: 0..<1_000_000)).")
                let edited = characters[100 + Int.random(in: 0..<20)].id
                _ = try await client.updateCharacter(edited, changes)
            },
        ]
    }

    private var searches: [Activity] {
        [
            Activity("page", rate: 40, source) { try await read(1, query, pageSize: 10) },
            Activity("stream", rate: 3, source) { try await read(20, query, pageSize: 5) },
            Activity("stream left", rate: 8, source) { try await readSome(Int.random(in: 1...3)) },
            Activity("stream cancelled", rate: 4, source) { await cancelStream() },
            Activity("suggestions", rate: 15, source) { _ = try await client.suggestNames(query) },
            Activity("character", rate: 15, source) { _ = try await client.character(id: character.id, list: list) },
            Activity("thumbnail", rate: 5, .upstream) {
                let pictured = characters[Int.random(in: 0..<60)].id
                _ = try await client.thumbnail(of: pictured, variant: Bool.random() ? .standardLarge : .full)
            },
        ]
    }

    private var lists: [Activity] {
        [
            Activity("list", rate: 10) { _ = try await client.favorites(list: list) },
            Activity("toggle", rate: 12) { try await history.toggleUntilAnswered(over: client) },
            Activity("many toggles", rate: 0.5, maximumUnderWay: 1) {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<40 { group.addTask { try await history.toggleUntilAnswered(over: client) } }
                    try await group.waitForAll()
                }
            },
            Activity("lists", rate: 2) { _ = try await client.lists(prefix: "trial-", pageSize: 3) },
            // Each list again and again, and one at a time: its history continues where it was deleted.
            Activity("list deleted", rate: 1, maximumUnderWay: 1) { try await deleteList() },
            Activity("watch", rate: 4) { try await watch(for: .milliseconds(Int.random(in: 0...1_500))) },
        ]
    }

    private var connections: [Activity] {
        [
            Activity("connection", rate: 4) {
                let client = MarvelClient(servers: [ServerEndpoint(server.address)], retries: false)
                do {
                    _ = try await client.health()
                } catch {
                    await client.shutdown()
                    throw error
                }
                await client.shutdown()
            },
            Activity("dropped connection", rate: 4) { try dropConnection() },
            Activity("slow reader", rate: 0.7, maximumUnderWay: 8) { try await readSlowly() },
        ]
    }

    // MARK: Activities of several steps

    private func read(_ maxPages: Int, _ query: String, _ match: Match = .prefix, pageSize: Int = 0) async throws {
        let pages = client.searchCharacters(
            query,
            match: match,
            pageSize: pageSize,
            maxPages: maxPages,
            list: list,
            timeout: .seconds(10)
        )
        for try await _ in pages {}
    }

    private func readSome(_ count: Int) async throws {
        var left = count
        for try await _ in client.searchCharacters("sp", pageSize: 1, list: list, timeout: .seconds(10)) {
            left -= 1
            if left == 0 { break }
        }
    }

    /// At any moment of the stream, before its first page as well.
    private func cancelStream() async {
        let stream = Task { try? await read(0, "ma", pageSize: 3) }
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0...20)))
        stream.cancel()
        await stream.value
    }

    private func deleteList() async throws {
        guard let list = ListName("deleted-\(Int.random(in: 1...4))") else { return }
        // One that is known: of another, the source may be asked.
        _ = try await client.toggleFavorite(characters[0].id, desired: .saved, list: list)
        let deletion = try await client.deleteList(list)
        let left = try await client.favorites(list: list).list
        guard deletion.existed, left.favorites.isEmpty, left.revision == deletion.revision else {
            throw RunError("\(list) is at \(left.revision) with \(left.favorites.count) after \(deletion)")
        }
    }

    private func watch(for duration: Duration) async throws {
        do {
            try await follow(client.watchFavorites(list: list, timeout: duration + .milliseconds(1)))
        } catch let error as RPCError where error.code == .deadlineExceeded {
            // So it ends.
        }
    }

    private func follow(_ watch: FavoritesWatch) async throws { for try await _ in watch {} }

    private func dropConnection() throws {
        let ports = [server.port] + (server.httpPort.map { [$0] } ?? [])
        let connection = try RawConnection(port: ports.randomElement() ?? server.port)
        let request = RawConnection.request("SearchCharacters", SearchCharactersRequest(query: "sp"))
        switch Int.random(in: 0..<4) {
        case 0: break
        case 1: connection.send(request)
        case 2: connection.send(request.getSlice(at: 0, length: Int.random(in: 1..<request.readableBytes)) ?? request)
        default: connection.send(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"))
        }
        if Bool.random() { connection.resetAtEnd() }
    }

    /// Some 20 KB a second, of a stream that is much longer, and gone before its end.
    private func readSlowly() async throws {
        let connection = try RawConnection(port: server.port, receiveBuffer: 4096)
        let search = SearchCharactersRequest(query: "ma", pageSize: 100)
        connection.send(RawConnection.request("SearchCharacters", search))
        for _ in 0..<Int.random(in: 40...120) {
            guard connection.receive(atMost: 1024) != nil else { return }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
