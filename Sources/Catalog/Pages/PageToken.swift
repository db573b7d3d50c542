/// Where a search goes on: opaque to clients, safe in URLs, without expiry.
///
///     u8 version | u64 offset | u64 fingerprint of the search | u32 checksum of what precedes      (big-endian)
///
/// 21 bytes, which base64url makes 28 letters with no bit to spare: every letter counts. The checksum finds tokens
/// that were cut or mangled. It is no signature: who forges a token gets a page of a search that is open to everyone.
package struct PageToken: Sendable, Hashable {
    package enum Refusal: Error, Sendable, Hashable {
        /// It is not a token of ours, or not all of it.
        case malformed
        /// It belongs to another query, another way to compare, or another kind of catalog.
        case otherSearch
    }

    package static let textLength = 28
    /// Far beyond every catalog, and far from where sums overflow.
    package static let maximumOffset = 1 << 48

    private static let version: UInt8 = 1
    private static let byteCount = 21

    /// Results before the page, 0 to `maximumOffset`.
    package let offset: Int
    package let fingerprint: SearchFingerprint

    package init(offset: Int, fingerprint: SearchFingerprint) {
        self.offset = offset
        self.fingerprint = fingerprint
    }

    /// Reads a token that came back.
    ///
    /// - Parameters:
    ///   - text: What the client sent; its length is checked before anything else.
    ///   - fingerprint: The search that the client asks for now.
    /// - Throws: `Refusal`.
    package init(_ text: String, for fingerprint: SearchFingerprint) throws(Refusal) {
        guard let bytes = Base64URL.decode(text, byteCount: PageToken.byteCount),
            bytes[0] == PageToken.version,
            UInt64(bigEndian: bytes[17...]) == UInt64(PageToken.checksum(bytes[..<17])),
            let offset = Int(exactly: UInt64(bigEndian: bytes[1..<9])), offset <= PageToken.maximumOffset
        else { throw .malformed }
        guard UInt64(bigEndian: bytes[9..<17]) == fingerprint.value else { throw .otherSearch }
        self.init(offset: offset, fingerprint: fingerprint)
    }

    package var text: String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PageToken.byteCount) { bytes in
            bytes[0] = PageToken.version
            bytes.store(bigEndian: UInt64(offset), byteCount: 8, at: 1)
            bytes.store(bigEndian: fingerprint.value, byteCount: 8, at: 9)
            bytes.store(bigEndian: UInt64(PageToken.checksum(bytes[..<17])), byteCount: 4, at: 17)
            return Base64URL.encode(UnsafeBufferPointer(bytes))
        }
    }

    private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var hash = FNV1a()
        hash.combine(bytes)
        return UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32)
    }
}

extension UInt64 {
    fileprivate init(bigEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    fileprivate func store(bigEndian value: UInt64, byteCount: Int, at start: Int) {
        for index in 0..<byteCount {
            self[start + index] = UInt8(truncatingIfNeeded: value >> UInt64((byteCount - 1 - index) * 8))
        }
    }
}
