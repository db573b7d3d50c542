internal import NIOCore
internal import Terminal
internal import TerminalUI

/// Picture files that strangers made: what is decoded keeps to the limits, whatever it says of itself.
extension FuzzTarget {
    static let pictures = FuzzTarget("pictures") { bytes in
        var findings = Findings()
        let limits = PictureLimits(maximumBytes: 4_096, maximumSide: 200, maximumPixels: 10_000)
        let decoder = PictureDecoder(limits: limits)
        do throws(PictureDecodingError) {
            let image = try decoder.decode([UInt8](bytes.readableBytesView))
            let isSmall = image.width <= 200 && image.height <= 200 && image.width * image.height <= 10_000
            findings.expect(isSmall, "a picture of \(image.width) x \(image.height) is decoded")
            findings.expect(bytes.readableBytes <= 4_096, "\(bytes.readableBytes) bytes are decoded")
        } catch .tooManyBytes(let count) {
            findings.expect(count == bytes.readableBytes, "\(count) bytes are counted")
        } catch .tooLarge(let width, let height) {
            let isLarge = width > 200 || height > 200 || width * height > 10_000
            findings.expect(isLarge, "a picture of \(width) x \(height) is too large")
        } catch {
            // Most bytes are no picture.
        }
        return findings.breaches
    }
}
