internal import MarvelDomain

extension InMemoryCatalog {
    /// Returns a copy of the catalog with some characters added, replaced or removed. Running readers of this catalog
    /// are not affected.
    func editing(putting characters: [MarvelCharacter], removing removed: Set<Int64>) -> InMemoryCatalog {
        InMemoryCatalog(
            index.editing(putting: characters, removing: removed),
            kind: kind,
            provenance: provenance,
            gate: gate
        )
    }

    /// Returns the character with an id; nil if there is none.
    func knownCharacter(id: Int64) -> MarvelCharacter? {
        guard case .ready(let entry?) = character(id: id) else { return nil }
        return entry.character
    }
}
