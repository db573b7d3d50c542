internal import NIOCore
package import RPCCore

/// The facts of a server for its operator: its calls, its connections, and whether it is alive.
extension RPCServer {
    /// The calls of one method, protocol and status code that have ended since the start.
    package struct EndedCallCounts: Sendable {
        package let system: RPCSystem
        /// The full name of the method; nil for all calls of methods that the server does not have.
        package let method: String?
        package let code: StatusCode
        package let counts: CallCounts
    }

    /// The calls that have ended since the start, in a fixed order.
    package var endedCalls: [EndedCallCounts] {
        let calls = parts.counters.calls
        let labels = calls.keys.sorted {
            ($0.method, $0.system.rawValue, $0.code.rawValue) < ($1.method, $1.system.rawValue, $1.code.rawValue)
        }
        return labels.compactMap { labels in
            calls[labels].map { counts in
                let method = parts.methods.path(labels.method)
                return EndedCallCounts(system: labels.system, method: method, code: labels.code, counts: counts)
            }
        }
    }

    /// Describes open connections, the oldest first.
    ///
    /// - Parameter limit: The maximum number of them.
    /// - Returns: The connections; nil if an event loop does not answer within 2 s.
    package func connections(atMost limit: Int) async -> [ConnectionDescription]? {
        await group.next().answer(within: .seconds(2)) { parts.registry.describe(atMost: limit, on: $0) }
    }
}
