/// Why a store could not be opened. For the operator: the message may name files, and says what to do.
package struct FavoritesStoreOpenError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// Another server has it open.
        case inUse
        /// The folder or the file cannot be written.
        case notWritable
        /// The file is something else than a favorites store.
        case notAStore
        /// The file has hard links: another server could open it by another name.
        case severalNames
        /// The log or journal beside it is of another state of the store, or of another store.
        case orphanedLog
        /// The file is a store, but broken.
        case damaged
        /// A newer program wrote it.
        case newerSchema
        /// A limit is out of its range.
        case invalidSetting
        /// SQLite failed in another way, or did not take a setting that durability depends on.
        case failed
    }

    package let code: Code
    package let message: String

    package var description: String { message }
}
