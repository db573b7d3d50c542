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
        let message = bytes.withUnsafeReadableBytes { bytes -> Self? in
            var fields = FieldScanner(bytes)
            let message = Self(scanning: &fields)
            return fields.isAtEnd ? message : nil
        }
        guard let message else { return nil }
        self = message
    }
}
