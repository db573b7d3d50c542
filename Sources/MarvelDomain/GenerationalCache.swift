/// A value in a `GenerationalCache`.
@usableFromInline
package protocol SizedValue: Sendable {
    var byteCount: Int { get }
}

/// The values that were used lately, in two generations.
///
/// A value of the older generation that is used joins the younger one. When the younger one has half of the maximum
/// of bytes, `trim` makes it the older one, and forgets the older one before it. Everything is inlinable: a generic call
/// into another target looks up the types of its values each time.
@usableFromInline
package struct GenerationalCache<Key: Hashable & Sendable, Value: SizedValue>: Sendable {
    @usableFromInline let maximumBytes: Int
    @usableFromInline var young: [Key: Value] = [:]
    @usableFromInline var youngBytes = 0
    @usableFromInline var old: [Key: Value] = [:]

    @inlinable package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Storing a value is a use; reading it is not.
    @inlinable package subscript(key: Key) -> Value? {
        get { young[key] ?? old[key] }
        set {
            if !old.isEmpty { old[key] = nil }
            youngBytes += (newValue?.byteCount ?? 0) - (young[key]?.byteCount ?? 0)
            young[key] = newValue
        }
    }

    @inlinable package mutating func use(_ key: Key) -> Value? { use(key) { copy $0 } }

    /// Uses a value, and returns something of it without a copy of all; nil if it is not here.
    @inlinable package mutating func use<Part>(_ key: Key, _ body: (borrowing Value) -> Part) -> Part? {
        place(of: key).map { body(young.values[$0]) }
    }

    /// Uses a value, and returns its place among the young ones.
    @inlinable mutating func place(of key: Key) -> Dictionary<Key, Value>.Index? {
        if let index = young.index(forKey: key) { return index }
        guard !old.isEmpty, let value = old.removeValue(forKey: key) else { return nil }
        young[key] = value
        youngBytes += value.byteCount
        return young.index(forKey: key)
    }

    /// Changes a value in place, if it is here. This is a use.
    ///
    /// - Returns: Whether it is here.
    @inlinable @discardableResult
    package mutating func update(_ key: Key, _ body: (inout Value) -> Void) -> Bool {
        guard let index = place(of: key) else { return false }
        youngBytes -= young.values[index].byteCount
        body(&young.values[index])
        youngBytes += young.values[index].byteCount
        return true
    }

    /// Whether `trim` would forget values.
    @inlinable package var isFull: Bool { youngBytes > maximumBytes / 2 }

    /// Forgets values, if there are too many: those that were not used since the last time that it did.
    ///
    /// - Returns: The forgotten values.
    @inlinable @discardableResult
    package mutating func trim() -> [Key: Value] {
        guard isFull else { return [:] }
        let forgotten = old
        (old, young, youngBytes) = (young, [:], 0)
        return forgotten
    }

    @inlinable package mutating func removeAll() { self = GenerationalCache(maximumBytes: maximumBytes) }
}
