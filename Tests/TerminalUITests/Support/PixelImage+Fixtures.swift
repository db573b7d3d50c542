import MarvelDomain

@testable import TerminalUI

extension PixelImage {
    static let red: [UInt8] = [255, 0, 0, 255]
    static let blue: [UInt8] = [0, 0, 255, 255]
    static let clear: [UInt8] = [9, 9, 9, 0]

    /// Makes an image of rows of pixels of the same length.
    static func rows(_ rows: [[[UInt8]]]) -> PixelImage {
        guard let image = PixelImage(width: rows[0].count, height: rows.count, pixels: rows.joined().flatMap { $0 })
        else { preconditionFailure("the rows differ") }
        return image
    }

    static func random(_ numbers: inout SplitMix64, width: Int, height: Int, colors: Int) -> PixelImage {
        let palette = (0..<colors).map { _ in (0..<3).map { _ in UInt8.random(in: 0...255, using: &numbers) } + [255] }
        return rows((0..<height).map { _ in (0..<width).map { _ in numbers.pick(palette + [clear]) } })
    }
}
