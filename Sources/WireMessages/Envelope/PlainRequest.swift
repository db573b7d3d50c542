package import NIOCore

#if canImport(Glibc)
private import Glibc
#else
private import Darwin
#endif

/// A `ttrpc.Request` in the form that nearly all clients send: service, method, then perhaps payload and timeout, each
/// once, in this order, and no metadata. It is read in place: nothing is copied, and no text is made.
///
/// This decodes the common field order only, in an eighth of the time. Every other form is left to `RequestEnvelope`
/// and libprotobuf-c, which also decides whether the bytes are an encoding at all.
package struct PlainRequest: Sendable {
    private let bytes: ByteBuffer
    private let service: Range<Int>
    private let method: Range<Int>
    private let payloadRange: Range<Int>
    /// The same value as in `RequestEnvelope`.
    package let timeoutNanoseconds: Int64

    /// Reads a request. Nil if it has another form, or is not a request.
    package init?(_ bytes: ByteBuffer) {
        let fields = bytes.withUnsafeReadableBytes { bytes -> (Range<Int>, Range<Int>, Range<Int>, UInt64)? in
            var scanner = FieldScanner(bytes)
            guard let service = scanner.bytes(1), let method = scanner.bytes(2) else { return nil }
            let payload = scanner.bytes(3) ?? 0..<0
            let timeout = scanner.varint(4) ?? 0
            return scanner.isAtEnd ? (service, method, payload, timeout) : nil
        }
        guard let (service, method, payload, timeout) = fields else { return nil }
        self.bytes = bytes
        self.service = service
        self.method = method
        self.payloadRange = payload
        self.timeoutNanoseconds = Int64(bitPattern: timeout)
    }

    /// The encoded request message. It shares the envelope's memory.
    package var payload: ByteBuffer {
        bytes.getSlice(at: bytes.readerIndex + payloadRange.lowerBound, length: payloadRange.count) ?? ByteBuffer()
    }

    package var payloadByteCount: Int { payloadRange.count }

    package var serviceByteCount: Int { service.count }
    package var methodByteCount: Int { method.count }

    /// Returns whether this calls the method of that name, given in UTF-8.
    package func calls(_ method: [UInt8], of service: [UInt8]) -> Bool {
        bytes.withUnsafeReadableBytes { bytes in
            Self.isEqual(bytes, self.method, method) && Self.isEqual(bytes, self.service, service)
        }
    }

    fileprivate static func isEqual(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ name: [UInt8]) -> Bool {
        guard range.count == name.count, let start = bytes.baseAddress else { return false }
        return name.withUnsafeBytes { name in
            guard let name = name.baseAddress else { return true }
            return memcmp(start + range.lowerBound, name, range.count) == 0
        }
    }
}

/// The service and the method that a `ttrpc.Request` names, read from its first bytes.
package struct RequestNames: Sendable {
    private let bytes: ByteBuffer
    private let service: Range<Int>
    private let method: Range<Int>

    /// Reads the names. Nil if they are not the first two fields, or are not complete.
    package init?(beginning bytes: ByteBuffer) {
        let fields = bytes.withUnsafeReadableBytes { bytes -> (Range<Int>, Range<Int>)? in
            var scanner = FieldScanner(bytes)
            guard let service = scanner.bytes(1), let method = scanner.bytes(2) else { return nil }
            return (service, method)
        }
        guard let (service, method) = fields else { return nil }
        self.bytes = bytes
        self.service = service
        self.method = method
    }

    /// Returns whether these are the method's and the service's names, given in UTF-8.
    package func match(_ method: [UInt8], of service: [UInt8]) -> Bool {
        bytes.withUnsafeReadableBytes { bytes in
            PlainRequest.isEqual(bytes, self.method, method) && PlainRequest.isEqual(bytes, self.service, service)
        }
    }
}
