internal import Catalog
internal import MarvelDomain
internal import NIOCore
internal import RPCCore

/// Small texts: what is understood is written in one way only.
extension FuzzTarget {
    static let pageToken = FuzzTarget("page-token") { bytes in
        guard let query = try? SearchQuery("spider") else { return ["no query"] }
        var findings = Findings()
        let search = SearchFingerprint(query: query, match: .prefix, catalog: .builtIn)
        let other = SearchFingerprint(query: query, match: .prefix, catalog: .gateway)
        let text = String(buffer: bytes)
        if let token = try? PageToken(text, for: search) {
            findings.expect((0...PageToken.maximumOffset).contains(token.place.offset), "the place is \(token.place)")
            // A token of the second version is written again in the third.
            let isCurrent = text.hasPrefix("Aw")
            findings.expect(token.text == text || !isCurrent, "\(text) is a second text of \(token.text)")
        }
        // Few bytes that were made up pass the checksum; these were not.
        let number: UInt64 = bytes.getInteger(at: bytes.readerIndex) ?? 0
        let token = PageToken(
            PagePlace(
                offset: Int(UInt32(truncatingIfNeeded: number)),
                lastID: Int64(bitPattern: number),
                lastNameHash: UInt16(truncatingIfNeeded: number >> 32)
            ),
            fingerprint: search
        )
        let read = try? PageToken(token.text, for: search)
        findings.expect(read == token, "the token of \(token.place) is not understood")
        let misread = try? PageToken(token.text, for: other)
        findings.expect(misread == nil, "the token of another search is taken")
        return findings.breaches
    }

    static let address = FuzzTarget("address") { bytes in
        var findings = Findings()
        let text = String(buffer: bytes)
        if let server = ServerEndpoint(text) {
            findings.expect(ServerEndpoint(server.description) == server, "\(text) is another as \(server)")
        }
        if let address = ServerAddress(text) {
            findings.expect(ServerAddress(address.description) == address, "\(text) is another as \(address)")
            if case .tcp(let host, let port) = address {
                findings.expect(!host.isEmpty && (0...65_535).contains(port), "\(text) has a strange port or no host")
            }
        }
        return findings.breaches
    }
}
