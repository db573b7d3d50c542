internal import CCrypto

/// A digest algorithm of libcrypto.
///
/// MD5 and SHA-1 are broken for signatures. The Marvel API's contract requires them: MD5 signs requests, SHA-1 tags
/// answers.
package enum Digest {
    case md5
    case sha1
    case sha256

    /// 16 bytes of MD5, 20 of SHA-1, 32 of SHA-256.
    package func bytes(of bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
            let succeeded =
                switch self {
                case .md5: ccrypto_md5(bytes, bytes.count, digest.baseAddress)
                case .sha1: ccrypto_sha1(bytes, bytes.count, digest.baseAddress)
                case .sha256: ccrypto_sha256(bytes, bytes.count, nil, 0, digest.baseAddress)
                }
            // libcrypto fails only if it was built or configured without the algorithm, regardless of the input.
            precondition(succeeded == 1, "libcrypto does not offer \(self)")
            count = byteCount
        }
    }

    /// The first 8 bytes of the SHA-256 digest of two texts, one after the other, as a big-endian number.
    package static func sha256Prefix(of head: UnsafeRawBufferPointer, _ rest: UnsafeRawBufferPointer) -> UInt64 {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { digest in
            let succeeded = ccrypto_sha256(
                head.baseAddress,
                head.count,
                rest.baseAddress,
                rest.count,
                digest.baseAddress
            )
            precondition(succeeded == 1, "libcrypto does not offer SHA-256")
            return UInt64(bigEndian: digest.load(as: UInt64.self))
        }
    }

    package func hexadecimal(of bytes: [UInt8]) -> String { Hexadecimal.text(self.bytes(of: bytes)) }

    private var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        }
    }
}

/// Compares bytes in a time that does not depend on the position of a difference.
package func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && ccrypto_compare(left, right, left.count) == 0
}
