/// Values by key up to a total cost; what was used longest ago goes first.
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

    /// The value, which counts as used by that.
    mutating func use(_ key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        useCount += 1
        entries.values[index].lastUse = useCount
        return entries.values[index].value
    }

    /// Keeps the value unless it alone is above the limit.
    ///
    /// - Returns: What had to go for it, or was in its place.
    mutating func keep(_ value: Value, for key: Key, cost: Int = 1) -> [(key: Key, value: Value)] {
        var gone = remove(key).map { [(key, $0)] } ?? []
        guard cost <= maximumCost else { return gone }
        useCount += 1
        entries[key] = Entry(value: value, cost: cost, lastUse: useCount)
        self.cost += cost
        // A walk over all for each that goes: it happens once for an answer of a gateway, which took far longer.
        while self.cost > maximumCost, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
            if let value = remove(oldest) { gone.append((oldest, value)) }
        }
        return gone
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        cost -= entry.cost
        return entry.value
    }
}
