import MarvelDomain
import Testing

@testable import TerminalUI

struct SixelEncoderTests {
    @Test func aSmallPictureIsWrittenSo() {
        let image = PixelImage.rows([
            [PixelImage.red, PixelImage.red, PixelImage.red, PixelImage.red, PixelImage.red],
            [PixelImage.blue, PixelImage.clear, PixelImage.clear, PixelImage.clear, PixelImage.blue],
        ])
        let text = String(decoding: SixelEncoder.encode(image), as: UTF8.self)
        #expect(text == "\u{1B}P0;1;0q\"1;1;5;2#0;2;0;0;100#1;2;100;0;0#0A???A$#1!5@\u{1B}\\")
    }

    @Test(arguments: [(1, 1, 1), (5, 6, 3), (17, 13, 40), (40, 30, 256)])
    func aPictureOfFewColorsIsReadAgain(_ width: Int, _ height: Int, _ colors: Int) throws {
        var numbers = SplitMix64(seed: UInt64(width))
        let image = PixelImage.random(&numbers, width: width, height: height, colors: colors)
        let reader = try SixelReader(String(decoding: SixelEncoder.encode(image), as: UTF8.self))
        try #require(reader.width == width && reader.height == height)
        #expect(reader.colors.count <= 256)
        for place in 0..<width * height {
            let wanted = image.pixels[4 * place + 3] < 128 ? nil : image.pixels[4 * place..<4 * place + 3]
            let read = reader.pixels[place].map { [$0.red, $0.green, $0.blue] }
            #expect((wanted == nil) == (read == nil))
            // Parts are told in percents, and like colors share one of 32 levels.
            for (one, other) in zip(wanted ?? [], read ?? []) { #expect(abs(Int(one) - Int(other)) <= 8) }
        }
    }

    @Test func aPictureOfAllColorsHasThoseThatAreNearest() throws {
        var numbers = SplitMix64(seed: 3)
        let image = PixelImage.random(&numbers, width: 60, height: 50, colors: 2_000)
        let reader = try SixelReader(String(decoding: SixelEncoder.encode(image), as: UTF8.self))
        #expect((200...256).contains(reader.colors.count))
        var differences = 0
        for (place, color) in reader.pixels.enumerated() {
            guard let color else { continue }
            for (part, value) in [color.red, color.green, color.blue].enumerated() {
                differences += abs(Int(value) - Int(image.pixels[4 * place + part]))
            }
        }
        #expect(differences / (3 * reader.pixels.count) < 20)
    }

    @Test func whatIsClearHasNoColor() throws {
        let reader = try SixelReader(String(decoding: SixelEncoder.encode(.rows([[PixelImage.clear]])), as: UTF8.self))
        #expect(reader.colors.isEmpty && reader.pixels == [nil])
    }
}
