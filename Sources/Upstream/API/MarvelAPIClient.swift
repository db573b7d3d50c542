package import MarvelDomain

/// A client in the contract of the retired Marvel API. Retries and caching are the caller's task.
package struct MarvelAPIClient: Sendable {
    private let gateway: GatewayURL
    private let keys: MarvelKeys
    private let transport: any HTTPFetcher
    private let timestamp: @Sendable () -> String

    /// `timestamp` returns the `ts` of a request: any text is valid.
    package init(
        gateway: GatewayURL,
        keys: MarvelKeys,
        transport: any HTTPFetcher,
        timestamp: @escaping @Sendable () -> String
    ) {
        self.gateway = gateway
        self.keys = keys
        self.transport = transport
        self.timestamp = timestamp
    }

    /// Nil if the cached response with this entity tag is still valid. Throws `.notFound` for an unknown character.
    package func results(
        of question: GatewayQuestion,
        ifNoneMatch etag: String?
    ) async throws(SourceError) -> CharacterResults? {
        let url = SignedURL(
            gateway: gateway,
            path: question.path,
            query: question.query,
            timestamp: timestamp(),
            keys: keys
        )
        var request = HTTPRequest(url: url.text, headers: ["Accept": "application/json"])
        if let etag { request.headers.fields.append(.init(name: "If-None-Match", value: etag)) }
        let response = try await transport.get(request)
        guard etag == nil || response.status != 304 else { return nil }
        // Parsing a page takes a millisecond, and a hostile page more: do not block the caller, perhaps an event loop.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { () throws(SourceError) in
            let reader = ReplyReader(keys: keys)
            return switch question {
            case .page(_, let offset, let limit): try reader.page(response, offset: offset, limit: limit)
            case .character(let id): try reader.character(response, id: id)
            }
        }
    }
}

package struct CharacterResults: Sendable, Hashable {
    package var characters: [MarvelCharacter]
    package var offset: Int
    /// Unreadable entries included. The next page starts at `offset + receivedCount`. 0 ends the results, regardless of
    /// `total`.
    package var receivedCount: Int
    /// The gateway's number, raised if this page proves more. Without a number, the end of this page, plus one if the
    /// page is full.
    package var total: Int
    /// Empty if the gateway sent none.
    package var attribution: String
    package var etag: String?

    package init(
        characters: [MarvelCharacter],
        offset: Int,
        receivedCount: Int,
        total: Int,
        attribution: String,
        etag: String?
    ) {
        self.characters = characters
        self.offset = offset
        self.receivedCount = receivedCount
        self.total = total
        self.attribution = attribution
        self.etag = etag
    }
}

/// A request without its signature.
package enum GatewayQuestion: Sendable, Hashable {
    case page(prefix: String, offset: Int, limit: Int)
    case character(id: Int64)

    /// Questions with the same answer share it: it has no signature and no letter case.
    package var key: String {
        switch self {
        case .page(let prefix, let offset, let limit):
            "characters?limit=\(limit)&offset=\(offset)&nameStartsWith=\(prefix.lowercased())"
        case .character(let id):
            "characters/\(id)"
        }
    }

    var path: String {
        switch self {
        case .page: "/characters"
        case .character(let id): "/characters/\(id)"
        }
    }

    var query: [(String, String)] {
        switch self {
        case .page(let prefix, let offset, let limit):
            [("nameStartsWith", prefix), ("orderBy", "name"), ("limit", "\(limit)"), ("offset", "\(offset)")]
        case .character:
            []
        }
    }
}

/// Has credentials. Never show it.
struct SignedURL {
    let text: String

    init(gateway: GatewayURL, path: String, query: [(String, String)], timestamp: String, keys: MarvelKeys) {
        let hash = MarvelSignature.hash(timestamp: timestamp, keys: keys)
        let credentials = [("apikey", keys.publicKey), ("ts", timestamp), ("hash", hash)]
        let parameters = (query + credentials).map { $0.0 + "=" + PercentEncoding.encoded($0.1) }
        self.text = gateway.base + GatewayURL.apiRoot + path + "?" + parameters.joined(separator: "&")
    }
}

package enum PercentEncoding {
    /// RFC 3986 section 2.3. A space is `%20`, because not every gateway decodes `+`.
    package static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            if isUnreserved(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + Hexadecimal.text([byte]).uppercased()
            }
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "-._~".utf8.contains(byte)
    }
}
