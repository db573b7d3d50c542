internal import CImages
package import TerminalUI

/// A decoder for untrusted files. It is slow: do not call it on the thread that draws.
package struct PictureDecoder: Sendable {
    private let limits: PictureLimits

    package init(limits: PictureLimits = PictureLimits()) {
        self.limits = limits
    }

    /// `isCancelled` is called from time to time. A truncated picture is an error.
    package func decode(
        _ bytes: [UInt8],
        isCancelled: () -> Bool = { false }
    ) throws(PictureDecodingError) -> PixelImage {
        guard !isCancelled() else { throw .cancelled }
        guard bytes.count <= limits.maximumBytes else { throw .tooManyBytes(bytes.count) }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            return try bytes.withUnsafeBufferPointer { (bytes) throws(PictureDecodingError) in
                try decodePNG(bytes, isCancelled)
            }
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return try decodeJPEG(bytes) }
        throw .unknownFormat
    }

    /// `isCancelled` is called after so many rows of a PNG.
    private static let rowsAtOnce = UInt32(64)

    private func decodePNG(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ isCancelled: () -> Bool
    ) throws(PictureDecodingError) -> PixelImage {
        var (width, height) = (UInt32(0), UInt32(0))
        guard let file = cimages_png_open(bytes.baseAddress, bytes.count, &width, &height) else { throw .damaged }
        defer { cimages_png_close(file) }
        var wasCancelled = false
        do throws(PictureDecodingError) {
            return try read(width: Int(width), height: Int(height)) { pixels in
                while true {
                    let result = cimages_png_read(file, pixels, Self.rowsAtOnce)
                    guard result > 0 else { return result }
                    wasCancelled = isCancelled()
                    if wasCancelled { return -1 }
                }
            }
        } catch {
            throw wasCancelled ? .cancelled : error
        }
    }

    private func decodeJPEG(_ bytes: [UInt8]) throws(PictureDecodingError) -> PixelImage {
        var (width, height) = (Int32(0), Int32(0))
        guard cimages_jpeg_size(bytes, bytes.count, &width, &height) == 0 else { throw .damaged }
        try limits.check(width: Int(width), height: Int(height))
        try limits.check(scans: Self.scanCount(bytes), width: Int(width), height: Int(height))
        return try read(width: Int(width), height: Int(height)) { pixels in
            cimages_jpeg_read(bytes, bytes.count, pixels, width, height)
        }
    }

    /// ISO 10918-1, marker SOS. Counts embedded pictures too.
    private static func scanCount(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            zip(bytes, bytes.dropFirst()).reduce(0) { $1 == (0xFF, 0xDA) ? $0 + 1 : $0 }
        }
    }

    /// `decode` fills all pixels and returns 0, or another value on an error.
    private func read(
        width: Int,
        height: Int,
        _ decode: (UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws(PictureDecodingError) -> PixelImage {
        try limits.check(width: width, height: height)
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        let result = pixels.withUnsafeMutableBufferPointer { decode($0.baseAddress) }
        guard result == 0, let image = PixelImage(width: width, height: height, pixels: pixels) else { throw .damaged }
        return image
    }
}
