internal import CPostgres

/// The address of a database, in one of the forms of libpq: `postgresql://HOST[:PORT][,HOST...]/DATABASE?OPTIONS`.
///
/// It holds no password, because every user of a machine can read command lines.
package struct DatabaseAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address as the operator wrote it.
    package let text: String

    package var description: String { text }

    /// Returns whether a text is the address of a database, not the path of a file.
    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    package init(_ text: String) throws(FavoritesDatabaseError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            // libpq's reason may quote a password.
            PQfreemem(message)
            throw FavoritesDatabaseError(
                .invalidAddress,
                "the address of the store is not postgresql://HOST[:PORT]/DATABASE?OPTIONS, with % before the code of each "
                    + "special character"
            )
        }
        let given = values(of: options)
        // libpq reads a password with a slash that is not encoded as a port and a database's name.
        let database = text.prefix { $0 != "?" }.split(separator: "/", maxSplits: 2).dropFirst(2)
        guard given["password"] == nil, given["sslpassword"] == nil, database.first?.contains("@") != true else {
            throw FavoritesDatabaseError(
                .invalidAddress,
                "the address of the store contains a password, which every user of this machine could read: "
                    + "set it in PGPASSWORD, or in a file of mode 0600 that passfile or PGPASSFILE names"
            )
        }
        self.text = text
    }
}

/// The reason that a store in a database could not be opened, for the operator.
package struct FavoritesDatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        case invalidAddress
        /// A setting is out of its range, or differs from that of the store.
        case invalidSetting
        /// No primary server can be reached.
        case unreachable
        case failed
    }

    package let code: Code
    package let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    package var description: String { message }
}
