import CatalogEdits
import CatalogFiles
import FavoritesSQLite
import Logging
import MarvelDomain
import MarvelService
import RPCCore

/// The operator's edits, applied to a catalog, and their open store.
struct OpenedEdits {
    let curation: Curation
    private let store: SQLiteEditStore

    /// Opens the file of edits, and applies them to the catalog.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which is created if there is none.
    ///   - catalog: The catalog to which the edits are applied.
    ///   - favorites: The store of the lists that hold edited characters.
    ///   - logger: The logger for problems, and for their end.
    /// - Throws: `StartupError` if the edits cannot be opened or read.
    init(
        _ path: String,
        over catalog: EditableCatalog,
        favorites: any FavoritesStore,
        logger: Logger
    ) async throws(StartupError) {
        let report: @Sendable (EditsReport) -> Void = { report in
            switch report {
            case .problem(let text): logger.error("edits", metadata: ["problem": "\(text)"])
            case .recovered(let text): logger.notice("edits", metadata: ["recovered": "\(text)"])
            }
        }
        do throws(EditsOpenError) {
            store = try SQLiteEditStore(path: path, now: { .systemClock() }, onReport: report)
        } catch {
            throw StartupError(.storage, "\(error)")
        }
        curation = Curation(
            catalog: catalog,
            edits: store,
            favorites: favorites,
            pictures: DecodedPictureCheck(),
            onReport: report
        )
        do throws(EditError) {
            try await curation.start()
        } catch {
            throw StartupError(.storage, "the edits at \(path) cannot be read: \(error)")
        }
        logger.notice("edits opened", metadata: ["characters": .stringConvertible(catalog.editedIDs.count)])
    }

    func close() { store.close() }
}
