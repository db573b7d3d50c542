/// The reason that a store could not be opened, for the operator. The message may name files, and names the remedy.
package struct FavoritesStoreOpenError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        case inUse
        case notWritable
        case notAStore
        /// The file has hard links, so another server could open it under another name.
        case severalNames
        /// The log or journal beside the file belongs to another state of the store, or to another store.
        case orphanedLog
        case damaged
        case newerSchema
        /// A setting is out of its range.
        case invalidSetting
        /// SQLite failed in another way, or did not accept a setting that durability depends on.
        case failed
    }

    package let code: Code
    package let message: String

    package var description: String { message }
}
