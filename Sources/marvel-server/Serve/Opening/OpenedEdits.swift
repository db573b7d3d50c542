import Catalog
import Logging
import MarvelDomain
import MarvelService
import RPCCore

extension ServerValues {
    /// Applies the operator's edits in a store to a catalog. Nil if `catalog` is nil: it is not editable.
    ///
    /// - Throws: `StartupError` if the edits cannot be read, or if callers may edit a catalog that is not editable.
    func openEdits(
        over catalog: EditableCatalog?,
        in store: any ServedStore,
        logger: Logger
    ) async throws(StartupError) -> Curation? {
        guard let catalog else {
            guard !allowsEdits else {
                throw StartupError(
                    .configuration,
                    "the characters of a gateway cannot be edited: remove allow-edits"
                )
            }
            return nil
        }
        let curation = Curation(catalog: catalog, edits: store.characterEdits, pictures: DecodedPictureCheck())
        do throws(EditError) {
            try await curation.start()
        } catch {
            throw StartupError(.storage, "the edits cannot be read: \(error)")
        }
        logger.notice("edits opened", metadata: ["characters": .stringConvertible(catalog.editedIDs.count)])
        return curation
    }
}
