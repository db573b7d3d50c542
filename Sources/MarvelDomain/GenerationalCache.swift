/// A value in a `GenerationalCache`.
package protocol SizedValue: Sendable {
    var byteCount: Int { get }
}

/// The values that were used lately, in two generations.
///
/// A value of the older generation that is used joins the younger one. When the younger one has half of the maximum
/// of bytes, `trim` makes it the older one, and forgets the older one before it.
package struct GenerationalCache<Key: Hashable & Sendable, Value: SizedValue>: Sendable {
    private let maximumBytes: Int
    private var young: [Key: Value] = [:]
    private var youngBytes = 0
    private var old: [Key: Value] = [:]

    package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Storing a value is a use; reading it is not.
    package subscript(key: Key) -> Value? {
        get { young[key] ?? old[key] }
        set {
            if !old.isEmpty { old[key] = nil }
            youngBytes += (newValue?.byteCount ?? 0) - (young[key]?.byteCount ?? 0)
            young[key] = newValue
        }
    }

    package mutating func use(_ key: Key) -> Value? { use(key) { copy $0 } }

    /// Uses a value, and returns something of it without a copy of all; nil if it is not here.
    package mutating func use<Part>(_ key: Key, _ body: (borrowing Value) -> Part) -> Part? {
        place(of: key).map { body(young.values[$0]) }
    }

    /// Uses a value, and returns its place among the young ones.
    private mutating func place(of key: Key) -> Dictionary<Key, Value>.Index? {
        if let index = young.index(forKey: key) { return index }
        guard !old.isEmpty, let value = old.removeValue(forKey: key) else { return nil }
        young[key] = value
        youngBytes += value.byteCount
        return young.index(forKey: key)
    }

    /// Changes a value in place, if it is here. This is a use.
    package mutating func update(_ key: Key, _ body: (inout Value) -> Void) {
        guard let index = place(of: key) else { return }
        youngBytes -= young.values[index].byteCount
        body(&young.values[index])
        youngBytes += young.values[index].byteCount
    }

    /// Whether `trim` would forget values.
    package var isFull: Bool { youngBytes > maximumBytes / 2 }

    /// Forgets values, if there are too many: those that were not used since the last time that it did.
    ///
    /// - Returns: The forgotten values.
    @discardableResult
    package mutating func trim() -> [Key: Value] {
        guard isFull else { return [:] }
        let forgotten = old
        (old, young, youngBytes) = (young, [:], 0)
        return forgotten
    }

    package mutating func removeAll() { self = GenerationalCache(maximumBytes: maximumBytes) }
}
