/// How much may be decoded, and how much memory the decoder may ask for (RELIABILITY D1).
package struct DecodingLimit: Sendable, Hashable {
    /// More bytes than this are refused before they are decoded: no frame has more.
    static let maximumByteCount = 4 * 1024 * 1024

    /// No message gets more memory than this, whatever its size.
    private let maximumBudget: Int
    /// Whether memory for one copy of all bytes comes on top.
    private let allowsCopy: Bool
    /// Memory for what costs the sender next to nothing, in bytes.
    private var base = 4 * 1024

    /// What a server decodes: at most 1 MiB of memory. Each method's own, lower limit on bytes is its transport's to
    /// keep before it comes here.
    package static var request: DecodingLimit { DecodingLimit(maximumBudget: 1024 * 1024, allowsCopy: false) }

    /// The envelope of a request. Its payload, of any size that a frame can have, is copied as it is; whether the
    /// payload is too long for its method is known only when the envelope has been read. A pair of metadata, of which
    /// there may be 64, takes some 128 bytes of memory even if it is empty.
    package static var envelope: DecodingLimit {
        DecodingLimit(maximumBudget: 1024 * 1024, allowsCopy: true, base: 12 * 1024)
    }

    /// What a server decodes of a method that takes a picture: its bytes are copied as they are.
    package static var requestWithPicture: DecodingLimit {
        DecodingLimit(maximumBudget: 1024 * 1024, allowsCopy: true)
    }

    /// What a client decodes.
    package static var response: DecodingLimit { DecodingLimit(maximumBudget: .max, allowsCopy: false) }

    /// The bytes of memory for a message of `byteCount` bytes, which is at most `maximumByteCount`.
    func budget(forByteCount byteCount: Int) -> Int {
        min(base + 16 * byteCount, maximumBudget) + (allowsCopy ? byteCount : 0)
    }
}
