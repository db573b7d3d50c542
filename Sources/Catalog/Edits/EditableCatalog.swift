package import MarvelDomain
internal import Synchronization

/// A catalog in memory with the operator's edits applied. Each search, and each stream to its end, uses one snapshot.
///
/// There are two locks. `base` serializes changes and is taken first; `snapshot` is held only to read or swap the
/// snapshot.
package final class EditableCatalog: CharacterCatalog {
    fileprivate struct EditedSnapshot {
        var catalog: InMemoryCatalog
        var edits: [Int64: EditedCharacter] = [:]
        var loadedAt: Timestamp?
    }

    package let kind: CatalogKind
    package var matches: [Match] { catalog.matches }
    /// The source without edits. The lock is held while a new snapshot is made, so that changes are serialized.
    private let base: Mutex<InMemoryCatalog>
    private let snapshot: Mutex<EditedSnapshot>

    /// `base` is the source's catalog without edits.
    package init(_ base: InMemoryCatalog, loadedAt: Timestamp? = nil) {
        kind = base.kind
        self.base = Mutex(base)
        snapshot = Mutex(EditedSnapshot(catalog: base, loadedAt: loadedAt))
    }

    package var catalog: InMemoryCatalog { snapshot.withLock(\.catalog) }

    package var attribution: String { catalog.attribution }
    package var characterCount: Int? { catalog.characterCount }
    package var loadedAt: Timestamp? { snapshot.withLock(\.loadedAt) }

    package func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        try catalog.search(query, match: match, at: place, limit: limit)
    }

    package func character(id: Int64) -> Lookup<CatalogEntry?> {
        let (catalog, edit) = snapshot.withLock { ($0.catalog, $0.edits[id]) }
        guard let edit, edit.kind != .reverted, case .ready(var entry?) = catalog.character(id: id) else {
            return catalog.character(id: id)
        }
        entry.editRevision = edit.revision
        return .ready(entry)
    }

    package func drawnCharacter(id: Int64) -> DrawnCharacter? { catalog.drawnCharacter(id: id) }

    package func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<SuggestedNames> {
        try catalog.suggestions(for: query, limit: limit)
    }

    /// Ignores edits.
    package func sourceHas(_ id: Int64) -> Bool { base.withLock { $0.knownCharacter(id: id) } != nil }

    /// Nil if the edits have no picture of it.
    package func editedPictureRevision(of id: Int64) -> Int64? {
        snapshot.withLock { $0.edits[id].flatMap { $0.pictureType == nil ? nil : $0.revision } }
    }

    package var editedIDs: Set<Int64> { snapshot.withLock { Set($0.edits.keys) } }
}

extension EditableCatalog {
    /// Edits may arrive in any order: an older one is ignored. May take a tenth of a second: not on an event loop.
    package func apply(_ edits: [EditedCharacter]) {
        base.withLock { base in
            let before = snapshot.withLock { $0 }
            var newest: [Int64: EditedCharacter] = [:]
            for edit in edits where edit.revision > (newest[edit.id] ?? before.edits[edit.id])?.revision ?? 0 {
                newest[edit.id] = edit
            }
            guard !newest.isEmpty else { return }
            let edits = before.edits.merging(newest) { $1 }
            let now = EditedSnapshot(before.catalog, newest, over: base, edits, loadedAt: before.loadedAt)
            // `before` keeps the old snapshot alive until the lock is released: freeing it may take long.
            snapshot.withLock { $0 = now }
        }
    }

    /// Applies the edits to the new source, which has the same kind. May take a tenth of a second: not on an event
    /// loop.
    package func replace(with source: InMemoryCatalog, loadedAt: Timestamp? = nil) {
        precondition(source.kind == kind, "a catalog of another kind")
        base.withLock { base in
            base = source
            let before = snapshot.withLock { $0 }
            let now = EditedSnapshot(source, before.edits, over: source, before.edits, loadedAt: loadedAt)
            snapshot.withLock { $0 = now }
        }
    }

    /// May take a tenth of a second: not on an event loop.
    package func replaceEdits(with edits: [EditedCharacter]) {
        base.withLock { base in
            let before = snapshot.withLock { $0 }
            let edits = Dictionary(edits.map { ($0.id, $0) }) { $0.revision > $1.revision ? $0 : $1 }
            let now = EditedSnapshot(base, edits, over: base, edits, loadedAt: before.loadedAt)
            snapshot.withLock { $0 = now }
        }
    }
}

extension EditableCatalog.EditedSnapshot {
    /// `base` is without edits. The edits are by character id.
    fileprivate init(
        _ catalog: InMemoryCatalog,
        _ newest: [Int64: EditedCharacter],
        over base: InMemoryCatalog,
        _ edits: [Int64: EditedCharacter],
        loadedAt: Timestamp?
    ) {
        var shown: [MarvelCharacter] = []
        var removed: Set<Int64> = []
        for edit in newest.values {
            if let character = edit.applied(to: base.knownCharacter(id: edit.id)) {
                shown.append(character)
            } else {
                removed.insert(edit.id)
            }
        }
        self.init(
            catalog: catalog.editing(putting: shown, removing: removed),
            edits: edits,
            loadedAt: loadedAt
        )
    }
}
