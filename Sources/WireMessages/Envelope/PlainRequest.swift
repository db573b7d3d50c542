package import NIOCore

#if canImport(Glibc)
private import Glibc
#else
private import Darwin
#endif

/// The first bytes of requests of some methods: the encoded names of the service and the method.
///
/// All are in one array, because going through many would retain and release the memory of each.
package struct RequestPrefixes: Sendable {
    private var bytes: [UInt8] = []
    /// The length of each prefix in `bytes`.
    private var byteCounts: [Int] = []

    package init() {}

    /// Adds the prefix of a method.
    package mutating func append(_ method: String, of service: String) {
        let prefix = RequestEnvelope(service: service, method: method).encoded()
        bytes += prefix.readableBytesView
        byteCounts.append(prefix.readableBytes)
    }

    /// Returns the method whose prefix a request begins with, by the number of methods that were added before it, and the
    /// length of the prefix in bytes. A request that begins with none may still call one of them: the names may be encoded
    /// in another way, or stand elsewhere.
    package func method(ofRequest request: ByteBuffer) -> (number: Int, byteCount: Int)? {
        request.withUnsafeReadableBytes { request in bytes.withUnsafeBytes { method(ofRequest: request, $0) } }
    }

    private func method(
        ofRequest request: UnsafeRawBufferPointer,
        _ bytes: UnsafeRawBufferPointer
    ) -> (number: Int, byteCount: Int)? {
        guard let start = request.baseAddress, var prefix = bytes.baseAddress else { return nil }
        for (number, byteCount) in byteCounts.enumerated() {
            if byteCount <= request.count, memcmp(start, prefix, byteCount) == 0 { return (number, byteCount) }
            prefix += byteCount
        }
        return nil
    }
}

/// A `ttrpc.Request` in the form that nearly all clients send: service, method, then perhaps payload and timeout, each
/// once, in this order, and no metadata. It is read in place: nothing is copied, and no text is made.
///
/// This decodes the common field order only, in an eighth of the time. Every other form is left to `RequestEnvelope`
/// and libprotobuf-c, which also decides whether the bytes are an encoding at all.
package struct PlainRequest: Sendable {
    /// The encoded request message. It shares the envelope's memory.
    package let payload: ByteBuffer
    /// The same value as in `RequestEnvelope`.
    package let timeoutNanoseconds: Int64

    /// Reads a request. Nil if it has another form, or is not a request.
    ///
    /// - Parameters:
    ///   - bytes: The request.
    ///   - prefixByteCount: The length of the names at its beginning, which `RequestPrefixes` found.
    package init?(_ bytes: ByteBuffer, behind prefixByteCount: Int) {
        let fields = bytes.withUnsafeReadableBytes { bytes -> (payload: Range<Int>, timeout: UInt64)? in
            var scanner = FieldScanner(UnsafeRawBufferPointer(rebasing: bytes[prefixByteCount...]))
            let payload = scanner.bytes(3) ?? 0..<0
            let timeout = scanner.varint(4) ?? 0
            return scanner.isAtEnd ? (payload, timeout) : nil
        }
        guard let (payload, timeout) = fields else { return nil }
        let start = bytes.readerIndex + prefixByteCount + payload.lowerBound
        self.payload = bytes.getSlice(at: start, length: payload.count) ?? ByteBuffer()
        self.timeoutNanoseconds = Int64(bitPattern: timeout)
    }
}
