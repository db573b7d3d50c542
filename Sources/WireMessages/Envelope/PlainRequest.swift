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

/// A scanner that reads fields in the order of their numbers, by their tags of one byte.
private struct FieldScanner {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// Takes the range of the field's bytes, if the field is next and complete.
    mutating func bytes(_ number: UInt8) -> Range<Int>? {
        let start = position
        guard take(tag: number << 3 | 2), let length = varint(), length <= UInt64(bytes.count - position) else {
            position = start
            return nil
        }
        let range = position..<position + Int(length)
        position = range.upperBound
        return range
    }

    /// Takes the field's value, if the field is next and complete.
    mutating func varint(_ number: UInt8) -> UInt64? {
        let start = position
        guard take(tag: number << 3 | 0), let value = varint() else {
            position = start
            return nil
        }
        return value
    }

    private mutating func take(tag: UInt8) -> Bool {
        guard byte() == tag else { return false }
        position += 1
        return true
    }

    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<10 {
            guard let byte = byte() else { return nil }
            position += 1
            // The tenth byte has room for one bit. A larger value is left to libprotobuf-c.
            guard index < 9 || byte <= 1 else { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte < 0x80 { return value }
        }
        return nil
    }

    private func byte() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }
}
