internal import LoadEngine
internal import MarvelClient

/// One call of each kind before the load: what fails there fails with a plain word, not as a million errors.
struct LoadProbe {
    var plan: LoadPlan
    var client: MarvelClient

    /// Time for a server to answer after the run; the client tries again meanwhile, for one that has just started.
    private static let lastTimeout = Duration.seconds(2)
    /// Queries that are asked for characters to toggle.
    private static let queries = 8
    /// The first calls of a server that has just been started may take longer than any that is measured.
    private var timeout: Duration { max(plan.timeout, MarvelClient.defaultTimeout) }

    /// - Returns: Characters that exist; none if nothing is to be toggled.
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

    /// Asks after a run whether a server is still there, at any of the addresses.
    ///
    /// - Returns: Whether one answered in time; a refusal is an answer too.
    static func isAnyServerThere(_ servers: [ServerAddress]) async -> Bool {
        let client = MarvelClient(servers: servers)
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
