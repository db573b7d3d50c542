internal import NIOCore

/// Read in place if it has the usual form, which takes a third of the time. libprotobuf-c decodes every other form, and
/// decides whether the bytes are valid.
protocol PlainMessage: ProtobufMessage {
    /// A field that is not next has its default.
    init(scanning fields: inout FieldScanner)
}

extension PlainMessage {
    package init(decoding bytes: ByteBuffer, limit: DecodingLimit) throws(WireError) {
        if let plain = Self(plain: bytes) {
            self = plain
        } else {
            try self.init(unpackingReadableBytesOf: bytes, name: Self.fullName, limit: limit)
        }
    }

    init?(plain bytes: borrowing ByteBuffer) {
        // A longer message may exceed a limit, and gains little.
        guard bytes.readableBytes <= 4096 else { return nil }
        var isWhole = false
        self = bytes.withUnsafeReadableBytes { bytes in
            var fields = FieldScanner(bytes)
            defer { isWhole = fields.isAtEnd }
            return Self(scanning: &fields)
        }
        guard isWhole else { return nil }
    }
}
