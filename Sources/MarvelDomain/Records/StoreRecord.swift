/// The records of a store, for checks and exports.
package enum StoreRecord {
    package struct Change: Sendable, Hashable {
        package var revision: Int64
        /// As `ChangeJSON` has it.
        package var text: [UInt8]
        /// The digest of all changes up to this one. Each kind of store has its own digest.
        package var digest: Int64

        package init(revision: Int64, text: [UInt8], digest: Int64) {
            (self.revision, self.text, self.digest) = (revision, text, digest)
        }
    }

    package struct Favorite: Sendable, Hashable {
        package var id: Int64
        package var savedRevision: Int64
        /// As `FavoriteJSON` has it.
        package var text: [UInt8]

        package init(id: Int64, savedRevision: Int64, text: [UInt8]) {
            (self.id, self.savedRevision, self.text) = (id, savedRevision, text)
        }
    }

    /// The name of a list that exists, or was deleted.
    package struct List: Sendable, Hashable {
        package var name: ListName
        package var revision: Int64
        /// The digest of the last change; 0 for an empty log.
        package var digest: Int64
        package var owner: ListOwner
        /// Nil for a list that exists. Later deletions have larger numbers.
        package var deletion: Int64?
        /// The ids in the list's row, if the store has them there.
        package var ids: [Int64]?
        /// In the order of saving.
        package var favorites: [Favorite]

        package init(
            _ name: ListName,
            revision: Int64,
            digest: Int64 = 0,
            owner: ListOwner = .nobody,
            deletion: Int64? = nil,
            ids: [Int64]? = nil,
            favorites: [Favorite] = []
        ) {
            (self.name, self.revision, self.digest) = (name, revision, digest)
            (self.owner, self.deletion, self.ids, self.favorites) = (owner, deletion, ids, favorites)
        }
    }
}
