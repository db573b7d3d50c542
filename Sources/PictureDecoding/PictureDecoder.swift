internal import CPictures
package import TerminalUI

/// A decoder for PNG, JPEG and GIF files from untrusted sources. Decoding is slow: do not call it on the thread that
/// draws.
package struct PictureDecoder: Sendable {
    private let limits: PictureLimits

    package init(limits: PictureLimits = PictureLimits()) {
        self.limits = limits
    }

    /// Decodes a file; of an animation, its first picture.
    ///
    /// - Throws: `PictureDecodingError`. A truncated picture is an error, even if a part of it could be decoded.
    package func decode(_ bytes: [UInt8]) throws(PictureDecodingError) -> PixelImage {
        guard bytes.count <= limits.maximumBytes else { throw .tooManyBytes(bytes.count) }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return try decodePNG(bytes) }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return try decodeJPEG(bytes) }
        if bytes.starts(with: "GIF8".utf8) { return try GIFReader(bytes).firstPicture(limits) }
        throw .unknownFormat
    }

    private func decodePNG(_ bytes: [UInt8]) throws(PictureDecodingError) -> PixelImage {
        var (width, height) = (UInt32(0), UInt32(0))
        guard cpictures_png_size(bytes, bytes.count, &width, &height) == 0 else { throw .damaged }
        return try read(width: Int(width), height: Int(height)) { pixels in
            cpictures_png_read(bytes, bytes.count, pixels, width, height)
        }
    }

    private func decodeJPEG(_ bytes: [UInt8]) throws(PictureDecodingError) -> PixelImage {
        var (width, height) = (Int32(0), Int32(0))
        guard cpictures_jpeg_size(bytes, bytes.count, &width, &height) == 0 else { throw .damaged }
        return try read(width: Int(width), height: Int(height)) { pixels in
            cpictures_jpeg_read(bytes, bytes.count, pixels, width, height)
        }
    }

    /// Checks the size that the file's header declares, and decodes the pixels: `decode` fills all of them and returns
    /// 0, or returns another value on an error.
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
