package import MarvelDomain
package import RPCCore

/// Opaque to clients, safe in URLs. It does not expire.
///
///     u8 version (3) | u16 hash of the name of the character before the page, or 0 | u32 offset
///     | i64 id of that character, or 0 | u64 fingerprint of the search | u32 checksum of the fields above  (big-endian)
///
/// 27 bytes are exactly 36 letters of base64url. The checksum is not a signature: a forged token opens only a page of a
/// public search.
///
/// If the catalog has changed, another character may be at the offset. The id reveals this, and finds the place. The hash
/// reveals that the character has moved because it has another name. Version 2 has an offset of 48 bits and no hash.
package struct PageToken: Sendable, Hashable {
    package enum Refusal: Error, Sendable, Hashable {
        case malformed
        /// The token belongs to another query, another way to compare names, or another kind of catalog.
        case otherSearch
    }

    package static let textLength = 36
    /// The maximum offset. It is larger than every catalog, and sums with it do not overflow.
    package static let maximumOffset = Int(UInt32.max)

    private static let version: UInt8 = 3
    private static let byteCount = 27

    package let place: PagePlace
    package let fingerprint: SearchFingerprint

    /// A token does not hold the place's `skip`.
    package init(_ place: PagePlace, fingerprint: SearchFingerprint) {
        self.place = place
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

    /// Nil if the bytes are not a token of a version that is read.
    private init?(_ bytes: UnsafeRawBufferPointer) {
        let checksum = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 23, as: UInt32.self))
        guard (2...PageToken.version).contains(bytes[0]),
            checksum == PageToken.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<23]))
        else { return nil }
        let place = PagePlace(
            offset: Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 3, as: UInt32.self))),
            lastID: Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: 7, as: Int64.self)),
            lastNameHash: UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt16.self))
        )
        let fingerprint = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 15, as: UInt64.self))
        self.init(place, fingerprint: SearchFingerprint(value: fingerprint))
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
            bytes[0] = PageToken.version
            bytes.storeBytes(of: place.lastNameHash.bigEndian, toByteOffset: 1, as: UInt16.self)
            bytes.storeBytes(of: UInt32(clamping: place.offset).bigEndian, toByteOffset: 3, as: UInt32.self)
            bytes.storeBytes(of: place.lastID.bigEndian, toByteOffset: 7, as: Int64.self)
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
    /// A hash of the name of that result; 0 if unknown.
    package var lastNameHash: UInt16
    /// The number of results to skip from there.
    package var skip: Int

    package init(offset: Int = 0, lastID: Int64 = 0, lastNameHash: UInt16 = 0, skip: Int = 0) {
        self.offset = offset
        self.lastID = lastID
        self.lastNameHash = lastNameHash
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
