package import MarvelDomain
internal import Synchronization

/// A catalog in memory with the operator's edits laid over it. Either may change while it is searched: each search, and
/// each stream to its end, keeps what there was when it began.
///
/// A search pays one short lock for that, around the catalog of the moment.
package final class EditableCatalog: CharacterCatalog {
    fileprivate struct Laid {
        var catalog: InMemoryCatalog
        /// By the ids of their characters.
        var edits: [Int64: EditedCharacter] = [:]
        /// Of the newest of them; 0 before the first.
        var revision: Int64 = 0
    }

    package let kind: CatalogKind
    package var matches: [Match] { catalog.matches }
    /// What the source has. Held while the edits are laid over it anew, one at a time.
    private let base: Mutex<InMemoryCatalog>
    private let laid: Mutex<Laid>

    package init(_ base: InMemoryCatalog) {
        kind = base.kind
        self.base = Mutex(base)
        laid = Mutex(Laid(catalog: base))
    }

    /// What is shown now.
    package var catalog: InMemoryCatalog { laid.withLock(\.catalog) }

    package var attribution: String { catalog.attribution }

    package func search(
        _ query: SearchQuery,
        match: Match,
        offset: Int,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        try catalog.search(query, match: match, offset: offset, limit: limit)
    }

    package func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        try catalog.search(query, match: match, at: place, limit: limit)
    }

    package func character(id: Int64) -> Lookup<CatalogEntry?> {
        let (catalog, edit) = laid.withLock { ($0.catalog, $0.edits[id]) }
        guard let edit, edit.kind != .reverted, case .ready(var entry?) = catalog.character(id: id) else {
            return catalog.character(id: id)
        }
        entry.editRevision = edit.revision
        return .ready(entry)
    }

    package func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<[NameSuggestion]> {
        try catalog.suggestions(for: query, limit: limit)
    }

    /// The character as it is shown now, or nil if there is none.
    package func knownCharacter(id: Int64) -> MarvelCharacter? { catalog.knownCharacter(id: id) }

    /// Whether the source has a character of that id, whatever the edits say.
    package func sourceHas(_ id: Int64) -> Bool { base.withLock { $0.knownCharacter(id: id) } != nil }

    /// Whether a picture is kept with the edit of a character.
    package func hasEditedPicture(_ id: Int64) -> Bool { laid.withLock { $0.edits[id]?.pictureType != nil } }

    /// Of the newest edit that is shown; 0 before the first.
    package var editRevision: Int64 { laid.withLock(\.revision) }

    /// Of all characters that were ever edited.
    package var editedIDs: Set<Int64> { laid.withLock { Set($0.edits.keys) } }
}

extension EditableCatalog {
    /// Shows what edits have come to. One that is older than what is shown already changes nothing, so the order in
    /// which they arrive does not matter.
    ///
    /// Takes milliseconds: not for an event loop.
    package func lay(_ edits: [EditedCharacter]) {
        base.withLock { base in
            let before = laid.withLock { $0 }
            var newest: [Int64: EditedCharacter] = [:]
            for edit in edits where edit.revision > (newest[edit.id] ?? before.edits[edit.id])?.revision ?? 0 {
                newest[edit.id] = edit
            }
            guard !newest.isEmpty else { return }
            let edits = before.edits.merging(newest) { $1 }
            let now = Laid(before.catalog, newest, over: base, edits)
            // What was shown before goes when the lock is free again: it may be large.
            laid.withLock { $0 = now }
        }
    }

    /// Puts another source below the edits: a file that was written anew.
    ///
    /// Takes milliseconds: not for an event loop.
    ///
    /// - Parameter source: Of the same kind: page tokens depend on it.
    package func replace(with source: InMemoryCatalog) {
        precondition(source.kind == kind, "a catalog of another kind")
        base.withLock { base in
            base = source
            let before = laid.withLock { $0 }
            let now = Laid(source, before.edits, over: source, before.edits)
            laid.withLock { $0 = now }
        }
    }
}

extension EditableCatalog.Laid {
    /// - Parameters:
    ///   - catalog: What was shown so far.
    ///   - newest: The edits that it does not show.
    ///   - base: What the source has.
    ///   - edits: All edits.
    fileprivate init(
        _ catalog: InMemoryCatalog,
        _ newest: [Int64: EditedCharacter],
        over base: InMemoryCatalog,
        _ edits: [Int64: EditedCharacter]
    ) {
        var shown: [MarvelCharacter] = []
        var removed: Set<Int64> = []
        for edit in newest.values {
            if let character = edit.laid(over: base.knownCharacter(id: edit.id)) {
                shown.append(character)
            } else {
                removed.insert(edit.id)
            }
        }
        self.init(
            catalog: catalog.editing(putting: shown, removing: removed),
            edits: edits,
            revision: edits.values.reduce(0) { max($0, $1.revision) }
        )
    }
}
