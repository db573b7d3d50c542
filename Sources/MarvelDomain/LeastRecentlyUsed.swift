package struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    fileprivate struct Entry {
        var value: Value
        var cost: Int
        var lastUse: UInt64
    }

    private let maximumCost: Int
    private var entries: [Key: Entry] = [:]
    private var useCount: UInt64 = 0
    package private(set) var cost = 0

    /// Without a maximum, the owner calls `evict`.
    package init(maximumCost: Int = .max) { self.maximumCost = maximumCost }

    package var count: Int { entries.count }

    /// Does not count as a use.
    package subscript(key: Key) -> Value? { entries[key]?.value }

    @discardableResult
    package mutating func use(_ key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        useCount += 1
        entries.values[index].lastUse = useCount
        return entries.values[index].value
    }

    /// Stores the value unless its own cost is above the maximum. Returns the evicted and replaced values.
    @discardableResult
    package mutating func keep(_ value: Value, for key: Key, cost: Int = 1) -> [(key: Key, value: Value)] {
        var evicted = remove(key).map { [(key, $0)] } ?? []
        guard cost <= maximumCost else { return evicted }
        useCount += 1
        entries[key] = Entry(value: value, cost: cost, lastUse: useCount)
        self.cost += cost
        while self.cost > maximumCost, let oldest = evict() { evicted.append(oldest) }
        return evicted
    }

    /// Evicts the least recently used value; nil if all are spared.
    ///
    /// It scans all entries. The caches are small, or are filled by calls that take far longer.
    package mutating func evict(sparing keys: Set<Key> = []) -> (key: Key, value: Value)? {
        let evictable = entries.lazy.filter { !keys.contains($0.key) }
        guard let oldest = evictable.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return nil }
        return remove(oldest).map { (oldest, $0) }
    }

    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        cost -= entry.cost
        return entry.value
    }

    package mutating func removeAll(where isRemoved: (Value) -> Bool) {
        for (key, entry) in entries where isRemoved(entry.value) { remove(key) }
    }
}

extension LeastRecentlyUsed.Entry: Equatable where Value: Equatable {}
extension LeastRecentlyUsed: Equatable where Value: Equatable {}
