internal import Load
internal import MarvelClient

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
    /// - Throws: `RPCError` if a call fails, `LoadError` if there is nothing to toggle.
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
        guard !characters.isEmpty else { throw LoadError.nothingToToggle(queries: plan.queries) }
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
