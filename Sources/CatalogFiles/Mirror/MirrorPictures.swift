internal import Catalog
internal import MarvelAPI
internal import MarvelDomain

/// Copies the pictures of a mirror's characters, some characters at a time. Pictures are no calls of the API: they count
/// against no budget, and a picture that is not to be had keeps nothing else from being copied.
struct MirrorPictures: Sendable {
    private static let charactersAtOnce = 16
    private static let picturesAtOnce = 4

    let client: PictureClient
    let callers: PictureHostCallers
    let variants: [ImageVariant]

    private struct Wish: Sendable {
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
    /// - Returns: The plan after it; nil: there are no more characters.
    func copyNext(_ file: MirrorFile, _ plan: MirrorPlan) async throws -> MirrorPlan? {
        let (characters, wishes) = try await next(file, after: plan.pictures.after)
        guard let last = characters.last else { return nil }
        let results = await fetch(wishes)
        return try await file.writer.write { batch in
            var plan = plan
            plan.pictures.after = last.id
            plan.pictures.looked += characters.count
            plan.pictures.missing += characters.count { $0.thumbnail == nil }
            for (wish, outcome) in results {
                switch outcome {
                case .picture(let picture):
                    try batch.put(picture, of: wish.id, wish.variant)
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

    /// The next characters, and what the file lacks of their pictures.
    private func next(_ file: MirrorFile, after id: Int64) async throws -> ([MarvelCharacter], [Wish]) {
        try await file.writer.write { [variants] batch in
            let characters = try batch.characters(after: id, limit: MirrorPictures.charactersAtOnce)
            var wishes: [Wish] = []
            for character in characters {
                guard let place = character.thumbnail else { continue }
                let known = try batch.variants(of: character.id)
                wishes += variants.filter { !known.contains($0) }
                    .map { Wish(id: character.id, place: place, variant: $0) }
            }
            return (characters, wishes)
        }
    }

    /// A few at a time.
    private func fetch(_ wishes: [Wish]) async -> [(Wish, Outcome)] {
        await withTaskGroup(of: (Wish, Outcome).self) { group in
            var (waiting, results) = (wishes[...], [(Wish, Outcome)]())
            for wish in waiting.prefix(MirrorPictures.picturesAtOnce) {
                group.addTask { (wish, await fetch(wish)) }
            }
            waiting = waiting.dropFirst(MirrorPictures.picturesAtOnce)
            for await result in group {
                results.append(result)
                guard let wish = waiting.popFirst() else { continue }
                group.addTask { (wish, await fetch(wish)) }
            }
            return results
        }
    }

    private func fetch(_ wish: Wish) async -> Outcome {
        do throws(PictureError) {
            return try await fetch(client.address(of: wish.place, wish.variant))
        } catch {
            return Outcome(error)
        }
    }

    private func fetch(_ address: PictureAddress) async throws(PictureError) -> Outcome {
        do throws(MarvelAPIError) {
            return try await callers.caller(for: address).call(deadline: { nil }) {
                [client] () async throws(MarvelAPIError) in
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
