public import RPCServer
import Synchronization

/// Counters by name.
public final class Tally: Sendable {
    private let counts = Mutex<[String: Int64]>([:])
    private let changes = RPCLog<Count>(capacity: 1_000)

    public init() {}

    public var service: RPCService {
        RPCService(
            name: "tally.v1.Tally",
            methods: [
                // One answer.
                .unary("Add") { (request: AddRequest, _) in
                    try self.add(request.amount ?? 1, to: request.name ?? "")
                },
                // A stream: a message is made when the caller has granted credit for it.
                .serverStream("List", hasNoSideEffects: true) { (request: ListRequest, _) in
                    self.list(prefix: request.prefix ?? "")
                },
                // A stream without an end: the changes after those that the caller has.
                .watch("Watch") { (request: WatchRequest, _) in
                    self.changes.entries(after: request.after ?? 0)
                },
            ]
        )
    }

    private func add(_ amount: Int64, to name: String) throws -> Count {
        guard !name.isEmpty else {
            throw RPCError(.invalidArgument, reason: .valueInvalid, "name is empty", metadata: ["field": "name"])
        }
        // Under the lock, so that the log has the order of the additions.
        return counts.withLock { counts in
            counts[name, default: 0] &+= amount
            let count = Count(name: name, value: counts[name] ?? 0, number: changes.last + 1)
            changes.append(count)
            return count
        }
    }

    private func list(prefix: String) -> AsyncStream<Count> {
        let found = counts.withLock { $0.filter { $0.key.hasPrefix(prefix) } }.sorted { $0.key < $1.key }
        let rest = Mutex(found[...])
        return AsyncStream {
            rest.withLock { $0.popFirst() }.map { Count(name: $0.key, value: $0.value, number: 0) }
        }
    }
}
