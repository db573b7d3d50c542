internal import CrashTestChecks
package import MarvelClient

/// All who toggle, and the connections that they share.
package struct Crowd {
    private static let connectionCount = 4

    package let choices: ToggleChoices
    package private(set) var members: [ToggleClient]
    private var connections: [MarvelClient] = []

    package init(count: Int, lists: Int, seed: UInt64) {
        let choices = ToggleChoices(seed: seed, lists: lists, clients: count)
        self.choices = choices
        members = (0..<count).map { ToggleClient($0, choices: choices) }
    }

    /// Leaves the server before, if any, and connects to another one.
    package mutating func connect(to address: ServerAddress) async { await connect { _ in [address] } }

    /// Connects to several servers, each connection in an order of its own. What fails is not sent again behind the back of
    /// who counts.
    ///
    /// - Parameter addresses: Returns the servers for a connection, by its number.
    package mutating func connect(to addresses: (Int) -> [ServerAddress]) async {
        for connection in connections { await connection.shutdown() }
        connections = (0..<Self.connectionCount).map { MarvelClient(servers: addresses($0), retries: false) }
    }

    /// A connection for what is nobody's own.
    package var anyone: MarvelClient { connections[0] }

    /// Has all do the same at the same time, each with its connection, and waits for them.
    ///
    /// - Parameters:
    ///   - task: What each does.
    ///   - meanwhile: What happens while they do.
    /// - Throws: The first error of any of them.
    package mutating func all(
        _ task: @escaping @Sendable (inout ToggleClient, MarvelClient) async throws -> Void,
        meanwhile: () async throws -> Void = {}
    ) async throws {
        let before = members
        members = try await withThrowingTaskGroup(of: ToggleClient.self) { [connections] group in
            for member in before {
                let connection = connections[member.number % connections.count]
                group.addTask {
                    var member = member
                    try await task(&member, connection)
                    return member
                }
            }
            try await meanwhile()
            var after = before
            for try await member in group { after[member.number] = member }
            return after
        }
    }

    package mutating func forget() { for index in members.indices { members[index].forget() } }
}
