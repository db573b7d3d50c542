internal import MarvelDomain

/// The making of a store in a database, and its migration, by the role that owns it.
package enum DatabaseMigration {
    /// The state of a store.
    package struct Report: Sendable, Hashable {
        /// The number of the schema's last step.
        package var version: Int
        /// The number of favorites that a list holds.
        package var capacity: Int
    }

    /// Makes or migrates a store, and gives roles the rights that a server needs. Servers may be connected.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - capacity: The number of favorites that a list of a new store holds; nil for 5.
    ///   - roles: The roles of servers.
    /// - Returns: The state of the store.
    /// - Throws: `FavoritesDatabaseError`.
    package static func migrate(
        _ address: DatabaseAddress,
        capacity: Int? = nil,
        granting roles: [String] = []
    ) throws -> Report {
        guard ListRules.capacities.contains(capacity ?? 5) else {
            throw FavoritesDatabaseError(.invalidSetting, "the capacity of a list must be 1 to 100")
        }
        return try FavoritesDatabaseError.converting(address) {
            let connection = try PostgresConnection.forOperator(address)
            try SchemaMigration.migrate(connection, capacity: capacity ?? 5)
            try connection.committed {
                for role in roles { try connection.execute(Rights.grants(to: role)) }
            }
            let facts = try StoreFacts(reading: connection)
            return Report(version: facts.version, capacity: facts.capacity)
        }
    }
}
