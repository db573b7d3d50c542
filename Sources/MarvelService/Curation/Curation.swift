package import Catalog
package import MarvelDomain
internal import RPCCore
internal import Synchronization

/// Applies the edits of all servers from the store to the catalog. Favorites keep the character as it was saved.
package final class Curation: Sendable {
    private let catalog: EditableCatalog
    private let edits: any EditStore
    /// This server's own edits may be newer, but do not count: other servers may have written before them.
    private let readRevision = Mutex<Int64>(0)
    private let unread = Mutex(EditStoreChange.none)
    let pictureReads: SharedCalls<EditedPicture, Picture?, StoreError>

    /// A maker of an edit must not share an earlier read.
    struct EditedPicture: Hashable {
        let id: Int64
        let revision: Int64
    }

    /// `catalog` has the edits applied.
    package init(catalog: EditableCatalog, edits: any EditStore) {
        self.catalog = catalog
        self.edits = edits
        pictureReads = SharedCalls(
            overloaded: .notReadable("too many pictures are read"),
            cancelled: .notReadable("the call was cancelled"),
            .system
        )
    }

    /// Call it before serving.
    package func start() async throws(StoreError) {
        _ = await edits.changeByOthers()
        try await read(.written)
    }

    /// Makes an edit: on disk, then in the catalog. Returns the character after it. After EDITS_OUTCOME_UNKNOWN the
    /// edit may have been made; after any other error it was not.
    func make(_ order: EditOrder) async throws(RPCError) -> CatalogEntry {
        do throws(StoreError) {
            let edited = try await edits.write(order) { [catalog] id in catalog.sourceHas(id) }
            catalog.apply([edited])
            // Another server may have reverted the edit immediately.
            guard case .ready(let entry?) = catalog.character(id: edited.id) else { throw .editConflict(current: 0) }
            return entry
        } catch {
            throw RPCError(ofEdit: error)
        }
    }

    package func catchUp() async {
        let change = max(unread.withLock { $0 }, await edits.changeByOthers())
        unread.withLock { $0 = change }
        if change != .none {
            do throws(StoreError) {
                try await read(change)
                unread.withLock { $0 = .none }
            } catch {
                // The store reports its errors. The next check tries again.
            }
        }
    }

    /// `sleep` waits until the next check, and throws when the task is cancelled.
    package func run(sleep: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }) async {
        while true {
            do { try await sleep() } catch { return }
            await catchUp()
        }
    }

    func hasPicture(of id: Int64) -> Bool { catalog.editedPictureRevision(of: id) != nil }

    /// Nil without an edit. Calls at the same time share one read, and its bytes.
    func picture(of id: Int64) async throws(StoreError) -> Picture? {
        guard let revision = catalog.editedPictureRevision(of: id) else { return nil }
        return try await pictureReads.value(for: EditedPicture(id: id, revision: revision)) {
            [edits] _ async throws(StoreError) in try await edits.picture(of: id)
        }
    }

    private func read(_ change: EditStoreChange) async throws(StoreError) {
        let isReplaced = change == .replaced
        let start = isReplaced ? 0 : readRevision.withLock { $0 }
        let newer = try await edits.edits(after: start)
        if isReplaced { catalog.replaceEdits(with: newer) } else { catalog.apply(newer) }
        readRevision.withLock { revision in revision = newer.reduce(start) { max($0, $1.revision) } }
        // Edits that this server made meanwhile may have been replaced too.
        if isReplaced { try await read(.written) }
    }
}
