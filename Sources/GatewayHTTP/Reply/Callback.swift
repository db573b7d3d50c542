/// The function that a JSONP reply calls.
struct Callback: Hashable {
    static let maximumLength = 128

    private let name: String

    /// Reads the name. Nil if the text is not a dotted path of JavaScript names, so that a page runs nothing but a
    /// call.
    init?(_ text: String) {
        guard (1...Callback.maximumLength).contains(text.utf8.count),
            text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(Callback.isName)
        else { return nil }
        self.name = text
    }

    func wrap(_ json: [UInt8]) -> [UInt8] { Array("\(name)(".utf8) + json + ")".utf8 }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, !isDigit(first) else { return false }
        return text.utf8.allSatisfy {
            isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || "_$".utf8.contains($0)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
