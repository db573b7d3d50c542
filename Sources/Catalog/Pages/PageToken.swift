internal import MarvelDomain
package import RPCCore

/// Where a search goes on: opaque to clients, safe in URLs, without expiry.
///
///     u8 version (2) | u48 offset | i64 id of the character before it, or 0 | u64 fingerprint of the search
///     | u32 checksum of what precedes                                                                    (big-endian)
///
/// 27 bytes, which base64url makes 36 letters with no bit to spare: every letter counts. The checksum finds tokens
/// that were cut or mangled. It is no signature: who forges a token gets a page of a search that is open to everyone.
///
/// Where the catalog was changed meanwhile the offset may be that of another character; the id tells, and finds the
/// place. Version 1 had a u64 offset and no id. Clients hold tokens for days, so they are still read.
package struct PageToken: Sendable, Hashable {
    package enum Refusal: Error, Sendable, Hashable {
        /// It is not a token of ours, or not all of it.
        case malformed
        /// It belongs to another query, another way to compare, or another kind of catalog.
        case otherSearch
    }

    package static let textLength = 36
    /// Far beyond every catalog, and far from where sums overflow.
    package static let maximumOffset = (1 << 48) - 1

    private static let version: UInt8 = 2
    private static let byteCount = 27
    private static let firstVersion: UInt8 = 1
    private static let firstVersionByteCount = 21

    /// Results before the page, 0 to `maximumOffset`.
    package let offset: Int
    /// The id of the last of them; 0 if the token does not say.
    package let lastID: Int64
    package let fingerprint: SearchFingerprint

    package init(offset: Int, lastID: Int64 = 0, fingerprint: SearchFingerprint) {
        self.offset = offset
        self.lastID = lastID
        self.fingerprint = fingerprint
    }

    /// Reads a token that came back.
    ///
    /// - Parameters:
    ///   - text: What the client sent; its length is checked before anything else.
    ///   - fingerprint: The search that the client asks for now.
    /// - Throws: `Refusal`.
    package init(_ text: String, for fingerprint: SearchFingerprint) throws(Refusal) {
        guard let token = PageToken(currentVersion: text) ?? PageToken(firstVersion: text) else { throw .malformed }
        guard token.fingerprint == fingerprint else { throw .otherSearch }
        self = token
    }

    private init?(currentVersion text: String) {
        guard let bytes = PageToken.bytes(text, PageToken.version, count: PageToken.byteCount) else { return nil }
        self.init(
            offset: Int(UInt64(bigEndian: bytes[1..<7])),
            lastID: Int64(bitPattern: UInt64(bigEndian: bytes[7..<15])),
            fingerprint: SearchFingerprint(value: UInt64(bigEndian: bytes[15..<23]))
        )
    }

    private init?(firstVersion text: String) {
        guard let bytes = PageToken.bytes(text, PageToken.firstVersion, count: PageToken.firstVersionByteCount),
            let offset = Int(exactly: UInt64(bigEndian: bytes[1..<9])), offset <= PageToken.maximumOffset
        else { return nil }
        self.init(offset: offset, fingerprint: SearchFingerprint(value: UInt64(bigEndian: bytes[9..<17])))
    }

    /// Nil if the text is none of that version, or not all of it.
    private static func bytes(_ text: String, _ version: UInt8, count: Int) -> [UInt8]? {
        guard let bytes = Base64URL.decode(text, byteCount: count), bytes[0] == version,
            UInt64(bigEndian: bytes[(count - 4)...]) == UInt64(checksum(bytes[..<(count - 4)]))
        else { return nil }
        return bytes
    }

    package var text: String {
        String(unsafeUninitializedCapacity: PageToken.textLength) { text in
            write(into: UnsafeMutableRawBufferPointer(text))
            return PageToken.textLength
        }
    }

    /// Writes the `textLength` letters.
    package func write(to writer: inout MessageWriter) {
        write(
            into: UnsafeMutableRawBufferPointer(start: writer.take(PageToken.textLength), count: PageToken.textLength)
        )
    }

    private func write(into text: UnsafeMutableRawBufferPointer) {
        withUnsafeTemporaryAllocation(byteCount: PageToken.byteCount, alignment: 1) { bytes in
            // Eight bytes, the first and the last of which are others' and come next.
            bytes.storeBytes(of: (UInt64(offset) << 8).bigEndian, as: UInt64.self)
            bytes[0] = PageToken.version
            bytes.storeBytes(of: lastID.bigEndian, toByteOffset: 7, as: Int64.self)
            bytes.storeBytes(of: fingerprint.value.bigEndian, toByteOffset: 15, as: UInt64.self)
            let checksum = PageToken.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<23]))
            bytes.storeBytes(of: checksum.bigEndian, toByteOffset: 23, as: UInt32.self)
            Base64URL.encode(UnsafeRawBufferPointer(bytes), into: text)
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
