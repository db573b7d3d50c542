internal import Catalog
internal import MarvelAPI
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// `GetThumbnail`: a character's picture from its source; when that is not there, the one that is kept of a favorite.
    func getThumbnail(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try GetThumbnailRequest(call)
        guard request.id > 0 else { throw .characterIDInvalid(request.id, field: "id") }
        guard let variant = ImageVariant(rawValue: request.variant) else { throw .variantUnknown() }
        return .elsewhere { [self] () async throws(RPCError) in try await thumbnail(of: request.id, variant) }
    }

    private func thumbnail(of id: Int64, _ variant: ImageVariant) async throws(RPCError) -> GetThumbnailResponse {
        if let edited = try await editedThumbnail(of: id) { return edited }
        let response: GetThumbnailResponse?
        do throws(PictureError) {
            response = try await sourceThumbnail(of: id, variant)
        } catch .upstream(let failure) {
            guard failure != .cancelled, let kept = await keptThumbnail(of: id) else { throw RPCError(failure) }
            return kept
        } catch {
            throw .thumbnailNotFound(id, error)
        }
        guard let response else { throw .characterNotFound(id) }
        return response
    }

    /// The picture that came with an edit, in the one size that it has; nil if none did.
    private func editedThumbnail(of id: Int64) async throws(RPCError) -> GetThumbnailResponse? {
        let picture: Picture?
        do throws(EditError) {
            picture = try await curation?.picture(of: id)
        } catch {
            throw RPCError(error)
        }
        guard let picture, case .ready(let entry?) = catalog.character(id: id) else { return nil }
        return GetThumbnailResponse(
            picture,
            .full,
            freshness: entry.provenance.freshness,
            attribution: entry.provenance.attribution
        )
    }

    /// Nil if there is no such character.
    private func sourceThumbnail(
        of id: Int64,
        _ variant: ImageVariant
    ) async throws(PictureError) -> GetThumbnailResponse? {
        guard let entry = try await catalog.character(id: id).pictured() else { return nil }
        let found = try await pictures.picture(of: entry.character, variant)
        return GetThumbnailResponse(
            found.picture,
            variant,
            freshness: found.freshness ?? entry.provenance.freshness,
            attribution: entry.provenance.attribution
        )
    }

    /// Nil too if the store fails: that the source is not there is what the caller has to know then.
    private func keptThumbnail(of id: Int64) async -> GetThumbnailResponse? {
        guard let kept = try? await keeper?.keptPicture(of: id) else { return nil }
        return GetThumbnailResponse(
            kept.picture,
            KeptPicture.variant,
            freshness: Freshness(source: .cache, age: kept.age, isStale: true),
            attribution: catalog.attribution
        )
    }
}

extension Lookup {
    /// The answer, a failure of the catalog as one of the picture's source.
    fileprivate func pictured() async throws(PictureError) -> Value {
        switch self {
        case .ready(let value):
            return value
        case .later(let fetch):
            do throws(CatalogError) {
                return try await fetch()
            } catch .upstream(let failure) {
                throw .upstream(failure)
            } catch {
                throw .upstream(.failed("the catalog cannot look up a character"))
            }
        }
    }
}

extension GetThumbnailResponse {
    fileprivate init(_ picture: Picture, _ variant: ImageVariant, freshness: Freshness, attribution: String) {
        self.init(
            data: ByteBuffer(bytes: picture.bytes),
            mediaType: picture.mediaType.rawValue,
            variant: variant.rawValue,
            isPlaceholder: picture.isPlaceholder,
            freshness: freshness,
            attribution: attribution
        )
    }
}
