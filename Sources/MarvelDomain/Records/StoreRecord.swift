/// A record of a store, as it is checked, and copied to a store of another kind.
///
/// A store gives its records in this order: of each name, in the order of the names (by their bytes), the changes that are
/// kept, oldest first, the favorites in the order of saving, and then the name itself; after all names the answers, the
/// oldest first; then the edits of characters.
package enum StoreRecord: Sendable, Hashable {
    case change(Change)
    case favorite(Favorite)
    case name(Name)
    case answer(Answer)
    case edit(Edit)

    /// A change in the log of a list.
    package struct Change: Sendable, Hashable {
        package var revision: Int64
        /// The text, as `ChangeJSON` has it.
        package var text: [UInt8]
        /// The digest of the change and of those before it. Each kind of store has a digest of its own, so a copy has others.
        package var digest: Int64

        package init(revision: Int64, text: [UInt8], digest: Int64) {
            (self.revision, self.text, self.digest) = (revision, text, digest)
        }
    }

    /// A favorite on a list.
    package struct Favorite: Sendable, Hashable {
        /// The character.
        package var id: Int64
        package var savedRevision: Int64
        /// The text, as `FavoriteJSON` has it.
        package var text: [UInt8]

        package init(id: Int64, savedRevision: Int64, text: [UInt8]) {
            (self.id, self.savedRevision, self.text) = (id, savedRevision, text)
        }
    }

    /// The name of a list, or of one that was deleted.
    package struct Name: Sendable, Hashable {
        package var name: ListName
        package var revision: Int64
        /// The digest of the last change; 0 if none is kept.
        package var digest: Int64
        package var owner: ListOwner
        /// Nil for a list that exists. The number of a deletion is above those of all earlier ones.
        package var deletion: Int64?
        /// The characters on the list, oldest first; nil if the store keeps no ids beside the favorites.
        package var ids: [Int64]?

        package init(
            _ name: ListName,
            revision: Int64,
            digest: Int64,
            owner: ListOwner,
            deletion: Int64?,
            ids: [Int64]? = nil
        ) {
            (self.name, self.revision, self.digest) = (name, revision, digest)
            (self.owner, self.deletion, self.ids) = (owner, deletion, ids)
        }
    }

    /// The answer to a request that had an id.
    package struct Answer: Sendable, Hashable {
        package var request: RequestKey
        /// The request and its answer, without the evicted favorites.
        package var answered: AnsweredRequest
        /// The evicted favorites as a JSON array; nil if there are none.
        package var evicted: [UInt8]?
        /// The history in which the revision of the answer counts.
        package var history: HistoryID
        package var createdAt: Timestamp

        package init(
            _ request: RequestKey,
            _ answered: AnsweredRequest,
            evicted: [UInt8]?,
            history: HistoryID,
            createdAt: Timestamp
        ) {
            (self.request, self.answered, self.evicted) = (request, answered, evicted)
            (self.history, self.createdAt) = (history, createdAt)
        }
    }

    /// All edits of a character, merged.
    package struct Edit: Sendable, Hashable {
        /// The character.
        package var id: Int64
        package var revision: Int64
        /// The text, as the target `Catalog` reads and writes it.
        package var document: String
        /// The bytes of the edit's picture, whose format is in the document; nil if there is none.
        package var picture: [UInt8]?

        package init(id: Int64, revision: Int64, document: String, picture: [UInt8]?) {
            (self.id, self.revision, self.document, self.picture) = (id, revision, document, picture)
        }
    }
}

/// The facts that hold for a whole store.
package struct StoredFacts: Sendable, Hashable {
    package var history: HistoryID
    /// The revision of lists that are not there.
    package var base: Int64
    /// The number of favorites that a list may hold; nil if only the server knows.
    package var capacity: Int?
    /// The number of favorites on the longest list.
    package var longestList: Int

    package init(history: HistoryID, base: Int64, capacity: Int?, longestList: Int) {
        (self.history, self.base, self.capacity, self.longestList) = (history, base, capacity, longestList)
    }
}

/// A store whose records are read, all as of one moment.
package protocol RecordSource {
    var facts: StoredFacts { get }

    /// Calls `body` with each record, in their order.
    ///
    /// - Throws: The error of `body`, or the reason for the operator that the store cannot be read.
    func forEachRecord(_ body: (StoreRecord) throws -> Void) throws

    /// Calls `body` with each picture that an earlier version kept in the store, and that no server has moved into its
    /// cache. Damaged pictures are skipped.
    ///
    /// - Throws: The same as `forEachRecord`.
    func forEachPicture(_ body: (KeptPicture) throws -> Void) throws
}

/// A new store to which records are written, in the order in which a source gives them.
package protocol RecordTarget {
    func write(_ record: StoreRecord) throws
}
