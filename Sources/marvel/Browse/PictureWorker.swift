internal import Browse
internal import Dispatch
internal import PictureDecoding
internal import TerminalUI

/// Decodes pictures one at a time, on a thread that nobody else waits for.
final class PictureWorker: Sendable {
    private let queue = DispatchQueue(label: "pictures", qos: .utility)

    /// - Parameters:
    ///   - bytes: An encoded picture.
    ///   - size: How it will be shown; what is larger is made smaller.
    /// - Returns: Its pixels.
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
    /// More pixels than a window has for it.
    fileprivate var largestSide: Int {
        switch self {
        case .card: 400
        case .detail: 1_200
        }
    }
}

extension PixelImage {
    /// Of the same shape, with no side longer than that.
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
