internal import MarvelDomain

extension InMemoryCatalog {
    /// The same catalog with some characters added, in the place of others, or taken out. Who reads this one goes on
    /// with it.
    func editing(putting characters: [MarvelCharacter], removing removed: Set<Int64>) -> InMemoryCatalog {
        InMemoryCatalog(
            index.editing(putting: characters, removing: removed),
            kind: kind,
            provenance: provenance,
            gate: gate
        )
    }

    /// The character with that id, or nil if there is none.
    func knownCharacter(id: Int64) -> MarvelCharacter? {
        guard case .ready(let entry?) = character(id: id) else { return nil }
        return entry.character
    }
}
