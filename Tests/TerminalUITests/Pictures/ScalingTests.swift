import MarvelDomain
import Testing

@testable import TerminalUI

struct ScalingTests {
    private static let gray: [UInt8] = [128, 0, 128, 255]

    @Test func aSmallerPictureIsTheMeanOfItsPixels() {
        let image = PixelImage.rows([[PixelImage.red, PixelImage.blue], [PixelImage.blue, PixelImage.red]])
        #expect(image.fitted(to: PixelSize(width: 1, height: 1), .contain) == .rows([[Self.gray]]))
    }

    @Test func invisibleTextHasNoColor() {
        let image = PixelImage.rows([[PixelImage.red, PixelImage.clear], [PixelImage.red, PixelImage.clear]])
        #expect(image.fitted(to: PixelSize(width: 1, height: 1), .contain) == .rows([[[255, 0, 0, 128]]]))
    }

    @Test func aWholePictureHasMargins() {
        let image = PixelImage.rows([[PixelImage.red, PixelImage.blue]])
        let none: [UInt8] = [0, 0, 0, 0]
        let fitted = image.fitted(to: PixelSize(width: 2, height: 3), .contain)
        #expect(fitted == .rows([[none, none], [PixelImage.red, PixelImage.blue], [none, none]]))
    }

    @Test func aCoveringPictureShowsItsMiddle() {
        let image = PixelImage.rows([[PixelImage.blue, PixelImage.red, PixelImage.red, PixelImage.blue]])
        let fitted = image.fitted(to: PixelSize(width: 2, height: 1), .cover)
        #expect(fitted == .rows([[PixelImage.red, PixelImage.red]]))
    }

    @Test func aLargerPictureKeepsItsEdges() {
        let image = PixelImage.rows([[PixelImage.red, PixelImage.blue]])
        let row = [PixelImage.red, PixelImage.red, PixelImage.blue, PixelImage.blue]
        #expect(image.fitted(to: PixelSize(width: 4, height: 2), .contain) == .rows([row, row]))
    }

    @Test(arguments: [PicturePlacement.Fit.contain, .cover], [(1, 500), (500, 1), (7, 13), (64, 64)])
    func anySizeIsReachedFromAnySize(_ fit: PicturePlacement.Fit, _ shape: (Int, Int)) {
        var numbers = SplitMix64(seed: 1)
        let image = PixelImage.random(&numbers, width: shape.0, height: shape.1, colors: 3)
        for size in [(1, 1), (1, 90), (90, 1), (31, 17)].map({ PixelSize(width: $0.0, height: $0.1) }) {
            let fitted = image.fitted(to: size, fit)
            #expect(fitted?.width == size.width && fitted?.height == size.height)
        }
    }

    @Test(arguments: [(0, 5), (5, -1), (20_000, 5)])
    func anInvalidSizeGivesNoPicture(_ width: Int, _ height: Int) {
        let image = PixelImage.rows([[PixelImage.red]])
        #expect(image.fitted(to: PixelSize(width: width, height: height), .contain) == nil)
    }
}
