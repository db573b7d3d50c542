internal import Load
internal import MarvelClient
internal import MarvelDomain

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
