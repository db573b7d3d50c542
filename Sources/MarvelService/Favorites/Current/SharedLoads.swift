internal import MarvelDomain
internal import Synchronization

/// Reads of a store that callers share: who asks for a thing that is being read waits for the same read.
final class SharedLoads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A caller that waits. It gets nil if the read ended before the caller could wait for it.
    private typealias Waiter = CheckedContinuation<Result<Value, StoreError>?, Never>

    private let maximumCount: Int
    /// The reads that are going on, each with those that wait for it.
    private let waiters = Mutex<[Key: [Waiter]]>([:])

    /// - Parameter maximumCount: The number of reads that may go on at once. Further ones are refused.
    init(maximumCount: Int) { self.maximumCount = maximumCount }

    /// The number of reads that are going on.
    var count: Int { waiters.withLock(\.count) }

    /// Reads, or waits for a read that is going on.
    ///
    /// - Parameters:
    ///   - key: The thing to read.
    ///   - read: Reads it. The read of another caller may be taken in its place.
    /// - Returns: The result. It may be as old as the beginning of the other read.
    /// - Throws: `StoreError.overloaded`, or the error of the read.
    func value(
        of key: Key,
        _ read: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        while try !begin(key) {
            if let result = await wait(for: key) { return try result.get() }
        }
        let result: Result<Value, StoreError>
        do throws(StoreError) {
            result = .success(try await read())
        } catch {
            result = .failure(error)
        }
        for waiter in waiters.withLock({ $0.removeValue(forKey: key) }) ?? [] { waiter.resume(returning: result) }
        return try result.get()
    }

    /// - Returns: Whether the caller is to read; if not, somebody else reads.
    private func begin(_ key: Key) throws(StoreError) -> Bool {
        let isAllowed: Bool? = waiters.withLock { waiters in
            guard waiters[key] == nil else { return false }
            guard waiters.count < maximumCount else { return nil }
            waiters[key] = []
            return true
        }
        guard let isAllowed else { throw .overloaded }
        return isAllowed
    }

    private func wait(for key: Key) async -> Result<Value, StoreError>? {
        await withCheckedContinuation { waiter in
            let isReading = waiters.withLock { waiters in
                waiters[key]?.append(waiter)
                return waiters[key] != nil
            }
            if !isReading { waiter.resume(returning: nil) }
        }
    }
}
