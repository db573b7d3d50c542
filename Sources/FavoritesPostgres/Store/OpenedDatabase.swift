internal import MarvelDomain

/// A database that has the schema, and the lists in it when it was opened.
struct OpenedDatabase {
    let facts: StoreFacts
    let marks: ListMarks

    /// Connects, makes or migrates the schema, and reads the revisions of all lists.
    init(
        _ address: DatabaseAddress,
        _ settings: PostgresFavoritesStore.Settings
    ) throws(FavoritesDatabaseError) {
        guard (1...100).contains(settings.capacity ?? 5) else {
            throw FavoritesDatabaseError(code: .invalidSetting, message: "the capacity of a list must be 1 to 100")
        }
        do throws(DatabaseFault) {
            let connection = try PostgresConnection(address, name: "marvel-server")
            try connection.execute(Statement.session)
            try SchemaMigration.migrate(connection, capacity: settings.capacity ?? 5)
            facts = try ClusterChange.verifiedFacts(connection, floor: 0)
            marks = try connection.readMarks().marks
        } catch {
            throw FavoritesDatabaseError(opening: address, error)
        }
        if let capacity = settings.capacity, capacity != facts.capacity {
            throw FavoritesDatabaseError(
                code: .invalidSetting,
                message: "lists hold \(facts.capacity) favorites, as the first server of the database was told, not "
                    + "\(capacity): all servers change with UPDATE marvel.meta SET capacity = \(capacity)"
            )
        }
    }
}

extension FavoritesDatabaseError {
    /// Converts a fault that occurred while opening the store into one for the operator.
    init(opening address: DatabaseAddress, _ fault: DatabaseFault) {
        let code: Code =
            switch fault.consequence {
            case .reconnect: .unreachable
            case .refuse, .retry, .fail, .endWriting: .failed
            }
        self.init(code: code, message: "the store \(address) cannot be opened: \(fault)")
    }
}
