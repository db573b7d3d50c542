internal import MarvelDomain

/// A complete HTTP response of any status.
package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    package var headers: HTTPHeaders
    /// The decompressed body.
    package var body: [UInt8]

    package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension HTTPResponse {
    /// The longest delay that is accepted, in seconds: a day, which is the window of a quota.
    private static let maximumDelay: Int64 = 86_400

    /// The delay that the header `Retry-After` asks for, 0 to 24 hours; nil if there is none. (RFC 9110 section 10.2.3)
    ///
    /// A date is compared with the response's own `Date`, so that the local clock does not matter.
    package var retryDelay: Duration? {
        guard let value = headers["Retry-After"] else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int64(value) ?? HTTPResponse.maximumDelay, HTTPResponse.maximumDelay))
        }
        guard let then = HTTPDate.seconds(value), let now = headers["Date"].flatMap(HTTPDate.seconds)
        else { return nil }
        return .seconds(min(max(then - now, 0), HTTPResponse.maximumDelay))
    }
}

/// HTTP header fields in the order received. Names are compared without regard to case.
package struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var fields: [Field]

    package init(_ fields: [Field] = []) { self.fields = fields }

    package init(dictionaryLiteral elements: (String, String)...) {
        self.fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of the first field of that name.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Rules for the validator of a response, which is opaque and sent back as received.
package enum EntityTag {
    /// Whether a request can carry the tag: 1 to 256 characters of printable ASCII without spaces.
    package static func isSendable(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
