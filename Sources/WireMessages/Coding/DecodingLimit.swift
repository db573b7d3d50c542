package struct DecodingLimit: Sendable, Hashable {
    /// No frame is longer.
    static let maximumByteCount = 4 * 1024 * 1024

    /// For a message of any size.
    private let maximumBudget: Int
    private let allowsCopy: Bool
    /// Whether long runs of combining marks are refused. Callers' texts are compared; a catalog's name may have more.
    var refusesLongMarkRuns = true
    /// Memory for elements that cost the sender nearly nothing, in bytes.
    private var base = 4 * 1024

    /// Allows 1 MiB of memory. The transport first enforces each method's lower limit of bytes.
    package static var request: DecodingLimit { DecodingLimit(maximumBudget: 1024 * 1024, allowsCopy: false) }

    /// The payload is copied unchanged: only the decoded envelope shows whether it is too long for its method. Each of
    /// up to 64 metadata pairs takes about 128 bytes, even if empty.
    package static var envelope: DecodingLimit {
        DecodingLimit(maximumBudget: 1024 * 1024, allowsCopy: true, base: 12 * 1024)
    }

    /// The picture's bytes are copied unchanged.
    package static var requestWithPicture: DecodingLimit {
        DecodingLimit(maximumBudget: 1024 * 1024, allowsCopy: true)
    }

    /// A limit for clients.
    package static var response: DecodingLimit {
        DecodingLimit(maximumBudget: .max, allowsCopy: false, refusesLongMarkRuns: false)
    }

    /// In bytes. `byteCount` is at most `maximumByteCount`.
    func budget(forByteCount byteCount: Int) -> Int {
        min(base + 16 * byteCount, maximumBudget) + (allowsCopy ? byteCount : 0)
    }
}
