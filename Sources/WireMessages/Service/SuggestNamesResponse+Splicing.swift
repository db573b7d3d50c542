package import RPCCore

/// The field `names` comes first. The parts, concatenated, are the encoding of the message.
extension SuggestNamesResponse {
    // Field numbers and wire types of `marvel.proto`; a test compares the output with libprotobuf-c's.
    private static let name: UInt8 = 1 << 3 | 2
    private static let attribution: UInt8 = 2 << 3 | 2
    private static let matches: UInt8 = 3 << 3 | 2

    package static func nameByteCount(utf8Count: Int) -> Int { elementByteCount(utf8Count) }

    package static func writeName(_ utf8: UnsafeRawBufferPointer, to writer: inout MessageWriter) {
        writer.write(tag: name, byteCount: utf8.count)
        writer.write(utf8)
    }

    private static func elementByteCount(_ count: Int) -> Int { 1 + Varint.byteCount(UInt64(count)) + count }

    /// The fields after the names.
    package struct Tail: Sendable {
        private let attribution: String
        private let counts: (prefix: Int, wordPrefix: Int, fuzzy: Int)

        /// `counts` is in the order of the names.
        package init(attribution: String, counts: (prefix: Int, wordPrefix: Int, fuzzy: Int)) {
            (self.attribution, self.counts) = (attribution, counts)
        }

        private var matchCount: Int { counts.prefix + counts.wordPrefix + counts.fuzzy }

        package var byteCount: Int {
            // Protobuf omits empty fields.
            (attribution.isEmpty ? 0 : elementByteCount(attribution.utf8.count))
                + (matchCount == 0 ? 0 : elementByteCount(matchCount))
        }

        package func write(to writer: inout MessageWriter) {
            if !attribution.isEmpty {
                var attribution = attribution
                attribution.withUTF8 { utf8 in
                    writer.write(tag: SuggestNamesResponse.attribution, byteCount: utf8.count)
                    writer.write(UnsafeRawBufferPointer(utf8))
                }
            }
            if matchCount > 0 {
                writer.write(tag: SuggestNamesResponse.matches, byteCount: matchCount)
                write(.prefix, counts.prefix, to: &writer)
                write(.wordPrefix, counts.wordPrefix, to: &writer)
                write(.fuzzy, counts.fuzzy, to: &writer)
            }
        }

        private func write(_ match: MatchValue, _ count: Int, to writer: inout MessageWriter) {
            // Each value is below 128, which is one byte.
            for _ in 0..<count { writer.write(UInt8(truncatingIfNeeded: match.rawValue)) }
        }
    }
}
