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
    ///   - logger: Gets what goes wrong.
    /// - Throws: `StartupError`, for the operator.
    init(
        _ path: String,
        over catalog: EditableCatalog,
        favorites: any FavoritesStore,
        logger: Logger
    ) async throws(StartupError) {
        let problem: @Sendable (String) -> Void = { logger.error("edits", metadata: ["problem": "\($0)"]) }
        do throws(EditsOpenError) {
            store = try SQLiteEditStore(path: path, now: { .systemClock() }, onError: problem)
        } catch {
            throw StartupError(.storage, "\(error)")
        }
        curation = Curation(
            catalog: catalog,
            edits: store,
            favorites: favorites,
            pictures: DecodedPictureCheck(),
            onProblem: problem
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
