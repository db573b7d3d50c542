internal import Catalog
internal import MarvelDomain
internal import Upstream

/// The part of a mirror that copies pictures, for some characters at a time.
///
/// Pictures do not count as API calls, so that they need no call budget. If a picture cannot be fetched, the others are
/// still copied.
struct MirrorPictures: Sendable {
    private static let charactersAtOnce = 16
    private static let picturesAtOnce = 4

    let client: PictureClient
    let callers: PictureHostCallers
    let variants: [ImageVariant]

    private struct PictureRequest: Sendable {
        var id: Int64
        var place: Thumbnail
        var variant: ImageVariant
    }

    fileprivate enum Outcome: Sendable {
        case picture(Picture)
        case missing
        case failed
    }

    /// Copies the pictures of the next characters.
    ///
    /// - Returns: The plan afterwards; nil if there are no more characters.
    func copyNext(_ file: MirrorFile, _ plan: MirrorPlan) async throws -> MirrorPlan? {
        let (characters, requests) = try await next(file, after: plan.pictures.after)
        guard let last = characters.last else { return nil }
        let results = await fetch(requests)
        return try await file.writer.write { batch in
            var plan = plan
            plan.pictures.after = last.id
            plan.pictures.looked += characters.count
            plan.pictures.missing += characters.count { $0.thumbnail == nil }
            for (request, outcome) in results {
                switch outcome {
                case .picture(let picture):
                    try batch.put(picture, of: request.id, request.variant)
                    plan.pictures.taken += 1
                    plan.pictures.placeholders += picture.isPlaceholder ? 1 : 0
                case .missing: plan.pictures.missing += 1
                case .failed: plan.pictures.failed += 1
                }
            }
            try MirrorFile.note(plan, batch)
            return plan
        }
    }

    /// Returns the next characters, and the pictures of these that the file does not have.
    private func next(_ file: MirrorFile, after id: Int64) async throws -> ([MarvelCharacter], [PictureRequest]) {
        try await file.writer.write { [variants] batch in
            let characters = try batch.characters(after: id, limit: MirrorPictures.charactersAtOnce)
            var requests: [PictureRequest] = []
            for character in characters {
                guard let place = character.thumbnail else { continue }
                let known = try batch.variants(of: character.id)
                requests += variants.filter { !known.contains($0) }
                    .map { PictureRequest(id: character.id, place: place, variant: $0) }
            }
            return (characters, requests)
        }
    }

    /// Fetches pictures, a few concurrently.
    private func fetch(_ requests: [PictureRequest]) async -> [(PictureRequest, Outcome)] {
        await withTaskGroup(of: (PictureRequest, Outcome).self) { group in
            var (waiting, results) = (requests[...], [(PictureRequest, Outcome)]())
            for request in waiting.prefix(MirrorPictures.picturesAtOnce) {
                group.addTask { (request, await fetch(request)) }
            }
            waiting = waiting.dropFirst(MirrorPictures.picturesAtOnce)
            for await result in group {
                results.append(result)
                guard let request = waiting.popFirst() else { continue }
                group.addTask { (request, await fetch(request)) }
            }
            return results
        }
    }

    private func fetch(_ request: PictureRequest) async -> Outcome {
        do throws(PictureError) {
            return try await fetch(client.address(of: request.place, request.variant))
        } catch {
            return Outcome(error)
        }
    }

    private func fetch(_ address: PictureAddress) async throws(PictureError) -> Outcome {
        do throws(SourceError) {
            return try await callers.caller(for: address).call(deadline: { nil }) {
                [client] () async throws(SourceError) in
                do throws(PictureError) {
                    return try await client.picture(at: address, ifNoneMatch: nil).map { .picture($0.picture) }
                        ?? .failed
                } catch .upstream(let failure) {
                    throw failure
                } catch {
                    return Outcome(error)
                }
            }
        } catch {
            throw .upstream(error)
        }
    }
}

extension MirrorPictures.Outcome {
    fileprivate init(_ error: PictureError) {
        switch error {
        case .none, .tooLarge: self = .missing
        case .hostNotAllowed, .unusable, .upstream: self = .failed
        }
    }
}
