internal import MarvelDomain

/// The position of a caller in a distributed trace (W3C Trace Context, "traceparent").
package struct TraceParent: Sendable, Hashable {
    package static let key = "traceparent"

    /// The trace of the current task, for requests to other servers and for log lines.
    @TaskLocal package static var current: TraceParent?

    /// The trace, the caller's operation and the flags, as in the header. One text, because calls carry it along.
    private let fields: String

    package var traceID: String { String(fields.prefix(32)) }
    package var parentID: String { String(fields.dropFirst(33).prefix(16)) }
    package var flags: String { String(fields.suffix(2)) }

    /// Nil for a malformed header: the call then belongs to no trace.
    package init?(_ text: String) {
        let fields = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        // A version after 00 may have further fields.
        guard fields.count >= 4, text.utf8.count <= 128, fields[0].count == 2, fields[1].count == 32,
            fields[2].count == 16, fields[3].count == 2, fields[0].elementsEqual("00".utf8) ? fields.count == 4 : true,
            !fields[0].elementsEqual("ff".utf8),
            fields.prefix(4).allSatisfy({ $0.allSatisfy(Self.isDigit) }),
            fields[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } })
        else { return nil }
        self.fields = fields[1...3].map { String(Substring($0)) }.joined(separator: "-")
    }

    /// From a call's metadata, whose keys may have upper-case letters on some wires.
    package init?(_ metadata: Metadata) {
        guard !metadata.isEmpty, let text = metadata[Self.key] else { return nil }
        self.init(text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// The header for a request on behalf of this call, with its trace and flags. `id` is a random number for the
    /// operation, not 0.
    package func header(operation id: UInt64) -> String {
        "00-\(traceID)-\(Hexadecimal.text(id))-\(flags)"
    }
}
