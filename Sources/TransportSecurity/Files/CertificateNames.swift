/// The issuer and the subject of a certificate, as their encoded bytes, which tell whether a chain is in order.
///
/// The library that speaks TLS does not hand them out. They are fields 4 and 6 of the certificate's content (RFC 5280,
/// section 4.1).
struct CertificateNames: Equatable {
    let issuer: [UInt8]
    let subject: [UInt8]

    /// Reads the names. Nil if the bytes are not a certificate.
    init?(der bytes: [UInt8]) {
        var outer = DERReader(bytes[...])
        guard let certificate = outer.next(), certificate.tag == DERReader.sequence else { return nil }
        var inner = DERReader(certificate.content)
        guard let content = inner.next(), content.tag == DERReader.sequence else { return nil }
        var fields = DERReader(content.content)
        guard var field = fields.next() else { return nil }
        // The version, which may be left out.
        if field.tag == DERReader.firstOption {
            guard let serial = fields.next() else { return nil }
            field = serial
        }
        guard fields.next() != nil, let issuer = fields.next(), fields.next() != nil, let subject = fields.next()
        else { return nil }
        self.issuer = Array(issuer.content)
        self.subject = Array(subject.content)
    }
}

/// A reader of the values of one level of DER (X.690).
private struct DERReader {
    static let sequence: UInt8 = 0x30
    /// The tag of the optional field with the number 0.
    static let firstOption: UInt8 = 0xA0
    private static let longForm: UInt8 = 0x80

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Reads the next value. Nil at the end, and if the bytes are not DER.
    mutating func next() -> (tag: UInt8, content: ArraySlice<UInt8>)? {
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first & Self.longForm != 0 {
            let digits = Int(first & ~Self.longForm)
            guard (1...3).contains(digits), rest.count >= digits else { return nil }
            length = rest.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(digits)
        }
        guard rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return (tag, rest.prefix(length))
    }
}
