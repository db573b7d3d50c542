internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The methods of all services by name.
///
/// There are only a few methods, and comparing the lengths of the names with those of each, then the bytes, is faster than
/// hashing two strings.
struct MethodTable: Sendable {
    private struct Entry {
        let service: [UInt8]
        let name: [UInt8]
        let method: RPCCore.Method
    }

    /// The lengths of an entry's names, in bytes.
    private struct NameLengths: Sendable {
        let service: Int
        let method: Int
    }

    private let entries: [Entry]
    /// The lengths of each entry's names. They are apart from the entries, because going through those would retain and
    /// release the memory of each.
    private let lengths: [NameLengths]
    private let services: Set<String>

    init(_ services: [Service]) {
        self.services = Set(services.map(\.name))
        self.entries = services.flatMap { service in
            service.methods.map { Entry(service: Array(service.name.utf8), name: Array($0.name.utf8), method: $0) }
        }
        self.lengths = entries.map { NameLengths(service: $0.service.count, method: $0.name.count) }
    }

    /// Returns the method that a request calls; nil if there is none of that name.
    func method(of request: PlainRequest) -> RPCCore.Method? {
        let (service, method) = (request.serviceByteCount, request.methodByteCount)
        for index in lengths.indices where lengths[index].method == method && lengths[index].service == service {
            let entry = entries[index]
            if request.calls(entry.name, of: entry.service) { return entry.method }
        }
        return nil
    }

    /// Returns the maximum data length of a Request frame, which depends on the method that it names.
    ///
    /// - Parameter bytes: The first bytes of the frame's data.
    /// - Returns: 0 if they name no method of this server.
    func maximumFrameLength(ofRequestBeginning bytes: ByteBuffer) -> Int {
        guard let names = RequestNames(beginning: bytes) else { return 0 }
        for entry in entries where names.match(entry.name, of: entry.service) {
            return entry.method.maximumRequestBytes + Self.envelopeBytes
        }
        return 0
    }

    /// The maximum size of an envelope without its payload, in bytes: metadata of 8 KiB in 64 pairs, names and a
    /// timeout.
    private static let envelopeBytes = 16 * 1024

    /// Returns the method of a name.
    ///
    /// - Throws: UNIMPLEMENTED, saying whether the service or only the method is unknown.
    func method(_ name: String, of service: String) throws(RPCError) -> RPCCore.Method {
        guard services.contains(service) else {
            throw RPCError(
                .unimplemented,
                reason: .methodUnknown,
                "this server has no such service",
                metadata: ["known_services": services.sorted().joined(separator: ",")]
            )
        }
        let (service8, name8) = (Array(service.utf8), Array(name.utf8))
        guard let entry = entries.first(where: { $0.name == name8 && $0.service == service8 }) else {
            throw RPCError(
                .unimplemented,
                reason: .methodUnknown,
                "the service \(service) has no such method",
                metadata: ["service": service]
            )
        }
        return entry.method
    }
}
