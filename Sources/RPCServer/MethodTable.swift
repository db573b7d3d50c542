internal import NIOCore
package import RPCCore
internal import WireMessages

/// The methods of all services by name.
///
/// There are only a few methods, and comparing the first bytes of a request with those that call each is faster than
/// hashing two strings. It is an object, so that a connection passes it on as one reference.
final class MethodTable: Sendable {
    private struct Entry {
        let service: String
        let method: RPCMethod
        /// The path of its requests over HTTP.
        let httpPath: String

        init(_ service: String, _ method: RPCMethod) {
            self.service = service
            self.method = method
            httpPath = "/\(MethodPath(service: service, method: method.name))"
        }
    }

    private let entries: [Entry]
    /// The full name of each entry's method.
    private let paths: [String]
    /// The prefix of each entry's method.
    private let prefixes: RequestPrefixes

    init(_ services: [RPCService]) {
        entries = services.flatMap { service in service.methods.map { Entry(service.name, $0) } }
        paths = entries.map { "\($0.service)/\($0.method.name)" }
        var prefixes = RequestPrefixes()
        for entry in entries { prefixes.append(entry.method.name, of: entry.service) }
        self.prefixes = prefixes
    }

    /// Reads the data of a Request frame. Sets the metadata, if it has some, also if it then throws.
    ///
    /// - Throws: INVALID_ARGUMENT, RESOURCE_EXHAUSTED for metadata over its limits, UNIMPLEMENTED if there is no such method.
    func call(
        _ request: ByteBuffer,
        wantsStream: Bool,
        metadata: inout Metadata
    ) throws(RPCError) -> CallRequest {
        // The form that nearly all have.
        if let (number, byteCount) = prefixes.method(ofRequest: request),
            let plain = PlainEnvelope(request, behind: byteCount)
        {
            return CallRequest(
                method: entries[number].method,
                payload: plain.payload,
                timeoutNanoseconds: plain.timeoutNanoseconds,
                wantsStream: wantsStream
            )
        }
        let envelope = try RequestEnvelope(request: request)
        metadata = envelope.metadata
        return CallRequest(
            method: try method(envelope.method, of: envelope.service),
            payload: envelope.payload,
            metadata: envelope.metadata,
            timeoutNanoseconds: envelope.timeoutNanoseconds,
            wantsStream: wantsStream
        )
    }

    // MARK: Numbers

    /// Returns the number of a method; that of unknown methods, if this server does not have it.
    func number(of method: RPCMethod?) -> Int {
        guard let method else { return CallCounters.otherMethod }
        return entries.firstIndex { $0.method === method } ?? CallCounters.otherMethod
    }

    /// Returns the full name of the method of a number; nil if it is not one of this server.
    func path(_ number: Int) -> String? {
        number < min(entries.count, CallCounters.otherMethod) ? paths[number] : nil
    }

    /// Returns the method of a request's path over HTTP; nil if there is none.
    func method(httpPath: String) -> RPCMethod? { entries.first { $0.httpPath == httpPath }?.method }

    /// Returns the maximum data length of a Request frame, which depends on the method that it names.
    ///
    /// - Parameter bytes: The first bytes of the frame's data.
    /// - Returns: 0 if they name no method of this server.
    func maximumFrameLength(ofRequestBeginning bytes: ByteBuffer) -> Int {
        guard let (number, _) = prefixes.method(ofRequest: bytes) else { return 0 }
        return entries[number].method.maximumRequestBytes + Self.envelopeBytes
    }

    /// The maximum size of an envelope without its payload, in bytes: metadata of 8 KiB in 64 pairs, names and a
    /// timeout.
    private static let envelopeBytes = 16 * 1024

    /// Returns the method of a name.
    ///
    /// - Throws: UNIMPLEMENTED, saying whether the service or only the method is unknown.
    func method(_ name: String, of service: String) throws(RPCError) -> RPCMethod {
        guard entries.contains(where: { $0.service == service }) else {
            throw RPCError(
                .unimplemented,
                reason: .methodUnknown,
                "unknown service",
                metadata: ["known_services": Set(entries.map(\.service)).sorted().joined(separator: ",")]
            )
        }
        guard let entry = entries.first(where: { $0.method.name == name && $0.service == service }) else {
            throw RPCError(
                .unimplemented,
                reason: .methodUnknown,
                "unknown method of the service \(service)",
                metadata: ["service": service]
            )
        }
        return entry.method
    }
}

extension RPCError {
    /// The error of an unknown method for a caller who must not know what exists.
    static let methodUnknown = RPCError(.unimplemented, reason: .methodUnknown, "unknown method")
}

extension RequestEnvelope {
    /// Decodes the envelope of a Request frame.
    ///
    /// - Throws: INVALID_ARGUMENT, or RESOURCE_EXHAUSTED for metadata over its limits.
    init(request bytes: ByteBuffer) throws(RPCError) {
        do {
            try self.init(decoding: bytes, limit: .envelope)
        } catch {
            throw RPCError(undecodable: error)
        }
    }
}

extension RPCError {
    /// Whether the request is malformed or over a general limit. Then the fault is its form, not what it asks for.
    package var isFaultOfPeer: Bool {
        switch reason {
        case .requestMalformed?, .messageTooLarge?, .messageTooComplex?, .metadataTooLarge?: true
        default: false
        }
    }
}

/// A request of a call, as its wire has read it. It is moved, because copying its parts costs more than reading them.
package struct CallRequest: ~Copyable {
    let method: RPCMethod
    var system = RPCSystem.ttrpc
    let payload: ByteBuffer
    var metadata = Metadata()
    /// The timeout in the form that `CallDeadline` takes.
    let timeoutNanoseconds: Int64
    /// The arrival of a request that had to wait for others; nil if it has just arrived. Its caller's timeout begins then.
    var arrivedAt: NIODeadline?
    /// Whether the caller reads a stream. One that does not gets the first message of a stream only.
    let wantsStream: Bool

    /// Whether the answer is a stream.
    var isStream: Bool { wantsStream && method.isStreaming }

    /// Returns the time at which the caller stops waiting; nil means never.
    ///
    /// - Throws: RESOURCE_EXHAUSTED if the payload is above the method's limit, DEADLINE_EXCEEDED if the caller's
    ///   deadline had passed when it sent the call.
    func deadline(unaryTimeout: TimeAmount, now: NIODeadline) throws(RPCError) -> NIODeadline? {
        guard payload.readableBytes <= method.maximumRequestBytes else {
            throw .requestTooLarge(maximum: method.maximumRequestBytes)
        }
        // A watch waits for events, also for a caller that takes one message only.
        let deadline = CallDeadline(
            timeoutNanoseconds: timeoutNanoseconds,
            default: isStream || method.isWatch ? nil : unaryTimeout,
            now: timeoutNanoseconds == 0 ? now : arrivedAt ?? now
        )
        switch deadline {
        case .never: return nil
        case .at(let time) where time > now: return time
        case .at, .passed: throw .deadlineExceeded
        }
    }
}
