import Terminal
import TerminalUI
import Testing

struct PictureDecoderTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let green: [UInt8] = [0, 255, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]
    private static let sample = [red, blue, blue, blue, red, green]

    @Test(
        arguments: [
            ("RGB", Files.pngRGB, 3, sample),
            ("RGBA", Files.pngRGBA, 2, [red, [0, 0, 255, 64]]),
            ("gray", Files.pngGray, 2, [[0, 0, 0, 255], [200, 200, 200, 255]]),
            ("16 bits", Files.png16, 2, [[0, 0, 0, 255], [255, 255, 255, 255]]),
        ] as [(String, [UInt8], Int, [[UInt8]])]
    )
    func pixelsAreAsTheyWereSaved(_ kind: String, _ file: [UInt8], _ width: Int, _ pixels: [[UInt8]]) throws {
        let image = try PictureDecoder().decode(file)
        #expect(image == PixelImage(width: width, height: pixels.count / width, pixels: pixels.flatMap { $0 }))
    }

    @Test func aPaletteHasAClearColor() throws {
        let image = try PictureDecoder().decode(Files.pngPalette)
        let opacities = stride(from: 3, to: image.pixels.count, by: 4).map { image.pixels[$0] }
        #expect(opacities == [0, 255, 255, 255, 0, 255])
    }

    @Test(arguments: [Files.jpeg, Files.jpegProgressive])
    func decodedPhotographsAreClose(_ file: [UInt8]) throws {
        let image = try PictureDecoder().decode(file)
        #expect(image.width == 8 && image.height == 8)
        for place in stride(from: 0, to: image.pixels.count, by: 4) {
            #expect(image.pixels[place] > 250 && image.pixels[place + 1] < 5 && image.pixels[place + 3] == 255)
        }
    }

    @Test func grayPhotographsAreGray() throws {
        let image = try PictureDecoder().decode(Files.jpegGray)
        #expect(image.width == 5 && image.height == 3)
        #expect(image.pixels.prefix(3).allSatisfy { (126...130).contains($0) })
    }

    @Test(arguments: [Files.pngRGB, Files.pngPalette, Files.jpeg, Files.jpegProgressive])
    func aTruncatedPictureIsInvalid(_ file: [UInt8]) {
        // The last bytes only say that it ends.
        for count in 0..<file.count - 24 {
            #expect(throws: PictureDecodingError.self, "\(count) of \(file.count)") {
                _ = try PictureDecoder().decode(Array(file.prefix(count)))
            }
        }
    }

    @Test(
        arguments: [
            ([], .unknownFormat),
            (Array("<svg/>".utf8), .unknownFormat),
            (Files.jpegCMYK, .damaged),
            (Array("GIF89a".utf8), .unknownFormat),
        ] as [([UInt8], PictureDecodingError)]
    )
    func problemsAreReported(_ file: [UInt8], _ error: PictureDecodingError) {
        #expect(throws: error) { _ = try PictureDecoder().decode(file) }
    }

    // Not an argument of the test above: describing three million bytes takes seconds.
    @Test func aFileThatIsTooLongIsRefused() {
        let file = [UInt8](repeating: 0xFF, count: 3 << 20 + 1)
        #expect(throws: PictureDecodingError.tooManyBytes(3 << 20 + 1)) { _ = try PictureDecoder().decode(file) }
    }

    /// A header is enough to refuse a picture: none of its pixels have been asked for.
    @Test(
        arguments: [
            (Files.pngHuge, 4_097, 4_096),
            (Files.pngWide, 65_536, 1),
            (Files.jpeg.replacingFrame([0xEF, 0xFF, 0x80, 0]), 32_768, 61_439),
        ] as [([UInt8], Int, Int)]
    )
    func aHugePictureIsRefusedBeforeItIsDecoded(_ file: [UInt8], _ width: Int, _ height: Int) {
        #expect(throws: PictureDecodingError.tooLarge(width: width, height: height)) {
            _ = try PictureDecoder().decode(file)
        }
    }

    @Test func limitsCanBeLower() throws {
        let limits = PictureLimits(maximumBytes: 1_000, maximumSide: 4, maximumPixels: 5)
        #expect(throws: PictureDecodingError.tooLarge(width: 3, height: 2)) {
            _ = try PictureDecoder(limits: limits).decode(Files.pngRGB)
        }
        let small = try PictureDecoder(limits: limits).decode(Files.pngRGBA)
        #expect(small.width == 2)
    }

    /// The data of a picture of 8 x 8 pixels would be inflated to 32 MiB.
    @Test(arguments: [false, true])
    func dataBeyondThePictureIsNotInflated(_ isInterlaced: Bool) throws {
        let rows = isInterlaced ? 15 : 8
        let whole = PNGOfZeros(width: 8, height: 8, isInterlaced: isInterlaced)
        #expect(try PictureDecoder().decode(whole.file(8 * 8 + rows)).pixels.prefix(4) == [0, 0, 0, 255])
        #expect(throws: PictureDecodingError.damaged) { _ = try PictureDecoder().decode(whole.file(8 * 8 + rows - 1)) }
        #expect(throws: PictureDecodingError.damaged) { _ = try PictureDecoder().decode(whole.file(32 << 20)) }
    }

    /// A text is no part of the picture: it is neither inflated nor checked.
    @Test func compressedTextsAreSkipped() throws {
        let text = Array("a\0\0".utf8) + PNGOfZeros.deflated(32 << 20)
        for kind in ["zTXt", "iCCP"] {
            let file = PNGOfZeros(width: 8, height: 8).file(72, after: PNGOfZeros.chunk(kind, text))
            #expect(try PictureDecoder().decode(file).width == 8)
        }
    }

    @Test func scansAreLimitedByThePixelsThatTheyGoThrough() throws {
        let limits = PictureLimits(maximumPixels: 64)
        #expect(try PictureDecoder(limits: limits).decode(Files.jpegProgressive).width == 8)
        let scans = Files.jpegProgressive + Array(repeating: [0xFF, 0xDA], count: 12).joined()
        #expect {
            try PictureDecoder(limits: limits).decode(scans)
        } throws: { error in
            if case .tooManyScans(_, maximum: 12) = error as? PictureDecodingError { true } else { false }
        }
    }

    @Test func aPictureThatIsNotWantedAnyMoreIsNotDecoded() {
        let file = PNGOfZeros(width: 8, height: 1_000).file(9_000)
        for lookCount in 0..<4 {
            var looks = 0
            #expect(throws: PictureDecodingError.cancelled) {
                try PictureDecoder().decode(file) {
                    looks += 1
                    return looks > lookCount
                }
            }
            #expect(looks == lookCount + 1)
        }
    }

    @Test(arguments: [Files.pngRGB, Files.pngPalette, Files.jpeg, Files.jpegProgressive])
    func noDamageDoesHarm(_ file: [UInt8]) {
        let decoder = PictureDecoder(limits: PictureLimits(maximumSide: 100))
        for place in file.indices {
            for value in [0xFF, file[place] ^ 0x81] {
                var damaged = file
                damaged[place] = value
                if let image = try? decoder.decode(damaged) { #expect(image.width <= 100 && image.height <= 100) }
            }
        }
    }
}

extension [UInt8] {
    func replacing(_ place: Int, _ bytes: [UInt8]) -> [UInt8] {
        prefix(place) + bytes + dropFirst(place + bytes.count)
    }

    /// Height and width in the frame header of a JPEG.
    func replacingFrame(_ size: [UInt8]) -> [UInt8] {
        let place = indices.dropLast().first { self[$0] == 0xFF && (0xC0...0xC2).contains(self[$0 + 1]) }
        return replacing((place ?? 0) + 5, size)
    }
}
