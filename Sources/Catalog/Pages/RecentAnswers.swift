package import MarvelDomain
package import NIOCore
package import RPCCore
internal import Synchronization

#if canImport(Glibc)
private import Glibc
#else
private import Darwin
#endif

/// Answers that were made a moment ago, by the bytes of their requests.
///
/// Many callers ask for the same few pages, characters and lists. Decoding such a request, searching and encoding the
/// answer again takes several times as long as copying the bytes of the last answer. The answers of a catalog belong to
/// it, and it never changes: a catalog with an edit applied is another one, and has no answers yet. Whoever replaces a
/// catalog ends its answers, because connections keep their last one.
package final class RecentAnswers: Sendable {
    /// The method of a request. The same bytes may be a request of several methods.
    package enum Kind: UInt64, Sendable {
        case page
        case character
        /// For callers whose requests name no list and who may not read the default list: nothing is marked.
        case unmarkedPage
        case unmarkedCharacter
        case favorites
    }

    /// An answer, and what it depends on.
    package final class Answer: OutgoingMessage {
        package let kind: Kind
        fileprivate let request: [UInt8]
        /// The list by which characters are marked; nil if they are not.
        package let list: ListName?
        /// The ids of the characters in the answer, of which none is marked as a favorite. Empty for the favorites of a
        /// list.
        package let ids: [Int64]
        package let message: any OutgoingMessage
        /// The number of changes of lists at the last check; `max` before the first.
        private let checkedAt = Atomic<UInt64>(.max)
        private let validity: Validity

        /// - Parameters:
        ///   - answers: The answers of the catalog that the answer is from.
        ///   - kind: The request's method.
        ///   - request: The request's bytes. They are copied, because the buffer may share memory with others.
        ///   - list: The list by which characters are marked; nil if they are not.
        ///   - ids: The ids of the characters in the answer.
        ///   - message: The answer, with no character marked.
        package init(
            of answers: RecentAnswers,
            _ kind: Kind,
            to request: ByteBuffer,
            list: ListName?,
            ids: [Int64] = [],
            message: any OutgoingMessage
        ) {
            self.validity = answers.validity
            self.kind = kind
            self.request = Array(request.readableBytesView)
            self.list = list
            self.ids = ids
            self.message = message
        }

        /// Checks that this is still the answer.
        ///
        /// - Parameters:
        ///   - changeCount: The number of changes of lists so far. While it is the same, the answer is not checked again.
        ///   - check: Checks the answer.
        /// - Returns: Whether it is the answer after all these changes, and its catalog was not replaced.
        package func isCurrent(after changeCount: UInt64, check: () -> Bool) -> Bool {
            guard !validity.isOver.load(ordering: .acquiring) else { return false }
            if checkedAt.load(ordering: .relaxed) == changeCount { return true }
            guard check() else { return false }
            checkedAt.store(changeCount, ordering: .relaxed)
            return true
        }

        package var byteCount: Int { message.byteCount }

        package func write(to writer: inout MessageWriter) { message.write(to: &writer) }

        /// Returns whether this is the answer to a request of these bytes.
        fileprivate func answers(_ kind: Kind, _ request: UnsafeRawBufferPointer) -> Bool {
            guard self.kind == kind, self.request.count == request.count else { return false }
            return self.request.withUnsafeBytes { kept in
                guard let kept = kept.baseAddress, let request = request.baseAddress else { return true }
                return memcmp(kept, request, self.request.count) == 0
            }
        }
    }

    /// Whether the catalog of some answers was replaced. It is apart from them, because an answer may outlive the others.
    private final class Validity: Sendable {
        let isOver = Atomic(false)
    }

    /// The result of a look-up.
    package enum Finding: Sendable {
        case answer(Answer)
        /// There is no answer, and the same request was looked up before: its answer is worth keeping.
        case repeated
        case unknown
    }

    /// The place of requests with one remainder of their hashes.
    private struct Slot {
        var answer: Answer?
        /// The hash of the last request that was looked up here and not found.
        var missed: UInt64 = 0
    }

    /// The maximum size of a message that is kept, in bytes. All answers together take 1 MiB.
    package static let maximumByteCount = 4 * 1024
    /// The maximum size of a request that is looked up, in bytes.
    private static let maximumRequestByteCount = 256

    private let slots = InlineArray<256, Mutex<Slot>> { _ in Mutex(Slot()) }

    private let validity = Validity()

    package init() {}

    /// Ends the answers, because another catalog takes the place of theirs.
    package func end() { validity.isOver.store(true, ordering: .releasing) }

    /// Looks a request up.
    package func find(_ kind: Kind, _ request: ByteBuffer) -> Finding {
        guard request.readableBytes <= RecentAnswers.maximumRequestByteCount else { return .unknown }
        return request.withUnsafeReadableBytes { request in
            let hash = RecentAnswers.hash(kind, request)
            return slots[Int(hash % 256)].withLock { slot in
                if let answer = slot.answer, answer.answers(kind, request) { return .answer(answer) }
                let isRepeated = slot.missed == hash
                slot.missed = hash
                return isRepeated ? .repeated : .unknown
            }
        }
    }

    /// Keeps an answer in place of the one in its slot.
    package func keep(_ answer: Answer) {
        let hash = answer.request.withUnsafeBytes { RecentAnswers.hash(answer.kind, $0) }
        slots[Int(hash % 256)].withLock { $0.answer = answer }
    }

    /// Returns a hash. Requests with the same hash only take each other's slot: the bytes are compared.
    private static func hash(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(bytes.count) << 8 | kind.rawValue
        var place = 0
        while place + 8 <= bytes.count {
            mix(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self), into: &hash)
            place += 8
        }
        var rest: UInt64 = 0
        for byte in bytes[place...] { rest = rest << 8 | UInt64(byte) }
        mix(rest, into: &hash)
        return hash
    }

    private static func mix(_ word: UInt64, into hash: inout UInt64) {
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
    }
}
