/// The subscribers of a subject. The subject's lock protects them, so all get events in the same order.
struct Subscribers<Value: Sendable> {
    private var inboxes: [ObjectIdentifier: Inbox<Value>] = [:]

    mutating func add(_ inbox: Inbox<Value>) { inboxes[ObjectIdentifier(inbox)] = inbox }

    /// - Returns: The inbox, so that the caller releases it outside of the lock: the subscriber's closure may hold
    ///   anything.
    mutating func remove(_ inbox: Inbox<Value>) -> Inbox<Value>? {
        inboxes.removeValue(forKey: ObjectIdentifier(inbox))
    }

    /// - Returns: The inboxes to `notify` once the lock is released.
    func put(_ value: Value) -> [Inbox<Value>] {
        inboxes.values.filter { $0.put(value) }
    }
}
