internal import Synchronization
internal import WireMessages

/// Whether the server takes calls. It does from the start, and no more from the first moment of its draining.
package final class ServiceHealth: Sendable {
    package static let serviceName = HealthMethods.serviceName

    private let serving = Atomic(true)

    package init() {}

    package var isServing: Bool { serving.load(ordering: .acquiring) }

    /// From now on every check says NOT_SERVING.
    package func stopServing() { serving.store(false, ordering: .releasing) }
}
