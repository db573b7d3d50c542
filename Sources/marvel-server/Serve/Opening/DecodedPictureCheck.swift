import CatalogEdits
import Dispatch
import MarvelDomain
import PictureDecoding

/// A picture check that decodes each picture as clients do.
///
/// Pictures are decoded one after another, because a small file can take 64 MiB of memory and more than a few
/// milliseconds.
struct DecodedPictureCheck: PictureCheck {
    private let queue = DispatchQueue(label: "check of pictures")

    func problem(with picture: Picture) async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: DecodedPictureCheck.problem(with: picture)) }
        }
    }

    /// Decodes a picture, and blocks the thread until it is done.
    ///
    /// - Returns: The reason why it cannot be shown; nil if it can.
    static func problem(with picture: Picture) -> String? {
        let limits = PictureLimits()
        do throws(PictureDecodingError) {
            _ = try PictureDecoder(limits: limits).decode(picture.bytes)
            return nil
        } catch {
            return switch error {
            case .unknownFormat: "picture is of no kind that can be shown"
            case .tooManyBytes(let count): "picture has \(count) bytes, maximum is \(limits.maximumBytes)"
            case .tooLarge(let width, let height):
                "picture is \(width) pixels wide and \(height) high, maximum is \(limits.maximumSide) each and "
                    + "\(limits.maximumPixels) in all"
            case .damaged: "picture is cut short or damaged: it cannot be decoded"
            }
        }
    }
}
