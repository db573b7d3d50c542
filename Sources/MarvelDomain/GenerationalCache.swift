/// The values that were used lately, in two generations.
///
/// A value of the older generation that is used joins the younger one. When the younger one has half of the maximum
/// cost, `trim` makes it the older one, and forgets the values that were left there.
package struct GenerationalCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let maximumCost: Int
    private let cost: @Sendable (Value) -> Int
    private var young: [Key: Value] = [:]
    private var youngCost = 0
    private var old: [Key: Value] = [:]

    package init(maximumCost: Int, cost: @escaping @Sendable (Value) -> Int) {
        self.maximumCost = maximumCost
        self.cost = cost
    }

    /// Storing a value is a use; reading it is not.
    package subscript(key: Key) -> Value? {
        get { young[key] ?? old[key] }
        set {
            if !old.isEmpty { old[key] = nil }
            youngCost += (newValue.map(cost) ?? 0) - (young[key].map(cost) ?? 0)
            young[key] = newValue
        }
    }

    @discardableResult
    package mutating func use(_ key: Key) -> Value? {
        if let value = young[key] { return value }
        guard !old.isEmpty, let value = old.removeValue(forKey: key) else { return nil }
        young[key] = value
        youngCost += cost(value)
        return value
    }

    /// Changes a value in place, if it is here. This is a use.
    package mutating func update(_ key: Key, _ body: (inout Value) -> Void) {
        use(key)
        guard let index = young.index(forKey: key) else { return }
        youngCost -= cost(young.values[index])
        body(&young.values[index])
        youngCost += cost(young.values[index])
    }

    /// Whether `trim` would forget values.
    package var isFull: Bool { youngCost > maximumCost / 2 }

    /// Forgets values, if there are too many: those that were not used since the last time that it did.
    ///
    /// - Returns: The forgotten values.
    @discardableResult
    package mutating func trim() -> [Key: Value] {
        guard isFull else { return [:] }
        let forgotten = old
        (old, young, youngCost) = (young, [:], 0)
        return forgotten
    }

    package mutating func removeAll() { self = GenerationalCache(maximumCost: maximumCost, cost: cost) }
}
