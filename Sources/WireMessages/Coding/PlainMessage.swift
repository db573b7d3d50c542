internal import NIOCore

/// A message that is read in place if it has the form that nearly all encoders give it.
///
/// Messages of a few texts and numbers take a third of the time that way, as no struct of libprotobuf-c is filled and
/// copied. Every other form is left to libprotobuf-c, which also decides whether the bytes are an encoding at all.
protocol PlainMessage: ProtobufMessage {
    /// Takes the fields in the order of their numbers. A field that is not next has its default.
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

    /// Reads a message in place. Nil if it has another form, or is no such message.
    init?(plain bytes: ByteBuffer) {
        // A longer one may be over a limit, and gains little.
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
