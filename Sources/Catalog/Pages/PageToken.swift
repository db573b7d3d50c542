package import MarvelDomain
package import RPCCore

/// Opaque to clients, safe in URLs. It does not expire.
///
///     u8 version (2) | u48 offset | i64 id of the character before it, or 0 | u64 fingerprint of the search
///     | u32 checksum of the fields above                                                               (big-endian)
///
/// 27 bytes are exactly 36 letters of base64url. The checksum is not a signature: a forged token opens only a page of a
/// public search.
///
/// If the catalog has changed, another character may be at the offset. The id reveals this, and finds the place.
package struct PageToken: Sendable, Hashable {
    package enum Refusal: Error, Sendable, Hashable {
        case malformed
        /// The token belongs to another query, another way to compare names, or another kind of catalog.
        case otherSearch
    }

    package static let textLength = 36
    /// Sums with it do not overflow.
    package static let maximumOffset = (1 << 48) - 1

    private static let version: UInt8 = 2
    private static let byteCount = 27

    package let offset: Int
    /// 0 if unknown.
    package let lastID: Int64
    package let fingerprint: SearchFingerprint

    package init(offset: Int, lastID: Int64 = 0, fingerprint: SearchFingerprint) {
        self.offset = offset
        self.lastID = lastID
        self.fingerprint = fingerprint
    }

    /// The fingerprint is that of the current search.
    package init(_ text: String, for fingerprint: SearchFingerprint) throws(Refusal) {
        let token = withUnsafeTemporaryAllocation(byteCount: PageToken.byteCount, alignment: 1) { bytes in
            Base64.decodeURL(text, into: bytes) ? PageToken(UnsafeRawBufferPointer(bytes)) : nil
        }
        guard let token else { throw .malformed }
        guard token.fingerprint == fingerprint else { throw .otherSearch }
        self = token
    }

    private init?(_ bytes: UnsafeRawBufferPointer) {
        let checksum = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 23, as: UInt32.self))
        guard bytes[0] == PageToken.version,
            checksum == PageToken.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<23]))
        else { return nil }
        // The shifts drop the version before the offset, and the byte of the id after it.
        let offset = (UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) << 8) >> 16
        self.init(
            offset: Int(offset),
            lastID: Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: 7, as: Int64.self)),
            fingerprint: SearchFingerprint(
                value: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 15, as: UInt64.self))
            )
        )
    }

    package var text: String {
        String(unsafeUninitializedCapacity: PageToken.textLength) { text in
            write(into: UnsafeMutableRawBufferPointer(text))
            return PageToken.textLength
        }
    }

    package func write(to writer: inout MessageWriter) {
        write(
            into: UnsafeMutableRawBufferPointer(start: writer.take(PageToken.textLength), count: PageToken.textLength)
        )
    }

    private func write(into text: UnsafeMutableRawBufferPointer) {
        withUnsafeTemporaryAllocation(byteCount: PageToken.byteCount, alignment: 1) { bytes in
            // This stores eight bytes. The next stores overwrite the first and the last.
            bytes.storeBytes(of: (UInt64(offset) << 8).bigEndian, as: UInt64.self)
            bytes[0] = PageToken.version
            bytes.storeBytes(of: lastID.bigEndian, toByteOffset: 7, as: Int64.self)
            bytes.storeBytes(of: fingerprint.value.bigEndian, toByteOffset: 15, as: UInt64.self)
            let checksum = PageToken.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<23]))
            bytes.storeBytes(of: checksum.bigEndian, toByteOffset: 23, as: UInt32.self)
            Base64.encode(UnsafeRawBufferPointer(bytes), .url, into: text)
        }
    }

    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var hash = FNV1a()
        hash.combine(bytes)
        return UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32)
    }
}

package struct PagePlace: Sendable, Hashable {
    /// The number of results before the place when it was noted.
    package var offset: Int
    /// Finds the place in a changed catalog; 0 if unknown.
    package var lastID: Int64
    package var skip: Int

    package init(offset: Int = 0, lastID: Int64 = 0, skip: Int = 0) {
        self.offset = offset
        self.lastID = lastID
        self.skip = skip
    }
}

/// A hash of a query, a way to compare names, and a kind of catalog. A page token is valid for it only.
package struct SearchFingerprint: Sendable, Hashable {
    let value: UInt64

    package init(query: SearchQuery, match: Match, catalog: CatalogKind) {
        var hash = FNV1a()
        hash.combine(catalog.rawValue)
        hash.combine(match.tokenNumber)
        hash.combine(query.text.utf8)
        self.value = hash.value
    }

    init(value: UInt64) { self.value = value }
}

extension Match {
    /// It must never change, because clients keep tokens.
    fileprivate var tokenNumber: UInt8 {
        switch self {
        case .prefix: 0
        case .wordPrefix: 1
        case .substring: 2
        case .fuzzy: 3
        }
    }
}
