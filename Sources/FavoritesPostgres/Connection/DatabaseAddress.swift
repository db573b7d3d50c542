internal import CPostgres

/// The address of a database, in one of the forms of libpq: `postgresql://HOST[:PORT][,HOST...]/DATABASE?OPTIONS`.
///
/// A password is not part of it, because command lines are open to everyone on a machine: libpq takes it from
/// `PGPASSWORD`, or from the file that `passfile` or `PGPASSFILE` names.
package struct DatabaseAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address as the operator wrote it. It holds no password.
    package let text: String

    package var description: String { text }

    /// Returns whether a text is meant as the address of a database, and not as the path of a file.
    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// - Throws: `FavoritesDatabaseError` if libpq does not understand the text, or if it holds a password.
    package init(_ text: String) throws(FavoritesDatabaseError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            let reason = message.map { String(cString: $0) } ?? "out of memory"
            PQfreemem(message)
            throw FavoritesDatabaseError(
                code: .invalidAddress,
                message: "invalid address of the store: \(reason.firstLine)"
            )
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if String(cString: keyword) == "password", option.pointee.val != nil {
                throw FavoritesDatabaseError(
                    code: .invalidAddress,
                    message:
                        "the address of the store contains a password, which every user of this machine could read: "
                        + "set it in PGPASSWORD, or in a file of mode 0600 that passfile or PGPASSFILE names"
                )
            }
            option += 1
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

    package var description: String { message }
}

extension String {
    /// The text up to the first line break, because libpq's messages have several lines.
    var firstLine: String { split(whereSeparator: \.isNewline).first.map(String.init) ?? self }
}
