internal import CPictures
package import TerminalUI

/// Makes pixels of PNG, JPEG and GIF files that strangers made. Takes its time: not for the thread that draws.
package struct PictureDecoder: Sendable {
    private let limits: PictureLimits

    package init(limits: PictureLimits = PictureLimits()) {
        self.limits = limits
    }

    /// Decodes a file; of one that moves, its first picture.
    ///
    /// - Throws: `PictureError`. A picture that is cut short is an error, not a part of it.
    package func decode(_ bytes: [UInt8]) throws(PictureError) -> PixelImage {
        guard bytes.count <= limits.maximumBytes else { throw .tooManyBytes(bytes.count) }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return try decodePNG(bytes) }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return try decodeJPEG(bytes) }
        if bytes.starts(with: "GIF8".utf8) { return try GIFReader(bytes).firstPicture(limits) }
        throw .unknownFormat
    }

    private func decodePNG(_ bytes: [UInt8]) throws(PictureError) -> PixelImage {
        var (width, height) = (UInt32(0), UInt32(0))
        guard cpictures_png_size(bytes, bytes.count, &width, &height) == 0 else { throw .damaged }
        return try read(width: Int(width), height: Int(height)) { pixels in
            cpictures_png_read(bytes, bytes.count, pixels, width, height)
        }
    }

    private func decodeJPEG(_ bytes: [UInt8]) throws(PictureError) -> PixelImage {
        var (width, height) = (Int32(0), Int32(0))
        guard cpictures_jpeg_size(bytes, bytes.count, &width, &height) == 0 else { throw .damaged }
        return try read(width: Int(width), height: Int(height)) { pixels in
            cpictures_jpeg_read(bytes, bytes.count, pixels, width, height)
        }
    }

    /// Width and height are as the header has them; `decode` fills all pixels and returns 0, or fails.
    private func read(
        width: Int,
        height: Int,
        _ decode: (UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws(PictureError) -> PixelImage {
        try limits.check(width: width, height: height)
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        let result = pixels.withUnsafeMutableBufferPointer { decode($0.baseAddress) }
        guard result == 0, let image = PixelImage(width: width, height: height, pixels: pixels) else { throw .damaged }
        return image
    }
}
