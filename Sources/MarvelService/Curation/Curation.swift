internal import Catalog
package import CatalogEdits
package import MarvelDomain
internal import Synchronization

/// The application of the operator's edits: from the file that keeps them to the catalog, so that searches show them at
/// once, and to each list of favorites that holds the character. Edits that other programs write into the file are
/// applied in the same way.
///
/// Interrupted work is repeated: at the start all edits are applied to all lists, which changes nothing if they are
/// there already; and an update that a store could not take is retried with each check of the file.
package final class Curation: Sendable {
    private let catalog: EditableCatalog
    private let edits: any EditStore
    private let favorites: any FavoritesStore
    /// The check of pictures that come with edits.
    let pictures: any PictureCheck
    private let onReport: @Sendable (EditsReport) -> Void
    /// The revision up to which the file was read. Edits that this server itself wrote may be newer, but do not count:
    /// other programs may have written before them.
    private let readRevision = Mutex<Int64>(0)
    /// The change of the file that was not read.
    private let unread = Mutex(EditStoreChange.none)
    /// The edited characters that lists may still hold in their earlier form.
    private let outdated = Mutex<Set<Int64>>([])
    private let favoritesOutcome = Mutex(RepeatedOutcome())

    /// - Parameters:
    ///   - catalog: The served catalog, with the edits applied.
    ///   - edits: The store of the edits.
    ///   - favorites: The lists that hold edited characters.
    ///   - pictures: The check that decodes pictures before they are accepted.
    ///   - onReport: Called with a report for the operator's log when it differs from the last one: a failed read is
    ///     retried every second.
    package init(
        catalog: EditableCatalog,
        edits: any EditStore,
        favorites: any FavoritesStore,
        pictures: any PictureCheck,
        onReport: @escaping @Sendable (EditsReport) -> Void = { _ in }
    ) {
        self.catalog = catalog
        self.edits = edits
        self.favorites = favorites
        self.pictures = pictures
        self.onReport = onReport
    }

    /// Applies all kept edits. It must be called before serving.
    ///
    /// - Throws: `EditError.notReadable`.
    package func start() async throws(EditError) {
        _ = await edits.changeByOthers()
        try await read(.written)
        await updateFavorites(of: catalog.editedIDs)
    }

    /// Makes an edit: on disk, then in the catalog, then on the lists.
    ///
    /// - Returns: The character after the edit, and the revision of its last edit.
    /// - Throws: `EditError`; then nothing was changed.
    func make(_ order: EditOrder) async throws(EditError) -> CatalogEntry? {
        let edited = try await edits.write(order) { [catalog] id in catalog.sourceHas(id) }
        catalog.apply([edited])
        await updateFavorites(of: [edited.id])
        guard case .ready(let entry) = catalog.character(id: edited.id) else { return nil }
        return entry
    }

    /// Applies the edits that other programs have made since.
    package func catchUp() async {
        let change = max(unread.withLock { $0 }, await edits.changeByOthers())
        unread.withLock { $0 = change }
        if change != .none {
            do throws(EditError) {
                try await read(change)
                unread.withLock { $0 = .none }
            } catch {
                // The store has told why. The next look tries again.
            }
        }
        let ids = outdated.withLock { $0 }
        if !ids.isEmpty { await updateFavorites(of: ids) }
    }

    /// Calls `catchUp` periodically, until its task is cancelled.
    ///
    /// - Parameter sleep: Waits until the next check, and throws when the task is cancelled.
    package func run(sleep: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }) async {
        while true {
            do { try await sleep() } catch { return }
            await catchUp()
        }
    }

    /// Updates the lists after the source below the edits was replaced: its characters may be different with the edits.
    package func sourceWasReplaced() async { await updateFavorites(of: catalog.editedIDs) }

    /// The revision of the newest edit that is shown; 0 if there is none.
    var editRevision: Int64 { catalog.editRevision }

    /// Updates the lists if the character was edited while it was being saved to a list.
    func saved(_ character: MarvelCharacter) async {
        guard let now = catalog.knownCharacter(id: character.id), now != character else { return }
        await updateFavorites(of: [character.id])
    }

    /// Returns the picture that came with an edit of the character, or nil.
    func picture(of id: Int64) async throws(EditError) -> Picture? {
        guard catalog.hasEditedPicture(id) else { return nil }
        return try await edits.picture(of: id)
    }

    private func read(_ change: EditStoreChange) async throws(EditError) {
        let isReplaced = change == .replaced
        let start = isReplaced ? 0 : readRevision.withLock { $0 }
        let newer = try await edits.edits(after: start)
        var changed = Set(newer.map(\.id))
        if isReplaced {
            // Lists show the characters of missing edits too.
            changed.formUnion(catalog.editedIDs)
            catalog.replaceEdits(with: newer)
        } else {
            catalog.apply(newer)
        }
        outdated.withLock { $0.formUnion(changed) }
        readRevision.withLock { revision in revision = newer.reduce(start) { max($0, $1.revision) } }
        // An edit that was made here meanwhile may have been replaced too.
        if isReplaced { try await read(.written) }
    }

    /// Updates the lists. An earlier state that another update wrote in between is replaced again.
    private func updateFavorites(of ids: Set<Int64>) async {
        do throws(StoreError) {
            var written: [MarvelCharacter]
            repeat {
                written = ids.compactMap(catalog.knownCharacter)
                _ = try await favorites.update(written)
            } while written != ids.compactMap(catalog.knownCharacter)
            outdated.withLock { $0.subtract(ids) }
            noteFavorites(failure: nil)
        } catch {
            // The edit itself is valid.
            outdated.withLock { $0.formUnion(ids) }
            noteFavorites(failure: "\(error)")
        }
    }

    private func noteFavorites(failure: String?) {
        switch favoritesOutcome.withLock({ $0.tried(failure: failure) }) {
        case .failed(let reason): onReport(.problem("favorites do not show an edit yet: \(reason)"))
        case .recovered: onReport(.recovered("favorites show edits again"))
        case nil: break
        }
    }
}
