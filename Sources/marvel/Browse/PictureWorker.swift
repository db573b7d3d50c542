internal import Browse
internal import Dispatch
internal import Terminal
internal import TerminalUI

final class PictureWorker: Sendable {
    private let queue = DispatchQueue(label: "pictures", qos: .utility)

    /// Decodes a picture, one at a time, on a thread of its own. A picture larger than `size` is reduced.
    ///
    /// - Throws: `PictureDecodingError`.
    func image(_ bytes: [UInt8], for size: PictureKey.Size) async throws -> PixelImage {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result { try PictureDecoder().decode(bytes).reduced(to: size.largestSide) }
                )
            }
        }
    }
}

extension PictureKey.Size {
    /// The largest side in pixels, above the size that any window needs.
    fileprivate var largestSide: Int {
        switch self {
        case .card: 400
        case .detail: 1_200
        }
    }
}

extension PixelImage {
    /// The picture with the same aspect ratio, and no side longer than `largestSide`.
    fileprivate func reduced(to largestSide: Int) -> PixelImage {
        let longest = max(width, height)
        guard longest > largestSide else { return self }
        let size = PixelSize(
            width: max(width * largestSide / longest, 1),
            height: max(height * largestSide / longest, 1)
        )
        return fitted(to: size, .contain) ?? self
    }
}
