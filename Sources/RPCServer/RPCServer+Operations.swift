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
        func place(_ labels: CallLabels) -> (Int, Int, Int32) {
            (labels.method, labels.system.rawValue, labels.code.rawValue)
        }
        return parts.counters.calls.sorted { place($0.key) < place($1.key) }.map { labels, counts in
            let method = parts.methods.path(labels.method)
            return EndedCallCounts(system: labels.system, method: method, code: labels.code, counts: counts)
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
