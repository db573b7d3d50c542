internal import MarvelDomain

/// Commands of the Kitty graphics protocol. All suppress replies (`q=2`), which would arrive between the keys.
enum KittyGraphics {
    /// In base64 characters, a multiple of 4.
    private static let maximumChunk = 4_096

    /// The id is above 0; it replaces an earlier image with the same id.
    static func transmit(_ image: PixelImage, id: Int) -> [UInt8] {
        let isOpaque = image.isOpaque
        let pixels = isOpaque ? image.pixels.indices.filter { $0 % 4 != 3 }.map { image.pixels[$0] } : image.pixels
        let text = Array(Base64.encode(pixels).utf8)
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: maximumChunk) {
            let end = min(start + maximumChunk, text.count)
            let keys = start == 0 ? "a=t,f=\(isOpaque ? 24 : 32),s=\(image.width),v=\(image.height),i=\(id)," : ""
            bytes += command("\(keys)q=2,m=\(end < text.count ? 1 : 0)", text[start..<end])
        }
        return bytes
    }

    /// The cursor does not move.
    static func place(id: Int, placement: Int, columns: Int, rows: Int) -> [UInt8] {
        command("a=p,i=\(id),p=\(placement),c=\(columns),r=\(rows),C=1,q=2")
    }

    /// Removes an image from the window; the terminal keeps its data.
    static func remove(id: Int, placement: Int) -> [UInt8] {
        command("a=d,d=i,i=\(id),p=\(placement),q=2")
    }

    static func delete(id: Int) -> [UInt8] {
        command("a=d,d=I,i=\(id),q=2")
    }

    static let deleteAll = command("a=d,d=A,q=2")

    private static func command(_ keys: String, _ payload: ArraySlice<UInt8> = []) -> [UInt8] {
        Array("\u{1B}_G\(keys)".utf8) + (payload.isEmpty ? [] : [UInt8(ascii: ";")] + payload) + Array("\u{1B}\\".utf8)
    }
}
