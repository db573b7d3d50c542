/// The reason that a store could not be opened. It is for the operator: the message may name files, and says what to
/// do.
package struct FavoritesStoreOpenError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// Another server has it open.
        case inUse
        /// The folder or the file cannot be written.
        case notWritable
        /// The file is not a favorites store.
        case notAStore
        /// The file has hard links, so another server could open it under another name.
        case severalNames
        /// The log or journal beside the file belongs to another state of the store, or to another store.
        case orphanedLog
        /// The file is a damaged store.
        case damaged
        /// A newer program wrote it.
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
