package import Catalog
package import MarvelDomain
internal import Synchronization

/// The operator's edits, from the file that keeps them to everyone who sees them: searches at once, and each list of
/// favorites that holds the character. Edits that other programs write into the file take the same way.
///
/// Whatever breaks off in between is made up for: at the start all edits are brought to all lists, which changes nothing
/// where they have arrived; and what a store could not take is tried again with each look at the file.
package final class Curation: Sendable {
    private let catalog: EditableCatalog
    private let edits: any EditStore
    private let favorites: any FavoritesStore
    /// A check of pictures that come with edits.
    let pictures: any PictureCheck
    private let onProblem: @Sendable (String) -> Void
    /// Up to which edit the file was read. What this server itself wrote may be newer, and does not count: others may
    /// have written before it.
    private let readRevision = Mutex<Int64>(0)
    /// Whether the file holds something that was not read.
    private let isBehind = Mutex(false)
    /// Edited characters that the lists may still hold as they were.
    private let outdated = Mutex<Set<Int64>>([])

    /// - Parameters:
    ///   - catalog: What is served, with the edits over it.
    ///   - edits: Where they are kept.
    ///   - favorites: The lists that hold edited characters.
    ///   - pictures: Decodes pictures before they are taken.
    ///   - onProblem: Called with a line for the operator's log.
    package init(
        catalog: EditableCatalog,
        edits: any EditStore,
        favorites: any FavoritesStore,
        pictures: any PictureCheck,
        onProblem: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.catalog = catalog
        self.edits = edits
        self.favorites = favorites
        self.pictures = pictures
        self.onProblem = onProblem
    }

    /// Shows all edits that are kept. To be called before serving.
    ///
    /// - Throws: `EditError.notReadable`.
    package func start() async throws(EditError) {
        _ = await edits.wasChangedByOthers()
        try await read()
        await updateFavorites(of: catalog.editedIDs)
    }

    /// Makes an edit: on disk, then in the catalog, then on the lists.
    ///
    /// - Returns: The character as it is shown now, and the revision of its last edit.
    /// - Throws: `EditError`; then nothing was changed.
    func make(_ order: EditOrder) async throws(EditError) -> CatalogEntry? {
        let edited = try await edits.write(order) { [catalog] id in catalog.sourceHas(id) }
        catalog.apply([edited])
        await updateFavorites(of: [edited.id])
        guard case .ready(let entry) = catalog.character(id: edited.id) else { return nil }
        return entry
    }

    /// Shows what other programs have edited meanwhile.
    package func catchUp() async {
        if await edits.wasChangedByOthers() { isBehind.withLock { $0 = true } }
        if isBehind.withLock({ $0 }) {
            do throws(EditError) {
                try await read()
                isBehind.withLock { $0 = false }
            } catch {
                onProblem("edits cannot be read: \(error)")
            }
        }
        let ids = outdated.withLock { $0 }
        if !ids.isEmpty { await updateFavorites(of: ids) }
    }

    /// Catches up from time to time, until its task is cancelled.
    ///
    /// - Parameter sleep: Waits until the next look, and throws when the task is cancelled.
    package func run(sleep: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }) async {
        while true {
            do { try await sleep() } catch { return }
            await catchUp()
        }
    }

    /// The source below the edits is another: its characters look different with them.
    package func sourceWasReplaced() async { await updateFavorites(of: catalog.editedIDs) }

    /// Of the newest edit that is shown.
    var editRevision: Int64 { catalog.editRevision }

    /// A character was saved to a list as it was before that. An edit since then has passed the list by.
    func saved(_ character: MarvelCharacter) async {
        guard let now = catalog.knownCharacter(id: character.id), now != character else { return }
        await updateFavorites(of: [character.id])
    }

    /// The picture that came with an edit of the character, or nil.
    func picture(of id: Int64) async throws(EditError) -> Picture? {
        guard catalog.hasEditedPicture(id) else { return nil }
        return try await edits.picture(of: id)
    }

    private func read() async throws(EditError) {
        let newer = try await edits.edits(after: readRevision.withLock { $0 })
        catalog.apply(newer)
        outdated.withLock { $0.formUnion(newer.map(\.id)) }
        readRevision.withLock { revision in revision = newer.reduce(revision) { max($0, $1.revision) } }
    }

    private func updateFavorites(of ids: Set<Int64>) async {
        do throws(StoreError) {
            _ = try await favorites.bringUpToDate(ids) { [catalog] id in catalog.knownCharacter(id: id) }
            outdated.withLock { $0.subtract(ids) }
        } catch {
            // The edit holds all the same.
            onProblem("favorites do not show an edit yet: \(error)")
            outdated.withLock { $0.formUnion(ids) }
        }
    }
}
