import Catalog
import CatalogFiles
import FavoritesSQLite
import Logging
import MarvelDomain
import MarvelService
import RPCCore

/// The operator's edits, laid over a catalog, and what has to be closed behind them.
struct OpenedEdits {
    let curation: Curation
    private let store: SQLiteEditStore

    /// Shows the edits that are kept in a file.
    ///
    /// - Parameters:
    ///   - path: The file, made if there is none.
    ///   - catalog: What they are laid over.
    ///   - favorites: The lists that hold edited characters.
    ///   - logger: Gets what goes wrong, and what works again.
    /// - Throws: `StartupError`, for the operator.
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
