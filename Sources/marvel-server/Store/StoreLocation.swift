import ArgumentParser
import FavoritesPostgres

/// A store as an operator names it.
enum StoreLocation: ExpressibleByArgument {
    /// The path of a file.
    case file(String)
    /// The text of an address. It is read when it is used, because the parser's messages would show a password in it.
    case database(String)

    static let help: ArgumentHelp = "The store's file, or the address of its database (postgresql://...)."

    /// The number of favorites that a list of a new database holds, as for a server.
    static let defaultCapacity = 5

    init(argument: String) {
        self = DatabaseAddress.isAddress(argument) ? .database(argument) : .file(argument)
    }
}
