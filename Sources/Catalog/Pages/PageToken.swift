package import RPCCore

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
            bytes[0] = PageToken.version
            bytes.storeBytes(of: UInt64(offset).bigEndian, toByteOffset: 1, as: UInt64.self)
            bytes.storeBytes(of: fingerprint.value.bigEndian, toByteOffset: 9, as: UInt64.self)
            let checksum = PageToken.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<17]))
            bytes.storeBytes(of: checksum.bigEndian, toByteOffset: 17, as: UInt32.self)
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
