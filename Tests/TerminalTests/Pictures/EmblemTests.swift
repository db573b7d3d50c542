import Catalog
import MarvelDomain
import Terminal
import TerminalUI
import Testing

struct EmblemTests {
    /// The pictures of the built-in catalog.
    @Test(arguments: [Int64(1), 1_009_610])
    func emblemsAreDecoded(id: Int64) throws {
        let file = Emblem(id: id, name: "Spider-Man").png(.standardLarge)
        let image = try PictureDecoder().decode(file)
        #expect(image.width == image.height && image.width > 100)
        #expect(Set(stride(from: 0, to: image.pixels.count, by: 4).map { image.pixels[$0] }).count > 1)
    }
}
