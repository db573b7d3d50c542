private import Glibc
package import NIOCore

/// The encoded names of service and method, which begin a request. One array: separate ones would each be retained and
/// released.
package struct RequestPrefixes: Sendable {
    private var bytes: [UInt8] = []
    private var byteCounts: [Int] = []

    package init() {}

    package mutating func append(_ method: String, of service: String) {
        let prefix = RequestEnvelope(service: service, method: method).encoded()
        bytes += prefix.readableBytesView
        byteCounts.append(prefix.readableBytes)
    }

    /// The number is that of `append`. A request without a known prefix may still call one of these methods.
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

/// A `ttrpc.Request` of service, method, then perhaps payload and timeout, without metadata. It is read in place, which
/// takes an eighth of the time. `RequestEnvelope` decodes every other form.
package struct PlainEnvelope: Sendable {
    package let payload: ByteBuffer
    package let timeoutNanoseconds: Int64

    /// Nil if the request is invalid or has another form.
    package init?(_ bytes: borrowing ByteBuffer, behind prefixByteCount: Int) {
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
