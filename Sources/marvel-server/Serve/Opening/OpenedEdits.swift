import Catalog
import Dispatch
import Logging
import MarvelDomain
import MarvelService
import RPCCore
import Synchronization
import Terminal

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

/// Checks pictures by decoding them as clients do.
///
/// One picture is decoded at a time: a small file can take 64 MiB of memory and more than a few milliseconds. Callers
/// take turns. The picture of a cancelled caller is not decoded.
struct DecodedPictureCheck: PictureCheck {
    private let gate = SearchGate(running: 1, waiting: .max)
    /// Decoding must not block a thread of Swift's tasks.
    private let queue = DispatchQueue(label: "check of pictures")

    private final class CancelFlag: Sendable {
        private let state = Atomic(false)

        var isSet: Bool { state.load(ordering: .relaxed) }

        func set() { state.store(true, ordering: .relaxed) }
    }

    func problem(with picture: Picture) async throws(CancellationError) -> String? {
        // A gate without a limit of waiting calls refuses only cancelled ones.
        do { try await gate.enter() } catch { throw CancellationError() }
        defer { gate.leave() }
        let flag = CancelFlag()
        let problem = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    continuation.resume(returning: Self.problem(with: picture, isCancelled: { flag.isSet }))
                }
            }
        } onCancel: {
            flag.set()
        }
        if flag.isSet { throw CancellationError() }
        return problem
    }

    /// Decodes a picture, and blocks the thread meanwhile. `isCancelled` means that the result is no longer needed.
    /// Returns the reason why the picture cannot be shown, if any.
    static func problem(with picture: Picture, isCancelled: () -> Bool = { false }) -> String? {
        let limits = PictureLimits()
        do throws(PictureDecodingError) {
            _ = try PictureDecoder(limits: limits).decode(picture.bytes, isCancelled: isCancelled)
            return nil
        } catch {
            return switch error {
            case .unknownFormat: "picture is not a PNG, JPEG or GIF"
            case .tooManyBytes(let count): "picture has \(count) bytes, maximum is \(limits.maximumBytes)"
            case .tooLarge(let width, let height):
                "picture is \(width) pixels wide and \(height) high, maximum is \(limits.maximumSide) each and "
                    + "\(limits.maximumPixels) in total"
            case .tooManyScans(let count, let maximum):
                "picture has \(count) scans, maximum for a JPEG of its size is \(maximum)"
            case .cancelled: "picture was not decoded: the call was cancelled"
            case .damaged: "picture is cut short or damaged: it cannot be decoded"
            }
        }
    }
}
