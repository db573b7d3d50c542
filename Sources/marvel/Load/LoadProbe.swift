internal import Load
internal import MarvelClient
internal import MarvelDomain

/// One call of each kind before the load. An error is reported once, and not as a million errors.
struct LoadProbe {
    var plan: LoadPlan
    var client: MarvelClient

    /// For the call after a run. The client retries during it, in case the server has just restarted.
    private static let lastTimeout = Duration.seconds(2)
    /// The maximum of queries for finding characters to toggle.
    private static let queries = 8
    /// For the first calls, which may be slow on a server that has just started.
    private var timeout: Duration { max(plan.timeout, MarvelClient.defaultTimeout) }

    /// - Returns: The ids of existing characters; empty if the mix has no toggles.
    /// - Throws: `RPCError` if a call fails, `CommandError` if there is nothing to toggle.
    func run() async throws -> [Int64] {
        let operations = plan.mix.operations
        let isToggling = operations.contains(.toggle)
        var characters: [Int64] = []
        if isToggling || operations.contains(where: \.isSearch) {
            for query in plan.queries.prefix(isToggling ? LoadProbe.queries : 1) {
                characters += try await firstPage(query, size: isToggling ? 100 : plan.pageSize)
            }
        }
        if operations.contains(.favorites) { _ = try await client.favorites(timeout: timeout) }
        guard isToggling else { return [] }
        guard !characters.isEmpty else {
            let texts = plan.queries.joined(separator: ", ")
            throw CommandError("No characters to toggle: \(texts) found none. Try another --query.")
        }
        return characters
    }

    /// Checks after a run whether a server at any of the addresses still responds, with a result or an error.
    static func doesAnyServerRespond(_ servers: [ServerEndpoint], _ tls: MarvelClient.TLS) async -> Bool {
        let client = MarvelClient(servers: servers, tls: tls)
        do throws(RPCError) {
            _ = try await client.health(timeout: LoadProbe.lastTimeout)
            await client.shutdown()
            return true
        } catch {
            await client.shutdown()
            let isSilence = [.unavailable, .deadlineExceeded, .cancelled].contains(error.code)
            return error.origin == .peer || !isSilence
        }
    }

    private func firstPage(_ query: String, size: Int) async throws -> [Int64] {
        for try await page in client.searchCharacters(query, pageSize: size, maxPages: 1, timeout: timeout) {
            return page.characters.map(\.id)
        }
        return []
    }
}

/// The lists that a load test toggles. It removes those that it made.
struct LoadLists: Sendable {
    let client: MarvelClient
    let timeout: Duration

    /// The maximum of calls in flight.
    private static let batchSize = 64

    /// The lists without favorites, which a test of the plan makes by its toggles.
    func missing(for plan: LoadPlan) async throws -> [ListName] {
        guard plan.mix.operations.contains(.toggle) else { return [] }
        let names = (0..<plan.lists).compactMap { ListName(LoadRequests.listName($0)) }
        return try await batches(names) { name in
            try await client.favorites(list: name, timeout: timeout).list.favorites.isEmpty ? name : nil
        }
    }

    /// Removes lists, also when the calling task is cancelled.
    ///
    /// - Throws: The error of a list that could not be removed.
    func remove(_ names: [ListName]) async throws {
        // A separate task: Ctrl-C ends the load, and the lists are removed even then.
        let removal = Task {
            _ = try await batches(names) { name in
                _ = try await client.deleteList(name, timeout: timeout)
                return nil
            }
        }
        try await removal.value
    }

    /// Calls `body` with each name, several concurrently. Returns the names that it returned.
    private func batches(
        _ names: [ListName],
        _ body: @escaping @Sendable (ListName) async throws -> ListName?
    ) async throws -> [ListName] {
        var returned: [ListName] = []
        for start in stride(from: 0, to: names.count, by: Self.batchSize) {
            returned += try await withThrowingTaskGroup(of: ListName?.self) { group in
                for name in names[start...].prefix(Self.batchSize) { group.addTask { try await body(name) } }
                return try await group.reduce(into: []) { if let name = $1 { $0.append(name) } }
            }
        }
        return returned
    }
}
