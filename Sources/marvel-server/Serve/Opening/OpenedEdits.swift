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
    /// The file; nil if the edits are in the database of the favorites, which closes them.
    private let file: SQLiteEditStore?

    /// The place of edits.
    enum Place {
        /// A file, which is created if there is none.
        case file(String)
        /// The database of the favorites, which all its servers share.
        case database(any EditStore)
    }

    /// Opens the edits, and applies them to the catalog.
    ///
    /// - Parameters:
    ///   - place: The place of the edits.
    ///   - catalog: The catalog to which the edits are applied.
    ///   - logger: The logger for problems, and for their end.
    /// - Throws: `StartupError` if the edits cannot be opened or read.
    init(
        _ place: Place,
        over catalog: EditableCatalog,
        logger: Logger
    ) async throws(StartupError) {
        let report: @Sendable (EditsReport) -> Void = { report in
            switch report {
            case .problem(let text): logger.error("edits", metadata: ["problem": "\(text)"])
            case .recovered(let text): logger.notice("edits", metadata: ["recovered": "\(text)"])
            }
        }
        let store: any EditStore
        do throws(EditsOpenError) {
            switch place {
            case .file(let path):
                let opened = try SQLiteEditStore(path: path, now: { .systemClock() }, onReport: report)
                (file, store) = (opened, opened)
            case .database(let edits): (file, store) = (nil, edits)
            }
        } catch {
            throw StartupError(.storage, "\(error)")
        }
        curation = Curation(catalog: catalog, edits: store, pictures: DecodedPictureCheck())
        do throws(EditError) {
            try await curation.start()
        } catch {
            throw StartupError(.storage, "the edits cannot be read: \(error)")
        }
        logger.notice("edits opened", metadata: ["characters": .stringConvertible(catalog.editedIDs.count)])
    }

    func close() { file?.close() }
}

extension ServerValues {
    /// Opens the operator's edits, and applies them to the catalog.
    ///
    /// - Parameters:
    ///   - catalog: The catalog that is served; nil if it cannot be edited.
    ///   - favorites: The store of the lists that hold edited characters.
    ///   - logger: The logger for problems.
    /// - Returns: The edits, to be closed at the end; nil if the catalog cannot be edited.
    /// - Throws: `StartupError` if the edits cannot be opened, or if a setting needs edits and the catalog cannot be edited.
    func openEdits(
        over catalog: EditableCatalog?,
        favorites: any ServedStore,
        logger: Logger
    ) async throws(StartupError) -> OpenedEdits? {
        guard let catalog else {
            guard edits == nil, !allowsEdits else {
                throw StartupError(
                    .configuration,
                    "characters that are asked of a gateway cannot be edited: leave out edits and allow-edits"
                )
            }
            return nil
        }
        let place: OpenedEdits.Place
        if let shared = favorites.sharedEdits {
            guard edits == nil else {
                throw StartupError(
                    .configuration,
                    "servers that share a database have their edits in it: leave out edits"
                )
            }
            place = .database(shared)
        } else if let edits {
            place = .file(edits)
        } else {
            place = .file(StateFolder.edits(besideStore: try storePath()))
        }
        return try await OpenedEdits(place, over: catalog, logger: logger)
    }
}
