import ArgumentParser
import FavoritesPostgres

enum StoreLocation: ExpressibleByArgument {
    case file(String)
    /// It is parsed only at its use, because the parser's messages would show a password in it.
    case database(String)

    static let help: ArgumentHelp = "The store's file, or the address of its database (postgresql://...)."

    /// For a list of a new database, as for a server.
    static let defaultCapacity = 5

    init(argument: String) {
        self = DatabaseAddress.isAddress(argument) ? .database(argument) : .file(argument)
    }
}
