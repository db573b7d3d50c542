internal import MarvelDomain

struct DatabaseFault: Error, Equatable, CustomStringConvertible {
    enum Kind: Equatable {
        case notConnected
        /// The server is an old primary.
        case replaced
        /// The connection was lost while a statement ran: it may have been committed.
        case connectionLost
        case server(SQLState)
        case malformed
        /// The database has another history than the store: a new connection continues in it.
        case otherHistory
        /// A list is at a lower revision than the store has shown: a new connection compares all lists.
        case behind
        case damaged(ListName)
        case newerSchema
        /// The state of the database does not allow what an operator asked for.
        case notAllowed
    }

    var kind: Kind
    /// The message for the operator's log. It may hold names and SQL.
    var message: String

    var description: String {
        guard case .server(let state) = kind else { return message }
        return "\(message) (SQLSTATE \(state.code))"
    }

    static let otherHistory = DatabaseFault(kind: .otherHistory, message: "the database has another history")

    static func damaged(_ list: ListName, _ reason: String) -> DatabaseFault {
        DatabaseFault(kind: .damaged(list), message: "list \(list): \(reason)")
    }

    static func damagedRow(of list: ListName) -> DatabaseFault {
        .damaged(list, "its row and ids do not match their checksum")
    }

    static func damagedFavorite(_ id: Int64, on list: ListName) -> DatabaseFault {
        .damaged(list, "the row of character \(id) does not match its checksum")
    }

    static func notAllowed(_ message: String) -> DatabaseFault { DatabaseFault(kind: .notAllowed, message: message) }

    static func malformed(_ message: String) -> DatabaseFault { DatabaseFault(kind: .malformed, message: message) }
}

struct SQLState: Hashable {
    let code: String

    init(_ code: String) { self.code = code }

    static let insufficientPrivilege = SQLState("42501")

    enum Consequence: Equatable {
        /// The server stops, or is not a primary: send the statement again on a new connection.
        case reconnect
        /// Another transaction was in the way: send the statement again.
        case retry
        /// The disk is full or failing, or rights are missing: the statement fails.
        case refuse
        /// Write nothing until the store is opened again.
        case endWriting
        /// The statement itself caused the error: it would fail again.
        case fail
    }

    /// The consequence by the class or the whole code (PostgreSQL, appendix A).
    var consequence: Consequence {
        switch code {
        case "57P01", "57P02", "57P03", "25006", "25P03", "53300", "53400": .reconnect
        case "40001", "40P01", "55P03", "57014", "23505": .retry
        case "53100", "53200", "58030", "42501": .refuse
        case "XX001", "XX002": .endWriting
        default: code.hasPrefix("08") ? .reconnect : code.hasPrefix("53") ? .refuse : .fail
        }
    }
}

extension DatabaseFault {
    var consequence: SQLState.Consequence {
        switch kind {
        case .notConnected, .replaced, .connectionLost, .otherHistory, .behind: .reconnect
        case .server(let state): state.consequence
        case .malformed, .notAllowed, .damaged: .fail
        case .newerSchema: .endWriting
        }
    }

    /// The text for callers, which holds no SQL and no names.
    var publicText: String {
        switch kind {
        case .notConnected, .replaced, .connectionLost: "no connection to the database"
        case .otherHistory, .behind: "the database has another history"
        case .damaged(let list): "list \(list) is damaged"
        case .newerSchema: "the database belongs to a newer server"
        case .malformed: "the database sent an unexpected result"
        case .notAllowed: "the database is in the wrong state for this"
        case .server(let state): "\(state.publicText) (SQLSTATE \(state.code))"
        }
    }

    private var isTransient: Bool { consequence == .reconnect || consequence == .retry }

    func writeError(isOutcomeUnknown: Bool = false) -> StoreError {
        if isOutcomeUnknown { return .outcomeUnknown(publicText) }
        return isTransient ? .unavailable(publicText) : .notWritable(publicText)
    }

    var readError: StoreError { isTransient ? .unavailable(publicText) : .notReadable(publicText) }
}

extension SQLState {
    fileprivate var publicText: String {
        switch code {
        case "53100": "the database's disk is full"
        case "58030": "the database's disk is failing"
        case "42501": "no permission in the database: grant it with `marvel-server migrate --grant`"
        case "42P01", "42703", "42883": "the schema in the database lacks a part: restore a backup"
        case "XX001", "XX002": "the database is damaged"
        default:
            switch consequence {
            case .reconnect: "the database is not the primary, or is shutting down"
            case .retry: "conflict with other changes"
            default: "the database reported an error"
            }
        }
    }
}
