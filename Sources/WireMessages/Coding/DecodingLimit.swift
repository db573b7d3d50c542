/// The limits of decoding one message: its size, and the memory that the decoder may ask for.
package struct DecodingLimit: Sendable, Hashable {
    /// The maximum size of encoded messages. Longer ones are refused before they are decoded: no frame is longer.
    static let maximumByteCount = 4 * 1024 * 1024

    /// The maximum memory for a message, whatever its size.
    private let maximumBudget: Int
    /// Whether the memory for one copy of all bytes is added.
    private let allowsCopy: Bool
    /// The memory for elements that cost the sender nearly nothing, in bytes.
    private var base = 4 * 1024

    /// The limit for requests on a server: at most 1 MiB of memory. The transport enforces each method's own, lower
    /// limit of bytes before.
    package static var request: DecodingLimit { DecodingLimit(maximumBudget: 1024 * 1024, allowsCopy: false) }

    /// The limit for the envelope of a request. Its payload, of any size that a frame can have, is copied unchanged;
    /// only the decoded envelope shows whether the payload is too long for its method. A pair of metadata, of which
    /// there may be 64, takes some 128 bytes of memory even if it is empty.
    package static var envelope: DecodingLimit {
        DecodingLimit(maximumBudget: 1024 * 1024, allowsCopy: true, base: 12 * 1024)
    }

    /// The limit for requests with a picture, on a server: the picture's bytes are copied unchanged.
    package static var requestWithPicture: DecodingLimit {
        DecodingLimit(maximumBudget: 1024 * 1024, allowsCopy: true)
    }

    /// The limit for responses, on a client.
    package static var response: DecodingLimit { DecodingLimit(maximumBudget: .max, allowsCopy: false) }

    /// Returns the bytes of memory for a message of `byteCount` bytes, which is at most `maximumByteCount`.
    func budget(forByteCount byteCount: Int) -> Int {
        min(base + 16 * byteCount, maximumBudget) + (allowsCopy ? byteCount : 0)
    }
}
