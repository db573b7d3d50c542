/// A cache with a maximum total cost, which evicts the least recently used values.
struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var cost: Int
        var lastUse: UInt64
    }

    private let maximumCost: Int
    private var entries: [Key: Entry] = [:]
    private var useCount: UInt64 = 0
    private(set) var cost = 0

    init(maximumCost: Int) { self.maximumCost = maximumCost }

    var count: Int { entries.count }

    /// Returns the value of a key, and marks it as used.
    mutating func use(_ key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        useCount += 1
        entries.values[index].lastUse = useCount
        return entries.values[index].value
    }

    /// Keeps the value unless its own cost is above the maximum.
    ///
    /// - Returns: The values that were evicted or replaced.
    mutating func keep(_ value: Value, for key: Key, cost: Int = 1) -> [(key: Key, value: Value)] {
        var evicted = remove(key).map { [(key, $0)] } ?? []
        guard cost <= maximumCost else { return evicted }
        useCount += 1
        entries[key] = Entry(value: value, cost: cost, lastUse: useCount)
        self.cost += cost
        // Each eviction scans all entries. This is fast enough, because it follows a call to a gateway, which takes far
        // longer.
        while self.cost > maximumCost, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
            if let value = remove(oldest) { evicted.append((oldest, value)) }
        }
        return evicted
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        cost -= entry.cost
        return entry.value
    }
}
