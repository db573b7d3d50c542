internal import Foundation
internal import MarvelDomain

/// A database that has the schema, and the lists in it when it was opened.
struct OpenedDatabase {
    let facts: StoreFacts
    let marks: ListMarks
    /// The position of a feed when the lists were read.
    let position: FeedFollower.Position

    /// Connects, makes or migrates the schema, and reads the revisions of all lists. A database that cannot be reached, or
    /// in which another server has the way, is tried again for `settings.openingTimeout`.
    init(
        _ address: DatabaseAddress,
        _ settings: PostgresFavoritesStore.Settings,
        _ status: StoreStatus
    ) throws(FavoritesDatabaseError) {
        guard (1...100).contains(settings.capacity ?? 5) else {
            throw FavoritesDatabaseError(code: .invalidSetting, message: "the capacity of a list must be 1 to 100")
        }
        (facts, marks, position) = try Self.read(address, settings, status)
        if let capacity = settings.capacity, capacity != facts.capacity {
            throw FavoritesDatabaseError(
                code: .invalidSetting,
                message: "the capacity of the database is \(facts.capacity), set by its first server, not "
                    + "\(capacity): change it for all servers with UPDATE marvel.meta SET capacity = \(capacity)"
            )
        }
    }

    private static let retryInterval = 0.25

    private static func read(
        _ address: DatabaseAddress,
        _ settings: PostgresFavoritesStore.Settings,
        _ status: StoreStatus
    ) throws(FavoritesDatabaseError) -> (StoreFacts, ListMarks, FeedFollower.Position) {
        let deadline = ContinuousClock.now + settings.openingTimeout
        while true {
            do throws(DatabaseFault) {
                let read = try read(address, capacity: settings.capacity ?? 5)
                status.connected(.reader)
                status.noted(isSynchronous: read.0.isSynchronous)
                return read
            } catch {
                guard [.reconnect, .retry].contains(error.consequence), .now < deadline else {
                    throw FavoritesDatabaseError(opening: address, error)
                }
                status.failed(.reader, error)
                Thread.sleep(forTimeInterval: retryInterval)
            }
        }
    }

    private static func read(
        _ address: DatabaseAddress,
        capacity: Int
    ) throws(DatabaseFault) -> (StoreFacts, ListMarks, FeedFollower.Position) {
        let (connection, facts) = try PostgresConnection.toPrimary(address, name: "marvel-server") {
            connection throws(DatabaseFault) in
            try SchemaMigration.migrate(connection, capacity: capacity)
            try SchemaParts.require(connection)
            return try ClusterChange.verifiedFacts(connection, floor: 0)
        }
        let (position, marks) = try connection.readMarks()
        return (facts, marks, position)
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
