internal import Catalog
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// If the source fails, a favorite's pinned picture is the answer.
    func getThumbnail(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try GetThumbnailRequest(call)
        guard request.id > 0 else { throw .tooLow(request.id, field: "id", minimum: 1, .characterIDInvalid) }
        guard let variant = ImageVariant(rawValue: request.variant) else { throw .variantUnknown() }
        // In this order: an edit between the two may bring a picture and a name.
        if let drawn = catalog.drawnCharacter(id: request.id), curation?.hasPicture(of: request.id) != true,
            let found = pictures.drawnPicture(id: request.id, name: drawn.name, variant)
        {
            return .last(ThumbnailMessage(found, variant, drawn.provenance))
        }
        let lookup = catalog.character(id: request.id)
        return .offEventLoop { [self] () async throws(RPCError) in
            .last(try await thumbnail(of: request.id, lookup, variant))
        }
    }

    private func thumbnail(
        of id: Int64,
        _ lookup: Lookup<CatalogEntry?>,
        _ variant: ImageVariant
    ) async throws(RPCError) -> ThumbnailMessage {
        if let edited = try await editedThumbnail(of: id) { return edited }
        let entry: CatalogEntry?
        do throws(CatalogError) {
            entry = try await lookup.value
        } catch {
            guard error != .upstream(.cancelled), let kept = await keptThumbnail(of: id) else { throw RPCError(error) }
            return kept
        }
        guard let entry else { throw .characterNotFound(id) }
        do throws(PictureError) {
            return ThumbnailMessage(try await pictures.picture(of: entry.character, variant), variant, entry.provenance)
        } catch .upstream(let failure) {
            guard failure != .cancelled, let kept = await keptThumbnail(of: id) else {
                throw RPCError(failure, of: .pictureHost)
            }
            return kept
        } catch {
            throw .thumbnailNotFound(id, error)
        }
    }

    /// The picture has only one size.
    private func editedThumbnail(of id: Int64) async throws(RPCError) -> ThumbnailMessage? {
        let picture: Picture?
        do throws(StoreError) {
            picture = try await curation?.picture(of: id)
        } catch {
            throw RPCError(ofEdit: error)
        }
        guard let picture, case .ready(let entry?) = catalog.character(id: id) else { return nil }
        return ThumbnailMessage(
            picture,
            .full,
            freshness: entry.provenance.freshness,
            attribution: entry.provenance.attribution
        )
    }

    /// Without a pinned picture the caller gets the source's error.
    private func keptThumbnail(of id: Int64) async -> ThumbnailMessage? {
        guard let kept = await keeper?.pinnedPicture(of: id) else { return nil }
        return ThumbnailMessage(
            kept.picture,
            KeptPicture.variant,
            freshness: Freshness(source: .cache, age: kept.age, isStale: true),
            attribution: catalog.attribution
        )
    }
}

/// The picture is copied once, into the connection's buffer.
private final class ThumbnailMessage: OutgoingMessage {
    let byteCount: Int
    private let picture: [UInt8]
    private let fields: ByteBuffer

    convenience init(_ found: FoundPicture, _ variant: ImageVariant, _ provenance: Provenance) {
        let freshness = found.freshness ?? provenance.freshness
        self.init(found.picture, variant, freshness: freshness, attribution: provenance.attribution)
    }

    init(_ picture: Picture, _ variant: ImageVariant, freshness: Freshness, attribution: String) {
        self.picture = picture.bytes
        fields = GetThumbnailResponse(
            mediaType: picture.mediaType.rawValue,
            variant: variant.rawValue,
            isPlaceholder: picture.isPlaceholder,
            freshness: freshness,
            attribution: attribution
        ).encoded()
        byteCount = GetThumbnailResponse.dataByteCount(picture.bytes.count) + fields.readableBytes
    }

    func write(to writer: inout MessageWriter) {
        GetThumbnailResponse.writeData(picture, to: &writer)
        writer.write(fields)
    }
}
