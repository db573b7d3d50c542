internal import MarvelDomain
package import NIOCore
internal import Synchronization

/// The deadline of a call, computed from the `timeout_nano` of its request.
package enum CallDeadline: Sendable, Hashable {
    case never
    case at(NIODeadline)
    case passed

    /// A timeout of 0 requests the default. A negative one means that the deadline has passed (ttrpc's Go client sends
    /// that). A nil default is no limit. A sum beyond the clock's range means no deadline.
    package init(timeoutNanoseconds: Int64, default defaultTimeout: TimeAmount?, now: @autoclosure () -> NIODeadline) {
        var nanoseconds = timeoutNanoseconds
        if nanoseconds == 0 {
            guard let defaultTimeout else {
                self = .never
                return
            }
            nanoseconds = defaultTimeout.nanoseconds
        }
        guard nanoseconds > 0 else {
            self = .passed
            return
        }
        let (sum, overflow) = now().uptimeNanoseconds.addingReportingOverflow(UInt64(nanoseconds))
        self = overflow || sum > UInt64(Int64.max) ? .never : .at(.uptimeNanoseconds(sum))
    }

    /// The deadline of the current task's call, if any, for planning by code below the handler. The runner of the
    /// call's work sets it.
    @TaskLocal package static var current: NIODeadline?
}

/// Pairs of text that travel with a call: `authorization`, `traceparent`, `x-request-id`.
///
/// A key may occur more than once; order is kept. Keys are case-sensitive.
public struct Metadata: Sendable, Hashable {
    package static let maximumPairs = 64
    package static let maximumBytes = 8 * 1024

    package private(set) var pairs: [Pair]

    package struct Pair: Sendable, Hashable {
        package var key: String
        package var value: String
    }

    package init() { self.pairs = [] }

    package mutating func append(_ key: String, _ value: String) {
        pairs.append(Pair(key: key, value: value))
    }

    /// The first value of a key, in the exact case: gRPC and HTTP/2 send lower case.
    public subscript(key: String) -> String? {
        pairs.first { $0.key == key }?.value
    }

    /// All values under `key`, which is lower case, in any case.
    package func values(ofAnyCase key: String) -> [String] {
        pairs.filter { $0.key.lowercased() == key }.map(\.value)
    }

    /// Removes the pairs whose key equals the lower-case `key` in any case.
    package func without(anyCaseOf key: String) -> Metadata {
        var rest = self
        rest.pairs.removeAll { $0.key.lowercased() == key }
        return rest
    }

    package var isEmpty: Bool { pairs.isEmpty }

    package var byteCount: Int { pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }
}

/// The position of a caller in a distributed trace (W3C Trace Context, "traceparent").
package struct TraceParent: Sendable, Hashable {
    package static let key = "traceparent"

    /// The trace of the current task, for requests to other servers and for log lines.
    @TaskLocal package static var current: TraceParent?

    /// The trace, the caller's operation and the flags, as in the header. One text, because calls carry it along.
    private let fields: String

    package var traceID: String { String(fields.prefix(32)) }
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

/// An identifier of a caller, the key of fair queues and shared budgets.
///
/// All connections of one name are one caller, and so are all unnamed ones of one address. On the server's own machine
/// each unnamed connection is a caller. The server's own work has an identifier too.
public struct CallerID: Sendable, Hashable {
    /// The kind of a caller determines its limits.
    package enum Kind: Sendable, Hashable {
        case server
        case local
        case named
        case anonymous
    }

    private static let lastNumber = Atomic<UInt64>(0)

    package static let server = CallerID(kind: .server, number: 0)

    /// The caller of the current task, for fair queues below the handler. The runner of the call's work sets it.
    @TaskLocal package static var current = CallerID.server

    package let kind: Kind
    private let number: UInt64

    private init(kind: Kind, number: UInt64) {
        self.kind = kind
        self.number = number
    }

    package static func next(_ kind: Kind = .local) -> CallerID {
        CallerID(kind: kind, number: lastNumber.add(1, ordering: .relaxed).newValue)
    }
}
