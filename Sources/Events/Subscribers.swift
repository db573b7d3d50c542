/// Who hears what a subject sends. It lives under its subject's lock, so all hear it in the same order.
struct Subscribers<Value: Sendable> {
    private var inboxes: [ObjectIdentifier: Inbox<Value>] = [:]

    mutating func add(_ inbox: Inbox<Value>) { inboxes[ObjectIdentifier(inbox)] = inbox }

    /// - Returns: What must not be let go of under the lock: what the subscriber holds may be anything.
    mutating func remove(_ inbox: Inbox<Value>) -> Inbox<Value>? {
        inboxes.removeValue(forKey: ObjectIdentifier(inbox))
    }

    /// - Returns: The inboxes to `tell` of it, once the lock is released.
    func put(_ value: Value) -> [Inbox<Value>] {
        inboxes.values.filter { $0.put(value) }
    }
}
