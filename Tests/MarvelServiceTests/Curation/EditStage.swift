import Catalog
import MarvelDomain
import NIOCore
import StoreContract
import WireMessages

@testable import MarvelService

/// A service whose characters may be edited, and what it stands on.
struct EditStage {
    static let png = ByteBuffer(bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])

    let edits = MemoryEditStore()
    let store = MemoryFavoritesStore()
    let catalog = EditableCatalog(BuiltInCatalog.catalog())
    let curation: Curation
    let service: CharacterService

    init(allowsEdits: Bool = true) {
        curation = Curation(catalog: catalog, edits: edits)
        service = CharacterService(catalog: catalog, store: store, curation: curation, allowsEdits: allowsEdits)
    }

    func create(_ request: CreateCharacterRequest) async throws -> CreateCharacterResponse {
        try await service.call("CreateCharacter", request)
    }

    func update(_ request: UpdateCharacterRequest) async throws -> UpdateCharacterResponse {
        try await service.call("UpdateCharacter", request)
    }

    func names(_ query: String) async throws -> [String] {
        try await service.search(SearchCharactersRequest(query: query)).flatMap { $0.characters.map(\.name) }
    }
}
